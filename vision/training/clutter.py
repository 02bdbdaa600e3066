"""What lies on tables and is no die: numbered tokens, words, cards, grids, pins, cords."""

from __future__ import annotations

import cv2
import numpy as np

from training.drawings import Random
from training.sources import Picture

WORDS = (*map(str, range(2, 13)), "B", "OK", "START", "24", "X", "R", "Q")
SMALLEST, LARGEST = 4.0, 160.0  # px of a thing


def litter(random: Random, ground: Picture, count: int) -> None:
    """Draw this many things onto the ground (h, w, 3), anywhere and of any size."""
    h, w = ground.shape[:2]
    for _ in range(count):
        size = float(np.exp(random.uniform(np.log(SMALLEST), np.log(LARGEST))))
        put(random, ground, random.uniform(0, w), random.uniform(0, h), size)


def put(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """Draw one thing of this size (px) with its middle here."""
    kinds = (_token, _token, _word, _card, _grid, _pin, _cord)
    kinds[int(random.integers(len(kinds)))](random, ground, x, y, max(size, SMALLEST))


def _paint(random: Random) -> tuple[float, float, float]:
    blue, green, red = random.uniform(0, 255, 3)
    if random.random() < 0.4:
        grey = random.choice([20, 235]) + random.normal(0, 12)
        blue, green, red = grey, grey, grey
    return float(blue), float(green), float(red)


def _token(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """A round or oval token with a rim, and at times a number, or dots in a row beneath."""
    axes = (round(size / 2), max(1, round(size / 2 * random.uniform(0.6, 1))))
    place, angle = (round(x), round(y)), float(random.uniform(0, 180))
    cv2.ellipse(ground, place, axes, angle, 0, 360, _paint(random), -1, cv2.LINE_AA)
    if random.random() < 0.6:
        rim = max(1, round(size * random.uniform(0.02, 0.1)))
        cv2.ellipse(ground, place, axes, angle, 0, 360, _paint(random), rim, cv2.LINE_AA)
    if random.random() < 0.8:
        _word(random, ground, x, y, size * random.uniform(0.35, 0.7), short=True)
    if random.random() < 0.3:
        _dots(random, ground, x, y + axes[1] * random.uniform(0.4, 0.7), size)


def _dots(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """One to five dots in a row, which are no pips: a token of this size tells its luck so."""
    count = int(random.integers(1, 6))
    radius, paint = size * random.uniform(0.03, 0.05), _paint(random)
    for at in (np.arange(count) - (count - 1) / 2) * radius * 2.6:
        place = (round(x + at), round(y))
        cv2.circle(ground, place, max(1, round(radius)), paint, -1, cv2.LINE_AA)


def _word(
    random: Random, ground: Picture, x: float, y: float, size: float, short: bool = False
) -> None:
    word = str(random.choice([w for w in WORDS if len(w) < 3] if short else WORDS))
    font = int(random.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    (wide, high), _ = cv2.getTextSize(word, font, 1.0, 2)
    scale = size / max(wide, high)
    thick = max(1, round(3 * scale * random.uniform(0.7, 1.5)))
    place = (round(x - wide * scale / 2), round(y + high * scale / 2))
    cv2.putText(ground, word, place, font, scale, _paint(random), thick, cv2.LINE_AA)


def _card(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """A turned rectangle, or a hexagon, with or without a frame."""
    if random.random() < 0.5:
        box = cv2.boxPoints(
            ((x, y), (size, size * random.uniform(0.3, 1)), float(random.uniform(0, 180)))
        )
    else:
        box = _hexagon(x, y, size / 2, random.uniform(0, 1))
    corners = np.round(box).astype(np.int32)
    if random.random() < 0.7:
        cv2.fillPoly(ground, [corners], _paint(random), cv2.LINE_AA)
    wide = max(1, round(size * random.uniform(0.01, 0.08)))
    cv2.polylines(ground, [corners], True, _paint(random), wide, cv2.LINE_AA)


def _hexagon(x: float, y: float, radius: float, turn: float) -> np.ndarray:
    angles = turn + np.arange(6) * np.pi / 3
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1)


def _grid(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """A few hexes of a board, each with a token or a word at times."""
    radius, turn = size / 3, random.uniform(0, 1)
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            at = np.array([column + row / 2, row * np.sqrt(0.75)]) * radius * np.sqrt(3)
            c, s = np.cos(turn + np.pi / 6), np.sin(turn + np.pi / 6)
            px, py = x + at[0] * c - at[1] * s, y + at[0] * s + at[1] * c
            corners = np.round(_hexagon(px, py, radius * 0.97, turn)).astype(np.int32)
            cv2.fillPoly(ground, [corners], _paint(random), cv2.LINE_AA)
            if radius > 6 and random.random() < 0.5:
                _token(random, ground, px, py, radius * random.uniform(0.5, 1.0))


def _pin(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """A small round head with a highlight, alone or a few side by side."""
    radius = max(1.0, size * random.uniform(0.1, 0.3))
    paint = _paint(random)
    for _ in range(int(random.integers(1, 3))):
        px, py = np.array([x, y]) + random.normal(0, size / 4, 2)
        cv2.circle(ground, (round(px), round(py)), round(radius), paint, -1, cv2.LINE_AA)
        spot = (round(px - radius * 0.3), round(py - radius * 0.3))
        cv2.circle(ground, spot, max(1, round(radius * 0.3)), (240, 240, 240), -1, cv2.LINE_AA)


def _cord(random: Random, ground: Picture, x: float, y: float, size: float) -> None:
    """A bent cord or an edge across the picture."""
    way = np.cumsum(random.normal(0, 1, (6, 2)), 0) * size * 0.5
    line = np.round(way - way[2] + (x, y)).astype(np.int32)
    wide = max(1, round(size * random.uniform(0.02, 0.15)))
    cv2.polylines(ground, [line], False, _paint(random), wide, cv2.LINE_AA)
