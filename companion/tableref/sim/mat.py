"""The virtual dice mat: tags, trays with their rims, and dice in any pose, seen by a camera.

The mat's frame: millimetres, x east, y north, z up from the table. Its measures are those that the
reader of dice goes by (`tableref_vision.dice.mat`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref.sim import draw, materials, studio
from tableref.sim.camera import Camera, Canvas, Floats
from tableref.sim.draw import Hand, Paint
from tableref.sim.materials import Picture
from tableref.sim.studio import Scene
from tableref_hardware.dice import USUAL
from tableref_vision.dice import mat
from tableref_vision.dice.cube import PIPS, SIDES

ROUND = 0.1  # of a die's edge, that its corners are rounded by
PIP, PIPS_AT = 0.097, 0.2625  # of the edge: a pip's radius, how far off its face's middle it sits
BEVEL = 0.03  # of the edge, between a face and the outline
FELT: Mapping[str, Paint] = {"yellow": (15, 190, 240), "black": (44, 38, 36)}
CLOTH: Paint = (72, 80, 84)
WOOD: Paint = (58, 84, 124)
IVORY: Paint = (222, 232, 236)
SCALE = 3.0  # px a mm of the mat's drawing


@dataclass(frozen=True, slots=True)
class Die:
    """A die: what is on top when it stands flat, its middle's place in mm, turned by `yaw` degrees.

    Then it is tipped by `tilt` degrees about the axis `along`, degrees anticlockwise from east. Its
    lowest point is `up` mm above the table; its edge is `size` mm long.
    """

    value: int
    x: float
    y: float
    yaw: float = 0.0
    tilt: float = 0.0
    along: float = 0.0
    up: float = mat.FLOOR
    paint: Paint = IVORY
    size: float = USUAL

    @property
    def half(self) -> float:
        """Half its edge in mm."""
        return self.size / 2

    def turn(self) -> Floats:
        """(3, 3): from the die's own frame, in which `SIDES` are, to the mat's."""
        top = np.array(SIDES[self.value], float)
        side = np.roll(np.abs(top), 1)
        own = np.stack([side, np.cross(top, side), top])
        turned: Floats = _about(self.along, self.tilt) @ _about_z(self.yaw) @ own
        return turned

    def middle(self) -> Floats:
        """Its middle (3,)."""
        lowest = float(np.abs(self.turn()[2]).sum()) * self.half
        return np.array([self.x, self.y, self.up + lowest])

    def corners(self) -> Floats:
        """Its corners (8, 3), as if they were sharp."""
        signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
        return np.asarray(self.middle() + self.half * signs @ self.turn().T, np.float64)


class VirtualMat(Scene):
    """A dice mat that can be looked at. `dice` lie on it."""

    SOFT = 0.5

    def __init__(self, seed: int = 0, camera: Camera | None = None) -> None:
        super().__init__(seed, camera or Camera.above(520.0, tilt=14.0, half=210.0, deep=110.0))
        self.dice: list[Die] = []
        self._still: tuple[object, Picture] | None = None

    def _drawn(self, canvas: Canvas, hands: tuple[Hand, ...]) -> Picture:
        """The mat with what lies on it now: mostly what lay there before."""
        what = canvas.camera, tuple(self.dice), hands
        if self._still is None or self._still[0] != what:
            self._still = what, super()._drawn(canvas, hands)
        return self._still[1]

    def _draw(self, canvas: Canvas, picture: Picture) -> None:
        eye = np.asarray(canvas.camera.origin)
        far_first = sorted(self.dice, key=lambda die: -float(np.linalg.norm(die.middle() - eye)))
        inside = [d for d in far_first if d.up == mat.FLOOR and mat.tray_at(d.x, d.y, d.half)]
        for die in inside:
            self._die(canvas, picture, die)
        if inside:
            _bars(canvas, picture, near=True)
        for die in far_first:
            if die not in inside:
                self._die(canvas, picture, die)

    def _draw_empty(self, canvas: Canvas) -> Picture:
        """Table, mat and trays without anything on them."""
        rng = np.random.default_rng((self._seed, 1))
        picture = self._table(canvas, rng)
        x, y = mat.WIDTH / 2, mat.DEPTH / 2
        rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
        mask = np.zeros(picture.shape[:2], np.uint8)
        draw.fill(mask, canvas.project(rim), 255)
        cloth = studio.laid(canvas, _cloth(rng), 0.0, (-x, y), SCALE)
        picture = draw.blend(picture, cloth, mask)
        self._shaded(canvas, picture, _boxes().values(), 1.0)
        _bars(canvas, picture, near=False)
        _bars(canvas, picture, near=True)
        return picture

    def _shading(self) -> Iterator[tuple[Floats, float]]:
        for die in self.dice:
            yield die.corners(), min(die.up, mat.FLOOR)

    def _die(self, canvas: Canvas, picture: Picture, die: Die) -> None:
        turn, middle, half = die.turn(), die.middle(), die.half
        cube = _rounded_cube(turn, middle, half)
        hull = cv2.convexHull(canvas.project(cube).astype(np.float32))
        edge = draw.shade(die.paint, 0.78)
        draw.fill(picture, hull.reshape(-1, 2).astype(float), edge)
        eye = np.asarray(canvas.camera.origin)
        lamp = self._lamps[0][0] - middle
        lamp /= np.linalg.norm(lamp)
        dark = sum(die.paint) < 330
        for value, outward in SIDES.items():
            normal = turn @ np.array(outward, float)
            face = middle + normal * half
            if normal @ (eye - face) <= 0:
                continue
            bright = 0.5 + 0.4 * max(0.0, float(normal @ lamp)) + 0.14 * max(0.0, float(normal[2]))
            u = turn @ np.roll(np.abs(np.array(outward, float)), 1)
            v = np.cross(normal, u)
            draw.fill(
                picture,
                canvas.project(face + _rounded(half, BEVEL * die.size) @ np.stack([u, v])),
                draw.shade(die.paint, bright),
            )
            ink: Paint = (228, 232, 234) if dark else (40, 38, 40)
            for a, b in PIPS[value]:
                spot = face + (a * u + b * v) * PIPS_AT * die.size
                ring = canvas.project(spot + _circle(PIP * die.size) @ np.stack([u, v]))
                draw.fill(picture, ring, draw.shade(ink, bright))


def _about_z(degrees: float) -> Floats:
    a = math.radians(degrees)
    return np.array(
        [(math.cos(a), -math.sin(a), 0.0), (math.sin(a), math.cos(a), 0.0), (0.0, 0.0, 1.0)]
    )


def _about(along: float, degrees: float) -> Floats:
    """A turn by `degrees` about the level axis `along` (degrees anticlockwise from east)."""
    a = math.radians(degrees)
    tip = np.array(
        [(1.0, 0.0, 0.0), (0.0, math.cos(a), -math.sin(a)), (0.0, math.sin(a), math.cos(a))]
    )
    return np.asarray(_about_z(along) @ tip @ _about_z(-along), np.float64)


def _circle(radius: float) -> Floats:
    angles = np.linspace(0, 2 * math.pi, 16, endpoint=False)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def _rounded(half: float, inset: float = 0.0) -> Floats:
    """A square with rounded corners (n, 2), its sides `half` less `inset` from the middle."""
    angles = np.linspace(0, 2 * math.pi, 20, endpoint=False) + math.pi / 20
    corner = np.column_stack([np.cos(angles), np.sin(angles)])
    bend = 2 * half * ROUND
    return np.asarray(np.sign(corner) * (half - inset - bend) + bend * corner, np.float64)


def _rounded_cube(turn: Floats, middle: Floats, half: float) -> Floats:
    """Points all over a rounded cube's surface (n, 3), whose hull is its outline."""
    flat = _rounded(half)
    nearly = np.full((len(flat), 1), half - half * ROUND)
    own = [
        np.roll(np.hstack([flat, sign * nearly]), axis, axis=1)
        for axis in range(3)
        for sign in (-1, 1)
    ]
    return np.asarray(middle + np.concatenate(own) @ turn.T, np.float64)


