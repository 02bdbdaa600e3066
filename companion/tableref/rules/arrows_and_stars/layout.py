"""The lattice of arrows and stars as tables, made from the data of its board file (AE-1).

A cell is a number: row * width + x, x in half pitches from the west end of the longest row. The
width leaves room enough beside the rows that a step or a jump over the edge never lands on a cell.
So a step is one number to add, and all pieces can step at once by shifting a mask of cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tableref.rules.arrows_and_stars.actions import Arrow, Star
from tableref.rules.plain import entries, only_known, table
from tableref.rules.surface import SetupError

UP, DOWN, SIDE = 0, 1, 2
"""Ways of a step; the first two are headings of arrows and stars, too."""

COLOURS = ("white", "black")
HEADINGS = ("up", "down")
ARROWS, STARS = 10, 3
"""Pieces of a side (AE-1.2)."""

MOST_IN_ROW, MOST_ROWS = 26, 99


class Leg(NamedTuple):
    """A step or a jump between two cells, as masks; `over` is 0 for a step."""

    start: int
    to: int
    over: int
    way: int


class Jump(NamedTuple):
    """A jump from some cell for some heading: masks, then cell, name and heading at its end."""

    over: int
    to: int
    cell: int
    name: str
    heading: int


class Way(NamedTuple):
    """A direction of steps. `mask >> right << left` brings what lies one step ahead to each cell.

    `arrows`, `stars`: mask of a cell -> the step from there. `jumps`: mask of a cell -> the jump.
    """

    right: int
    left: int
    arrows: dict[int, Arrow]
    stars: dict[int, Star]
    jumps: dict[int, tuple[str, Jump]]


class Layout:
    """Tables of one lattice. All masks have bit `cell` set for a cell.

    `legs`: (name, name) -> Leg, every step and jump there is room for, backward ones included.
    `forward`, `ways`: heading -> the directions of a first jump, and of steps and later jumps
    (AE-2.1, AE-2.3). `jumps`: heading -> cell -> the jumps of a chain that has begun; the last row
    turns an arrow round (AE-2.5).
    """

    def __init__(
        self,
        rows: tuple[int, ...],
        forward: tuple[tuple[int, int], ...],
        side: tuple[tuple[int, int], ...],
        starts: Mapping[str, tuple[str, ...]],
    ) -> None:
        longest = 2 * max(rows) - 1
        width = longest + 2 * max(abs(dx) for dx, _ in forward + side)
        self.index = {
            name: row * width + 2 * column + max(rows) - count
            for row, count in enumerate(rows)
            for column, name in enumerate(_row_names(row, count))
        }
        self.names = {cell: name for name, cell in self.index.items()}
        self.masks = {name: 1 << cell for name, cell in self.index.items()}
        self.board = sum(self.masks.values())
        self.far = (self._row(len(rows) - 1, width), self._row(0, width))
        """Heading -> its last row."""
        self.starts = starts
        self.legs: dict[tuple[str, str], Leg] = {}
        across = tuple(dy * width + dx for dx, dy in side)
        ahead = (
            tuple(dy * width + dx for dx, dy in forward),
            tuple(-dy * width + dx for dx, dy in forward),
        )
        self.forward = tuple(
            tuple(self._way(distance, heading, heading) for distance in ahead[heading])
            for heading in (UP, DOWN)
        )
        self.ways = tuple(
            self.forward[heading] + tuple(self._way(d, SIDE, heading) for d in across)
            for heading in (UP, DOWN)
        )
        self.jumps = tuple(
            {
                cell: tuple(way.jumps[1 << cell][1] for way in ways if 1 << cell in way.jumps)
                for cell in self.names
            }
            for ways in self.ways
        )

    def lowest(self, mask: int) -> str:
        """Name of the first cell of a mask."""
        return self.names[(mask & -mask).bit_length() - 1]

    def _row(self, row: int, width: int) -> int:
        return self.board & ((1 << width) - 1) << row * width

    def _way(self, distance: int, way: int, heading: int) -> Way:
        """The steps and jumps of one direction for pieces of one heading; also kept as legs."""
        table = Way(max(distance, 0), max(-distance, 0), {}, {}, {})
        for name, cell in self.index.items():
            bit = 1 << cell
            next_name, behind = self.names.get(cell + distance), self.names.get(cell + 2 * distance)
            if next_name is None:
                continue
            next_bit = self.masks[next_name]
            table.arrows[bit], table.stars[bit] = Arrow((name, next_name)), Star(name, next_name)
            self.legs[name, next_name] = Leg(bit, next_bit, 0, way)
            if behind is None:
                continue
            to = self.masks[behind]
            after = 1 - heading if to & self.far[heading] else heading
            table.jumps[bit] = (name, Jump(next_bit, to, cell + 2 * distance, behind, after))
            self.legs[name, behind] = Leg(bit, to, next_bit, way)
        return table


def layout_from(data: Mapping[str, Any]) -> Layout:
    """The lattice of a board file's data: `cells.rows`, `steps`, `starts`. SetupError names the
    key that is wrong."""
    where = "board data"
    rows = entries(table(data, "cells", where).get("rows"), f"{where}: cells.rows", int)
    if not 2 <= len(rows) <= MOST_ROWS or not all(1 <= n <= MOST_IN_ROW for n in rows):
        raise SetupError(
            f"{where}: cells.rows: expected 2 to {MOST_ROWS} rows of 1 to {MOST_IN_ROW} cells"
        )
    steps = table(data, "steps", where)
    forward, side = (_steps_of(steps, key, where) for key in ("forward", "side"))
    if any(dy < 1 for _, dy in forward):
        raise SetupError(f"{where}: steps.forward: expected steps to a later row, [dx, 1 or more]")
    if any(dy for _, dy in side):
        raise SetupError(f"{where}: steps.side: expected steps in the same row, [dx, 0]")
    every = [*forward, *((dx, -dy) for dx, dy in forward), *side]
    if len({*every, *((2 * dx, 2 * dy) for dx, dy in every)}) < 2 * len(every):
        raise SetupError(
            f"{where}: steps: two of them, or a step and a jump, lead to the same cell"
        )
    layout = Layout(rows, forward, side, _starts(table(data, "starts", where), rows))
    if not layout.legs:
        raise SetupError(f"{where}: steps: none leads from a cell to a cell")
    return layout


def _row_names(row: int, count: int) -> Iterator[str]:
    return (f"{chr(ord('a') + column)}{row + 1}" for column in range(count))


def _steps_of(steps: Mapping[str, Any], key: str, where: str) -> tuple[tuple[int, int], ...]:
    pairs = [entries(p, f"{where}: steps.{key}", int) for p in entries(steps.get(key), key, list)]
    if any(len(pair) != 2 for pair in pairs) or (key == "forward" and not pairs):
        raise SetupError(f"{where}: steps.{key}: expected pairs [dx, dy], found {steps[key]!r}")
    return tuple((pair[0], pair[1]) for pair in pairs)


def _starts(section: Mapping[str, Any], rows: tuple[int, ...]) -> dict[str, tuple[str, ...]]:
    """`white_arrows` and the like -> cells (AE-1.2)."""
    sides = {
        "white": {name for row in (0, 1) for name in _row_names(row, rows[row])},
        "black": {n for row in (len(rows) - 1, len(rows) - 2) for n in _row_names(row, rows[row])},
    }
    starts, taken = {}, set[str]()
    for colour in COLOURS:
        for kind, count in (("arrows", ARROWS), ("stars", STARS)):
            key = f"{colour}_{kind}"
            cells = entries(section.get(key), f"board data: starts.{key}", str)
            if len(cells) != count:
                raise SetupError(f"board data: starts.{key}: expected {count} cells (AE-1.2)")
            for cell in cells:
                if cell not in sides[colour] or cell in taken:
                    raise SetupError(
                        f"board data: starts.{key}: {cell!r} is not a free cell of "
                        f"{colour}'s first two rows (AE-1.2)"
                    )
                taken.add(cell)
            starts[key] = cells
    only_known(section, "board data: starts", (*starts, "confirmed"))
    return starts
