"""The shape of a cell, for everything that draws a board."""

from __future__ import annotations

import math

from tableref_hardware.board import Board

Points = tuple[tuple[float, float], ...]


def cell_outline(board: Board) -> Points:
    """Corners of any cell around its middle, in mm: a hex on its corner, else a round spot."""
    cells = board.data["cells"]
    if cells["shape"] == "hex":
        return ring(cells["flats"] / math.sqrt(3), 6, 30.0)
    return ring(0.8 * board.near, 24)


def ring(radius: float, corners: int, first: float = 0.0) -> Points:
    """Corners of a regular polygon around (0, 0), the first at `first` degrees from east."""
    angles = (math.radians(first + 360.0 * corner / corners) for corner in range(corners))
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)
