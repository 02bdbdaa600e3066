"""What the virtual table is made of: wood, the printed plate, tags."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref_hardware.board import Board
from tableref_hardware.outline import cell_outline

Picture = NDArray[np.uint8]
"""Blue, green, red: (height, width, 3)."""

BEECH = (118, 172, 222)
TABLES = ((88, 128, 158), (66, 92, 132), (84, 80, 82), (58, 80, 112), (120, 152, 176))
PLATE_SCALE = 4.0  # pixels a millimetre
INK, PAPER = 28, 235
NORTH_WEST = np.array([-1.0, 1.0])
TABLE_SCALE = 0.6
TABLE_REACH = 1100.0  # mm of table each way


def wood(
    rng: np.random.Generator, shape: tuple[int, int], colour: tuple[int, int, int], strength: float
) -> Picture:
    """Planed wood with its grain along the rows; `strength` is the grain's share of brightness."""
    height, width = shape
    grain = np.zeros(shape, np.float32)
    for across, along, share in ((0.5, 24, 0.5), (0.15, 60, 0.35), (0.02, 200, 0.6)):
        coarse = rng.normal(size=(max(2, int(height * across)), max(2, width // along)))
        grain += share * cv2.resize(
            coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
    tones = np.float32(1) + np.float32(strength) * grain[..., None]
    picture: Picture = np.clip(tones * np.asarray(colour, np.float32), 0, 255).astype(np.uint8)
    return picture


def dictionary(name: str) -> Any:
    """The OpenCV dictionary of a board file: `4X4_50`."""
    return cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{name}"))


def tag(name: str, number: int, side: int) -> Picture:
    """The black square of a tag as printed, `side` pixels wide (a multiple of 6)."""
    marker = cv2.aruco.generateImageMarker(dictionary(name), number, side)
    return np.repeat(np.clip(marker, INK, PAPER)[..., None], 3, axis=2).astype(np.uint8)


def plate(board: Board, rng: np.random.Generator) -> Picture:
    """The board plate from above, north up, PLATE_SCALE pixels a mm, with cells and corner tags."""
    scale = PLATE_SCALE
    shape = (round(board.plate.depth * scale), round(board.plate.width * scale))
    picture = wood(rng, shape, BEECH, 0.035)

    def place(points: NDArray[np.float64]) -> NDArray[np.int32]:
        """Of pixel middles, in sixteenths, as OpenCV draws them with shift 4."""
        x, y = points[..., 0] + board.plate.width / 2, board.plate.depth / 2 - points[..., 1]
        return np.round((np.stack((x, y), axis=-1) * scale - 0.5) * 16).astype(np.int32)

    outline = np.array(cell_outline(board))
    lines, dark = max(1, round(1.1 * scale)), (56, 82, 108)
    starts = {piece.start for piece in board.pieces}
    for cell in board.cells.values():
        middle = np.array([cell.x, cell.y])
        cv2.polylines(picture, [place(outline + middle)], True, dark, lines, cv2.LINE_AA, 4)
        if cell.name in starts:
            x, y = map(int, place(middle))
            cv2.circle(picture, (x, y), round(5 * scale * 16), dark, 2, cv2.LINE_AA, 4)
    quiet = board.data["corner_tags"].get("quiet", 36.0)
    for corner_tag in board.corner_tags:
        middle = np.array([corner_tag.x, corner_tag.y])
        side = 6 * round(corner_tag.square * scale / 6)
        for half, ink in ((quiet / 2, PAPER), (corner_tag.square / 2, INK)):
            north_west, south_east = (
                place(middle + half * NORTH_WEST),
                place(middle - half * NORTH_WEST),
            )
            west, north, east, south = (round(v / 16 + 0.5) for v in (*north_west, *south_east))
            picture[north:south, west:east] = ink
        picture[north:, west:][:side, :side] = tag(board.dictionary, corner_tag.id, side)
    return picture
