"""Signs of pieces and marks of boards as outlines: arrow, star, scorpion, paper, rock, scissors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

from tableref.printing.paper import BLACK, GREY, WHITE, Colour

INK: Colour = (0.25, 0.25, 0.25)
"""Of names on a board: darker than its lines, calmer than black."""

Points = list[tuple[float, float]]


class Drawn(Protocol):
    """What a sign is drawn on."""

    def polygon(
        self,
        points: Iterable[tuple[float, float]],
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = GREY,
    ) -> None:
        """A polygon, filled or with a line so many mm wide, or both."""
        ...


def rgb(colour: str) -> Colour:
    """`#rrggbb` as parts from 0 to 1."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def mixed(colour: Colour, share: float, other: Colour = WHITE) -> Colour:
    """A colour with another: so much of it, the rest the other."""
    red, green, blue = (
        rest + share * (part - rest) for part, rest in zip(colour, other, strict=True)
    )
    return red, green, blue


def contrast(colour: Colour) -> Colour:
    """Black or white, whichever is seen better on a colour."""
    return BLACK if 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 0.5 else WHITE


def draw_sign(
    sheet: Drawn,
    kind: str,
    x: float,
    y: float,
    radius: float,
    fill: Colour,
    turn: float = 0.0,
    line: Colour = GREY,
) -> None:
    """A sign around (x, y), its top away from the south unless turned by degrees."""
    for outline in SIGNS[kind]:
        angle = math.radians(turn)
        cos, sin = radius * math.cos(angle), radius * math.sin(angle)
        points = [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in outline]
        sheet.polygon(points, fill, 0.3, line)


def _star(points: int, inner: float) -> Points:
    reach = (1.0, inner)
    angles = (math.pi / 2 + math.pi * corner / points for corner in range(2 * points))
    return [
        (reach[number % 2] * math.cos(a), reach[number % 2] * math.sin(a))
        for number, a in enumerate(angles)
    ]


def _oval(x: float, y: float, wide: float, high: float, corners: int = 20) -> Points:
    angles = (math.tau * corner / corners for corner in range(corners))
    return [(x + wide * math.cos(a), y + high * math.sin(a)) for a in angles]


def _blade(side: float) -> Points:
    """Half of a pair of scissors, from its ring to its point; `side` is -1 or 1."""
    return [(side * -0.12, -0.25), (side * 0.05, -0.35), (side * 0.52, 0.95), (side * 0.28, 0.98)]


_CLAW = [(0.2, 0.25), (0.62, 0.42), (0.55, 0.9), (0.4, 0.62), (0.2, 0.86), (0.28, 0.5), (0.1, 0.38)]


def _scorpion() -> list[Points]:
    body = [(0.0, 0.35), (0.26, 0.2), (0.28, -0.2), (0.14, -0.5), (-0.14, -0.5), (-0.28, -0.2)]
    body.append((-0.26, 0.2))
    tail = [(-0.1, -0.5), (0.1, -0.5), (0.3, -0.8), (0.72, -0.62), (0.8, -0.15), (0.62, -0.2)]
    tail += [(0.56, -0.5), (0.3, -0.64), (0.1, -0.95), (-0.12, -0.8)]
    claws = [[(s * x, y) for x, y in _CLAW] for s in (-1.0, 1.0)]
    return [tail, *claws, body]


SIGNS: dict[str, list[Points]] = {
    "arrow": [[(0.0, 1.0), (0.75, -0.8), (0.0, -0.4), (-0.75, -0.8)]],
    "star": [_star(6, 0.5)],
    "scorpion": _scorpion(),
    "skorpion": _scorpion(),
    "paper": [
        [(-0.62, -0.85), (0.62, -0.85), (0.62, 0.5), (0.3, 0.85), (-0.62, 0.85)],
        [(0.62, 0.5), (0.3, 0.5), (0.3, 0.85)],
    ],
    "rock": [
        [
            *((-0.85, -0.55), (-0.4, -0.75), (0.5, -0.72), (0.9, -0.35)),
            *((0.7, 0.3), (0.25, 0.7), (-0.35, 0.62), (-0.75, 0.2)),
        ],
        [(-0.35, 0.62), (-0.1, 0.1), (0.7, 0.3), (0.25, 0.7)],
    ],
    "scissors": [
        _blade(1.0),
        _blade(-1.0),
        _oval(-0.38, -0.62, 0.28, 0.32),
        _oval(0.38, -0.62, 0.28, 0.32),
    ],
}
"""Kind or face -> outlines around (0, 0), one unit to the rim, the later ones on top."""
