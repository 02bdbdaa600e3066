"""Patches for the reader and windows for the locator, made of photographs, tables and drawings."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref_hardware.dice import USUAL
from tableref_vision.dice.crops import CROP, EDGE, SHARE, STEP, from_above, slant
from tableref_vision.dice.inputs import Levels
from tableref_vision.dice.mat import top
from training import clutter, drawings
from training.drawings import COCKED, NOTHING, SIDE, Random, Sprite
from training.sources import Picture, Scene

PATCH, SIZE = 112, 50  # px of a patch, and of the die in it
EDGE_UNITS = 2.0  # a drawn cube's edge
UNIT = SIDE * drawings.FILL / 3.1  # px of a sprite
OFF_SLANT = 0.04  # by how much of it the slant is off, as far as the camera's lens is unknown
LEANING, TOWERS = 0.36, 0.22  # of drawn dice on tables, and of those that do not lean
ASIDE = 0.15  # of the crops show a side of the die in their middle
SQUEEZED = 0.25  # of the pictures were made square
NEARER = 1.02, 1.045  # how much larger the top of a tower is than that of a die on the mat

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A die with what lies around it, the die in the middle.

    `kind` as in `drawings`, or -1 where nothing is to be learnt of it. `flat`: 1 for a die that
    stands on the ground, 0 for one that does not, -1 unknown. `face` (2,) is the top face's middle
    off the patch's in px, nan where unknown. `above`: px of the ground across and away from the
    camera a px of the patch, nan where unknown: what makes it a picture from straight above.
    """

    picture: Picture
    kind: int
    flat: int
    face: tuple[float, float]
    above: tuple[float, float]
    sized: bool
    size: float  # px of the die's longer side
    edge: float  # px of a cube's edge across
    slant: float = np.nan  # as `crops.slant`, where `above` is known


def photo_patches(scenes: list[Scene], random: Random, spare: float = 0.5) -> list[Patch]:
    """A patch for each die, and `spare` as many of places without one."""
    patches = []
    for scene in scenes:
        for die in scene.dice:
            off = (0.0, 0.0) if die.face else (np.nan, np.nan)
            picture = _cut(scene, die.x, die.y, die.size)
            kind = die.kind if die.kind != COCKED else -1
            patches.append(Patch(picture, kind, -1, off, (np.nan, np.nan), die.sized, SIZE, np.nan))
        patches += nothing_patches(scene, random, random.binomial(len(scene.dice), spare))
    return patches


def nothing_patches(scene: Scene, random: Random, count: int) -> list[Patch]:
    """Up to this many places without a die, half of them where something catches the eye."""
    h, w = scene.image.shape[:2]
    grey = cv2.cvtColor(scene.levels[2], cv2.COLOR_BGR2GRAY)
    striking = cv2.goodFeaturesToTrack(grey, 40, 0.02, 4)
    sizes = [die.size for die in scene.dice] or [float(random.uniform(0.03, 0.2)) * w]
    patches = []
    for _ in range(count):
        size = float(random.choice(sizes) * random.uniform(0.5, 1.5))
        x, y = random.uniform(0, w), random.uniform(0, h)
        if striking is not None and random.random() < 0.6:
            x, y = striking[random.integers(len(striking)), 0] * 4 + random.normal(0, size / 6, 2)
        far = [max(abs(x - die.x), abs(y - die.y)) / (die.size + size) for die in scene.dice]
        if min(far, default=1.0) > 0.55:
            nan = (np.nan, np.nan)
            picture = _cut(scene, float(x), float(y), size)
            patches.append(Patch(picture, NOTHING, -1, nan, nan, False, SIZE, np.nan))
    return patches


def clutter_patch(random: Random) -> Patch:
    """Something that is no die, among other such things."""
    ground = _ground(random, [], PATCH)
    clutter.litter(random, ground, int(random.integers(0, 6)))
    middle = (PATCH - 1) / 2
    clutter.put(random, ground, middle, middle, SIZE * random.uniform(0.4, 1.3))
    nan = (np.nan, np.nan)
    return Patch(ground, NOTHING, -1, nan, nan, False, SIZE, np.nan)


