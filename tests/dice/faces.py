"""Faces that are drawn flat, with any pips, for what must not be read as one to six."""

from __future__ import annotations

import cv2
import numpy as np

from tableref_vision.dice.cube import PIPS

SIX = PIPS[6]
MANY = {
    "eight": (*SIX, (0, -1), (0, 1)),
    "eight-in-threes": (*SIX, (0, 0), (0, 1)),
    "nine": (*SIX, (0, -1), (0, 0), (0, 1)),
}
"""Places of the pips as in `PIPS`."""
GROUNDS = ((50, 50, 50), (200, 200, 200), (60, 120, 40), (150, 30, 30), (120, 120, 120))
BODIES = ((232, 232, 232), (40, 40, 200), (30, 30, 30), (60, 160, 60), (200, 80, 40))
SIZES = (40, 60, 100, 145)
FINE = 4  # drawn so many times larger


def drawn(pips, seed, size=None):
    """A picture (480, 640, 3) of a face with these pips, looked at from a little aside."""
    random = np.random.default_rng(seed)
    ground, body = GROUNDS[seed % len(GROUNDS)], BODIES[random.integers(len(BODIES))]
    size = size or SIZES[seed % len(SIZES)]
    ink = (40, 40, 40) if sum(body) > 330 else (235, 235, 235)
    side = size * FINE
    face, mask = np.full((side, side, 3), body, np.uint8), np.zeros((side, side), np.uint8)
    spread, radius = random.uniform(0.25, 0.29) * side, round(random.uniform(0.085, 0.115) * side)
    for a, b in pips:
        middle = round(side / 2 + a * spread), round(side / 2 + b * spread)
        cv2.circle(face, middle, radius, ink, -1, cv2.LINE_AA)
    bend = side // 10
    cv2.rectangle(mask, (bend, bend), (side - bend, side - bend), 255, 2 * bend)
    cv2.rectangle(mask, (bend, bend), (side - bend, side - bend), 255, -1)
    angle, squash = random.uniform(0, 2 * np.pi), random.uniform(0.75, 1.0)
    c, s = np.cos(angle) / FINE, np.sin(angle) / FINE
    move = np.array([[c, -s, 0.0], [s * squash, c * squash, 0.0]])
    middle = np.array([320.0, 240.0]) + random.uniform(-50, 50, 2)
    move[:, 2] = middle - move[:, :2] @ (side / 2, side / 2)
    below = move + np.array([[0, 0, 0.0], [0, 0, size * 0.25]])
    picture = np.full((480, 640, 3), ground, np.float64)
    for at, look in ((below, np.full_like(face, np.array(body) * 0.6)), (move, face)):
        share = cv2.warpAffine(mask, at, (640, 480), flags=cv2.INTER_AREA)[..., None] / 255
        picture += share * (cv2.warpAffine(look, at, (640, 480), flags=cv2.INTER_AREA) - picture)
    soft = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.6, 1.3))
    return np.clip(soft + random.normal(0, 3, soft.shape), 0, 255).astype(np.uint8)
