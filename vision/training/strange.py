"""Drawings of dice, and of what has pips or marks and is none: for the net that doubts.

A drawing is a box seen from above at a slant, on a ground with other boxes about it. Dice show one
to six pips in the usual places. What is none shows more pips, or pips in other places, or a number,
a letter or a sign; or it is a domino, or a coin with dots.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref_vision.dice.cube import PIPS
from tableref_vision.dice.doubts import KINDS, PX
from training.drawings import Random
from training.sources import Picture

Floats = NDArray[np.float32]
Spots = list[tuple[float, float, float]]
"""x and y, from -1 to 1 across a face, and the radius."""

DRAWN = 96  # px of a drawing's side: it is turned and cut to a crop
FINE = 2  # drawn so many times larger
TEXTURE = 128  # px of a face's edge, before it is laid onto a box
SHADOW = 0.5  # of an edge beside a box, that its shadow reaches
BITS = 4  # of a px, by which shapes are drawn
GRID = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
ODD = {
    "many": 0.3, "off places": 0.06, "one more": 0.1, "written": 0.18, "domino": 0.2, "coin": 0.16,
}  # fmt: skip
"""How often each kind is drawn among what is no die."""
LABELS = {
    "many": 0, "off places": 0, "one more": 0, "written": 1, "domino": 2, "coin": 3,
}  # fmt: skip
"""Which of `doubts.KINDS` it is."""
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
BESIDE = 0.4  # of the drawings have other dice about
IN_LINE = 0.3  # of these others lie in line with the one that is looked at
PHOTO = 0.4  # of the grounds are cut out of photographs


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A box on the ground: what its top shows (h, w, 3) and where (h, w), its middle, how large it
    is across, deep and high in edges of the one looked at, and how it is turned."""

    look: Floats
    mask: Floats
    middle: tuple[float, float]
    size: tuple[float, float, float]
    yaw: float
    side: Floats


def drawing(random: Random, die: bool, grounds: list[Picture]) -> tuple[Picture, int]:
    """A picture (DRAWN, DRAWN, 3) of a die or of something else in its middle, as large as the net
    that doubts sees it; and which number of that net's should be the largest."""
    value = int(random.integers(1, 7))
    kind = "die" if die else str(random.choice(list(ODD), p=list(ODD.values())))
    body, ink = _paints(random)
    box = _looked_at(random, kind, value, body, ink)
    others = _others(random, box, body, ink) if random.random() < BESIDE else []
    slant = np.radians(random.uniform(0, 50) if random.random() < 0.6 else random.uniform(0, 25))
    middle = np.array([*box.middle, box.size[2]])
    if kind == "domino":  # what is read lies on one half, or between
        half = (box.size[0] / 4) * random.choice([-1, -1, 1, 1, 0])
        middle[:2] += half * np.array([np.cos(box.yaw), np.sin(box.yaw)])
    camera = _Camera(slant, random.uniform(0, 2 * np.pi), middle)
    # A die's size is that of its box in the picture; the reader tells it only about.
    corners = camera.px(_cube(middle, max(box.size[2], float(random.uniform(0, 1)))))
    size = float(np.ptp(corners, axis=0).max()) * float(np.exp(random.normal(0, 0.08)))
    if kind == "coin":
        size = float(random.uniform(0.95, 1.3))
    canvas = _ground(random, grounds)
    for one in sorted([*others, box], key=lambda one: camera.depth(one.middle)):
        _lay(canvas, one, camera, PX * FINE / size, random)
    sharp = random.uniform(0.35, 1.0) if random.random() < 0.5 else 1.0
    small = cv2.resize(canvas, None, fx=sharp / FINE, fy=sharp / FINE, interpolation=cv2.INTER_AREA)
    crop = cv2.resize(small, (DRAWN, DRAWN), interpolation=cv2.INTER_LINEAR)
    label = value - 1 if die else len(PIPS) + LABELS[kind]
    assert label < len(PIPS) + len(KINDS)
    return np.clip(crop, 0, 255).astype(np.uint8), label


