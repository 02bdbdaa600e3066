"""Rows of star moves between two boards that differ in their stars only, the shortest first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations

from tableref.rules.arrows_and_stars import judging
from tableref.rules.arrows_and_stars.actions import Star
from tableref.rules.arrows_and_stars.game import ArrowsAndStarsRules
from tableref.rules.arrows_and_stars.layout import STARS
from tableref.rules.arrows_and_stars.state import State, cells_of
from tableref.rules.explain import SearchCut
from tableref.rules.surface import Action

Stars = tuple[int, int]
"""Masks of the stars on the board, by colour."""
Rows = dict[Stars, tuple[Star, ...]]
"""Where stars may stand -> the moves that bring them there."""
Way = tuple[tuple[Action, ...], State]

MOST_STATES = 1000
"""Boards looked at in one search: enough for every row of a few moves, and a bound for the rest."""
MOST_LONGER = 200
"""The same for a row that is longer than one which was found."""
MOST_KEPT = 10_000
"""Pairs of where stars stand and should stand that are remembered."""
NEVER = 10**6
"""More moves than there can be."""
OFF = 0
"""Where a star that is taken off goes, as a mask."""


class StarRows:
    """Searches for rows of star moves on one lattice."""

    def __init__(self, game: ArrowsAndStarsRules) -> None:
        self._game = game
        self._reached_from = cache(self._reached)
        self._moves_from = cache(self._moves_to_cells)
        self._fewest_of = lru_cache(MOST_KEPT)(self._fewest)

    def fewest(self, stars: Stars, target: Stars) -> int:
        """So many moves lead from here to there at least; NEVER, where none do."""
        fewest_of = self._fewest_of
        return fewest_of(0, stars[0], target[0]) + fewest_of(1, stars[1], target[1])

    def within(self, colour: int, stars: int, most: int) -> int:
        """The cells to which one of these stars may come in so many moves, as a mask."""
        found = 0
        for start in cells_of(stars):
            for cell, moves in self._moves_from(colour, start).items():
                found |= cell if moves <= most else OFF
        return found

    def rows(self, state: State, target: Stars) -> Iterator[Way]:
        """Star moves of this turn after which the stars stand there, and the state after them: one
        row for each number of moves, the fewest first. In a longer row no star comes to a cell
        where it was before; where no star has moved, none did. SearchCut: it takes too long to
        find more.
        """
        fewest = self.fewest(state.stars, target)
        longer = False
        for budget in range(fewest, state.left + 1 if fewest else 1):
            row = self._row(state, target, budget, longer)
            if row is not None:
                yield self._played(state, row)
                longer = True

    def _row(
        self, state: State, target: Stars, budget: int, longer: bool
    ) -> tuple[Star, ...] | None:
        """Just so many moves that lead there; None where there are none. SearchCut"""
        rows: Rows = {state.stars: ()}
        looked_at, most = 0, MOST_LONGER if longer else MOST_STATES
        for still in reversed(range(budget)):
            further: Rows = {}
            for stars, moves in self._further(state, rows, target, still):
                if stars in further or (longer and _returns(moves)):
                    continue
                looked_at += 1
                if looked_at > most:
                    raise SearchCut
                further[stars] = moves
            rows = further
        return rows.get(target)

    def _further(
        self, state: State, rows: Rows, target: Stars, still: int
    ) -> Iterator[tuple[Stars, tuple[Star, ...]]]:
        """The rows with one more move that may come there with so many still to go."""
        for stars, moves in rows.items():
            if _won(state, stars):
                continue
            # With no move to spare, no star of a colour leaves that stands as it should.
            spare = self.fewest(stars, target) <= still
            among = sum(
                now for now, then in zip(stars, target, strict=True) if spare or now != then
            )
            at = state._replace(stars=stars)
            for star in judging.star_moves(self._game.layout, at, among):
                after = self._after(stars, star)
                if self.fewest(after, target) <= still:
                    yield after, (*moves, star)

    def _after(self, stars: Stars, star: Star) -> Stars:
        masks = self._game.layout.masks
        (white, black), start, to = stars, masks[star.start], masks[star.to]
        if white & start:
            return white ^ start | self._landed(0, to), black
        return white, black ^ start | self._landed(1, to)

    def _landed(self, colour: int, to: int) -> int:
        """Where a star that goes to a cell stands then: OFF on its far edge (AE-3.4)."""
        return OFF if to & self._game.layout.far[colour] else to

    def _played(self, state: State, moves: tuple[Star, ...]) -> Way:
        for star in moves:
            state, _ = self._game.apply(state, star)
        return moves, state

    def _fewest(self, colour: int, stars: int, target: int) -> int:
        """As `fewest`, of one colour, were no piece in the way: each star goes to one place. One
        that stands on such a place stays: were another to come there and this one to go on, that
        other could as well go all the way."""
        if stars == target:
            return 0
        places = list(cells_of(target & ~stars))
        starts = [self._moves_from(colour, star) for star in cells_of(stars & ~target)]
        if len(starts) < len(places):
            return NEVER
        places += [OFF] * (len(starts) - len(places))
        return min(
            sum(moves.get(place, NEVER) for moves, place in zip(order, places, strict=True))
            for order in permutations(starts)
        )

    def _moves_to_cells(self, colour: int, start: int) -> dict[int, int]:
        """Mask of a cell that a star can come to, or OFF -> the fewest moves that lead there."""
        found, edge = {start: 0}, [start]
        while edge:
            at = edge.pop(0)
            for to in self._reached_from(colour, at):
                if to not in found:
                    found[to] = found[at] + 1
                    if to != OFF:
                        edge.append(to)
        return found

    def _reached(self, colour: int, at: int) -> tuple[int, ...]:
        """Where one move may bring a star, were there room and something to jump."""
        layout = self._game.layout
        ways = layout.ways[colour]
        steps = [layout.masks[way.stars[at].to] for way in ways if at in way.stars]
        jumps = [way.jumps[at][1].to for way in ways if at in way.jumps]
        return tuple(self._landed(colour, to) for to in (*steps, *jumps))


def _won(state: State, stars: Stars) -> bool:
    """Whether all stars of a colour are off by now (AE-4.1)."""
    return any(
        out + before.bit_count() - now.bit_count() == STARS
        for out, before, now in zip(state.out, state.stars, stars, strict=True)
    )


def _returns(moves: tuple[Star, ...]) -> bool:
    """Whether the star that moves last comes to a cell where it was before."""
    *before, last = moves
    at = last.start
    for star in reversed(before):
        if star.to == at:
            at = star.start
            if at == last.to:
                return True
    return False
