"""What the reader net is shown of mats, drawn ones and path-traced ones: crops from straight above.

The reader itself looks at each picture, told how large the dice are and not told: so crops are cut
for sizes that dice do not have, too, and hold towers, dice that lean and bare felt as they come.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tableref.sim.camera import Camera
from tableref.sim.draw import Paint
from tableref.sim.mat import IVORY, Die, VirtualMat
from tableref_vision.dice import mat
from tableref_vision.dice.inputs import Levels
from tableref_vision.dice.reader import DiceReader
from tableref_vision.view import View
from training.drawings import Random
from training.sources import Picture

SIZES = (12.0, 13.0, 14.0, 15.0, 16.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0)
TOLD = (None, 12.0, 14.0, 19.0)  # sizes that path-traced dice are told to have
POSES = {"flat": 4, "tower": 1, "anyhow": 1, "lean": 1}
"""How often dice lie flat, on each other with sides that go on, on each other anyhow, or lean."""
PAINTS: tuple[Paint, ...] = (IVORY, (48, 40, 205), (30, 30, 30), (60, 160, 60), (200, 80, 40))
ANY_PAINT = 0.6  # of the dice are of any colour
USUAL_CAMERA = 0.4  # of the mats are seen by the virtual mat's own
APART = 1.5  # times their edge that dice lie from each other at least


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Crops (n, CROP, CROP, 3) and the slant of each (n,)."""

    crops: NDArray[np.uint8]
    slants: NDArray[np.float64]


class _Watched(DiceReader):
    """A reader that keeps what it shows its net on mats."""

    def __init__(self, die: float | None = None) -> None:
        super().__init__(die=die)
        self.shown: list[tuple[Picture, float]] = []

    def _cut(
        self, levels: Levels, view: View, at: NDArray[np.float64], edge: float, flip: bool
    ) -> tuple[Picture, float]:
        self.shown.append(super()._cut(levels, view, at, edge, flip))
        return self.shown[-1]


def drawn(start: int, count: int) -> Seen:
    """What is shown of so many virtual mats, from this seed on."""
    shown: list[tuple[Picture, float]] = []
    for seed in range(start, start + count):
        table, size = laid(seed)
        picture = table.picture()
        shown += _shown(picture, None)
        if seed % 2:
            shown += _shown(picture, size)
    return _seen(shown)


def traced(scenes: Path) -> Seen:
    """What is shown of the path-traced mats in this folder's dice/ and dice-odd/."""
    shown: list[tuple[Picture, float]] = []
    for kind in ("dice", "dice-odd"):
        for path in sorted((scenes / kind).glob("*.jpg")):
            picture = cv2.imread(str(path))
            if picture is None:
                raise OSError(f"{path}: cannot be read")
            for size in TOLD:
                shown += _shown(np.asarray(picture, np.uint8), size)
    return _seen(shown)


def _shown(picture: Picture, size: float | None) -> list[tuple[Picture, float]]:
    reader = _Watched(size)
    reader.read(picture, alone=True)
    return reader.shown


def _seen(shown: list[tuple[Picture, float]]) -> Seen:
    return Seen(np.stack([crop for crop, _ in shown]), np.array([slant for _, slant in shown]))


def laid(seed: int) -> tuple[VirtualMat, float]:
    """A virtual mat with dice by chance in both trays, and their edge in mm."""
    random = np.random.default_rng([seed, 77])
    table = VirtualMat(seed, None if random.random() < USUAL_CAMERA else _camera(random))
    size = float(random.choice(SIZES))
    often = np.array(list(POSES.values()), float)
    pose = str(random.choice(list(POSES), p=often / often.sum()))
    for place in mat.TRAYS.values():
        for x, y in _places(random, place, size):
            table.dice += _dice(random, x, y, size, pose)
    return table, size


def _places(
    random: Random, tray: tuple[float, float], size: float
) -> Iterator[tuple[float, float]]:
    """One to three places in this tray, where there is room."""
    reach, taken = mat.INSIDE - size * 0.72 - 1, list[NDArray[np.float64]]()
    for _ in range(int(random.integers(1, 4))):
        for at in np.array(tray) + random.uniform(-reach, reach, (50, 2)):
            if all(np.hypot(*(at - other)) > APART * size for other in taken):
                taken.append(at)
                yield float(at[0]), float(at[1])
                break


def _dice(random: Random, x: float, y: float, size: float, pose: str) -> list[Die]:
    """A die at this place, or two on each other."""
    paint = PAINTS[random.integers(len(PAINTS))]
    if random.random() < ANY_PAINT:
        b, g, r = random.uniform(20, 245, 3)
        paint = float(b), float(g), float(r)
    value, other = (int(one) for one in random.integers(1, 7, 2))
    yaw, turn, along = (float(one) for one in random.uniform(0, 360, 3))
    if pose == "lean":
        tilt = float(random.uniform(10, 40))
        return [Die(value, x, y, yaw, tilt, along, paint=paint, size=size)]
    below = Die(value, x, y, yaw, paint=paint, size=size)
    if pose == "flat":
        return [below]
    up = mat.FLOOR + size
    if pose == "tower":
        return [below, Die(other, x, y, yaw, up=up, paint=paint, size=size)]
    off = float(random.uniform(-3, 3))
    return [below, Die(other, x + off, y, turn, up=up, paint=paint, size=size)]


def _camera(random: Random) -> Camera:
    return Camera.above(
        height=random.uniform(420.0, 700.0),
        tilt=random.uniform(0.0, 32.0),
        side=random.uniform(-180.0, 180.0),
        turn=random.choice([0.0, random.uniform(-180.0, 180.0)]),
        half=210.0,
        deep=random.choice([110.0, 150.0]),
        k1=random.uniform(-0.06, 0.02),
        noise=random.uniform(0.004, 0.018),
        blur=random.uniform(0.5, 0.9),
    )