def _boxes() -> dict[tuple[str, int], Floats]:
    """Tray, and side of it (0 east, 1 north, 2 west, 3 south) -> corners (8, 3) of its bar."""
    boxes = {}
    inner, outer = mat.INSIDE, mat.INSIDE + mat.RIM_WIDTH
    bar = np.array(
        [
            (x, y, z)
            for z in (0.0, mat.RIM_HEIGHT)
            for x, y in ((inner, -outer), (outer, -outer), (outer, outer), (inner, outer))
        ]
    )
    for tray, (x, y) in mat.TRAYS.items():
        for side in range(4):
            boxes[tray, side] = bar @ _about_z(90.0 * side).T + (x, y, 0.0)
    return boxes


def _bars(canvas: Canvas, picture: Picture, near: bool) -> None:
    """The rims' bars: those that hide what lies behind them (`near`), or the others."""
    eye = np.asarray(canvas.camera.origin)
    for (tray, side), box in _boxes().items():
        outward = _about_z(90.0 * side)[:, 0]
        middle = np.array([*mat.TRAYS[tray], 0.0])
        hides = float(outward @ (eye - middle)) > mat.INSIDE
        if hides != near:
            continue
        low, high = box[:4], box[4:]
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
            face = np.stack((low[a], low[b], high[b], high[a]))
            normal = np.cross(face[1] - face[0], face[3] - face[0])
            if normal @ (eye - face[0]) > 0:
                draw.fill(picture, canvas.project(face), draw.shade(WOOD, 0.62))
        draw.fill(picture, canvas.project(high), WOOD)


def _cloth(rng: np.random.Generator) -> Picture:
    """The mat from above, north up: cloth, felt and tags, as if all were flat."""
    wide, high = round(mat.WIDTH * SCALE), round(mat.DEPTH * SCALE)
    flat: NDArray[np.float32] = np.empty((high, wide, 3), np.float32)
    flat[:] = CLOTH

    def part(x: float, y: float, half: float) -> tuple[slice, slice]:
        left, top = (x - half + mat.WIDTH / 2) * SCALE, (mat.DEPTH / 2 - y - half) * SCALE
        side = round(2 * half * SCALE)
        return slice(round(top), round(top) + side), slice(round(left), round(left) + side)

    for tray, (x, y) in mat.TRAYS.items():
        flat[part(x, y, mat.INSIDE)] = FELT[tray]
    flat *= 1 + 0.05 * rng.standard_normal((high, wide, 1)).astype(np.float32)
    cloth = flat.clip(0, 255).astype(np.uint8)
    for tag in mat.TAGS.values():
        cloth[part(tag.x, tag.y, mat.QUIET / 2)] = materials.PAPER
        rows, columns = part(tag.x, tag.y, mat.SQUARE / 2)
        side = rows.stop - rows.start
        printed = materials.tag(mat.DICTIONARY, tag.id, 6 * round(side / 6 * 2))
        cloth[rows, columns] = cv2.resize(printed, (side, side), interpolation=cv2.INTER_AREA)
    return cloth
