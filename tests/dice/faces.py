"""Faces that are drawn flat: of dice, and of much that must not be read as one to six."""

from __future__ import annotations

import cv2
import numpy as np
from tests.dice.tables import table

from tableref.sim import mat as virtual
from tableref.sim.mat import Die
from tableref_vision.dice.cube import PIPS
from tableref_vision.dice.mat import FLOOR

SIX = PIPS[6]
RING = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
THIRD = 2 / 3
TOO_MANY = {
    "seven": (*SIX, (0, 0)),
    "seven-around": RING[:7],
    "eight": (*SIX, (0, -1), (0, 1)),
    "eight-in-threes": (*SIX, (0, 0), (0, 1)),
    "nine": (*SIX, (0, -1), (0, 0), (0, 1)),
    "ten": tuple((x, y) for x in (-1, 1) for y in (-1, -0.5, 0, 0.5, 1)),
    "twelve": tuple((x, y) for x in (-1, 0, 1) for y in (-1, -THIRD / 2, THIRD / 2, 1)),
}
"""Places of the pips as in `PIPS`."""
OTHER = ("number", "letter", "domino", "domino-number", "coin", "between")
STRANGE = (*TOO_MANY, *OTHER)
GROUNDS = ((50, 50, 50), (200, 200, 200), (60, 120, 40), (150, 30, 30), (120, 120, 120))
BODIES = ((232, 232, 232), (40, 40, 200), (30, 30, 30), (60, 160, 60), (200, 80, 40))
SIZES = (40, 60, 100, 145)
SIDE = 320  # px of a face as it is drawn first


