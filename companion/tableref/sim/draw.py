"""Polygons, balls, hands, shadows and lights on the canvas, all through the one pinhole."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref.sim.camera import Canvas, Floats, Vector
from tableref.sim.materials import Picture

Mask = NDArray[np.float32]
Paint = tuple[float, float, float]

SHIFT = 4  # OpenCV draws in sixteenths of a pixel
SKIN: Paint = (128, 155, 205)


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at (x, y) mm, its forearm coming in from `side` (degrees anticlockwise from east).

    `z` is the height of the hand's middle above the table.
    """

    x: float
    y: float
    side: float = -90.0
    z: float = 75.0
    sleeve: Paint | None = None


def turned(points: Iterable[Vector], x: float, y: float, yaw: float, z: float) -> Floats:
    """Points of a piece's own frame (nose along x) set down at (x, y, z), turned by `yaw` deg."""
    angle = np.radians(yaw)
    cos, sin = np.cos(angle), np.sin(angle)
    local = np.asarray(list(points), dtype=float)
    return np.stack(
        (
            x + local[:, 0] * cos - local[:, 1] * sin,
            y + local[:, 0] * sin + local[:, 1] * cos,
            z + local[:, 2],
        ),
        axis=1,
    )


def fixed(places: Floats) -> NDArray[np.int32]:
    """Places on the canvas in sixteenths of a pixel."""
    return np.round(places * (1 << SHIFT)).astype(np.int32)


def fill(picture: NDArray[np.uint8], places: Floats, paint: Paint | int) -> None:
    """Fill a convex polygon of places (N, 2) with smooth edges."""
    colour = paint if isinstance(paint, tuple) else (paint,)
    cv2.fillConvexPoly(picture, fixed(places), colour, cv2.LINE_AA, SHIFT)


def picture_of(array: Any) -> Picture:
    """What OpenCV gives back, with its type told."""
    return np.asarray(array, np.uint8)