def table_patches(scenes: list[Scene]) -> list[Patch]:
    """Dice of path-traced mats as the reader sees them there: from straight above the tops."""
    patches = []
    for scene in scenes:
        assert scene.view is not None
        for die in scene.dice:
            place = scene.view.on_plane(np.array([[die.x, die.y]]), top(USUAL))[0]
            across = PATCH / UNIT / EDGE_UNITS * USUAL
            picture = from_above(Levels(scene.image), scene.view, place, across, PATCH, top(USUAL))
            kind = die.kind if die.kind != COCKED else -1
            flat = int(die.kind != COCKED)
            patches.append(
                Patch(
                    picture,
                    kind,
                    flat,
                    (0.0, 0.0),
                    (1.0, 1.0),
                    False,
                    52.0,
                    UNIT * EDGE_UNITS,
                    slant(scene.view, place, top(USUAL)),
                )
            )
    return patches


def drawn_patch(random: Random, kind: str = "", tabled: bool = False) -> Patch:
    """A drawn object with neighbours, on a drawn ground.

    `tabled`: a die as a camera over a table sees it, as often as not cocked or on top of another.
    """
    steep = tabled or random.random() < 0.5
    if tabled:
        kind = "cocked" if random.random() < LEANING else "die"
    sine = drawings.camera_height(random, steep)
    style = int(random.integers(1 << 40))
    sprite = drawings.draw_sprite(random, sine, kind, style)
    ground = _ground(random, [], PATCH)
    if random.random() < 0.3:
        clutter.litter(random, ground, int(random.integers(1, 8)))
    middle = (PATCH - 1) / 2
    towers = TOWERS if tabled else 0.12
    stacked = steep and sprite.kind in range(1, 7) and random.random() < towers
    below: list[tuple[Sprite, float, float]] = []
    above: list[tuple[Sprite, float, float]] = []
    cosine = float(np.sqrt(1 - sine * sine))
    if stacked:
        other = drawings.draw_sprite(random, sine, "die", style)
        slip = random.uniform(-0.35, 0.35, 2) * UNIT
        below.append((other, slip[0], slip[1] * sine + 2 * UNIT * cosine))
    elif random.random() < 0.4:
        for _ in range(random.integers(1, 4)):
            alike = style if random.random() < 0.6 else None
            kind = "cocked" if random.random() < 0.3 else "die"
            other = drawings.draw_sprite(random, sine, kind if random.random() < 0.9 else "", alike)
            angle, far = random.uniform(0, 2 * np.pi), random.uniform(2.15, 3.4) * UNIT
            place = (other, np.cos(angle) * far, -np.sin(angle) * far * sine)
            (above if np.sin(angle) < 0 else below).append(place)
    for other, dx, dy in [*below, (sprite, 0.0, 0.0), *above]:
        paste(ground, other, middle + dx, middle + dy)
    off = (sprite.face[0] - (SIDE - 1) / 2, sprite.face[1] - (SIDE - 1) / 2)
    flat = -1 if sprite.kind == NOTHING else int(sprite.kind != COCKED and not stacked)
    kind = -1 if sprite.kind == COCKED else sprite.kind
    nan = (np.nan, np.nan)
    nearer = random.uniform(*NEARER) if stacked else 1.0
    # The patch's middle is the object's; the die's size follows from its box.
    return Patch(
        ground,
        kind,
        flat if steep else -1,
        off if sprite.kind != NOTHING else nan,
        (1.0, sine) if steep else nan,
        True,
        max(sprite.box[2:]),
        sprite.edge / nearer,
        cosine / sine if steep else np.nan,
    )


