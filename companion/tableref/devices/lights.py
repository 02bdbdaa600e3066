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

from tableref.devices.gallery import Gallery
from tableref_hardware.board import Board, Cell
from tableref_hardware.outline import cell_outline, ring

if TYPE_CHECKING:
    from PIL import Image

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each."""

Place = tuple[float, float]


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
    FELT = Light((180, 180, 180), Pattern.STEADY)  # a piece left here or came; nothing is ruled yet
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
BAND = 200  # rows of those that are drawn at a time: the whole board would take some 20 MB
MARGIN = 4.0  # mm around the plate
BELOW = 8.0  # mm below a round cell in which its name stands
WOOD, LINES, NAMES, DARK = (222, 190, 140), (125, 98, 66), (80, 60, 40), (25, 25, 25)
# Lengths as shares of a cell's inner radius: a body with a pointed nose, radii and widths of rings.
BODY = ((-0.75, -0.47), (0.4, -0.47), (0.83, 0.0), (0.4, 0.47), (-0.75, 0.47))
ONE_RING = ((0.8, 0.13),)
TWO_RINGS = ((0.8, 0.055), (0.67, 0.055))
DASHES = {Pattern.SLOW_BLINK: (8, 0.6), Pattern.FAST_BLINK: (24, 0.5)}
"""How many dashes a ring has, and which share of it they cover."""


def draw_board(
    board: Board, lights: Mapping[str, Light], pieces: Iterable[Standing] = ()
) -> Image.Image:
    """The board from above, north up, as an RGB picture: cells by name, pieces, lit rings.

    A ring shows its pattern at rest: whole is steady, double a pulse, dashed a slow blink, dotted
    a fast one.
    """
    from PIL import Image

    pieces = tuple(pieces)
    plate = board.plate
    wide, high = (round((side + 2 * MARGIN) * SCALE) for side in (plate.width, plate.depth))
    picture = Image.new("RGB", (-(-wide // 2), -(-high // 2)))
    for top in range(0, high, BAND):
        painter = _Painter(board, wide, top, min(top + BAND, high))
        painter.draw_cells()
        for piece in pieces:
            painter.draw_piece(piece)
        for name, light in lights.items():
            painter.draw_ring(name, light)
        picture.paste(painter.band().reduce(2), (0, top // 2))
    return picture


class _Painter:
    """Draws in mm on a band of the picture of one board, from row `top` up to `bottom`."""

    def __init__(self, board: Board, wide: int, top: int, bottom: int) -> None:
        from PIL import Image, ImageDraw

        self._board = board
        self._outline = cell_outline(board)
        corners = len(self._outline)
        self._inner = math.hypot(*self._outline[0]) * math.cos(math.pi / corners)
        self._middle = board.plate.width / 2 + MARGIN, board.plate.depth / 2 + MARGIN
        # Pillow rounds otherwise above the first row: a whole cell fits between it and the band.
        self._reach = math.ceil((math.hypot(*self._outline[0]) + BELOW) * SCALE)
        self._above = 2 * self._reach
        self._first = top - self._above
        self._image = Image.new("RGB", (wide, bottom - self._first), (60, 60, 60))
        self._pen = ImageDraw.Draw(self._image)

    def band(self) -> Image.Image:
        """What was drawn on it."""
        return self._image.crop((0, self._above, *self._image.size))

    def _pixels(self, points: Iterable[tuple[float, float]], x: float, y: float) -> list[Place]:
        """Points in mm around (x, y) of the board."""
        east, north = self._middle
        return [
            ((x + px + east) * SCALE, (north - y - py) * SCALE - self._first) for px, py in points
        ]

    def _shows(self, cell: Cell) -> bool:
        """Whether anything on this cell may lie in the band."""
        [(_, row)] = self._pixels([(0.0, 0.0)], cell.x, cell.y)
        return self._reach <= row < self._image.height + self._reach

    def draw_cells(self) -> None:
        """The plate, and every cell with its name at its southern end."""
        x, y = self._board.plate.width / 2, self._board.plate.depth / 2
        self._pen.rectangle(self._pixels(((-x, y), (x, -y)), 0.0, 0.0), fill=WOOD)
        south, hexes = min(y for _, y in self._outline), len(self._outline) == 6
        south = 0.805 * south if hexes else south - 4.0
        for cell in filter(self._shows, self._board.cells.values()):
            places = self._pixels(self._outline, cell.x, cell.y)
            self._pen.polygon(places, outline=LINES, width=SCALE)
            [where] = self._pixels([(0.0, south)], cell.x, cell.y)
            self._pen.text(where, cell.name, fill=NAMES, anchor="mm", font_size=26)

    def draw_piece(self, piece: Standing) -> None:
        """A piece: round, or a body with a nose where its heading is known."""
        cell = self._board.cells[piece.cell]
        if not self._shows(cell):
            return
        turn = math.radians(piece.heading or 0.0)
        cos, sin = math.cos(turn) * self._inner, math.sin(turn) * self._inner
        shape = ring(0.55, 24) if piece.heading is None else BODY
        places = self._pixels(
            [(x * cos - y * sin, x * sin + y * cos) for x, y in shape], cell.x, cell.y
        )
        self._pen.polygon(places, fill=piece.colour, outline=DARK, width=SCALE)
        self._pen.text(
            self._pixels([(0.0, 0.0)], cell.x, cell.y)[0],
            piece.label,
            fill=(255, 255, 255) if sum(piece.colour) < 300 else (0, 0, 0),
            anchor="mm",
            font_size=0.37 * SCALE * self._inner,
        )

    def draw_ring(self, name: str, light: Light) -> None:
        """A ring of the light's colour around the cell's middle, with a dark rim."""
        cell = self._board.cells[name]
        if not self._shows(cell):
            return
        dashes, share = DASHES.get(light.pattern, (1, 1.0))
        rim = 0.024 * self._inner
        for radius, width in TWO_RINGS if light.pattern is Pattern.PULSE else ONE_RING:
            for colour, more in ((DARK, rim), (light.colour, 0.0)):
                reach = radius * self._inner + more
                box = self._pixels([(-reach, reach), (reach, -reach)], cell.x, cell.y)
                thick = max(1, round((width * self._inner + 2 * more) * SCALE))
                for dash in range(dashes):
                    start = 360 * dash / dashes
                    self._pen.arc(box, start, start + 360 * share / dashes, colour, thick)


class PngLights:
    """Virtual lights: every new pattern becomes the next picture in a folder."""

    def __init__(self, folder: Path, board: Board) -> None:
        self._gallery, self._board = Gallery(folder, "lights"), board
        self._shown: tuple[Mapping[str, Light], tuple[Standing, ...]] = ({}, ())
        self.pieces: tuple[Standing, ...] = ()

    @property
    def last(self) -> Path | None:
        """The newest picture."""
        return self._gallery.last

    def show(self, lights: Mapping[str, Light]) -> None:
        """Write `lights-0001.png` and so on, with `pieces` as they stand; nothing for no change.

        DeviceError
        """
        now = (dict(lights), self.pieces)
        if now == self._shown:
            return
        self._gallery.add(draw_board(self._board, *now))
        self._shown = now
