"""What the virtual table is made of: wood and tags."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Blue, green, red: (height, width, 3)."""

BEECH = (118, 172, 222)
TABLES = ((88, 128, 158), (66, 92, 132), (84, 80, 82), (58, 80, 112), (120, 152, 176))
INK, PAPER = 28, 235
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
