"""Whether a face shows more pips than was read: there are dice with eight, and dominoes with nine.

The nets know no number above six and read such a face as a five or a six. What is to be sure must
not show eight spots, alike and on the places of a 3 x 3 grid.
"""

from __future__ import annotations

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


def too_many(crop: Picture, size: float) -> bool:
    """Whether the face in the middle of this crop (n, n, 3), of a die so many px large, shows eight
    pips or more."""
    brightness = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    for plane in (brightness, *cv2.split(crop)):
        plane = plane.astype(np.float32)
        fine, coarse = (
            np.asarray(cv2.GaussianBlur(plane, (0, 0), blur * size), np.float64)
            for blur in (FINE, COARSE)
        )
        stands = fine - coarse
        # Light pips are seen between dark ones, too, but weaker.
        spots = max((_spots(sign * stands, size) for sign in (-1.0, 1.0)), key=_strength)
        if _on_grid(spots[:, :2], size) >= MANY:
            return True
    return False


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


def _on_grid(places: Points, size: float) -> int:
    """How many of these at most lie on the places of one 3 x 3 grid."""
    count = len(places)
    if count < MANY:
        return count
    steps = places[None] - places[:, None]  # from, to
    length = np.linalg.norm(steps, axis=2)
    one = (APART[0] * size < length) & (length < APART[1] * size)
    start, first, second = np.nonzero(one[:, :, None] & one[:, None])
    right, up = steps[start, first], steps[start, second]
    turn = right[:, 0] * up[:, 1] - right[:, 1] * up[:, 0]
    good = turn > SQUARE * length[start, first] * length[start, second]
    if not good.any():
        return 0
    start, right, up, turn = start[good], right[good], up[good], turn[good]
    off = places[None] - places[start][:, None]
    a = (off[..., 0] * up[:, None, 1] - off[..., 1] * up[:, None, 0]) / turn[:, None]
    b = (right[:, None, 0] * off[..., 1] - right[:, None, 1] * off[..., 0]) / turn[:, None]
    near_a, near_b = np.round(a), np.round(b)
    fits = (np.abs(a - near_a) < OFF) & (np.abs(b - near_b) < OFF)
    # The step's start is any place of the grid, so the grid's corner may be two steps back.
    best = 0
    for corner_a in (0, -1, -2):
        for corner_b in (0, -1, -2):
            own = fits & (near_a >= corner_a) & (near_a <= corner_a + 2)
            own &= (near_b >= corner_b) & (near_b <= corner_b + 2)
            best = max(best, int(own.sum(axis=1).max()))
    return best