def texture(kind, random):
    """A face of this kind, `STRANGE` or a value: (SIDE, n, 3), and how much of it there is."""
    body = BODIES[random.integers(len(BODIES))]
    ink = (40, 40, 40) if sum(body) > 330 else (235, 235, 235)
    wide = 2 * SIDE if str(kind).startswith("domino") else SIDE
    face, mask = np.full((SIDE, wide, 3), body, np.uint8), np.zeros((SIDE, wide), np.uint8)
    spread = random.uniform(0.25, 0.29) * SIDE
    radius = round(random.uniform(0.085, 0.115) * SIDE)

    def spots(places, x=SIDE / 2, radius=radius):
        for a, b in places:
            middle = round(x + a * spread), round(SIDE / 2 + b * spread)
            cv2.circle(face, middle, radius, ink, -1, cv2.LINE_AA)

    if kind in ("number", "letter"):
        word = chr(random.integers(65, 91)) if kind == "letter" else str(random.integers(1, 21))
        _word(face, word, ink, random.uniform(0.45, 0.7))
    elif str(kind).startswith("domino"):
        cv2.line(face, (SIDE, 20), (SIDE, SIDE - 20), ink, 8)
        for x in (SIDE / 2, SIDE * 1.5):
            spots(PIPS[random.integers(1, 7)], x)
    elif kind == "between":
        places = PIPS[random.integers(3, 7)]
        spots(places)
        free = [p for p in random.uniform(-1, 1, (200, 2)) if _far(p, places) > 0.75]
        spots(free[:1], radius=round(radius * 0.8))
    elif kind == "coin":
        spread *= 0.8
        spots(PIPS[random.integers(1, 7)])
    else:
        close = 0.75 if kind in ("ten", "twelve") else 1.0
        spots(TOO_MANY.get(kind) or PIPS[kind], radius=round(radius * close))
    if kind == "coin":
        cv2.circle(mask, (SIDE // 2, SIDE // 2), SIDE // 2 - 4, 255, -1)
        cv2.circle(face, (SIDE // 2, SIDE // 2), SIDE // 2 - 16, ink, 4)
    else:
        bend = SIDE // 10
        corners = (bend, bend), (wide - bend, SIDE - bend)
        for thick in (2 * bend, -1):
            cv2.rectangle(mask, *corners, 255, thick)
    if kind == "domino-number":
        face[:, SIDE:] = body
        half = np.ascontiguousarray(face[:, SIDE:])
        _word(half, str(random.integers(1, 10)), ink, 0.6)
        face[:, SIDE:] = half
    return face, mask


def _far(place, places):
    return min(float(np.hypot(*(np.array(place) - p))) for p in places)


def _word(face, word, ink, share):
    (wide, high), _ = cv2.getTextSize(word, 0, 1.0, 2)
    size = share * SIDE / max(wide, high)
    place = round((SIDE - wide * size) / 2), round((SIDE + high * size) / 2)
    cv2.putText(face, word, place, 0, size, ink, max(8, round(5 * size)), cv2.LINE_AA)


def drawn(kind, seed, size=None):
    """A picture (480, 640, 3) of a face of this kind, looked at from a little aside."""
    random = np.random.default_rng(seed)
    ground = GROUNDS[seed % len(GROUNDS)]
    size = size or SIZES[seed % len(SIZES)]
    face, mask = texture(kind, random)
    angle, squash = random.uniform(0, 2 * np.pi), random.uniform(0.75, 1.0)
    c, s = np.cos(angle) * size / SIDE, np.sin(angle) * size / SIDE
    move = np.array([[c, -s, 0.0], [s * squash, c * squash, 0.0]])
    middle = np.array([320.0, 240.0]) + random.uniform(-50, 50, 2)
    move[:, 2] = middle - move[:, :2] @ (SIDE / 2, SIDE / 2)
    thick = 0.06 if kind == "coin" or str(kind).startswith("domino") else 0.25
    below = move + np.array([[0, 0, 0.0], [0, 0, size * thick]])
    picture = np.full((480, 640, 3), ground, np.float64)
    side = np.full_like(face, np.array(face[2, 2]) * 0.6)
    for at, look in ((below, side), (move, face)):
        share = _shrunk(mask, at, size)[..., None] / 255.0
        picture += share * (_shrunk(look, at, size) - picture)
    soft = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.6, 1.3))
    return np.clip(soft + random.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)


def _shrunk(look, move, size):
    """The drawing as `move` lays it onto the picture, without jagged edges."""
    soft = cv2.GaussianBlur(look, (0, 0), max(0.5, 0.4 * SIDE / size))
    edge = cv2.BORDER_CONSTANT if look.ndim == 2 else cv2.BORDER_REPLICATE
    return cv2.warpAffine(soft, move, (640, 480), flags=cv2.INTER_LINEAR, borderMode=edge)


def on_mat(kind, seed, size=16.0):
    """A picture of the virtual mat with such a face on a cube, or as a coin or a tile, on it; where
    its top lies: x, y in mm."""
    random = np.random.default_rng([seed, 7])
    face, mask = texture(kind, random)
    thin = kind == "coin" or str(kind).startswith("domino")
    high = FLOOR + (3.0 if thin else size)
    name = ("yellow", "black")[seed % 2]
    middle = np.array(virtual.mat.TRAYS[name]) + random.uniform(-35, 35, 2)
    yaw = random.uniform(0, 2 * np.pi)
    laid = []
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    if not thin:
        paint = tuple(float(c) for c in face[2, 2])
        laid = [Die(2, *middle, float(np.degrees(yaw)), paint=paint, size=size)]
    under = table(seed, *laid)
    picture = under.picture()
    wide = face.shape[1] / SIDE
    corners = np.array([(-0.5, 0.5), (wide - 0.5, 0.5), (wide - 0.5, -0.5), (-0.5, -0.5)]) * size
    flat = corners @ turn.T + middle
    h, w = picture.shape[:2]
    seen = under.camera.project(np.column_stack([flat, np.full(4, high)]))
    frame = np.array([(0, 0), (wide * SIDE, 0), (wide * SIDE, SIDE), (0, SIDE)], np.float32)
    move = cv2.getPerspectiveTransform(frame, np.asarray(seen, np.float32))
    scale = float(np.linalg.norm(seen[3] - seen[0]))
    share = _laid(mask, move, scale, (w, h))[..., None] / 255.0
    look = _laid(face, move, scale, (w, h))
    return np.clip(picture + share * (look - picture.astype(float)), 0, 255).astype(np.uint8)


def _laid(look, move, scale, size):
    soft = cv2.GaussianBlur(look, (0, 0), 0.45 * SIDE / scale)
    edge = cv2.BORDER_CONSTANT if look.ndim == 2 else cv2.BORDER_REPLICATE
    return cv2.warpPerspective(soft, move, size, flags=cv2.INTER_LINEAR, borderMode=edge)
