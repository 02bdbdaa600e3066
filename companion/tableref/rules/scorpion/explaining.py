"""Which scorpions were moved, going by what is seen, and what is wrong where no move fits.

A turn is seen in pieces: after each of its moves, or after both. The end of a turn, and with it a
turn that is lost, changes nothing on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tableref.rules.explain import Nearest, Sighting
from tableref.rules.pieces import EMPTY
from tableref.rules.resembling import nearest_of, wrong_cells
from tableref.rules.scorpion import judging, play
from tableref.rules.scorpion.actions import Move
from tableref.rules.scorpion.game import ONE, ScorpionRules
from tableref.rules.scorpion.state import State
from tableref.rules.scorpion.track import COLOURS, HAND, Track
from tableref.rules.surface import Action

Way = tuple[tuple[Action, ...], State]

MOST_CHANGED = 3
"""Cells that one move can change: where it leaves, where it ends, and the one opposite."""


class _Seen(NamedTuple):
    """A sighting by colour: the cells that may hold one scorpion of it, a bit mask.

    `empty`: the cells that may be empty. `shared`: what is said of the cells that may hold two.
    """

    may: tuple[int, ...]
    empty: int
    shared: Sighting

    def wrong(self, state: State) -> int:
        """The cells that are seen otherwise than in this state, a bit mask."""
        (blue, red, green, white), may = state.masks, self.may
        wrong = blue & ~may[0] | red & ~may[1] | green & ~may[2] | white & ~may[3]
        held = blue | red | green | white
        wrong |= ~(held | self.empty) & (1 << state.track.out) - 2
        attack = state.attack
        if attack is None:
            return wrong
        bit, stack = 1 << attack.cell, ONE[attack.colour]
        if held & bit:
            other = COLOURS.index(judging.standing(state, attack.cell))
            stack = tuple(sorted(stack + ONE[other]))
        cell = state.track.cells[attack.cell]
        stands = stack in self.shared.cells.get(cell, (stack,))
        return wrong & ~bit if stands else wrong | bit

    def count_wrong(self, state: State) -> int:
        """How many cells those are."""
        return self.wrong(state).bit_count()


class Scorpion(ScorpionRules):
    """The rules, and what was done going by what is seen."""

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[Way]:
        """One move or two, after which the board may look like that; none while a die is to be
        thrown."""
        if state.winners or judging.throw_due(state) or _off_the_track(state.track, sighting):
            return
        seen = _seen(state.track, sighting)
        first = [way for way in self._moves((), state) if seen.count_wrong(way[1]) <= MOST_CHANGED]
        yield from (way for way in first if not seen.wrong(way[1]))
        for actions, before in first:
            if before.winners or before.attack:
                continue
            for way in self._moves(actions, before):
                if not seen.wrong(way[1]):
                    yield way

    def _moves(self, actions: tuple[Action, ...], state: State) -> Iterator[Way]:
        for action in judging.legal(state):
            if isinstance(action, Move):
                after, _ = play.move(state, action)
                yield (*actions, action), after

    def unseen_move(self, state: State) -> Action | None:
        """The end of the turn, where nothing else is left to do."""
        legal = judging.legal(state)
        return legal[0] if not state.winners and tuple(legal) == (judging.END_TURN,) else None

    def nearest(self, state: State, sighting: Sighting) -> Nearest:
        """The move, legal or not, of a scorpion that left a cell, or came in, to a cell where one
        is seen now."""
        count_wrong = _seen(state.track, sighting).count_wrong
        return nearest_of(self, state, sighting, self._resembling(state, sighting), count_wrong)

    def _resembling(self, state: State, sighting: Sighting) -> Iterator[Move]:
        """Moves of a scorpion that is gone from its cell, or of one in hand, to a cell where its
        colour is seen now; out, where it is seen nowhere."""
        track, board = state.track, self.board(state)
        wrong = wrong_cells(board, sighting)
        for colour, name in enumerate(COLOURS):
            held = play.cells_of(state, colour)
            left = sorted({c for c in held if track.cells[c] in wrong})
            came = [
                track.index[cell]
                for cell in sorted(wrong & track.index.keys())
                if any(ONE[colour][0] in stack for stack in sighting.cells[cell])
            ]
            # By changing places it ends opposite the cell that it stepped to (SC-4.1).
            beside = [track.out - cell for cell in came if cell > track.side]
            reached = sorted({*came, *beside}) if came else [track.out]
            for start in left or [HAND] * (HAND in held):
                for target in reached:
                    if target > start and (start != HAND or target < track.out):
                        yield from (
                            Move(name, track.cells[start], target - start, cross)
                            for cross in (False, True)
                        )


def _off_the_track(track: Track, sighting: Sighting) -> bool:
    """Whether something stands on a cell of the board that is not played on."""
    return any(EMPTY not in may for c, may in sighting.cells.items() if c not in track.index)


def _seen(track: Track, sighting: Sighting) -> _Seen:
    may, empty = [0] * len(COLOURS), 0
    for cell in range(HAND + 1, track.out):
        stacks, bit = sighting.cells.get(track.cells[cell]), 1 << cell
        if stacks is None or EMPTY in stacks:
            empty |= bit
        for colour, one in enumerate(ONE):
            if stacks is None or one in stacks:
                may[colour] |= bit
    return _Seen(tuple(may), empty, sighting)
