"""What was done, going by what is seen, and what is wrong where nothing legal fits.

Pieces on ramps lie face down: there a sighting tells only whether a place is taken. An attack that
ends equal from the Squod line changes nothing on the board and is said, not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tableref.rules.explain import Nearest, Sighting
from tableref.rules.pieces import EMPTY
from tableref.rules.resembling import nearest_of, wrong_cells
from tableref.rules.squod import judging
from tableref.rules.squod.actions import Move, Pass, PutBack, Show, Squod, SquodAction
from tableref.rules.squod.game import SquodRules
from tableref.rules.squod.layout import (
    KIND,
    KINDS,
    LINES,
    OWNER,
    START_2,
    UNKNOWN,
    Layout,
    piece_of,
)
from tableref.rules.squod.state import FACE_DOWN, UPRIGHT, State
from tableref.rules.surface import Action

Way = tuple[tuple[Action, ...], State]

MOST_CHANGED = 4
"""Places that a move or an attack can change: start, target, crossing, and its own Squod line."""


class _Seen:
    """A sighting by place: what may stand there, as pieces are seen (`_face`), or None."""

    def __init__(self, layout: Layout, sighting: Sighting) -> None:
        self._ring = layout.ring
        self.may = tuple(sighting.cells.get(name) for name in layout.names)

    def wrong(self, state: State) -> list[int]:
        """The places that are seen otherwise than in this state."""
        return [
            place
            for place, (may, piece) in enumerate(zip(self.may, state.cells, strict=True))
            if may is not None and FACES[place >= self._ring][piece] not in may
        ]

    def empty(self, place: int) -> bool:
        """Whether nothing may stand on a place."""
        may = self.may[place]
        return may is None or EMPTY in may

    def taken(self, place: int) -> bool:
        """Whether something may stand on a place."""
        may = self.may[place]
        return may is None or may != frozenset((EMPTY,))


FACES = (UPRIGHT, FACE_DOWN)
"""Face down -> piece -> what is seen of it."""


class SquodGame(SquodRules):
    """The rules, and what was done going by what is seen."""

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[Way]:
        """A move or an attack, pieces put back, or both, after which the board may look like
        that."""
        if state.over is not None:
            return
        seen = _Seen(self.layout, sighting)
        for put, at in self._put_backs(state, seen):
            wrong = seen.wrong(at)
            if put and not wrong:
                yield put, at
            if len(wrong) <= MOST_CHANGED:
                yield from self._turns(put, at, seen)

    def _turns(self, put: tuple[Action, ...], state: State, seen: _Seen) -> Iterator[Way]:
        index = self.layout.index
        for action in judging.moves(self.layout, state):
            if isinstance(action, Squod):
                # One that ends equal moves nothing, or looks like a step: it is said, not seen.
                if not seen.empty(index[action.target]):
                    continue
            elif not (seen.empty(index[action.start]) and seen.taken(index[action.to])):
                continue
            after, _ = self.apply(state, action)
            if isinstance(action, Squod) and after.cells[index[action.target]]:
                continue
            if not seen.wrong(after):
                yield (*put, action), after

    def _put_backs(self, state: State, seen: _Seen) -> Iterator[Way]:
        """Nothing put back; or pieces on the places of start line 1 where some are seen now or may
        stand unseen, and perhaps one more, which moved on at once."""
        yield (), state
        if not state.hands[state.turn]:
            return
        layout, size = self.layout, self.layout.size
        ramp = layout.tables[state.setup.players].ramps[state.turn]
        wrong = set(seen.wrong(state))
        free = [p for p in range(ramp, ramp + size) if not state.cells[p]]
        filled = [p for p in free if p in wrong]
        unsure = [p for p in free if p not in wrong and seen.taken(p)]
        line_2 = range(ramp + START_2 * size, ramp + START_2 * size + size)
        moved_on = any(q in wrong or (not state.cells[q] and seen.taken(q)) for q in line_2)
        for count in range(len(unsure) + 1):
            for some in combinations(unsure, count):
                stay = [*filled, *some]
                gone = [p for p in free if p not in stay and seen.empty(p)] if moved_on else []
                for row in (stay, *([*stay, place] for place in gone)):
                    if 0 < len(row) <= len(state.hands[state.turn]):
                        yield from self._row((), state, [layout.names[p] for p in row])

    def _row(self, put: tuple[Action, ...], state: State, places: list[str]) -> Iterator[Way]:
        if not places:
            yield put, state
            return
        names = judging.names_in_hand(self.layout, state, state.turn)
        for name in ("",) if state.setup.secret and len(names) > 1 else names:
            action = PutBack(name, places[0])
            after, _ = self.apply(state, action)
            yield from self._row((*put, action), after, places[1:])

    def unseen_move(self, state: State) -> Action | None:
        """A pass, where nothing else can be done."""
        if state.over is not None or judging.moves(self.layout, state):
            return None
        # That the referee sees it must not tell what lies hidden.
        legal = [one for one in self.legal(self.public(state)) if not isinstance(one, Show)]
        return Pass() if legal == [Pass()] else None

    def nearest(self, state: State, sighting: Sighting) -> Nearest:
        """A move from a place that was left to one that is taken now, an attack, a put-back."""
        return nearest_of(self, state, sighting, self._resembling(state, sighting))

    def _resembling(self, state: State, sighting: Sighting) -> Iterator[SquodAction]:
        layout, board = self.layout, self.board(state)
        wrong = [layout.index[cell] for cell in wrong_cells(board, sighting)]
        left = sorted(p for p in wrong if state.cells[p])
        ends = sorted(p for p in wrong if sighting.cells[layout.names[p]] != {EMPTY})
        for start in left:
            for end in ends:
                if start != end:
                    yield from self._moves_to(state, start, end, sighting)
        ramp = layout.tables[state.setup.players].ramps[state.turn]
        own = [p for p in left if ramp <= p < ramp + LINES * layout.size]
        for start, target in (
            (a, b) for a in own for b in left if b >= layout.ring and b not in own
        ):
            for via in range(ramp + 2 * layout.size, ramp + LINES * layout.size):
                yield Squod(layout.names[start], layout.names[via], layout.names[target])
        names = judging.names_in_hand(layout, state, state.turn)
        for place in (p for p in ends if ramp <= p < ramp + LINES * layout.size):
            if names:
                yield PutBack("" if state.setup.secret else names[0], layout.names[place])

    def _moves_to(self, state: State, start: int, end: int, sighting: Sighting) -> Iterator[Move]:
        layout = self.layout
        names = layout.names[start], layout.names[end]
        if KIND[state.cells[start]] != UNKNOWN or end >= layout.ring or start < layout.ring:
            yield Move(*names)
            return
        owner = OWNER[state.cells[start]]
        for kind in self.possible(state, names[0]):
            if UPRIGHT[piece_of(owner, KINDS.index(kind))] in sighting.cells[names[1]]:
                yield Move(*names, kind)