def spotted(random: Random, crop: Picture, value: int) -> Picture | None:
    """A photographed die (n, n, 3) with spots beside its own pips; None where there is no room, or
    where it might be a die still."""
    if value < 3:
        return None
    middle, reach = len(crop) // 2, round(0.3 * PX)
    part = crop[middle - reach : middle + reach, middle - reach : middle + reach].astype(np.float32)
    off = np.abs(part - np.median(part.reshape(-1, 3), axis=0)).max(axis=-1)
    if np.quantile(off, 0.93) < 30:
        return None
    pip = off > 0.6 * np.quantile(off, 0.97)
    ink = np.median(part[pip], axis=0)
    radius = max(1.3, float(np.sqrt(pip.sum() / value / np.pi)))
    if radius > 0.28 * reach:
        return None
    free = cv2.distanceTransform((~pip).astype(np.uint8), cv2.DIST_L2, 3)
    out = cv2.resize(crop, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    most, placed = int(random.integers(2, 7)), 0
    yy, xx = np.mgrid[: 2 * reach, : 2 * reach]
    for _ in range(40):
        y, x = random.integers(0, 2 * reach, 2)
        central = np.hypot(x - reach, y - reach) < 0.35 * reach
        if placed == most or free[y, x] < 1.9 * radius or (value == 4 and central):
            continue
        at = round((x + middle - reach + 0.5) * 4), round((y + middle - reach + 0.5) * 4)
        wide = max(2, round(radius * 4 * random.uniform(0.85, 1.1)))
        cv2.circle(out, at, wide, ink.tolist(), -1, cv2.LINE_AA)
        free = np.minimum(free, np.hypot(xx - x, yy - y).astype(np.float32) - radius)
        placed += 1
    if not placed:
        return None
    return np.asarray(cv2.resize(out, crop.shape[:2], interpolation=cv2.INTER_AREA), np.uint8)


class _Camera:
    """Looks at a place from far away, aside by this angle."""

    def __init__(self, slant: float, turn: float, at: Floats) -> None:
        c, s = np.cos(turn), np.sin(turn)
        self._turn = np.array([[c, -s], [s, c]])
        self._deep, self._high, self._at = np.cos(slant), np.sin(slant), at

    def px(self, places: Floats) -> Floats:
        """Places (n, 3) in edges as seen (n, 2), in edges right and down of what is looked at."""
        off = places - self._at
        flat = off[:, :2] @ self._turn.T
        return np.column_stack([flat[:, 0], flat[:, 1] * self._deep - off[:, 2] * self._high])

    def depth(self, middle: tuple[float, float]) -> float:
        """Larger for what is nearer."""
        return float((self._turn @ (np.array(middle) - self._at[:2]))[1])


def _cube(top: Floats, high: float) -> Floats:
    ring = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0, -high)])
    return ring + top


def _lay(canvas: Floats, box: _Box, camera: _Camera, scale: float, random: Random) -> None:
    """Draw a box, `scale` px an edge, with its shadow onto the picture."""
    wide, deep, high = box.size
    c, s = np.cos(box.yaw), np.sin(box.yaw)
    ring = np.array([(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)]) / 2
    ring = ring @ np.array([[c, s], [-s, c]]) + box.middle
    h, w = box.mask.shape
    frame = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    corners = np.concatenate([np.column_stack([ring, np.full(4, z)]) for z in (0.0, high)])
    spots = camera.px(corners) * scale + canvas.shape[0] / 2
    reach = SHADOW * scale
    start = np.maximum(spots.min(axis=0) - reach, 0).astype(int)
    end = np.maximum(spots.max(axis=0) + reach, 0).astype(int) + 1
    canvas = canvas[start[1] : end[1], start[0] : end[0]]  # only what the box changes
    if not canvas.size:
        return
    area = canvas.shape[1], canvas.shape[0]

    def seen(z: float, off: tuple[float, float] = (0, 0)) -> NDArray[np.float32]:
        places = np.column_stack([ring + off, np.full(4, z)])
        px = camera.px(places) * scale + DRAWN * FINE / 2 - start
        return cv2.getPerspectiveTransform(frame, px.astype(np.float32))

    edge = (box.mask > 0.5).astype(np.uint8)
    rings, _ = cv2.findContours(edge, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = rings[0].reshape(1, -1, 2).astype(np.float32)

    def around(*heights: NDArray[np.float32]) -> Floats:
        """The outline of the box between such planes."""
        spots = np.concatenate([cv2.perspectiveTransform(outline, move)[0] for move in heights])
        mask = np.zeros(area[::-1], np.uint8)
        hull = np.round(cv2.convexHull(spots) * 2**BITS).astype(np.int32)
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, BITS)
        return np.asarray(mask, np.float32)[..., None] / 255.0

    if random.random() < 0.7:
        off = random.normal(0, 0.2 * high + 0.02, 2)
        dark = cv2.GaussianBlur(around(seen(0.0), seen(0.0, tuple(off))), (0, 0), 0.08 * scale)
        canvas *= 1 - (dark * random.uniform(0.1, 0.6))[..., None]
    share = around(seen(0.0), seen(high))
    canvas += share * (box.side - canvas)
    if high > 0.2 and random.random() < 0.5:  # an edge catches light, or lies in the dark
        low = around(seen(0.0), seen(high * float(random.uniform(0.5, 0.95))))
        canvas += low * (box.side * float(random.uniform(0.7, 1.2)) - canvas)
    move = seen(high)
    share = cv2.warpPerspective(box.mask, move, area, flags=cv2.INTER_LINEAR)[..., None]
    look = cv2.warpPerspective(box.look, move, area, flags=cv2.INTER_LINEAR)
    canvas += share * (look - canvas)


