"""The shortest row of star moves between two boards that differ in their stars only."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations

from tableref.rules.arrows_and_stars import judging
from tableref.rules.arrows_and_stars.game import ArrowsAndStarsRules
from tableref.rules.arrows_and_stars.layout import Layout
from tableref.rules.arrows_and_stars.state import State, cells_of
from tableref.rules.surface import Action

Stars = tuple[int, int]
"""Masks of the stars on the board, by colour."""
Way = tuple[tuple[Action, ...], State]

MOST_STATES = 1000
"""Boards looked at in one search: enough for every row of a few moves, and a bound for the rest."""
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

    def shortest(self, state: State, target: Stars) -> Way | None:
        """The fewest star moves of this turn after which the stars stand there, and the state
        after them; None where there are none, or where it takes too long to find any."""
        for budget in range(self.fewest(state.stars, target), state.left + 1):
            known = {state.stars}
            rows: list[Way] = [((), state)]
            for still in reversed(range(budget)):
                rows = list(self._further(rows, target, still, known))
                if len(known) > MOST_STATES:
                    return None
            if rows:
                return rows[0]
        return None

    def _further(
        self, rows: list[Way], target: Stars, still: int, known: set[Stars]
    ) -> Iterator[Way]:
        """The rows with one more move that may come there with so many still to go."""
        for actions, at in rows:
            if at.over is not None:
                continue
            for star in judging.star_moves(self._game.layout, at):
                after, _ = self._game.apply(at, star)
                if after.stars not in known and self.fewest(after.stars, target) <= still:
                    known.add(after.stars)
                    yield (*actions, star), after

    def _fewest(self, colour: int, stars: int, target: int) -> int:
        """As `fewest`, of one colour, were no piece in the way: each star goes to one place."""
        if stars == target:
            return 0
        places = list(cells_of(target))
        starts = [self._moves_from(colour, star) for star in cells_of(stars)]
        if len(starts) < len(places):
            return NEVER
        places += [OFF] * (len(starts) - len(places))
        return min(
            sum(moves.get(place, NEVER) for moves, place in zip(order, places, strict=True))
            for order in permutations(starts)
        )

    def _moves_to_cells(self, colour: int, start: int) -> dict[int, int]:
        """Mask of a cell that a star can come to, or OFF -> the fewest moves that lead there."""
        layout = self._game.layout
        found, edge = {start: 0}, [start]
        while edge:
            at = edge.pop(0)
            for to in _reached(layout, colour, at):
                if to not in found:
                    found[to] = found[at] + 1
                    edge += [to] * (to != OFF)
        return found


def _reached(layout: Layout, colour: int, at: int) -> Iterator[int]:
    """Where one move may bring a star, were there room and something to jump."""
    for way in layout.ways[colour]:
        landings = []
        if at in way.stars:
            landings.append(layout.masks[way.stars[at].to])
        if at in way.jumps:
            landings.append(way.jumps[at][1].to)
        for to in landings:
            yield OFF if to & layout.far[colour] else to
