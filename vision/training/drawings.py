"""Dice that were never thrown: cubes of any colour, pips of any style, drawn by casting rays.

A sprite is one die, bead, coin or cube without pips on a transparent ground, with its shadow, and
what is to be learnt about it. Everything follows from the generator's seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref_vision.dice.cube import PIPS, SIDES

SIDE = 96  # px of a sprite
FILL = 0.62  # of a sprite's side that the object takes
NOTHING, COCKED = 0, 7  # classes beside the values 1 to 6
KINDS = {"die": 0.68, "cocked": 0.16, "blank": 0.06, "bead": 0.06, "coin": 0.04}
STEEP = 0.82  # sine of a camera's height over the horizon, 55 degrees
LEANS = 10, 45  # degrees of what is cocked
BULGE = 0.12  # of half its edge by which a face's normals turn aside at its rim
STEPS = 7  # of sphere tracing from the cube's slab to its rounded surface

GREY = np.array([0.11, 0.59, 0.3], np.float32)  # how bright blue, green and red look

Array = NDArray[np.float32]
Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A drawn object.

    `colour` (SIDE, SIDE, 3) B, G, R and `alpha` and `shadow` (SIDE, SIDE), 0 to 255. `kind` is
    NOTHING, the value 1 to 6, or COCKED. `face` is the middle of the top face and `box` the whole
    object (x, y, w, h), in px. `sine` is that of the camera's height over the horizon; away from
    the camera is up in the picture. `edge` are px of the top face's edge, across the picture.
    """

    colour: NDArray[np.uint8]
    alpha: NDArray[np.uint8]
    shadow: NDArray[np.uint8]
    kind: int
    face: tuple[float, float]
    box: tuple[float, float, float, float]
    sine: float
    edge: float


def draw_sprite(random: Random, sine: float, kind: str = "", style: int | None = None) -> Sprite:
    """One object by chance, seen from this height (`camera_height`); what is left empty is chosen.

    `kind` is die, cocked, blank, bead or coin. Objects of one `style` are made of one plastic under
    one lamp.
    """
    kind = kind or str(random.choice(list(KINDS), p=list(KINDS.values())))
    look = np.random.default_rng(int(random.integers(1 << 40)) if style is None else style)
    if kind in ("bead", "coin"):
        return _round(look, sine, flat=kind == "coin")
    return _cube(random, look, sine, kind)


def camera_height(random: Random, steep: bool) -> float:
    """Sine of the camera's height over the horizon; `steep` as of the camera over a table."""
    return float(np.sin(np.radians(random.uniform(55, 90) if steep else _height(random))))


def _height(random: Random) -> float:
    """Degrees of the camera over the horizon: mostly from above, at times low."""
    return (
        float(90 - abs(random.normal(0, 1)) * 32)
        if random.random() < 0.6
        else float(random.uniform(18, 70))
    )


