"""Where a place in the switch chain is: its unit of eight, its input; and the board's edges."""

from __future__ import annotations

from tableref_hardware.board import Board
from tableref_hardware.electronics.catalogue import INPUTS

_SAME = 1.0  # mm


def unit_of(place: int) -> int:
    """The unit, from 1, nearest the Pico first."""
    return place // len(INPUTS) + 1


def where(place: int) -> str:
    """`unit 2, input C`."""
    return f"unit {unit_of(place)}, input {INPUTS[place % len(INPUTS)]}"


def opposite(board: Board) -> dict[str, str]:
    """Cell with a switch -> the one that has its place when the board is turned by half; empty
    where the board does not look alike then."""
    cells = [cell for cell in board.cells.values() if cell.switch is not None]
    if not cells:
        return {}
    x = min(c.x for c in cells) + max(c.x for c in cells)
    y = min(c.y for c in cells) + max(c.y for c in cells)
    found = {}
    for cell in cells:
        for other in cells:
            if abs(x - cell.x - other.x) < _SAME and abs(y - cell.y - other.y) < _SAME:
                found[cell.name] = other.name
    return found if len(found) == len(cells) else {}


def southern(board: Board) -> tuple[str, ...]:
    """The cells with a switch on the south edge, from west to east."""
    cells = [cell for cell in board.cells.values() if cell.switch is not None]
    south = min((cell.y for cell in cells), default=0.0)
    edge = sorted((cell.x, cell.name) for cell in cells if cell.y - south < _SAME)
    return tuple(name for _, name in edge)
