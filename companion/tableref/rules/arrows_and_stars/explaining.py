"""What was moved, going by what is seen, and what is wrong where no move fits.

A turn is seen in pieces or at once: after the arrow move, after each star move, after all of them,
or only when the other side has moved an arrow, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tableref.rules.arrows_and_stars import judging
from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Star
from tableref.rules.arrows_and_stars.game import ArrowsAndStarsRules
from tableref.rules.arrows_and_stars.layout import COLOURS, HEADINGS, Layout
from tableref.rules.arrows_and_stars.state import ARROW_HALF, State
from tableref.rules.explain import EMPTY, Nearest, Sighting
from tableref.rules.resembling import nearest_of, wrong_cells
from tableref.rules.surface import Action

Way = tuple[tuple[Action, ...], State]

MOST_STATES = 400
"""Boards looked at in the search for star moves; enough for every turn of a few stars, and a bound
for sightings in which many cells are unknown."""


class _Seen(NamedTuple):
    """A sighting as masks: the cells that may be empty, or hold an arrow of this colour and
    heading, or a star of this colour."""

    empty: int
    arrows: tuple[tuple[int, int], tuple[int, int]]
    stars: tuple[int, int]

    def wrong(self, state: State) -> int:
        """The cells that are seen otherwise than in this state."""
        (white, black), (white_star, black_star), up = state.arrows, state.stars, state.up
        (white_up, white_down), (black_up, black_down) = self.arrows
        return (
            white & up & ~white_up
            | white & ~up & ~white_down
            | black & up & ~black_up
            | black & ~up & ~black_down
            | white_star & ~self.stars[0]
            | black_star & ~self.stars[1]
            | ~(white | black | white_star | black_star | self.empty)
        )


class ArrowsAndStars(ArrowsAndStarsRules):
    """The rules, and what was done going by what is seen."""

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[Way]:
        """The fewest star moves that fit, or an arrow move and what goes with it."""
        if state.over is not None:
            return
        seen = _seen(self.layout, sighting)
        if state.left == ARROW_HALF:
            yield from self._arrow_ways((), state, seen)
            return
        found = False
        if state.left:
            for way in self._star_ways((), state, seen):
                found = True
                yield way
        if not found:
            # The turn may have ended unsaid, with the next arrow on its way.
            ended, _ = self.apply(state, EndTurn())
            if ended.over is None:
                yield from self._arrow_ways((EndTurn(),), ended, seen)

    def _arrow_ways(self, before: tuple[Action, ...], state: State, seen: _Seen) -> Iterator[Way]:
        """Moves of an arrow that left its place, empty or to a star, or was turned on it; if there
        are none, chains that came back to where they began, with star moves to show for it."""
        wrong = seen.wrong(state)
        left = seen.empty | seen.stars[0] | seen.stars[1] | wrong
        found = False
        for way in self._moves_among(left, before, state, seen):
            found = True
            yield way
        if wrong and not found:
            yield from self._moves_among(~left, before, state, seen)

    def _moves_among(
        self, among: int, before: tuple[Action, ...], state: State, seen: _Seen
    ) -> Iterator[Way]:
        layout, wrong = self.layout, seen.wrong(state)
        may = seen.arrows[state.turn][0] | seen.arrows[state.turn][1]
        opposing = state.arrows[1 - state.turn]
        left_by = seen.empty | seen.stars[0] | seen.stars[1]
        known = set()
        for arrow in judging.arrow_moves(layout, state, among):
            start, end = layout.masks[arrow.path[0]], layout.masks[arrow.path[-1]]
            if not end & may or not (start == end or start & left_by):
                continue
            _, heading, _, jumped = judging.trace(layout, state, arrow.path)
            result = start, end, heading, sum(bool(over & opposing) for over in jumped)
            if result in known:
                continue  # another chain to the same end
            known.add(result)
            after, _ = self.apply(state, arrow)
            left = seen.wrong(after)
            if not left:
                yield (*before, arrow), after
            elif left.bit_count() <= 2 * after.left and (wrong & ~left or start == end):
                yield from self._star_ways((*before, arrow), after, seen)

    def _star_ways(self, before: tuple[Action, ...], state: State, seen: _Seen) -> Iterator[Way]:
        """The shortest rows of star moves after which the board may look like that.

        At first only stars are moved that do not stand as they are seen.
        """
        for any_star in (False, True):
            ways: list[tuple[tuple[Action, ...], State]] = [(before, state)]
            known = {(state.stars, state.out)}
            while ways:
                further = []
                for actions, at in ways:
                    wrong = seen.wrong(at)
                    for star in judging.star_moves(self.layout, at):
                        if not any_star and not self.layout.masks[star.start] & wrong:
                            continue
                        after, _ = self.apply(at, star)
                        left = seen.wrong(after).bit_count()
                        if (after.stars, after.out) in known or left > 2 * after.left:
                            continue
                        known.add((after.stars, after.out))
                        further.append(((*actions, star), after))
                found = [way for way in further if not seen.wrong(way[1])]
                if found:
                    yield from found
                    return
                if len(known) > MOST_STATES:
                    break
                ways = [way for way in further if way[1].over is None and way[1].left]

    def unseen_move(self, state: State) -> Action | None:
        """The end of a turn in which no star move is left."""
        return EndTurn() if state.over is None and state.left == 0 else None

    def nearest(self, state: State, sighting: Sighting) -> Nearest:
        """An arrow or a star that left a cell for one where such a piece is seen now."""
        return nearest_of(self, state, sighting, self._resembling(state, sighting))

    def _resembling(self, state: State, sighting: Sighting) -> Iterator[Action]:
        board = self.board(state)
        wrong = [cell for cell in self.layout.masks if cell in wrong_cells(board, sighting)]
        for start in wrong:
            for end in wrong:
                if start not in board or end in board:
                    continue
                if "star" in board[start]:
                    yield Star(start, end)
                    continue
                yield Arrow((start, end))
                for chain in judging.unbound_chains(self.layout, state, start):
                    if chain.path[-1] == end:
                        yield chain
                        break


def _seen(layout: Layout, sighting: Sighting) -> _Seen:
    unseen = layout.board
    empty = 0
    arrows, stars = [[0, 0], [0, 0]], [0, 0]
    pieces = {
        f"{word} arrow {heading}": (colour, h)
        for colour, word in enumerate(COLOURS)
        for h, heading in enumerate(HEADINGS)
    }
    for cell, may in sighting.cells.items():
        bit = layout.masks.get(cell, 0)
        unseen &= ~bit
        for text in may:
            if text == EMPTY:
                empty |= bit
            elif text in pieces:
                colour, heading = pieces[text]
                arrows[colour][heading] |= bit
            elif text.split()[1:2] == ["star"] and text.split()[0] in COLOURS:
                stars[COLOURS.index(text.split()[0])] |= bit
    (white_up, white_down), (black_up, black_down) = arrows
    return _Seen(
        empty | unseen | ~layout.board,
        ((white_up | unseen, white_down | unseen), (black_up | unseen, black_down | unseen)),
        (stars[0] | unseen, stars[1] | unseen),
    )
