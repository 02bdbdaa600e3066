"""Whether a face shows more pips than was read: there are dice with eight, and dominoes with nine.

The nets know no number above six and read such a face as a five or a six. What is to be sure must
not show eight spots, alike and on the places of a 3 x 3 grid; nor, seen more finely, ten on those
of a grid of 4 x 3, or rows in which pips run into each other.
"""

from __future__ import annotations

import itertools
import math

from tableref_vision.opencv import Picture, Points, cv2, np

FINE, COARSE = 0.05, 0.1  # of a die's size: two blurs, between which a pip stands out
STRONG = 0.65  # of the strongest spots, that a pip stands out
PLAIN = 2.5  # levels that a pip stands out at least
MOST = 14  # spots that are looked at
APART = 0.16, 0.36  # of a die's size: steps from pip to pip
SQUARE = 0.5  # sine of the angle between a grid's axes, at least
OFF = 0.2  # of a step, that a pip may lie off its place
REACH = 0.62  # of a die's size, within which of the middle its top face lies


MANY = 8  # pips that no six is taken for; seven are hardly ever read as a six

FINELY = 0.04, 0.08  # blurs as above, for pips that are smaller and closer
NEAR = 0.11, 0.24  # steps from pip to pip in a row of four
FOURS = 10  # of twelve pips, that are found at least
OFF_FOURS = 0.25  # of a step
FACE = 0.45  # of a die's size from its middle: there a face is nearly all that is seen

SOFT = 0.015  # of a die's size: grain is averaged over this
INKED = 15.0  # levels that ink differs from a face at least
ROW = 0.02, 0.2  # of the square over a die's size, that a row covers
LONG = 2.6  # times as long as wide, that a row is at least
ALONG = 0.9  # cosine of the angle between two rows, at least
MIDDLE = 0.7  # of a row's length, that is looked along
DIP = 0.15  # of the ink's strength, that is missing between two pips of a six at least


def too_many(crop: Picture, size: float) -> bool:
    """Whether the face in the middle of this crop (n, n, 3), of a die so many px large, shows eight
    pips or more."""
    for plane in _planes(crop):
        stands = _standing_out(plane, size, FINE, COARSE)
        # Light pips are seen between dark ones, too, but weaker.
        spots = max((_spots(sign * stands, size) for sign in (-1.0, 1.0)), key=_strength)
        if _on_grid(spots[:, :2], (3, 3), (APART, APART), size, OFF) >= MANY:
            return True
    return False


def four_in_a_row(crop: Picture, size: float) -> bool:
    """Whether that face shows three rows of four pips, or nearly: where it most stands out."""
    face = _from_middle(crop) < FACE * size
    planes = [_standing_out(plane, size, *FINELY) for plane in _planes(crop)]
    stands = max(planes, key=lambda plane: float((plane[face] ** 2).sum()))
    spots = max((_spots(sign * stands, size) for sign in (-1.0, 1.0)), key=_strength)
    return _on_grid(spots[:, :2], (4, 3), (NEAR, APART), size, OFF_FOURS) >= FOURS


def run_together(crop: Picture, size: float) -> bool:
    """Whether that face shows two rows whose pips cannot be told apart: five in a row do not find
    room. Of a six the face's colour shows between them."""
    far = _from_middle(crop)
    face = far < FACE * size
    planes = [np.asarray(cv2.GaussianBlur(one, (0, 0), SOFT * size)) for one in _planes(crop)]
    plane = max(planes, key=lambda one: float(np.ptp(np.percentile(one[face], (3, 97)))))
    low, plain, high = np.percentile(plane[face], (3, 50, 97))
    ink = high if high - plain > plain - low else low
    if abs(ink - plain) < INKED:
        return False
    share: Points = np.asarray((plane - plain) / (ink - plain), np.float64)
    _, pieces = cv2.connectedComponents(((share > 0.5) & (far < REACH * size)).astype(np.uint8))
    rows = [
        row
        for number in range(1, int(pieces.max()) + 1)
        if (row := _row(np.argwhere(pieces == number)[:, ::-1].astype(np.float64), size))
        is not None
    ]
    if len(rows) < 2:
        return False
    (_, *one), (_, *other) = sorted(rows, key=lambda row: -row[0])[:2]
    alike = abs(float(one[1] @ other[1])) > ALONG * math.hypot(*one[1]) * math.hypot(*other[1])
    return alike and max(_dip(share, *one), _dip(share, *other)) < DIP


