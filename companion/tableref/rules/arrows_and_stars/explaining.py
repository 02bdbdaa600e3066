"""What was moved, going by what is seen, and what is wrong where no move fits.

A turn is seen in pieces or at once: after the arrow move, after each star move, after all of them,
or only when the other side has moved an arrow, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple

from tableref.rules.arrows_and_stars import judging
from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Star
from tableref.rules.arrows_and_stars.game import ArrowsAndStarsRules
from tableref.rules.arrows_and_stars.layout import Layout
from tableref.rules.arrows_and_stars.star_rows import StarRows, Stars, Way
from tableref.rules.arrows_and_stars.state import ARROW, ARROW_HALF, STAR, State, cells_of
from tableref.rules.explain import Answer, Nearest, SearchCut, Sighting
from tableref.rules.pieces import EMPTY
from tableref.rules.resembling import nearest_of, wrong_cells
from tableref.rules.surface import Action

MOST_BOARDS = 300
"""Ways that the stars may stand which are looked at: a bound for sightings in which a great part
of the board is unknown."""


class _Seen(NamedTuple):
    """A sighting as masks: the cells that may be empty, or hold an arrow of this colour and
    heading, or a star of this colour."""

    empty: int
    arrows: tuple[tuple[int, int], tuple[int, int]]
    stars: tuple[int, int]

    def wrong(self, state: State) -> int:
        """The cells that are seen otherwise than in this state."""
        (white, black), (white_star, black_star) = state.arrows, state.stars
        return (
            self.wrong_arrows(state)
            | white_star & ~self.stars[0]
            | black_star & ~self.stars[1]
            | ~(white | black | white_star | black_star | self.empty)
        )

    def wrong_arrows(self, state: State) -> int:
        """Those on which an arrow stands that is not seen so, or is seen and does not stand."""
        (white, black), up = state.arrows, state.up
        (white_up, white_down), (black_up, black_down) = self.arrows
        return (
            white & up & ~white_up
            | white & ~up & ~white_down
            | black & up & ~black_up
            | black & ~up & ~black_down
            | ~(white | black | self.stars[0] | self.stars[1] | self.empty)
        )


class ArrowsAndStars(ArrowsAndStarsRules):
    """The rules, and what was done going by what is seen."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._rows = StarRows(self)

    def ways(
        self,
        state: State,
        sighting: Sighting,
        coming: Sequence[Action] = (),
        blinded: bool = False,
    ) -> Iterator[Way]:
        """Star moves to each board that fits, of each number one row, or an arrow move and what
        goes with it."""
        if state.over is not None:
            return
        seen = _seen(self.layout, sighting)
        if state.left == ARROW_HALF:
            yield from self._arrow_ways((), state, seen, blinded)
            return
        found = False
        if state.left:
            for row, after in self._star_ways(state, seen, blinded):
                if row:
                    found = True
                    yield row, after
        if not found:
            # The turn may have ended unsaid, with the next arrow on its way.
            ended, _ = self.apply(state, EndTurn())
            if ended.over is None:
                yield from self._arrow_ways((EndTurn(),), ended, seen, blinded)

    def _arrow_ways(
        self, before: tuple[Action, ...], state: State, seen: _Seen, blinded: bool
    ) -> Iterator[Way]:
        """Moves of an arrow that left its place, empty or to a star, or was turned on it; if there
        are none, chains that came back to where they began, with star moves to show for it."""
        wrong = seen.wrong(state)
        left = seen.empty | seen.stars[0] | seen.stars[1] | wrong
        found = False
        for way in self._moves_among(left, before, state, seen, blinded):
            found = True
            yield way
        if wrong and not found:
            yield from self._moves_among(~left, before, state, seen, blinded)

    def _moves_among(
        self, among: int, before: tuple[Action, ...], state: State, seen: _Seen, blinded: bool
    ) -> Iterator[Way]:
        layout = self.layout
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
            for row, ended in self._star_ways(after, seen, blinded):
                yield (*before, arrow, *row), ended

    def _star_ways(self, state: State, seen: _Seen, blinded: bool) -> Iterator[Way]:
        """Rows of star moves, or none, to each board that may be the one seen. Where one is found
        and the search for longer ones is cut, more of them matter only where not all was seen."""
        if seen.wrong_arrows(state):
            return
        fewest = self._rows.fewest
        boards = list(islice(self._star_boards(state, seen), MOST_BOARDS + 1))
        cut = len(boards) > MOST_BOARDS
        for stars in sorted(boards[:MOST_BOARDS], key=lambda stars: fewest(state.stars, stars)):
            found = False
            try:
                for way in self._rows.rows(state, stars):
                    found = True
                    yield way
            except SearchCut:
                cut = cut or blinded or not found
        if cut:
            raise SearchCut

    def _star_boards(self, state: State, seen: _Seen) -> Iterator[Stars]:
        """Where all the stars may stand, going by what is seen and by how far they can move."""
        free = ~(state.arrows[0] | state.arrows[1])
        must = free & ~seen.empty
        choices = []
        for colour, stars in enumerate(state.stars):
            sure = must & ~seen.stars[1 - colour]
            if loose := free & seen.stars[colour] & ~sure:
                loose &= self._rows.within(colour, stars, state.left)
            count = stars.bit_count() - sure.bit_count()
            choices.append(
                [
                    sum(more, sure)
                    for size in range(count, -1, -1)
                    for more in combinations(cells_of(loose), size)
                ]
            )
        for white, black in product(*choices):
            if not white & black and not must & ~(white | black):
                yield white, black

    def covers(self, answer: Answer, other: Answer) -> bool:
        """Whether the other answer differs by more star moves only (AE-3.1)."""
        arrows, others = (
            [action for action in each.actions if not isinstance(action, Star)]
            for each in (answer, other)
        )
        state, after = answer.state, other.state
        if arrows != others or state.left <= 0:
            return False
        if state.left > after.left >= 0 and state._replace(left=after.left) == after:
            return True
        return state.over is None and bool(self.apply(state, EndTurn())[0] == after)

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
                if board[start][0].kind == "star":
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
    for cell, may in sighting.cells.items():
        bit = layout.masks.get(cell, 0)
        unseen &= ~bit
        if EMPTY in may:
            empty |= bit
        for colour in (0, 1):
            if STAR[colour] in may:
                stars[colour] |= bit
            for heading in (0, 1):
                if ARROW[colour][heading] in may:
                    arrows[colour][heading] |= bit
    (white_up, white_down), (black_up, black_down) = arrows
    return _Seen(
        empty | unseen | ~layout.board,
        ((white_up | unseen, white_down | unseen), (black_up | unseen, black_down | unseen)),
        (stars[0] | unseen, stars[1] | unseen),
    )