def _colour(random: Random) -> Array:
    """A colour of plastic, B, G, R from 0 to 1; white, black and strong colours are common."""
    roll = random.random()
    if roll < 0.28:
        return np.float32(random.uniform(0.75, 1.0)) * (
            1 - random.uniform(0, 0.25, 3) * np.array([1, 0.5, 0.2])
        ).astype(np.float32)
    if roll < 0.42:
        return random.uniform(0.02, 0.18, 3).astype(np.float32)
    hue, strength, value = random.uniform(0, 180), random.uniform(0.3, 1.0), random.uniform(0.2, 1)
    pixel = np.array([[[hue, strength * 255, value * 255]]], np.uint8)
    return (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def _strong(random: Random, bright: float) -> Array:
    """A colour of any hue and great strength, about this bright."""
    pixel = np.array([[[random.uniform(0, 180), random.uniform(150, 255), 255]]], np.uint8)
    hue = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / np.float32(255)
    return np.clip(hue * bright / float(hue @ GREY), 0, 1).astype(np.float32)


def _ink(random: Random, body: Array) -> Array:
    """A colour for pips that can be told from the body, at times barely."""
    bright = float(body @ GREY)
    if random.random() < 0.5:
        plain = 0.95 if bright < 0.45 else 0.04
        return np.full(3, plain, np.float32) + random.uniform(-0.04, 0.04, 3).astype(np.float32)
    if random.random() < 0.4:  # as bright as the body, told by its hue alone: red on black
        return _strong(random, bright + random.uniform(0.1, 0.3))
    for _ in range(20):
        ink = _colour(random)
        if np.abs(ink - body).max() > random.uniform(0.3, 0.7):
            return ink
    return np.full(3, 1.0 if bright < 0.5 else 0.0, np.float32)


def _turned(random: Random, kind: str) -> tuple[Array, int]:
    """A die's rotation (3, 3), body to table, and the value that lies on top.

    Body axes carry 1 on +z, 6 on -z, 2 on +y, 5 on -y, 3 on +x, 4 on -x, or its mirror picture:
    both are sold.
    """
    value = int(random.integers(1, 7))
    z = np.array(SIDES[value], np.float32)
    x = np.roll(np.abs(z), 1)
    rows = np.stack([x, np.cross(z, x), z])
    yaw = random.uniform(0, 2 * np.pi)
    turn = _about(2, yaw)
    if kind == "cocked":
        tilt = np.radians(random.uniform(*LEANS))
        turn = _about(2, random.uniform(0, 2 * np.pi)) @ _about(0, tilt) @ turn
    return (turn @ rows).astype(np.float32), value


def _about(axis: int, angle: float) -> Array:
    a, b = [i for i in range(3) if i != axis]
    turn = np.eye(3, dtype=np.float32)
    turn[a, a] = turn[b, b] = np.cos(angle)
    turn[a, b], turn[b, a] = -np.sin(angle), np.sin(angle)
    return turn


def _rays(sine: float, far: float) -> tuple[Array, Array, float]:
    """Origin (3,), directions (n, 3) of a sprite's pixels, and px a unit; the cube's edge is 2."""
    cosine = float(np.sqrt(max(0.0, 1 - sine * sine)))
    ahead = np.array([0, cosine, -sine], np.float32)
    up = np.array([0, sine, cosine], np.float32)
    right = np.array([1, 0, 0], np.float32)
    scale = SIDE * FILL / 3.1
    grid = (np.arange(SIDE, dtype=np.float32) - (SIDE - 1) / 2) / scale
    x, y = np.meshgrid(grid, -grid)
    pixels = ahead * far + right * x[..., None] + up * y[..., None]
    rays = pixels.reshape(-1, 3) / np.linalg.norm(pixels.reshape(-1, 3), axis=1, keepdims=True)
    return -ahead * far, rays.astype(np.float32), scale


def _seen_at(point: Array, sine: float, far: float, scale: float) -> tuple[float, float]:
    cosine = float(np.sqrt(max(0.0, 1 - sine * sine)))
    depth = far + point[1] * cosine - point[2] * sine
    x = point[0] / depth * far * scale
    y = -(point[1] * sine + point[2] * cosine) / depth * far * scale
    return float(x + (SIDE - 1) / 2), float(y + (SIDE - 1) / 2)


def _cube(random: Random, style: Random, sine: float, kind: str) -> Sprite:
    # In half edges: cameras over a table are at the far end, those in a hand at the near one.
    over_a_table = sine > STEEP and style.random() < 0.7
    far = float(style.uniform(45, 100) if over_a_table else style.uniform(9, 45))
    origin, rays, scale = _rays(sine, far)
    turn, value = _turned(random, kind)
    eye, look = origin @ turn, rays @ turn
    rounding = float(style.choice([0.06, 0.14, 0.25, 0.4]) * style.uniform(0.8, 1.3))
    ball = float(style.uniform(1.38, 1.55)) if style.random() < 0.4 else 9.0
    with np.errstate(divide="ignore", invalid="ignore"):
        slabs = np.stack([(-1 - eye) / look, (1 - eye) / look])
    near, away = slabs.min(axis=0).max(axis=1), slabs.max(axis=0).min(axis=1)
    met = near < away
    ray, start = look[met], near[met]
    points = eye + ray * start[:, None]
    for _ in range(STEPS):
        gap = _distance(points, rounding, ball)
        points = points + ray * gap[:, None]
    gap = _distance(points, rounding, ball)
    edge = np.clip(1 - gap / 0.05, 0, 1)
    alpha = np.zeros(len(rays), np.float32)
    alpha[met] = edge
    normals = _normals(points, rounding, ball) + points * style.normal(0, BULGE)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    body, tint = _skin(style, points)
    marked: set[int] = set()
    if kind == "blank":  # at times a logo where one value should be, with pips on the sides
        marked = set(SIDES) if style.random() < 0.5 else {value}
    body, normals = _print(style, points, normals, body, tint, marked)
    colour = np.zeros((len(rays), 3), np.float32)
    sun = _sun(style)
    colour[met] = _lit(style, body, normals @ turn.T, -rays[met], sun)
    face = _seen_at(np.array([0, 0, 1], np.float32), sine, far, scale)
    label = {"blank": NOTHING, "cocked": COCKED}.get(kind, value)
    clear = style.uniform(0.55, 0.9) if style.random() < 0.12 else 1.0
    edge = 2 * scale * far / (far - sine)
    return _sprite(colour, alpha * clear, sun, sine, scale, label, face, edge, style)


def _distance(points: Array, rounding: float, ball: float) -> Array:
    over = np.abs(points) - (1 - rounding)
    box = np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0) - rounding
    return np.maximum(box, np.linalg.norm(points, axis=1) - ball)


