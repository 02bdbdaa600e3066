"""What was played, going by what is seen, and what is wrong where nothing legal fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tableref.rules.explain import Nearest, Sighting
from tableref.rules.pieces import EMPTY
from tableref.rules.resembling import nearest_of, wrong_cells
from tableref.rules.skorpion_deep import judging, play
from tableref.rules.skorpion_deep.game import BEAD, BOTH, SKORPION, TAIL, SkorpionDeepRules
from tableref.rules.skorpion_deep.layout import Layout, spots_in
from tableref.rules.skorpion_deep.state import Place, State, Step
from tableref.rules.surface import Action


class _Seen(NamedTuple):
    """A sighting as bit masks: per player the spots that may hold a bead of his, those that may
    hold the Skorpion, the Tail, both, and those that may be empty."""

    beads: tuple[int, int]
    skorpion: int
    tail: int
    both: int
    empty: int

    def wrong(self, state: State) -> int:
        """The spots that are seen otherwise than in this state, a bit mask."""
        red, blue = state.beads
        skorpion, tail = 1 << state.skorpion, 1 << state.tail
        wrong = red & ~self.beads[0] | blue & ~self.beads[1]
        if skorpion == tail:
            wrong |= tail & ~self.both
        else:
            wrong |= skorpion & ~self.skorpion | tail & ~self.tail
        return wrong | ~(red | blue | skorpion | tail | self.empty)

    def count_wrong(self, state: State) -> int:
        """How many spots those are."""
        return self.wrong(state).bit_count()


class SkorpionDeep(SkorpionDeepRules):
    """The rules, and what was done going by what is seen."""

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[tuple[tuple[Action, ...], State]]:
        """The legal actions, each a whole turn, after which the board may look like that."""
        seen = _seen(self.layout, sighting)
        for action in judging.legal(self.layout, state):
            if self._may_end(state, action, seen):
                after, _ = play.carry_out(self.layout, state, action)
                if not seen.wrong(after):
                    yield (action,), after

    def _may_end(self, state: State, action: Action, seen: _Seen) -> bool:
        """Whether the piece that it moves may stand where it ends: rules most actions out."""
        if isinstance(action, Place):
            return bool(seen.beads[state.player] >> self.layout.index[action.spot] & 1)
        if isinstance(action, Step):
            end = 1 << self.layout.index[action.path[-1]]
            if end & self.layout.sending:
                return bool(seen.both >> self.layout.gate & 1)
            return bool(end & seen.skorpion)
        return False

    def ending(self, action: Action) -> str | None:
        """Where the Skorpion stepped last: from the rim it is sent to the Gate at once (SD-4.6)."""
        return action.path[-1] if isinstance(action, Step) else None

    def unseen_move(self, state: State) -> Action | None:
        """None: a pass is for the player to say."""
        return None

    def nearest(self, state: State, sighting: Sighting) -> Nearest:
        """A bead placed where one is seen now, or steps of the Skorpion to where it is seen."""
        board = self.board(state)
        wrong = wrong_cells(board, sighting)
        other = BEAD[1 - state.player]
        for spot in self.layout.names:
            if spot in wrong and sighting.certain(spot, other):
                action = Place(spot)
                return Nearest(action, self.judge(state, action, 1 - state.player))
        own = BEAD[state.player]
        paid = [spot for spot in self.layout.names if spot in wrong and board.get(spot) == own]
        candidates = self._resembling(state, sighting, wrong, paid)
        count_wrong = _seen(self.layout, sighting).count_wrong
        return nearest_of(self, state, sighting, candidates, count_wrong)

    def _resembling(
        self, state: State, sighting: Sighting, wrong: set[str], paid: Sequence[str]
    ) -> Iterator[Action]:
        """Placing, one step, two steps with none or one of the beads `paid` that are gone."""
        layout, own = self.layout, BEAD[state.player]
        changed = [spot for spot in layout.names if spot in wrong]
        yield from (Place(spot) for spot in changed if own in sighting.cells[spot])
        ends = [s for s in changed if any(SKORPION[0] in stack for stack in sighting.cells[s])]
        alike = 0
        if ends == [layout.names[layout.gate]]:
            # It may have been sent there from the rim (SD-4.6).
            ends += [layout.names[spot] for spot in spots_in(layout.sending)]
            # From where, a board tells only by a bead taken. Of the rest one stands for all to
            # which no line leads.
            bare = layout.sending & ~(state.beads[0] | state.beads[1])
            alike = bare & bare - 1
        yield from (Step((end,)) for end in ends)
        unreached = {
            layout.names[first]: alike & ~(layout.lines[first] | layout.lines[layout.gate])
            for first in layout.ways[state.skorpion][state.tail]
        }
        paths = [
            (first, end)
            for end in ends
            for first, spots in unreached.items()
            if not spots >> layout.index[end] & 1
        ]
        yield from (Step(path, pay) for pay in ("", *paid) for path in paths)


def _seen(layout: Layout, sighting: Sighting) -> _Seen:
    may = dict.fromkeys((*BEAD, SKORPION, TAIL, BOTH, EMPTY), 0)
    unseen = 0
    for spot, name in enumerate(layout.names):
        bit, stacks = 1 << spot, sighting.cells.get(name)
        if stacks is None:
            unseen |= bit
            continue
        for stack in stacks:
            if stack in may:
                may[stack] |= bit
    # Spots beyond the board count as empty.
    may[EMPTY] |= ~layout.all
    red, blue, skorpion, tail, both, empty = (mask | unseen for mask in may.values())
    return _Seen((red, blue), skorpion, tail, both, empty)