def _paints(random: Random) -> tuple[Floats, Floats]:
    body = random.uniform(15, 245, 3)
    if random.random() < 0.4:
        body = np.full(3, random.choice([30.0, 235.0])) + random.normal(0, 12, 3)
    dark = body.mean() > random.uniform(90, 160)
    ink = np.full(3, 30.0 if dark else 232.0) + random.normal(0, 12, 3)
    if random.random() < 0.2:
        ink = random.uniform(0, 255, 3)
        if np.abs(ink - body).max() < 80:
            ink = 255 - body
    return body.astype(np.float32), ink.astype(np.float32)


def _looked_at(random: Random, kind: str, value: int, body: Floats, ink: Floats) -> _Box:
    yaw, size = random.uniform(0, 2 * np.pi), (1.0, 1.0, 1.0)
    if kind == "domino":
        size = (float(random.uniform(1.9, 2.1)), 1.0, float(random.uniform(0.1, 0.5)))
    elif kind == "coin":
        size = (1.0, 1.0, float(random.uniform(0.0, 0.25)))
    elif random.random() < 0.1:  # a tile, or a die seen as on the mat
        size = (1.0, 1.0, float(random.uniform(0.1, 1.0)))
    look, mask = _face(random, kind, value, body, ink)
    side = body * float(random.uniform(0.45, 0.95))
    return _Box(look, mask, (0.0, 0.0), size, yaw, side)


def _others(random: Random, box: _Box, body: Floats, ink: Floats) -> list[_Box]:
    """Dice beside it, some in line with it and of the same colour."""
    found = []
    for _ in range(random.integers(1, 4)):
        if random.random() < 0.6:
            body, ink = _paints(random)
        look, mask = _face(random, "die", int(random.integers(1, 7)), body, ink)
        far, angle, yaw = random.uniform(1.25, 1.9), random.uniform(0, 2 * np.pi), box.yaw
        if random.random() < IN_LINE:
            angle = box.yaw + np.pi / 2 * random.integers(4)
            far = random.uniform(1.03, 1.25)
        else:
            yaw = random.uniform(0, 2 * np.pi)
        far += (box.size[0] - 1) / 2
        middle = float(far * np.cos(angle)), float(far * np.sin(angle))
        side = body * float(random.uniform(0.45, 0.95))
        found.append(_Box(look, mask, middle, (1.0, 1.0, 1.0), yaw, side))
    return found