def _cut(scene: Scene, x: float, y: float, size: float) -> Picture:
    scale = SIZE / size
    level = 0 if scale > 0.7 else 1 if scale > 0.35 else 2
    zoom = scale * 2**level
    shrunk = 2.0**-level
    move = np.array(
        [
            [zoom, 0, (PATCH - 1) / 2 - zoom * (x + 0.5) * shrunk + 0.5 * zoom],
            [0, zoom, (PATCH - 1) / 2 - zoom * (y + 0.5) * shrunk + 0.5 * zoom],
        ],
        np.float32,
    )
    way = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_LINEAR
    return cv2.warpAffine(
        scene.levels[level], move, (PATCH, PATCH), flags=way, borderMode=cv2.BORDER_REFLECT_101
    )


def _ground(random: Random, scenes: list[Scene], side: int) -> Picture:
    """A ground of one colour with a texture, or a piece of a photograph."""
    if scenes and random.random() < 0.3:
        scene = scenes[random.integers(len(scenes))]
        level = scene.levels[random.integers(3)]
        h, w = level.shape[:2]
        zoom = max(side / min(h, w), random.uniform(0.3, 2)) * 1.01
        x, y = random.uniform(0, w - side / zoom), random.uniform(0, h - side / zoom)
        move = np.array([[zoom, 0, -x * zoom], [0, zoom, -y * zoom]], np.float32)
        return cv2.warpAffine(level, move, (side, side), borderMode=cv2.BORDER_REFLECT_101)
    base = drawings._colour(random) * 255
    coarse = random.normal(0, 1, (max(2, side // int(random.choice([2, 8, 24, 60]))),) * 2)
    if random.random() < 0.3:
        coarse = coarse[:, :1].repeat(coarse.shape[1], 1) * 0.8 + coarse * 0.2
    noise = cv2.resize(coarse.astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    fine = random.normal(0, random.choice([0.5, 3, 9]), (side, side)).astype(np.float32)
    slope = np.linspace(-1, 1, side, dtype=np.float32) * random.uniform(0, 40)
    shade = noise * random.choice([1, 4, 12, 25]) + fine + (slope if random.random() < 0.5 else 0)
    tint = 1 + random.uniform(-0.2, 0.2, 3)
    ground = np.clip(base + shade[..., None] * tint, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.rot90(ground, random.integers(4)))


def paste(ground: Picture, sprite: Sprite, x: float, y: float, zoom: float = 1.0) -> None:
    """Lay a sprite and its shadow onto the ground, its middle at x, y."""
    h, w = ground.shape[:2]
    side = max(4, round(SIDE * zoom))
    left, top = round(x - (side - 1) / 2), round(y - (side - 1) / 2)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(w, left + side), min(h, top + side)
    if x0 >= x1 or y0 >= y1:
        return
    layers = [sprite.colour, sprite.alpha, sprite.shadow]
    if side != SIDE:
        way = cv2.INTER_AREA if side < SIDE else cv2.INTER_LINEAR
        layers = [cv2.resize(layer, (side, side), interpolation=way) for layer in layers]
    colour, alpha, shadow = (layer[y0 - top : y1 - top, x0 - left : x1 - left] for layer in layers)
    cover = alpha[..., None].astype(np.float32) / 255
    dark = 1 - shadow[..., None].astype(np.float32) / 255
    spot = ground[y0:y1, x0:x1].astype(np.float32) * dark
    ground[y0:y1, x0:x1] = (spot * (1 - cover) + colour * cover).astype(np.uint8)


def reader_sample(
    patch: Patch, random: Random, from_straight_above: bool
) -> tuple[Picture, float | None, Floats]:
    """A crop (CROP, CROP, 3) as the reader gets it, its slant, and (7,): kind, flat, off x, y, log
    size, and whether the offsets and the size may be learnt from."""
    middle = (PATCH - 1) / 2
    face = np.array(patch.face)
    known = bool(np.isfinite(face).all())
    if from_straight_above:
        # As `crops.from_above` cuts it: EDGE px a die's edge, the face's middle in the middle.
        spread = EDGE / patch.edge * random.normal(1, 0.01)
        stretch = np.diag([spread, spread / patch.above[1]])
        turn = np.diag([random.choice([-1.0, 1.0]), 1.0])
        slack, size, flat = 0.05, 0.0, patch.flat
    else:
        grow = float(np.exp(random.normal(0, 0.16)))
        spread = CROP * SHARE / patch.size * grow
        squash = np.exp(random.normal(0, 0.25 if random.random() < 0.5 else 0.1)) * _squeeze(random)
        lean = random.normal(0, 0.06)
        angle = _roll(random)
        c, s = np.cos(angle), np.sin(angle)
        rotate = np.array([[c, -s], [s, c]])
        turn = rotate @ np.diag([random.choice([-1.0, 1.0]), 1.0])
        stretch = spread * np.array([[squash, lean], [0, 1 / squash]])
        # At times far off: the locator may have marked the side of a die.
        slack = 0.25 if random.random() < 0.15 else 0.11
        size, flat = -float(np.log(grow)), -1
    matrix = turn @ stretch if from_straight_above else stretch @ turn
    target = face if known and random.random() < (1.0 if from_straight_above else 0.6) else 0 * face
    target = np.nan_to_num(target)
    if not from_straight_above and patch.kind > NOTHING and random.random() < ASIDE:
        # The locator may have marked a side of the die. It counts for what its top shows, too.
        target = _side(patch) * random.uniform(0.6, 1.1)
    shift = random.normal(0, slack, 2) * CROP * 0.7
    move = np.column_stack([matrix, (CROP - 1) / 2 + shift - matrix @ (middle + target)])
    crop = cv2.warpAffine(
        patch.picture, move.astype(np.float32), (CROP, CROP), borderMode=cv2.BORDER_REFLECT_101
    )
    off = (matrix @ (face - target) + shift) / STEP if known else np.zeros(2)
    truth = np.array([patch.kind, flat, off[0], off[1], size, known, patch.sized], np.float32)
    aside = patch.slant * random.normal(1, OFF_SLANT) if from_straight_above else None
    return crop, aside, truth


def _side(patch: Patch) -> Floats:
    """About where the middle of the side is (2,) that looks towards the camera, off the patch's."""
    face = np.array(patch.face, np.float32)
    if not np.isfinite(face).all():
        return np.array([0.0, 0.25 * patch.size], np.float32)
    if not face.any():  # the patch's middle is that of the top
        return np.array([0.0, 0.5 * patch.size], np.float32)
    return -face


def _roll(random: Random) -> float:
    """Radians by which a picture is turned.

    Mostly a little: cameras are held upright, and where a die is seen from the side its top face is
    the upper one in the picture; at times by any angle, as over a table.
    """
    return float(random.normal(0, 0.3) if random.random() < 0.7 else random.uniform(0, 2 * np.pi))


def _squeeze(random: Random) -> float:
    """By how much a picture is wider and, in turn, less high than its camera took it: some are made
    square, whatever shape they had."""
    if random.random() > SQUEEZED:
        return 1.0
    return float(np.sqrt(random.choice([3 / 4, 9 / 16, 4 / 3, 16 / 9])))


WINDOW = 192
SMALLEST, LARGEST = 8.0, 115.0  # px of dice in a window
ELSEWHERE = 0.2  # of the windows show any place of a photograph, not one near a die


def locator_window(
    random: Random, scenes: list[Scene], odds: Floats, sprites: list[Sprite]
) -> tuple[Picture, Floats]:
    """A window (WINDOW, WINDOW, 3) and its objects (n, 5): x, y, size, whether that is sure, and 1
    for a die or 0 for what must not be found. `odds`: how often each scene is shown."""
    size = float(np.exp(random.uniform(np.log(SMALLEST), np.log(LARGEST))))
    objects: list[tuple[float, float, float, float, float]] = []
    if scenes and random.random() < 0.75:
        scene = scenes[random.choice(len(scenes), p=odds)]
        window, objects = _photo_window(random, scene, size)
    else:
        # Only what has no dice may lie under things: those would be learnt as none.
        empty = [scene for scene in scenes if not scene.dice] if random.random() < 0.3 else []
        window = np.ascontiguousarray(_ground(random, empty, WINDOW))
    if not objects and random.random() < 0.6:
        clutter.litter(random, window, int(random.integers(1, 9)))
    if sprites and (not objects or random.random() < 0.35):
        _add_sprites(random, window, objects, sprites, size)
    return window, np.array(objects, np.float32).reshape(-1, 5)


def _photo_window(
    random: Random, scene: Scene, size: float
) -> tuple[Picture, list[tuple[float, float, float, float, float]]]:
    h, w = scene.image.shape[:2]
    if scene.dice:
        die = scene.dice[random.integers(len(scene.dice))]
        zoom, x, y = size / die.size, die.x, die.y
        if random.random() < ELSEWHERE:
            x, y = random.uniform(0, w), random.uniform(0, h)
    else:
        zoom, x, y = random.uniform(0.25, 1.0), random.uniform(0, w), random.uniform(0, h)
    # The whole picture is never much smaller than the window.
    zoom = float(np.clip(zoom, WINDOW * 0.6 / max(h, w), 2.2))
    angle = _roll(random)
    c, s = np.cos(angle), np.sin(angle)
    squash = np.exp(random.normal(0, 0.22 if random.random() < 0.3 else 0.08)) * _squeeze(random)
    flip = np.diag([random.choice([-1.0, 1.0]), 1.0])
    matrix = np.diag([squash, 1 / squash]) @ np.array([[c, -s], [s, c]]) @ flip * zoom
    at = random.uniform(0.08, 0.92, 2) * WINDOW
    level = 0 if zoom > 0.7 else 1 if zoom > 0.35 else 2
    shift = at - matrix @ np.array([x, y])
    fit = 2.0**level
    move = np.column_stack([matrix * fit, shift + matrix @ np.full(2, (fit - 1) / 2)])
    window = cv2.warpAffine(
        scene.levels[level],
        move.astype(np.float32),
        (WINDOW, WINDOW),
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=[float(v) for v in random.uniform(0, 255, 3)],
    )
    objects = []
    for die in scene.dice:
        px, py = matrix @ np.array([die.x, die.y]) + shift
        if -0.3 * size < px < WINDOW + 0.3 * size and -0.3 * size < py < WINDOW + 0.3 * size:
            objects.append((px, py, die.size * zoom, float(die.sized), 1.0))
    return window, objects


def _add_sprites(
    random: Random,
    window: Picture,
    objects: list[tuple[float, float, float, float, float]],
    sprites: list[Sprite],
    size: float,
) -> None:
    for _ in range(random.integers(1, 7)):
        sprite = sprites[random.integers(len(sprites))]
        scale = size * float(np.exp(random.normal(0, 0.25))) / max(sprite.box[2:])
        long = max(sprite.box[2:]) * scale
        x, y = random.uniform(-0.1, 1.1, 2) * WINDOW
        if objects and random.random() < 0.4:  # close to another
            other = objects[random.integers(len(objects))]
            angle = random.uniform(0, 2 * np.pi)
            far = (other[2] + long) / 2 * random.uniform(0.85, 1.2)
            x, y = other[0] + np.cos(angle) * far, other[1] + np.sin(angle) * far
        if any(max(abs(x - o[0]), abs(y - o[1])) < 0.4 * (o[2] + long) for o in objects):
            continue
        paste(window, sprite, x, y, scale)
        fx = x + (sprite.face[0] - (SIDE - 1) / 2) * scale
        fy = y + (sprite.face[1] - (SIDE - 1) / 2) * scale
        objects.append((fx, fy, long, 1.0, float(sprite.kind != NOTHING)))
