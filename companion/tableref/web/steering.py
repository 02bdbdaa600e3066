"""Where the arrow keys lead on a board: from each cell to the one beside it, left to down."""

from __future__ import annotations

from collections.abc import Iterable

from tableref_hardware.board import Board, Cell

WAYS = ((-1, 0), (1, 0), (0, 1), (0, -1))
"""Left, right, up, down, as steps in x and y."""
_ASIDE = 1.2
"""How much farther a cell is for each mm that it lies beside the way."""


def steered(board: Board) -> dict[str, tuple[str, ...]]:
    """Cell -> the nearest one in each of `WAYS`; "" where the board ends."""
    cells = board.cells.values()
    return {cell.name: tuple(_nearest(cell, x, y, cells) for x, y in WAYS) for cell in cells}


def _nearest(start: Cell, x: int, y: int, cells: Iterable[Cell]) -> str:
    found = []
    for cell in cells:
        ahead = (cell.x - start.x) * x + (cell.y - start.y) * y
        aside = abs((cell.x - start.x) * y) + abs((cell.y - start.y) * x)
        if ahead > 1.0 and ahead >= 0.9 * aside:
            found.append((ahead + _ASIDE * aside, cell.name))
    return min(found, default=(0.0, ""))[1]
