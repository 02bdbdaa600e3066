"""The lights under the cells: what they mean, and a picture of the board that shows them.

The pattern of a light tells the meaning and the colour only refines it, for those who see
colours otherwise: steady is news, a pulse asks for a hand, a slow blink is a question, a fast one
is trouble.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tableref_hardware.board import Board

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""


class Pattern(Enum):
    """How a light behaves in time."""

    STEADY = "steady"
    PULSE = "pulse"
    SLOW_BLINK = "slow blink"
    FAST_BLINK = "fast blink"


@dataclass(frozen=True, slots=True)
class Light:
    """A light that is on: its colour and its pattern."""

    colour: Colour
    pattern: Pattern


class Meaning(Enum):
    """What a lit cell says. The colours are told apart by every common kind of colour vision."""

    CAME_FROM = Light((20, 60, 160), Pattern.STEADY)  # the last move began here
    LAST_MOVE = Light((40, 140, 255), Pattern.STEADY)  # the last move ended here
    DUE = Light((255, 255, 255), Pattern.PULSE)  # this piece is to be moved
    EXPECTED = Light((0, 200, 120), Pattern.PULSE)  # put the piece here
    ASKED = Light((255, 180, 0), Pattern.SLOW_BLINK)  # what stands here? please tell
    TROUBLE = Light((255, 40, 0), Pattern.FAST_BLINK)  # what stands here must not, or is missing


class Lights(Protocol):
    """Something that lights cells."""

    def show(self, lights: Mapping[str, Light]) -> None:
        """Light exactly these cells: cell -> light; all others go dark. DeviceError"""
        ...


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece for the picture: its cell, heading (degrees anticlockwise from east), colour."""

    cell: str
    heading: float | None
    colour: Colour
    label: str = ""


SCALE = 4  # pixels a millimetre while drawing; the picture is half of that, with smooth edges
MARGIN = 4  # millimetres around the plate
WOOD, LINES, NAMES = (222, 190, 140), (125, 98, 66), (80, 60, 40)


def draw_board(
    board: Board, lights: Mapping[str, Light], pieces: Iterable[Standing] = ()
) -> Image.Image:
    """The board from above, north up, as an RGB picture: cells by name, pieces, lit rings.

    A ring shows its pattern at rest: whole is steady, double a pulse, dashed a slow blink, dotted
    a fast one.
    """
    from PIL import Image, ImageDraw

    width, depth = (
        round((side + 2 * MARGIN) * SCALE) for side in (board.plate.width, board.plate.depth)
    )
    image = Image.new("RGB", (width, depth), (60, 60, 60))
    pen = ImageDraw.Draw(image)
    edge = MARGIN * SCALE
    pen.rectangle((edge, edge, width - edge, depth - edge), fill=WOOD)
    hexagon = _circle(board.data["cells"]["flats"] / math.sqrt(3), 6, 30.0)
    for cell in board.cells.values():
        pen.polygon(_moved(board, hexagon, cell.x, cell.y), outline=LINES, width=4)
        where = _moved(board, [(0.0, -23.6)], cell.x, cell.y)[0]
        pen.text(where, cell.name, fill=NAMES, anchor="mm", font_size=26)
    for piece in pieces:
        _draw_piece(pen, board, piece)
    for name, light in lights.items():
        _draw_ring(pen, board, name, light)
    return image.reduce(2)


def _circle(radius: float, corners: int, first: float = 0.0) -> list[tuple[float, float]]:
    angles = (math.radians(first + 360 * corner / corners) for corner in range(corners))
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _moved(
    board: Board, points: list[tuple[float, float]], x: float, y: float
) -> list[tuple[float, float]]:
    """Points in mm around (x, y) of the board, in pixels."""
    east, north = board.plate.width / 2 + MARGIN, board.plate.depth / 2 + MARGIN
    return [((x + px + east) * SCALE, (north - y - py) * SCALE) for px, py in points]


def _draw_piece(pen: ImageDraw.ImageDraw, board: Board, piece: Standing) -> None:
    cell = board.cells[piece.cell]
    dark = sum(piece.colour) < 300
    if piece.heading is None:
        outline = _circle(14.0, 24)
    else:  # a body with a pointed nose, so that the heading can be read
        turn = math.radians(piece.heading)
        cos, sin = math.cos(turn), math.sin(turn)
        body = [(-19.0, -12.0), (10.0, -12.0), (21.0, 0.0), (10.0, 12.0), (-19.0, 12.0)]
        outline = [(x * cos - y * sin, x * sin + y * cos) for x, y in body]
    pen.polygon(
        _moved(board, outline, cell.x, cell.y), fill=piece.colour, outline=(30, 30, 30), width=4
    )
    pen.text(
        _moved(board, [(0.0, 0.0)], cell.x, cell.y)[0],
        piece.label,
        fill=(255, 255, 255) if dark else (0, 0, 0),
        anchor="mm",
        font_size=38,
    )


def _draw_ring(pen: ImageDraw.ImageDraw, board: Board, name: str, light: Light) -> None:
    cell = board.cells[name]
    x, y = _moved(board, [(0.0, 0.0)], cell.x, cell.y)[0]
    dashes, part = {Pattern.SLOW_BLINK: (8, 0.6), Pattern.FAST_BLINK: (24, 0.5)}.get(
        light.pattern, (1, 1.0)
    )
    rings = ((20.3, 1.4), (17.0, 1.4)) if light.pattern is Pattern.PULSE else ((20.3, 3.2),)
    for radius, thick in rings:
        for colour, rim in (((25, 25, 25), 0.6), (light.colour, 0.0)):
            r = (radius + rim) * SCALE
            for dash in range(dashes):
                start = 360 * dash / dashes
                pen.arc(
                    (x - r, y - r, x + r, y + r),
                    start,
                    start + 360 * part / dashes,
                    fill=colour,
                    width=round((thick + 2 * rim) * SCALE),
                )


class PngLights:
    """Virtual lights: every new pattern becomes the next picture in a folder."""

    def __init__(self, folder: Path, board: Board) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._board = folder, board
        self._count = 0
        self._shown: tuple[Mapping[str, Light], tuple[Standing, ...]] = ({}, ())
        self.pieces: tuple[Standing, ...] = ()
        self.last: Path | None = None

    def show(self, lights: Mapping[str, Light]) -> None:
        """Write `lights-0001.png` and so on, with `pieces` as they stand; nothing for no change."""
        now = (dict(lights), self.pieces)
        if now == self._shown:
            return
        self._shown = now
        self._count += 1
        self.last = self._folder / f"lights-{self._count:04d}.png"
        draw_board(self._board, *now).save(self.last)
