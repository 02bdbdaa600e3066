"""Whether what seems to show a value is more than one die's face.

The nets know nothing but dice, and read a domino's half, or a cube with a number, as the value that
it is likest. So what is to be sure is held against what any die's face is. These looks only doubt:
no value comes from them, and where they see nothing clearly they say nothing.
"""

from __future__ import annotations

import math

from tableref_vision.dice import crops
from tableref_vision.dice.inputs import Levels
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

DIE = 32  # px of a die, as its body is looked for
AROUND = 4.0  # times its size, that are looked at: all of a domino from the middle of one half
NEAR = 0.33  # of a die's size around the middle: most of it is the face's own colour
LONG = ((20.0, 1.5), (32.0, 1.7))
"""Levels that a body may differ from its colour, and from how long it is on, a unit across, more
than one face: with few levels a die's sides are told from its top, with more they may not be."""
PLAIN = 0.94  # of the hull of its outline, that a body of one piece fills at least
LARGE = 0.25, 5.0  # of the square over a die's size, that a body takes
SHOWN = 0.9  # of a die's edge, that is looked at for a one's pip
SIDE = 64  # px of that
RING = 0.18, 0.35  # of the edge, from the middle: there nothing lies but the end of other marks
SMEAR = 0.02  # of the edge, that grain is averaged over
STRONG = 0.5  # of what a mark differs by, that its outline does
FAINT = 12.0  # levels that a mark differs by at least
ROUND = 0.9  # of an ellipse as large and as long, that a pip covers at least


def goes_on(levels: Levels, x: float, y: float, size: float) -> bool:
    """Whether the body whose face shows a value here, of a die this large in px, is plainly one
    that is too long for a die: a domino."""
    side, step = round(DIE * AROUND), size / DIE
    shift = (side - 1) / 2 * step
    back = np.array([[step, 0.0, x - shift], [0.0, step, y - shift], [0.0, 0.0, 1.0]])
    picture = levels.warped(back, step, (side, side))
    reach = round(NEAR * DIE)
    part = slice(side // 2 - reach, side // 2 + reach + 1)
    colour = np.median(picture[part, part].reshape(-1, 3), axis=0)
    for far, long in LONG:
        alike = cv2.inRange(picture, colour - far, colour + far)
        if _length(np.asarray(alike, np.uint8), part) > long:
            return True
    return False


def _length(mask: Picture, part: slice) -> float:
    """How long, a unit across, the piece of this mask is that fills most of this part of rows and
    columns; 0 where it is not plain."""
    _, pieces = cv2.connectedComponents(mask)
    counts = np.bincount(pieces[part, part].ravel(), minlength=2)
    own = (pieces == int(counts[1:].argmax()) + 1).astype(np.uint8)
    rings, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not rings:
        return 0.0
    ring = max(rings, key=cv2.contourArea)
    spots = ring.reshape(-1, 2)
    area, hull = cv2.contourArea(ring), cv2.contourArea(cv2.convexHull(ring))
    cut_off = spots.min() == 0 or spots.max() == len(mask) - 1
    if cut_off or not LARGE[0] < area / DIE**2 < LARGE[1] or area < PLAIN * hull:
        return 0.0
    told = cv2.moments(ring)
    spread = np.array([[told["mu20"], told["mu11"]], [told["mu11"], told["mu02"]]])
    least, most = np.linalg.eigvalsh(spread)
    return float(np.sqrt(most / max(least, 1e-6)))


def is_no_pip(levels: Levels, view: View, place: Points, edge: float, top: float) -> bool:
    """Whether the mark in the middle of a face that is taken for a one is plainly no round pip, but
    a number or a letter, say. The face, of this edge in mm, lies around `place` (2,) on the mat, at
    the height `top`."""
    picture = crops.from_above(levels, view, place, SHOWN * edge, SIDE, top)
    px = SIDE / SHOWN
    soft = cv2.GaussianBlur(picture, (0, 0), SMEAR * px).astype(np.float64)
    across = np.arange(SIDE) - (SIDE - 1) / 2
    far = np.hypot(across[:, None], across) / px
    plain = np.median(soft[(far > RING[0]) & (far < RING[1])], axis=0)
    off = np.abs(soft - plain).max(axis=-1)
    strong = float(np.quantile(off[far < RING[0]], 0.9))
    if strong < FAINT:
        return False
    told = cv2.moments(((off > STRONG * strong) & (far < RING[1])).astype(np.uint8), True)
    if not told["m00"]:
        return False
    spread = told["mu20"] * told["mu02"] - told["mu11"] ** 2
    ellipse = 4 * math.pi * math.sqrt(max(spread, 1e-6)) / told["m00"]
    return told["m00"] < ROUND * ellipse
