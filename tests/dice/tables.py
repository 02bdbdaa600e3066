"""Virtual mats for tests that look at many: each seed's empty table is drawn once."""

from __future__ import annotations

import copy
import functools
import os

from tableref.sim.camera import Camera
from tableref.sim.mat import Die, VirtualMat

FULL = bool(os.environ.get("TABLEREF_FULL"))


def seeds(few: int, full: int) -> range:
    """As many seeds as every change is tried with; with TABLEREF_FULL=1 as many as there are."""
    return range(full if FULL else few)


def table(seed: int, *dice: Die, camera: Camera | None = None) -> VirtualMat:
    """The table of this seed with these dice on it; what is done to it no other test sees."""
    laid = copy.deepcopy(_empty(seed, camera))
    laid.dice = list(dice)
    return laid


@functools.lru_cache(maxsize=8)
def _empty(seed: int, camera: Camera | None) -> VirtualMat:
    bare = VirtualMat(seed, camera)
    bare.picture()  # draws the table, which most of the time goes into
    return bare