def _row(places: Points, size: float) -> tuple[int, Points, Points] | None:
    """How many px a piece covers that is as long and wide as a row of pips, its middle, and the way
    (2,) from there to its end; None of any other."""
    if not ROW[0] * size**2 < len(places) < ROW[1] * size**2:
        return None
    middle = places.mean(axis=0)
    spread, ways = np.linalg.eigh(np.cov((places - middle).T))
    if spread[1] < LONG**2 * max(spread[0], 0.1):
        return None
    return len(places), middle, ways[:, 1] * np.sqrt(3 * spread[1])


def _dip(share: Points, middle: Points, way: Points) -> float:
    """How much of the ink is missing along a row where most is."""
    x, y = (middle + np.linspace(-MIDDLE, MIDDLE, 33)[:, None] * way).astype(np.float32).T
    along = cv2.remap(share.astype(np.float32), x, y, cv2.INTER_LINEAR)
    return float(1 - along.min() / along.max())


def _planes(crop: Picture) -> list[Picture]:
    """Brightness and colours, in floats."""
    brightness = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    return [plane.astype(np.float32) for plane in (brightness, *cv2.split(crop))]


def _standing_out(plane: Picture, size: float, fine: float, coarse: float) -> Points:
    """How much lighter each place is than what lies around it, by blurs of these shares of the
    size."""
    near, around = (cv2.GaussianBlur(plane, (0, 0), blur * size) for blur in (fine, coarse))
    return np.asarray(near, np.float64) - np.asarray(around, np.float64)


def _from_middle(crop: Picture) -> Points:
    """How many px each place is off the crop's middle."""
    across = np.arange(len(crop)) - (len(crop) - 1) / 2
    return np.asarray(np.hypot(across[:, None], across), np.float64)


def _spots(stands: Points, size: float) -> Points:
    """Places in px, and strengths, of what stands out about alike: (n, 3), the strongest first."""
    near = cv2.dilate(stands, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((stands >= near) & (stands > PLAIN))
    places = np.column_stack([columns, rows]).astype(np.float64)
    heights = stands[rows, columns]
    inside = np.linalg.norm(places - (len(stands) - 1) / 2, axis=1) < REACH * size
    places, heights = places[inside], heights[inside]
    order = np.argsort(-heights)[:MOST]
    spots = np.column_stack([places, heights])[order]
    return spots[spots[:, 2] > STRONG * _strength(spots)]


def _strength(spots: Points) -> float:
    """That of the third: of most values that are read, the weakest pip's or a stronger one's."""
    return float(spots[min(2, len(spots) - 1), 2]) if len(spots) else 0.0


def _on_grid(
    places: Points,
    grid: tuple[int, int],
    apart: tuple[tuple[float, float], tuple[float, float]],
    size: float,
    off: float,
) -> int:
    """How many places of one grid of so many, with steps of these shares of the size, have one of
    these at most, `off` steps away at most."""
    if len(places) < MANY:
        return 0
    steps = places[None] - places[:, None]  # from, to
    length = np.linalg.norm(steps, axis=2)
    along, across = ((low * size < length) & (length < high * size) for low, high in apart)
    start, first, second = np.nonzero(along[:, :, None] & across[:, None])
    right, up = steps[start, first], steps[start, second]
    turn = right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0]
    good = np.abs(turn) > SQUARE * length[start, first] * length[start, second]
    if not good.any():
        return 0
    start, right, up, turn = start[good], right[good], up[good], turn[good]
    aside = places[None] - places[start][:, None]
    a = (aside[..., 0] * up[:, None, 1] - aside[..., 1] * up[:, None, 0]) / turn[:, None]
    b = (right[:, None, 0] * aside[..., 1] - right[:, None, 1] * aside[..., 0]) / turn[:, None]
    near_a, near_b = np.round(a), np.round(b)
    fits = (np.abs(a - near_a) < off) & (np.abs(b - near_b) < off)
    # The step's start is any place of the grid, so the grid's corner may be some steps back.
    best = 0
    for corner_a, corner_b in itertools.product(*map(range, grid)):
        taken = [
            (fits & (near_a == i - corner_a) & (near_b == j - corner_b)).any(axis=1)
            for i, j in itertools.product(*map(range, grid))
        ]
        best = max(best, int(np.sum(taken, axis=0).max()))
    return best
