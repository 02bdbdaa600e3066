"""The virtual board's plate from above: wood on which the board's marks and tags are printed."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np

from tableref.printing.grounds import Ground
from tableref.printing.paper import GREY, Colour
from tableref.printing.words import Words
from tableref.sim.materials import BEECH, INK, PAPER, Picture, tag, wood
from tableref_hardware.board import Board

SCALE = 4.0  # pixels a millimetre
BURNT: Colour = (0.42, 0.32, 0.22)
"""What is a grey line on paper is burnt into wood,"""
WIDTH = 1.1
"""at least so many mm wide."""


def plate(
    board: Board,
    rng: np.random.Generator,
    colour: tuple[int, int, int] = BEECH,
    grain: float = 0.035,
) -> Picture:
    """The plate's top, north up, SCALE pixels a mm, with what is printed on it; `grain` is the
    share of the wood's brightness that its grain has."""
    shape = (round(board.plate.depth * SCALE), round(board.plate.width * SCALE))
    picture = wood(rng, shape, colour, grain)
    Ground(Wood(picture), board, Words()).draw()
    quiet = board.data.get("corner_tags", {}).get("quiet", 36.0)
    for corner_tag in board.corner_tags:
        west = corner_tag.x + board.plate.width / 2
        south = corner_tag.y + board.plate.depth / 2
        side = 6 * round(corner_tag.square * SCALE / 6)
        for half, ink in ((quiet / 2, PAPER), (corner_tag.square / 2, INK)):
            left, right = (round((west + a * half) * SCALE) for a in (-1, 1))
            top, bottom = (round((board.plate.depth - south + a * half) * SCALE) for a in (-1, 1))
            picture[top:bottom, left:right] = ink
        picture[top:, left:][:side, :side] = tag(board.dictionary, corner_tag.id, side)
    return picture


class Wood:
    """A picture that is printed on. mm from its south-west corner, y to the north."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._depth = picture.shape[0] / SCALE

    def polygon(
        self,
        points: Iterable[tuple[float, float]],
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = GREY,
    ) -> None:
        """A polygon, filled or with a line so many mm wide, or both."""
        places = self._places(points)
        if fill is not None:
            cv2.fillPoly(self._picture, [places], _paint(fill), cv2.LINE_AA, 4)
        if line > 0:
            if colour == GREY:
                line, colour = max(line, WIDTH), BURNT
            width = max(1, round(line * SCALE))
            cv2.polylines(self._picture, [places], True, _paint(colour), width, cv2.LINE_AA, 4)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = GREY,
    ) -> None:
        """A circle."""
        angles = np.linspace(0.0, math.tau, 48, endpoint=False)
        points = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
        self.polygon(points, fill, line, colour)

    def line(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        width: float = 0.2,
        colour: Colour = GREY,
        dash: tuple[float, ...] = (),
    ) -> None:
        """A line, dashed with these lengths where given."""
        length = math.dist((x, y), (to_x, to_y)) or 1.0
        drawn, gap = dash or (length, 0.0)
        along = 0.0
        while along < length:
            ends = (along / length, min(1.0, (along + drawn) / length))
            points = [(x + share * (to_x - x), y + share * (to_y - y)) for share in ends]
            self.polygon(points, None, width, colour)
            along += drawn + gap

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 3.5,
        align: str = "left",
        bold: bool = False,
        turn: float = 0.0,
        colour: Colour = GREY,
    ) -> None:
        """Words with letters `size` mm high at (x, y), turned by degrees anticlockwise."""
        face, width = cv2.FONT_HERSHEY_SIMPLEX, 2 if bold else 1
        scale = cv2.getFontScaleFromHeight(face, round(0.75 * size * SCALE), width)
        (wide, high), below = cv2.getTextSize(text, face, scale, width)
        mask = np.zeros((high + below + 4, wide + 4), np.uint8)
        cv2.putText(mask, text, (2, high + 1), face, scale, 255, width, cv2.LINE_AA)
        left = {"left": 0.0, "middle": wide / 2}.get(align, float(wide))
        [(column, row)] = self._places([(x, y)]) / 16
        about = cv2.getRotationMatrix2D((left + 2, high / 2 + 1), turn, 1.0)
        about[:, 2] += (column - left - 2, row - high / 2 - 1)
        size_ = self._picture.shape[1::-1]
        laid = cv2.warpAffine(mask, about, size_, flags=cv2.INTER_LINEAR)
        west, north, wide, high = cv2.boundingRect(laid)
        there = np.s_[north : north + high, west : west + wide]
        share, under = laid[there][..., None] / 255.0, self._picture[there]
        under[...] = np.round(under + share * (_paint(colour) - under))

    def _places(self, points: Iterable[tuple[float, float]]) -> np.ndarray:
        """Places in sixteenths of a pixel, as OpenCV draws them with shift 4."""
        mm = np.array(list(points), float)
        pixels = np.stack((mm[:, 0], self._depth - mm[:, 1]), axis=1) * SCALE - 0.5
        return np.round(pixels * 16).astype(np.int32)


def _paint(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = (255.0 * part for part in colour)
    return blue, green, red
