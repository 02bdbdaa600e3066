"""Cutting what the reader net looks at out of pictures. Training cuts with the same numbers."""

from __future__ import annotations

from tableref_vision.dice.inputs import halved
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

CROP = 48  # px of a crop's side
SHARE = 0.76  # of it that a die's longer side takes
STEP = 10.0  # px of a crop that the net's offsets count as 1
COARSE = 1.6  # px of a picture to one of a crop that would leave out too much
EDGE = 22.0  # px of a die's edge in a crop from straight above: what it stands on shows, too


def around(
    picture: Picture, x: float, y: float, size: float, angle: float = 0.0, flip: bool = False
) -> tuple[Picture, Points]:
    """A crop (CROP, CROP, 3) around a die of this size in px, turned by `angle` (radians).

    With it the matrix (2, 3) from the crop's px to the picture's.
    """
    step = size / (CROP * SHARE)  # px of the picture a px of the crop
    c, s = np.cos(angle) * step, np.sin(angle) * step
    sign = -1.0 if flip else 1.0
    back = np.array([[c * sign, -s, 0.0], [s * sign, c, 0.0]])
    middle = (CROP - 1) / 2
    back[:, 2] = np.array([x, y]) - back[:, :2] @ (middle, middle)
    return _warp(picture, back, step), back


def from_above(
    picture: Picture,
    view: View,
    place: Points,
    across: float,
    side: int,
    flip: bool = False,
    height: float = 19.0,
) -> Picture:
    """A crop (side, side, 3), `across` mm wide, as seen from straight above the plane of tops.

    `place` (2,) in mm is its middle; up in the crop is away from the camera.
    """
    away = np.asarray(place, np.float64) - view.eye[:2]
    length = float(np.linalg.norm(away))
    away = away / length if length > 1e-6 else np.array([0.0, 1.0])
    right = np.array([away[1], -away[0]]) * (-1.0 if flip else 1.0)
    half = across / 2
    ring = [
        place - right * half + away * half,
        place + right * half + away * half,
        place + right * half - away * half,
        place - right * half - away * half,
    ]
    pixels = view.pixels(np.column_stack([np.array(ring), np.full(4, height)]))
    last = side - 0.5
    frame = np.array([(-0.5, -0.5), (last, -0.5), (last, last), (-0.5, last)], np.float32)
    back = np.asarray(cv2.getPerspectiveTransform(frame, pixels.astype(np.float32)), np.float64)
    step = float(np.linalg.norm(pixels[1] - pixels[0])) / side
    if step > COARSE:
        picture, back = _shrunk(picture, back, pixels, step)
    crop = cv2.warpPerspective(
        picture,
        back,
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return crop.astype(np.uint8, copy=False)


def _warp(picture: Picture, back: Points, step: float) -> Picture:
    """The crop that `back` cuts; large dice are cut from a smaller picture, or pips would alias."""
    if step > COARSE:
        ends = [(0.0, 0.0, 1.0), (CROP, 0.0, 1.0), (CROP, CROP, 1.0), (0.0, CROP, 1.0)]
        ring: Points = np.asarray(np.array(ends) @ back.T, np.float64)
        whole: Points = np.vstack([back, [0.0, 0.0, 1.0]])
        picture, full = _shrunk(picture, whole, ring, step)
        back = full[:2] / full[2, 2]
    crop = cv2.warpAffine(
        picture,
        back.astype(np.float32),
        (CROP, CROP),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    return crop.astype(np.uint8, copy=False)


def _shrunk(picture: Picture, back: Points, ring: Points, step: float) -> tuple[Picture, Points]:
    """The part of the picture around `ring` (4, 2), halved until `step` is fine enough; `back`."""
    h, w = picture.shape[:2]
    x0, y0 = np.clip(np.floor(ring.min(0)) - 2, 0, (w - 1, h - 1)).astype(int)
    x1, y1 = np.clip(np.ceil(ring.max(0)) + 3, (x0 + 1, y0 + 1), (w, h)).astype(int)
    part, share = picture[y0:y1, x0:x1], 1.0
    while step * share > COARSE and min(part.shape[:2]) > 1:
        part, share = halved(part), share / 2
    # Pixel middles are whole numbers: the first pixel's left edge is at -0.5.
    fit = np.array(
        [
            [share, 0.0, (0.5 - x0) * share - 0.5],
            [0.0, share, (0.5 - y0) * share - 0.5],
            [0.0, 0.0, 1.0],
        ]
    )
    return part, fit @ back
