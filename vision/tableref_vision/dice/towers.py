"""Whether what shows a value is taller than one die: a die on another, whose size nobody told.

From straight above a tower is one larger die. From aside its outline on the floor is longer, away
from the camera, than that of any one die. So the outline is taken where the floor's colour, in
light or in shade, is left, and held against those of one die and of two, turned in any way and of
any size. Where the size of dice is known, a body that covers more floor than one die could, however
it is turned, is more than one.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableref_vision.dice import crops, mat, outline
from tableref_vision.dice.inputs import Levels
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

WIDE = 22.0  # px of a die's edge, as it is looked at
SLANT = 0.22  # of the camera's height, that it must look from aside to tell
SHADE = 0.3  # of the floor's light, that is left in a shadow at least
GLOW = 1.15  # of it, where a die mirrors light onto the floor
UNLIKE = 14.0  # levels that a body differs from the floor in any light
RIM = 0.15  # of what its top differs by: less is the floor beside it, by a blurred lens
SOFT = 0.8  # px that grain is averaged over
SPECK = 3  # px: what is narrower is no part of a body
MIDDLE = 0.2  # of a die's edge around the middle of what shows a value, where its body is
LEAST = 0.6  # of the square over a die's edge: of a smaller body too little was told
CLEAR = 0.01  # by which it is liker two dice than one
MORE = 1.16  # times the floor that one die can cover: more is covered by more dice
TURNS = range(0, 90, 15)  # degrees
FINE = 4  # bits of a px by which outlines are drawn


def is_tower(levels: Levels, view: View, place: Points, edge: float, sized: bool = False) -> bool:
    """Whether the body with a top of about this edge in mm, which a die flat on the floor would
    have at this place (2,), is two dice high. `sized`: dice are known to be so large. False where
    the camera cannot tell."""
    if crops.slant(view, place, mat.FLOOR + edge) < SLANT:
        return False
    px, side = edge / WIDE, round(outline.AROUND * WIDE)
    picture = crops.from_above(levels, view, place, side * px, side, mat.FLOOR)
    body = _body(picture, outline.in_tray(view, place, side, px))
    if cv2.countNonZero(body) < LEAST * WIDE**2:
        return False
    own = cv2.moments(body, True)
    single, double = ([_outline(view, place, edge, dice, yaw) for yaw in TURNS] for dice in (1, 2))
    most = max(cv2.contourArea(corners.astype(np.float32)) for corners in single)
    if sized and own["m00"] * px**2 > MORE * most:
        return True
    one, two = (max(_likeness(body, own, corners) for corners in ways) for ways in (single, double))
    return two > one + CLEAR


def _body(picture: Picture, floor: Picture) -> Picture:
    """Which px (n, n), 0 or 1, are of no colour that the floor has in any light: the largest such
    part near the middle."""
    colours = cv2.GaussianBlur(picture, (0, 0), SOFT).astype(np.float64)
    plain, grain = outline.floor_colours(colours, floor)
    light = _dot(colours, plain) / np.maximum(_dot(plain, plain), 1.0)
    lit = np.clip(light, SHADE, GLOW)[..., None] * plain
    off = outline.strongest(np.abs(colours - lit))
    body = (off > max(UNLIKE, outline.GRAIN * grain)) & floor
    near = outline.around(len(picture), MIDDLE * WIDE, 1.0)
    seen = off[near][body[near]]
    if len(seen):
        body &= off > RIM * float(np.median(seen))
    thick = cv2.morphologyEx(body.astype(np.uint8), cv2.MORPH_OPEN, np.ones((SPECK, SPECK)))
    _, parts = cv2.connectedComponents(thick)
    counts = np.bincount(parts[near].ravel())
    own = (parts == (int(counts[1:].argmax()) + 1 if len(counts) > 1 else -1)).astype(np.uint8)
    outline.fill(own, np.inf)
    return np.asarray(own, np.uint8)


def _dot(one: Points, other: Points) -> Points:
    return np.asarray(np.einsum("ijk,ijk->ij", one, other))


def _outline(view: View, place: Points, edge: float, dice: float, yaw: float) -> Points:
    """The outline on the floor (n, 2) of so many dice on each other, turned by `yaw` degrees, as
    the camera sees them there: mm right and down in a crop of this place."""
    above = view.eye[2] - mat.FLOOR
    turned = np.radians(yaw) + np.arange(4) * np.pi / 2
    ring = place + edge / 2**0.5 * np.column_stack([np.cos(turned), np.sin(turned)])
    top = view.eye[:2] + (ring - view.eye[:2]) * above / (above - dice * edge)
    off = (np.concatenate([ring, top]) - place) @ np.stack(crops.axes(view, place)).T
    hull = cv2.convexHull((off * (1, -1)).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


def _likeness(body: Picture, own: Mapping[str, float], corners: Points) -> float:
    """How much of a body and an outline, made as large and laid over it, is both; `own` are the
    body's moments."""
    drawn = cv2.moments(corners.astype(np.float32))
    middle = np.array([own["m10"], own["m01"]]) / own["m00"]
    off = corners - np.array([drawn["m10"], drawn["m01"]]) / drawn["m00"]
    px = middle + off * (own["m00"] / drawn["m00"]) ** 0.5
    mask = np.zeros_like(body)
    cv2.fillConvexPoly(mask, np.round(px * 2**FINE).astype(np.int32), 1, shift=FINE)
    both = cv2.countNonZero(mask & body)
    return both / (cv2.countNonZero(mask) + own["m00"] - both)
