"""A camera over a virtual mat on which somebody lays two dice, with each face up in turn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tableref.sim.mat import IVORY, Die, VirtualMat
from tableref_hardware.dice import LARGEST, SMALLEST, USUAL
from tableref_vision.camera import CameraError, Frame
from tableref_vision.dice import mat

RED = (48, 40, 205)
PERIOD = 2.0  # s between two pictures
FREE = 40.0  # mm off a tray's middle at which dice are laid at most


class TurnedDice:
    """Six pictures: a die in each tray with 1 up, then with 2, to 6."""

    waits = True

    def __init__(self, seed: int, size: float) -> None:
        self._seed, self._size = seed, size

    def frames(self, after: str = "") -> Iterator[Frame]:
        """The pictures, or those behind the one of this name."""
        random = np.random.default_rng(self._seed)
        table = VirtualMat(self._seed)
        for value in range(1, 7):
            table.dice = []
            for (x, y), paint in zip(mat.TRAYS.values(), (IVORY, RED), strict=True):
                east, north = random.uniform(-FREE, FREE, 2)
                yaw = float(random.uniform(0, 360))
                die = Die(value, x + east, y + north, yaw, paint=paint, size=self._size)
                table.dice.append(die)
            if str(value) > after:
                yield Frame(table.picture(), value * PERIOD, str(value))

    def close(self) -> None:
        """Nothing is held open."""


def open_turned(words: str) -> TurnedDice:
    """The camera `virtual-mat:SEED` or `virtual-mat:SEED,MM`. CameraError"""
    seed, _, size = words.partition(",")
    try:
        number, edge = int(seed or "0"), float(size or USUAL)
    except ValueError:
        number = -1
    if number < 0 or not SMALLEST <= edge <= LARGEST:
        raise CameraError(
            f"virtual-mat:{words}: expected a seed from 0 on, and perhaps a comma and "
            f"{SMALLEST:g} to {LARGEST:g} mm"
        )
    return TurnedDice(number, edge)