def blend(under: Picture, over: Picture, share: NDArray[np.uint8]) -> Picture:
    """`over` laid on `under` where `share` (0 to 255) says."""
    weight = share[..., None].astype(np.uint16)
    mixed = under * (255 - weight) + over * weight
    blended: Picture = ((mixed + 127) // 255).astype(np.uint8)
    return blended


def shade(paint: Paint, light: float) -> Paint:
    """The paint as bright as `light` says, 1 being its own."""
    blue, green, red = (min(255.0, value * light) for value in paint)
    return blue, green, red


def ball(canvas: Canvas, picture: Picture, middle: Floats, radius: float, paint: Paint) -> None:
    """A ball, a little darker at its rim."""
    place = canvas.project(middle[None])[0]
    size = radius * canvas.scale(middle)
    for share, light in ((1.0, 0.72), (0.8, 0.9), (0.5, 1.04)):
        where = fixed(place - (1 - share) * 0.5 * size)
        cv2.circle(
            picture,
            where.tolist(),
            round(share * size * 16),
            shade(paint, light),
            -1,
            cv2.LINE_AA,
            SHIFT,
        )


def hand_balls(hand: Hand) -> list[tuple[Floats, float, bool]]:
    """A hand and its forearm as balls, far end first: middle and radius in mm, and if sleeved."""
    angle = math.radians(hand.side)
    out = np.array([math.cos(angle), math.sin(angle), 0.0])
    across = np.array([-out[1], out[0], 0.0])
    up = np.array([0.0, 0.0, 1.0])
    grip = np.array([hand.x, hand.y, hand.z])
    wrist, palm = grip + 80.0 * out + 30.0 * up, grip + 42.0 * out + 24.0 * up
    balls: list[tuple[Floats, float, bool]] = [
        (wrist + along * (out + 0.15 * up), 25.0 + 0.03 * along, along > 45)
        for along in range(520, 0, -6)
    ]
    for share in np.linspace(0.0, 1.0, 7):
        balls.append((wrist + share * (palm - wrist), 25.0 + 6.0 * share, False))
    for side in (-22.0, -8.0, 8.0, 22.0):
        knuckle, tip = palm + side * across, grip + 0.6 * side * across - 8.0 * out
        for share in np.linspace(0.0, 1.0, 8):
            balls.append((knuckle + share * (tip - knuckle), 11.0 - 2.5 * share, False))
    return balls


def hand_picture(canvas: Canvas, picture: Picture, hand: Hand) -> None:
    """Draw a hand over everything that is there."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    sleeve = np.zeros(picture.shape[:2], np.uint8)
    for middle, radius, sleeved in hand_balls(hand):
        place = fixed(canvas.project(middle[None]))[0].tolist()
        size = round(radius * canvas.scale(middle) * 16)
        cv2.circle(mask, place, size, 255, -1, cv2.LINE_AA, SHIFT)
        if sleeved and hand.sleeve:
            cv2.circle(sleeve, place, round(size * 1.12), 255, -1, cv2.LINE_AA, SHIFT)
    whole = picture_of(cv2.max(mask, sleeve))
    small = cv2.resize(whole, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    depth = cv2.distanceTransform((small > 127).astype(np.uint8), cv2.DIST_L2, 3)
    # A limb is round: bright along its middle, darker to its edges.
    round_ = np.sqrt(np.clip(depth / max(1.0, float(depth.max()) * 0.75), 0, 1))
    light = cv2.resize(cv2.GaussianBlur(round_, (0, 0), 2), whole.shape[::-1])
    paint = np.empty_like(picture)
    paint[:] = SKIN
    if hand.sleeve:
        paint[sleeve > 0] = hand.sleeve
    bright = np.asarray(0.62 + 0.38 * np.asarray(light), np.float32)
    paint = picture_of(cv2.multiply(paint, cv2.merge([bright] * 3), dtype=cv2.CV_8U))
    picture[:] = blend(picture, paint, whole)


def glow(canvas: Canvas, picture: Picture, spot: Floats, colour: Paint, share: float) -> None:
    """Light shining up through the plate, inside the outline `spot`; `share` is its strength."""
    places = canvas.project(spot)
    middle, size = places.mean(axis=0), float(np.ptp(places[:, 0]))
    left, top = (max(0, int(v - 1.6 * size)) for v in middle)
    right, bottom = (int(v + 1.6 * size) for v in middle)
    part = picture[top:bottom, left:right]
    if part.size == 0:
        return
    mask = np.zeros(part.shape[:2], np.uint8)
    fill(mask, places - (left, top), int(255 * share))
    mask = picture_of(cv2.GaussianBlur(mask, (0, 0), 0.25 * size))
    light = np.empty_like(part)
    light[:] = colour
    part[:] = blend(part, light, mask)


def hand_shadow(
    canvas: Canvas, mask: NDArray[np.uint8], hand: Hand, lamp: Floats, floor: float
) -> None:
    """What a hand shades of the plane `floor`, on `mask` (half the canvas' size)."""
    for middle, radius, _ in hand_balls(hand):
        grow = (lamp[2] - floor) / (lamp[2] - middle[2])
        falls = lamp + (middle - lamp) * grow
        place = fixed(canvas.project(falls[None]) / 2)[0].tolist()
        size = round(radius * grow * canvas.scale(falls) / 2 * 16)
        cv2.circle(mask, place, size, 255, -1, cv2.LINE_AA, SHIFT)


def shadow(
    canvas: Canvas, mask: NDArray[np.uint8], points: Floats, lamp: Floats, floor: float
) -> None:
    """Darken `mask` (half the canvas' size) where the hull of `points` shades the plane `floor`."""
    falls = points + (points - lamp) * ((points[:, 2:] - floor) / (lamp[2] - points[:, 2:]))
    places = canvas.project(falls).astype(np.float32) / 2
    hull = cv2.convexHull(places).reshape(-1, 2).astype(float)
    fill(mask, hull, 255)
