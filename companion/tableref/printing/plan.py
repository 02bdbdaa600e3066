"""A small plan of a board: its cells with their names, its lines, the pieces at the start."""

from __future__ import annotations

import math
from itertools import combinations

from tableref.printing.paper import BLACK, GREY, PALE, WHITE, Colour, Sheet, text_width
from tableref.printing.tags import PAINTS
from tableref.rules.pieces import Piece
from tableref.rules.surface import Game
from tableref_hardware.board import Board
from tableref_hardware.outline import ring

TALLEST = 1.0
"""Height of a plan at most, beside its width."""
NAME = 2.0
"""Height of a name at most, in mm."""


class Plan:
    """A plan of the cells, `width` mm wide or less, and the pieces as a game begins."""

    def __init__(self, board: Board, game: Game[object], width: float) -> None:
        cells = board.cells.values()
        apart = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in combinations(cells, 2))
        west, south = min(c.x for c in cells) - apart / 2, min(c.y for c in cells) - apart / 2
        span = max(c.x for c in cells) + apart / 2 - west
        rise = max(c.y for c in cells) + apart / 2 - south
        scale = min(width / span, TALLEST * width / rise)
        self.width, self.height = scale * span, scale * rise
        self._radius = 0.45 * scale * apart
        self._places = {c.name: (scale * (c.x - west), scale * (c.y - south)) for c in cells}
        self._lines = board.data.get("graph", {}).get("lines", ())
        self._spots = board.data.get("spots", {})
        self._pieces = game.board(game.start({}))

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """With its lower left corner at (x, y)."""
        places = {name: (x + a, y + b) for name, (a, b) in self._places.items()}
        for one, other in self._lines:
            sheet.line(*places[one], *places[other], 0.2, GREY)
        wide = max(text_width(name, 1.0) for name in places)
        size = min(NAME, 1.7 * self._radius / wide)
        for name, place in places.items():
            colour = self._spots.get(name, {}).get("colour", "")
            shape = [(place[0] + a, place[1] + b) for a, b in ring(self._radius, 24)]
            sheet.polygon(shape, _pale(PAINTS.get(colour, PALE if colour else WHITE)), 0.2, GREY)
            piece = next(iter(self._pieces.get(name, ())), None)
            heading = piece is not None and piece.facing
            if piece is not None and piece.kind in ("arrow", "star"):
                middle = place[0], place[1] + 0.3 * self._radius
                _piece(sheet, *middle, 0.55 * self._radius, piece)
                place = place[0], place[1] - 0.65 * self._radius
            sheet.text(*place, name, size if not heading else 0.7 * size, "middle")


def _pale(colour: Colour) -> Colour:
    red, green, blue = (0.5 + part / 2 for part in colour)
    return red, green, blue


def _piece(sheet: Sheet, x: float, y: float, radius: float, piece: Piece) -> None:
    """An arrow or a star of one side."""
    corners, inner = (3, 1.0) if piece.kind == "arrow" else (10, 0.45)
    first = 90.0 if piece.facing == "up" else -90.0
    points = []
    for number in range(corners):
        angle = math.radians(first + 360 * number / corners)
        reach = radius * (inner if number % 2 else 1.0)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    sheet.polygon(points, BLACK if piece.side == "black" else WHITE, 0.2)
