"""Hexes, cars on them and the ways of manoeuvres, the nose up.

`size` is the distance in mm from the middle of a hex to its corner. Headings are in hexsides
clockwise off the nose.
"""

from __future__ import annotations

import math

from tableref.printing.paper import BLACK, GREY, WHITE, Sheet
from tableref.rules.autoscooter.layout import Manoeuvre

_BODY = [(-0.54, -0.35), (0.19, -0.35), (0.65, 0.0), (0.19, 0.35), (-0.54, 0.35)]
"""Outline of a car that points east, in sizes of its hex."""


def ahead(x: float, y: float, direction: int, size: float) -> tuple[float, float]:
    """The middle of the neighbouring hex in this direction."""
    angle = math.radians(90 - 60 * direction)
    step = size * math.sqrt(3)
    return x + step * math.cos(angle), y + step * math.sin(angle)


def draw_way(sheet: Sheet, way: Manoeuvre, x: float, y: float, size: float) -> None:
    """Hexes from the start at (x, y), a line through them, and a car where it ends."""
    path = [(x, y)]
    for direction in way.directions:
        path.append(ahead(*path[-1], direction, size))
    for place in path:
        draw_hex(sheet, *place, size)
    sheet.polygon(path, None, 0.1 * size, closed=False)
    draw_car(sheet, x, y, 0, size, filled=False)
    draw_car(sheet, *path[-1], way.turn, size, filled=True)


def draw_hex(sheet: Sheet, x: float, y: float, size: float) -> None:
    """An empty hex."""
    angles = (math.radians(60 * corner) for corner in range(6))
    corners = [(x + size * math.cos(angle), y + size * math.sin(angle)) for angle in angles]
    sheet.polygon(corners, None, 0.06 * size, GREY)


def draw_car(sheet: Sheet, x: float, y: float, heading: int, size: float, filled: bool) -> None:
    """A car, its nose to the heading."""
    angle = math.radians(90 - 60 * heading)
    cos, sin = size * math.cos(angle), size * math.sin(angle)
    outline = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in _BODY]
    sheet.polygon(outline, BLACK if filled else WHITE, 0.06 * size)
