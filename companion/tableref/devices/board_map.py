"""A small map of a board for the small screen: where pieces stand, and a move on it.

Nobody knows by heart where `b2` is or which way `NE` points, so a page that names a cell shows it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

MARGIN = 4  # pixels around the outermost cells, so that a mark there is whole
NEAR = 5.0  # pixels between neighbours from which on a piece is three pixels wide
RING = 3  # radius of the marks of a move
NOSE = 6  # length of the line that says which way a piece points


@dataclass(frozen=True, slots=True)
class Stroke:
    """What goes from one cell to another, either may be empty; `heading` in degrees anticlockwise
    from east, None where a piece points nowhere."""

    start: str = ""
    to: str = ""
    heading: float | None = None


@dataclass(frozen=True, slots=True)
class BoardMap:
    """Cells with their places in mm, those on which pieces stand, what goes where, and the cells
    that are in the way."""

    cells: Mapping[str, tuple[float, float]]
    stands: frozenset[str] = frozenset()
    strokes: tuple[Stroke, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def telling(self) -> bool:
        """Whether it shows more than the board as it stands."""
        return bool(self.strokes or self.blocked)


def width(shown: BoardMap, height: int, most: int) -> int:
    """Pixels that the map fills in so many rows, at most `most`."""
    (west, east), (south, north) = _extent(shown)
    scale = (height - 2 * MARGIN) / max(north - south, 1.0)
    return min(most, math.ceil((east - west) * scale) + 2 * MARGIN)


def draw_board(shown: BoardMap, size: tuple[int, int]) -> Image.Image:
    """The map as a picture of mode "1", north up: a dot is an empty cell, a block one with a piece;
    a ring where something comes from, a disc with a nose where it goes to, a cross in the way."""
    from PIL import Image, ImageDraw

    image = Image.new("1", size, 0)
    pen = ImageDraw.Draw(image)
    places = _places(shown, size)
    block = 1 if _pitch(places) >= NEAR else 0
    for cell, (x, y) in places.items():
        if cell in shown.stands:
            pen.rectangle((x - block, y - block, x + 1, y + 1), fill=255)
        else:
            pen.point((x, y), fill=255)
    for stroke in shown.strokes:
        start, to = places.get(stroke.start), places.get(stroke.to)
        if start and to and start != to:
            _dashed(image, start, to)
        if start and start != to:
            pen.ellipse(_around(start), fill=0, outline=255)
    for cell in shown.blocked:
        if place := places.get(cell):
            box = _around(place)
            pen.rectangle(box, fill=0)
            pen.line((box[0], box[1], box[2], box[3]), fill=255)
            pen.line((box[0], box[3], box[2], box[1]), fill=255)
    for stroke in shown.strokes:
        if to := places.get(stroke.to):
            pen.ellipse(_around(to), fill=255)
            if stroke.heading is not None:
                turn = math.radians(stroke.heading)
                ahead = to[0] + NOSE * math.cos(turn), to[1] - NOSE * math.sin(turn)
                pen.line((*to, *map(round, ahead)), fill=255)
    return image


def _extent(shown: BoardMap) -> tuple[tuple[float, float], tuple[float, float]]:
    xs, ys = zip(*shown.cells.values(), strict=True)
    return (min(xs), max(xs)), (min(ys), max(ys))


def _places(shown: BoardMap, size: tuple[int, int]) -> dict[str, tuple[int, int]]:
    """Cell -> pixel."""
    (west, east), (south, north) = _extent(shown)
    across, along = max(east - west, 1.0), max(north - south, 1.0)
    scale = min((size[0] - 2 * MARGIN) / across, (size[1] - 2 * MARGIN) / along)
    left, top = (size[0] - across * scale) / 2, (size[1] - along * scale) / 2
    return {
        cell: (round(left + (x - west) * scale), round(top + (north - y) * scale))
        for cell, (x, y) in shown.cells.items()
    }


def _pitch(places: Mapping[str, tuple[int, int]]) -> float:
    """Pixels between the two cells that lie closest."""
    points = sorted(set(places.values()))
    return min(
        (math.dist(a, b) for at, a in enumerate(points) for b in points[at + 1 :]), default=NEAR
    )


def _around(place: tuple[int, int]) -> tuple[int, int, int, int]:
    x, y = place
    return x - RING + 1, y - RING + 1, x + RING - 1, y + RING - 1


def _dashed(image: Image.Image, start: tuple[int, int], to: tuple[int, int]) -> None:
    length = max(abs(to[0] - start[0]), abs(to[1] - start[1]))
    for step in range(0, length + 1, 2):
        share = step / length
        x = round(start[0] + share * (to[0] - start[0]))
        y = round(start[1] + share * (to[1] - start[1]))
        image.putpixel((x, y), 255)