def _normals(points: Array, rounding: float, ball: float) -> Array:
    over = np.maximum(np.abs(points) - (1 - rounding), 0) * np.sign(points)
    length = np.linalg.norm(points, axis=1, keepdims=True)
    normals = np.where(length > ball - 0.01, points / length, over)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)


def _skin(random: Random, points: Array) -> tuple[Array, Array]:
    """Colours (n, 3) of the plastic at these points, and the plain colour (3,)."""
    colour = _colour(random)
    skin = np.tile(colour, (len(points), 1))
    roll = random.random()
    if roll < 0.5:
        skin = _marbled(random, points, colour)
    elif roll < 0.6:
        skin = skin + random.normal(0, random.uniform(0.03, 0.12), (len(points), 1))
    return np.clip(skin, 0, 1).astype(np.float32), colour


def _marbled(random: Random, points: Array, colour: Array) -> Array:
    """Two plastics stirred into each other: of kin, or a strong one through black or pearl."""
    bent = points + random.uniform(0, 0.5) * np.sin(points[:, ::-1] @ random.normal(0, 2, (3, 3)))
    waves = sum(np.sin(bent @ random.normal(0, 3, 3) + random.uniform(0, 6)) for _ in range(4))
    share = (1 / (1 + np.exp(-waves * random.uniform(0.7, 3)))).astype(np.float32)[:, None]
    kin = colour * np.float32(random.uniform(0.3, 0.8)) + _colour(random) * np.float32(0.35)
    other = kin if random.random() < 0.5 else _colour(random)
    return colour * (1 - share) + other * share


