"""Cutting what the reader net looks at out of pictures. Training cuts with the same numbers."""

from __future__ import annotations

from tableref_vision.dice.inputs import Levels
from tableref_vision.opencv import Picture, Points, np
from tableref_vision.view import View

CROP = 64  # px of a crop's side
SHARE = 0.76  # of it that a die's longer side takes
STEP = 13.0  # px of a crop that the net's offsets count as 1
EDGE = 29.0  # px of a die's edge in a crop from straight above: what it stands on shows, too


def around(
    levels: Levels, x: float, y: float, size: float, angle: float = 0.0, flip: bool = False
) -> tuple[Picture, Points]:
    """A crop (CROP, CROP, 3) around a die of this size in px, turned by `angle` (radians).

    With it the matrix (3, 3) from the crop's px to the picture's.
    """
    step = size / (CROP * SHARE)  # px of the picture a px of the crop
    c, s = np.cos(angle) * step, np.sin(angle) * step
    sign = -1.0 if flip else 1.0
    back = np.array([[c * sign, -s, 0.0], [s * sign, c, 0.0], [0.0, 0.0, 1.0]])
    middle = (CROP - 1) / 2
    back[:2, 2] = np.array([x, y]) - back[:2, :2] @ (middle, middle)
    return levels.warped(back, step, (CROP, CROP)), back


def slant(view: View, place: Points, height: float) -> float:
    """How far aside of this place (2,) in mm the camera is, a unit that it is above this height."""
    aside = float(np.linalg.norm(place - view.eye[:2]))
    return aside / max(float(view.eye[2]) - height, 1.0)


def axes(view: View, place: Points) -> tuple[Points, Points]:
    """What is right and up (2,) on the mat in a crop from straight above this place."""
    away = np.asarray(place, np.float64) - view.eye[:2]
    length = float(np.linalg.norm(away))
    away = away / length if length > 1e-6 else np.array([0.0, 1.0])
    return np.array([away[1], -away[0]]), away


def from_above(
    levels: Levels,
    view: View,
    place: Points,
    across: float,
    side: int,
    height: float,
    flip: bool = False,
) -> Picture:
    """A crop (side, side, 3), `across` mm wide, as seen from straight above the plane this high.

    `place` (2,) in mm is its middle; up in the crop is away from the camera.
    """
    right, away = axes(view, place)
    right = right * (-1.0 if flip else 1.0)
    half = across / 2
    ring = [
        place - right * half + away * half,
        place + right * half + away * half,
        place + right * half - away * half,
        place - right * half - away * half,
    ]
    pixels = view.pixels(np.column_stack([np.array(ring), np.full(4, height)]))
    return levels.flattened(pixels, (side, side))
