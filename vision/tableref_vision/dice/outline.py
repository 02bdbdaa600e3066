"""Whether something lies where the nets marked it, or whether it is printed on the floor.

A die has a body; words, numbers and lines have none. So what differs from the floor around it, less
all that is as thin as a stroke, leaves something of a die and nothing of what is printed.
"""

from __future__ import annotations

from tableref_vision.dice import crops, mat
from tableref_vision.dice.inputs import Levels
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

PX = 0.5  # mm a px of what is looked at
AROUND = 3.2  # times a die's edge, that are looked at
STROKE = 0.45  # of a die's edge: what is thinner is a stroke
PIP = 0.12  # of the square over a die's edge: smaller holes in what differs are pips
LEAST = 0.40  # of that square: a body is larger
NEAR = 0.8  # of a die's edge, within which of the middle a body must be
FAINT = 0.1  # of that square: more beside the strokes is a body of about the floor's colour
INK = 0.4  # of the strongest difference: what a stroke is, without its blurred rim
BLUR = 1.5  # mm that a stroke's rim is blurred over
WALL = 2.0  # mm beside a tray's walls, where these may be seen
LEVELS = 4.0  # of a channel: smaller differences from the floor are grain or shade
SOFT = 1.2  # px that grain is averaged over
SOME = 3  # px from one to the next by which the floor's colours are told
GRAIN = 4.0  # times the floor's own spread


def is_print(levels: Levels, view: View, place: Points, size: float) -> bool:
    """Whether there is no body at this place (2,) in mm in a tray; dice are `size` mm large."""
    side = round(AROUND * size / PX)
    picture = crops.from_above(levels, view, place, side * PX, side, mat.FLOOR)
    floor = in_tray(view, place, side)
    if floor.sum() < side:
        return False
    off, grain = _off_floor(picture, floor)
    weak = ((off > max(LEVELS, GRAIN * grain)) & floor).astype(np.uint8)
    part = around(side, NEAR * size)
    seen = off[part][weak[part] > 0]
    contrast = float(np.quantile(seen, 0.9)) if len(seen) else 0.0
    strong = weak & (off > INK * contrast)
    # A dark die on a dark floor is more than its bright pips; words are nothing but their strokes.
    beside = (weak > 0) & (cv2.dilate(strong, disc(2 * BLUR)) == 0)
    rest = float(beside[part].sum()) * PX**2
    return rest < FAINT * size**2 and not _has_body(strong, size)


def _has_body(mask: Picture, size: float) -> bool:
    """Whether one part of it, near the middle, is as thick and as large as a die."""
    fill(mask, PIP * (size / PX) ** 2)
    thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc(STROKE * size))
    _, parts, about, _ = cv2.connectedComponentsWithStats(thick)
    large = np.flatnonzero(about[1:, cv2.CC_STAT_AREA] > LEAST * (size / PX) ** 2) + 1
    return bool(np.isin(parts[around(len(mask), NEAR * size)], large).any())


def around(side: int, reach: float, px: float = PX) -> tuple[slice, slice]:
    """Px, of so many mm, that are `reach` mm at most from the middle, to each side."""
    part = slice(max(0, side // 2 - round(reach / px)), side // 2 + round(reach / px) + 1)
    return part, part


def disc(across: float) -> Picture:
    """A disc so many mm across."""
    wide = 2 * round(across / PX / 2) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)), np.uint8)


def fill(body: Picture, area: float) -> None:
    """Fill holes that are smaller than this, in px."""
    rings, family = cv2.findContours(body, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for number, ring in enumerate(rings):
        if family[0][number][3] >= 0 and cv2.contourArea(ring) < area:
            cv2.drawContours(body, rings, number, 1, -1)


def in_tray(view: View, place: Points, side: int, px: float = PX) -> Picture:
    """Which px (side, side), of so many mm, show the floor of the tray that this place is in."""
    tray = mat.tray_at(*place)
    shown = np.zeros((side, side), bool)
    if tray is None:
        return shown
    east, north = crops.axes(view, place)
    steps = (np.arange(side) + 0.5 - side / 2) * px
    right, up = np.meshgrid(steps, -steps)
    spots = place + right[..., None] * east + up[..., None] * north
    off = np.abs(spots - mat.TRAYS[tray]) < mat.INSIDE - WALL
    return np.asarray(off[..., 0] & off[..., 1])


def _off_floor(picture: Picture, floor: Picture) -> tuple[Points, float]:
    """How far each px is from the floor's colour, that may change evenly across it; and the
    floor's grain."""
    colours = cv2.GaussianBlur(picture, (0, 0), SOFT).astype(np.float64)
    plain, grain = floor_colours(colours, floor)
    return strongest(np.abs(colours - plain)), grain


def floor_colours(colours: Points, floor: Picture) -> tuple[Points, float]:
    """What the floor's colours (n, n, 3) would be in even light if nothing lay on it, and its
    grain."""
    across, down = np.meshgrid(*2 * (np.linspace(-1, 1, len(colours)),))
    terms = np.stack([np.ones_like(across), across, down], -1)
    some = np.zeros_like(floor)
    some[::SOME, ::SOME] = floor[::SOME, ::SOME]
    part, seen = terms[some], colours[some]
    known = np.ones(len(part), bool)
    for _ in range(4):
        fit, *_ = np.linalg.lstsq(part[known], seen[known], rcond=None)
        off = strongest(np.abs(seen - part @ fit))
        known = off <= max(LEVELS, 2.0 * float(np.median(off[known])))
    return terms @ fit, float(np.median(off[known])) * 1.5


def strongest(off: Points) -> Points:
    """The largest of the three channels (..., 3). NumPy takes ten times as long for a last axis as
    short as this."""
    return np.asarray(np.maximum(np.maximum(off[..., 0], off[..., 1]), off[..., 2]))