def _print(
    random: Random, points: Array, normals: Array, body: Array, tint: Array, marked: set[int]
) -> tuple[Array, Array]:
    """Pips, or on the `marked` faces marks that are none; dimples bend light."""
    ink, radius = _ink(random, tint), float(random.uniform(0.14, 0.25))
    spread, deep = float(random.uniform(0.42, 0.56)), float(random.uniform(0, 0.7))
    squeeze = float(random.uniform(0.85, 1.0))
    ace, red = radius * (random.uniform(1.1, 1.9) if random.random() < 0.3 else 1), ink
    if random.random() < 0.15:
        red = np.array([0.1, 0.1, 0.8], np.float32)
    axis = np.abs(points).argmax(axis=1)
    side = np.sign(points[np.arange(len(points)), axis])
    mirrored = random.random() < 0.5
    for value, outward in SIDES.items():
        a = int(np.abs(outward).argmax())
        on = (axis == a) & (side == outward[a])
        if not on.any():
            continue
        uv = points[on][:, [i for i in range(3) if i != a]] * np.array([1, -1 if mirrored else 1])
        if random.random() < 0.5:
            uv = uv[:, ::-1]
        if value in marked:
            body[on] = _marks(random, uv, body[on], ink)
            continue
        for u, v in PIPS[value]:
            size = ace if value == 1 else radius
            gap = uv - np.array([u * spread, v * spread * (squeeze if value == 6 else 1)])
            far = np.linalg.norm(gap, axis=1)
            share = np.clip((size - far) / 0.06 + 0.5, 0, 1).astype(np.float32)[:, None]
            body[on] = body[on] * (1 - share) + (red if value == 1 else ink) * share
            bend = np.zeros((len(uv), 3), np.float32)
            bend[:, [i for i in range(3) if i != a]] = gap / size * deep
            normals[on] = normals[on] - bend * share
    return body, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)