def _face(
    random: Random, kind: str, value: int, body: Floats, ink: Floats
) -> tuple[Floats, Floats]:
    wide = 2 * TEXTURE if kind == "domino" else TEXTURE
    look = np.empty((TEXTURE, wide, 3), np.float32)
    look[:] = body
    if random.random() < 0.35:
        cells = random.normal(0, random.uniform(5, 35), (4, 4, 3)).astype(np.float32)
        look += cv2.resize(cells, (wide, TEXTURE), interpolation=cv2.INTER_CUBIC)
    mask = np.zeros((TEXTURE, wide), np.float32)
    radius = float(random.uniform(0.14, 0.25))
    if kind == "written":
        _write(random, look, ink, 0)
    elif kind == "domino":
        _divide(random, look, ink)
        for half in (0, 1):
            roll = random.random()
            if roll < 0.15:
                _write(random, look, ink, half)
            elif roll < 0.93:
                _dots(random, look, ink, _value(random, int(random.integers(1, 7)), radius), half)
    elif kind == "coin":
        spots = _value(random, value, radius)
        close = random.uniform(0.6, 0.95)
        _dots(random, look, ink, [(x * close, y * close, r) for x, y, r in spots])
        if random.random() < 0.65:
            rim = round(TEXTURE * random.uniform(0.38, 0.48))
            at = (TEXTURE // 2, TEXTURE // 2)
            cv2.circle(look, at, rim, ink.tolist(), int(random.integers(1, 8)), cv2.LINE_AA)
    elif kind == "die":
        _dots(random, look, ink, _value(random, value, radius))
    else:
        _dots(random, look, ink, _odd_spots(random, kind, radius))
    bend = TEXTURE / 2 if kind == "coin" else float(random.uniform(0.02, 0.36)) * TEXTURE
    if kind == "domino":
        bend *= 0.6
    _round(mask, int(bend))
    return look, mask


def _round(mask: Floats, bend: int) -> None:
    h, w = mask.shape
    if 2 * bend >= min(h, w) - 1:
        cv2.circle(mask, (w // 2, h // 2), min(h, w) // 2 - 1, 1.0, -1)
        return
    mask[bend : h - bend] = 1.0
    mask[:, bend : w - bend] = 1.0
    mask[:bend, :bend] = mask[:bend, w - bend :] = 0.0
    mask[h - bend :, :bend] = mask[h - bend :, w - bend :] = 0.0
    for x in (bend, w - 1 - bend):
        for y in (bend, h - 1 - bend):
            cv2.circle(mask, (x, y), bend, 1.0, -1)


def _value(random: Random, value: int, radius: float) -> Spots:
    spread = float(random.uniform(0.42, 0.64))
    along = float(random.uniform(0.85, 1.0)) if random.random() < 0.3 else 1.0
    if value == 1:
        radius *= float(random.uniform(1.0, 1.8))
    return [(x * spread, y * spread * along, radius) for x, y in PIPS[value]]


def _odd_spots(random: Random, kind: str, radius: float) -> Spots:
    spread = float(random.uniform(0.44, 0.66))
    if kind == "off places":
        return [(x * spread, y * spread, radius) for x, y in _off_places(random)]
    if kind == "one more":
        return _with_more(random, spread, radius)
    if random.random() < 0.5:
        count = int(random.choice([7, 8, 9], p=[0.4, 0.35, 0.25]))
        six = [*PIPS[6], *random.permutation([(0, 0), (0, 1), (0, -1)]).tolist()][:count]
        places = six if random.random() < 0.5 else random.permutation(GRID)[:count].tolist()
        if random.random() < 0.15 and count > 7:  # in a ring
            angles = np.arange(count) * 2 * np.pi / count
            places = np.column_stack([np.cos(angles), np.sin(angles)]).tolist()
    else:
        across, down = int(random.choice([2, 3, 4])), int(random.integers(4, 7))
        u, v = np.meshgrid(np.linspace(-1, 1, across), np.linspace(-1, 1, down))
        places = np.column_stack([u.ravel(), v.ravel()])
        places = places[: len(places) - int(random.integers(0, 2))].tolist()
        spread = float(random.uniform(0.5, 0.68))
        step = 2 * spread / (max(across, down) - 1)
        radius = min(step * float(random.uniform(0.28, 0.6)), 0.22)
    return [(x * spread, y * spread, radius) for x, y in places]


def _off_places(random: Random) -> list[tuple[int, int]]:
    """Three to six places of a grid of 3 x 3 that are no value's, however it is turned."""
    straight = {frozenset({(-1, k), (0, k), (1, k)}) for k in (-1, 0, 1)}  # threes that are sold
    known = {frozenset(places) for places in PIPS.values()} | straight
    known |= {frozenset((y, x) for x, y in places) for places in known}
    known |= {frozenset((-x, y) for x, y in places) for places in known}
    while True:
        some = random.permutation(9)[: random.integers(3, 7)]
        places = frozenset(GRID[i] for i in some)
        if places not in known:
            return sorted(places)


def _with_more(random: Random, spread: float, radius: float) -> Spots:
    """A value's pips and one to three like them between."""
    radius = min(radius, 0.19)
    spots = [(x * spread, y * spread, radius) for x, y in PIPS[int(random.integers(3, 7))]]
    for _ in range(random.integers(1, 4)):
        for x, y in random.uniform(-0.72, 0.72, (30, 2)):
            if all(np.hypot(x - u, y - v) > 2.2 * radius for u, v, _ in spots):
                spots.append((float(x), float(y), radius * float(random.uniform(0.8, 1.1))))
                break
    return spots


def _dots(random: Random, look: Floats, ink: Floats, spots: Spots, half: int = 0) -> None:
    """Pips: filled, ringed, or deeper at one side."""
    style = random.choice(["full", "ring", "deep"], p=[0.7, 0.12, 0.18])
    shade = look[4, 4 + half * TEXTURE] if style == "ring" else ink * 0.6 + 40

    def disc(x: float, y: float, radius: float, paint: Floats) -> None:
        at = round(x * 2**BITS), round(y * 2**BITS)
        cv2.circle(look, at, max(16, round(radius * 2**BITS)), paint.tolist(), -1, cv2.LINE_4, BITS)

    for x, y, radius in spots:
        u, v = TEXTURE * (half + (1 + x) / 2), TEXTURE * (1 + y) / 2
        wide = radius * TEXTURE / 2
        disc(u, v, wide, ink)
        if style != "full":
            off = 0.2 * wide if style == "deep" else 0.0
            disc(u + off, v + off, wide * 0.5, shade)


def _write(random: Random, look: Floats, ink: Floats, half: int) -> None:
    """A number, a letter, a short word or a sign."""
    share = np.zeros(look.shape[:2], np.uint8)
    roll = random.random()
    if roll < 0.15:
        _sign(random, share, half)
    else:
        letters = [chr(int(n)) for n in random.integers(65, 91, 4)]
        word = letters[0] if roll < 0.4 else str(random.integers(1, 21))
        if roll > 0.9:
            word = "".join(letters[: random.integers(2, 5)])
        if random.random() < 0.1:
            word += "."
        font = int(random.choice(FONTS))
        (wide, high), _ = cv2.getTextSize(word, font, 1.0, 2)
        size = float(random.uniform(0.35, 0.8)) * TEXTURE / max(wide, high)
        place = (
            round((TEXTURE - wide * size) / 2) + half * TEXTURE,
            round((TEXTURE + high * size) / 2),
        )
        thick = max(2, round(size * random.uniform(2, 6)))
        cv2.putText(share, word, place, font, size, 255, thick, cv2.LINE_AA)
    look += share[..., None] / 255.0 * (ink - look)


def _sign(random: Random, share: NDArray[np.uint8], half: int) -> None:
    """A star, a cross, a triangle, a diamond or a bar."""
    points = int(random.integers(3, 7))
    angles = np.arange(2 * points) * np.pi / points + random.uniform(0, 2 * np.pi)
    inner = float(random.uniform(0.25, 0.6))
    far = np.where(np.arange(2 * points) % 2, inner, 1.0) * random.uniform(0.2, 0.36) * TEXTURE
    ring = np.column_stack([np.cos(angles), np.sin(angles)]) * far[:, None]
    if random.random() < 0.2:
        ring *= (1, 0.25)
    ring += (TEXTURE * (half + 0.5), TEXTURE / 2)
    cv2.fillPoly(share, [np.round(ring).astype(np.int32)], 255, cv2.LINE_AA)


def _divide(random: Random, look: Floats, ink: Floats) -> None:
    """The line between the halves of a domino, or none."""
    if random.random() < 0.8:
        inset = round(TEXTURE * random.uniform(0, 0.15))
        wide = max(2, round(TEXTURE * random.uniform(0.015, 0.06)))
        shade = ink if random.random() < 0.7 else look[4, 4] * 0.5
        ends = (TEXTURE, inset), (TEXTURE, TEXTURE - inset)
        cv2.line(look, *ends, shade.tolist(), wide, cv2.LINE_AA)


def _ground(random: Random, grounds: list[Picture]) -> Floats:
    side = DRAWN * FINE
    if grounds and random.random() < PHOTO:
        part = grounds[random.integers(len(grounds))]
        return cv2.resize(part, (side, side), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    ground = np.empty((side, side, 3), np.float32)
    ground[:] = random.uniform(10, 245, 3) if random.random() < 0.6 else random.uniform(20, 240)
    if random.random() < 0.5:
        cells = random.normal(0, random.uniform(3, 25), (6, 6, 3)).astype(np.float32)
        ground += cv2.resize(cells, (side, side), interpolation=cv2.INTER_CUBIC)
    return ground