def _marks(random: Random, uv: Array, body: Array, ink: Array) -> Array:
    """A letter, a bar, a ring or nothing on a face: not a pip."""
    style = random.integers(0, 4)
    if style == 0:
        return body
    if style == 1:
        share = (np.abs(uv).max(axis=1) < 0.6) & (np.abs(uv[:, 0]) < 0.18)
    elif style == 2:
        far = np.linalg.norm(uv, axis=1)
        share = (far < 0.6) & (far > 0.38)
    else:
        glyph = np.zeros((32, 32), np.uint8)
        letter = chr(int(random.integers(65, 91)))
        cv2.putText(glyph, letter, (6, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 1, 4)
        at = np.clip(((uv + 1) * 16).astype(int), 0, 31)
        share = glyph[at[:, 1], at[:, 0]] > 0
    return np.where(share[:, None], ink, body).astype(np.float32)


def _sun(random: Random) -> Array:
    sun = random.normal(0, 1, 3).astype(np.float32) * np.array([1, 1, 0.3], np.float32)
    sun[2] = abs(sun[2]) + random.uniform(0.5, 2)
    return (sun / np.linalg.norm(sun)).astype(np.float32)


def _lit(
    random: Random, body: Array, normals: Array, back: Array, sun: Array, least: float = 0.0
) -> Array:
    """The colours in this light; `least` is how much of it a surface mirrors at least."""
    ambient = random.uniform(0.25, 0.75)
    light = ambient + (1.15 - ambient) * np.clip(normals @ sun, 0, 1)
    sky = 0.12 * normals[:, 2]
    half = sun + back
    half = half / np.linalg.norm(half, axis=1, keepdims=True)
    shine = least + random.uniform(0, 0.9) * random.random()
    gloss = np.clip((normals * half).sum(axis=1), 0, 1) ** random.uniform(12, 80)
    shine = shine * gloss + _mirrored(random, normals, back)
    return np.clip(body * (light + sky)[:, None] + shine[:, None], 0, 1).astype(np.float32)


def _mirrored(random: Random, normals: Array, back: Array) -> Array:
    """How bright lamps and windows (discs, rings and bars with edges) are in a glossy surface (n,).

    Where a face is bulged a little they show as arcs, else on a whole face at once.
    """
    glow = np.zeros(len(normals), np.float32)
    if random.random() < 0.4:
        return glow
    seen = 2 * (normals * back).sum(axis=1, keepdims=True) * normals - back
    for _ in range(random.integers(1, 4)):
        lamp = _sun(random)
        off = np.arccos(np.clip(seen @ lamp, -1, 1))
        wide = random.uniform(0.1, 0.6)
        form = random.random()
        if form < 0.4:
            off = np.abs(off - wide) - wide * random.uniform(0.15, 0.5)
        elif form < 0.6:
            bar = np.cross(lamp, random.normal(0, 1, 3))
            off = np.maximum(np.abs(seen @ bar / np.linalg.norm(bar)) - 0.3 * wide, off - 2 * wide)
        else:
            off = off - wide
        soft = random.uniform(0.02, 0.15)
        glow += random.uniform(0.1, 0.7) / (1 + np.exp(np.clip(off / soft, -30, 30)))
    return glow


def _round(random: Random, sine: float, flat: bool) -> Sprite:
    """A bead, or a coin with a rim and a relief."""
    scale = SIDE * FILL / 3.1
    grid = (np.arange(SIDE, dtype=np.float32) - (SIDE - 1) / 2) / scale
    x, y = np.meshgrid(grid, -grid)
    if flat:
        y = y / max(sine, 0.4)
    far = np.hypot(x, y) / 1.25
    alpha = np.clip((1 - far) * 12 + 0.5, 0, 1).ravel()
    z = np.sqrt(np.clip(1 - far**2, 0, 1))
    if flat:
        relief = cv2.GaussianBlur(random.normal(0, 1, (SIDE, SIDE)).astype(np.float32), (0, 0), 3)
        relief = np.where((far > 0.85) & (far < 0.95), 1.0, relief * random.uniform(0, 3))
        normals = np.stack([relief * 0.5, relief * 0.3, np.ones_like(far)], -1)
    else:
        normals = np.stack([x / 1.25, y / 1.25 * sine - z * 0.1, z * sine + 0.1], -1)
    normals = normals.reshape(-1, 3)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6)
    body = np.tile(_colour(random), (SIDE * SIDE, 1))
    if not flat and random.random() < 0.4:  # the hole of a bead, from above: no pip
        hole = np.clip((random.uniform(0.15, 0.35) - far) * 12, 0, 1).ravel()[:, None]
        body = body * (1 - hole * 0.8)
    sun = _sun(random)
    back = np.tile(np.array([0, -np.sqrt(1 - min(sine, 1) ** 2), sine]), (SIDE * SIDE, 1))
    # A glossy bead mirrors the lamp as a small bright spot, much like a pip.
    mirrors = 0.0 if flat else float(random.uniform(0, 0.8))
    colour = _lit(random, body.astype(np.float32), normals.astype(np.float32), back, sun, mirrors)
    middle = ((SIDE - 1) / 2, (SIDE - 1) / 2)
    return _sprite(colour, alpha, sun, sine, scale, NOTHING, middle, 2 * scale, random)


def _sprite(
    colour: Array,
    alpha: Any,
    sun: Array,
    sine: float,
    scale: float,
    kind: int,
    face: tuple[float, float],
    edge: float,
    random: Random,
) -> Sprite:
    mask = (np.asarray(alpha, np.float32).reshape(SIDE, SIDE) * 255).astype(np.uint8)
    long = random.uniform(0.6, 1.6) * scale
    shift = np.float32([[1, 0, -sun[0] * long], [0, 1, sun[1] * sine * long + 0.3 * scale]])
    shadow = cv2.warpAffine(mask, shift, (SIDE, SIDE))
    blur = random.uniform(1.5, 7)
    shadow = cv2.GaussianBlur(np.maximum(shadow, mask), (0, 0), blur)
    x, y, w, h = cv2.boundingRect((mask > 60).astype(np.uint8))
    return Sprite(
        (colour.reshape(SIDE, SIDE, 3) * 255).astype(np.uint8),
        mask,
        (shadow * random.uniform(0.15, 0.75)).astype(np.uint8),
        kind,
        face,
        (float(x), float(y), float(w), float(h)),
        sine,
        edge,
    )
