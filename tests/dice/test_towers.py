"""A die on a die, of a size that nobody told, is mostly found out by its outline; one die never."""

from __future__ import annotations

import numpy as np
import pytest
from tests.dice import tables
from tests.dice.tables import seeds

from tableref.sim.camera import Camera
from tableref.sim.mat import IVORY, Die
from tableref_vision.dice import mat
from tableref_vision.dice.inputs import Levels
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.towers import is_tower

RED = (48, 40, 205)
SIZES = (12.0, 16.0, 19.0, 22.0)


def table(size, seed, dice=2):
    """A picture of so many dice on each other, with sides that go on from one to the next."""
    random = np.random.default_rng([seed, int(size)])
    yellow = seed % 2 == 0
    x, y = np.array(mat.TRAYS["yellow" if yellow else "black"]) + random.uniform(-30, 30, 2)
    yaw, paint = random.uniform(0, 360), RED if yellow else IVORY
    laid = [
        Die(int(random.integers(1, 7)), x, y, yaw, up=mat.FLOOR + i * size, paint=paint, size=size)
        for i in range(dice)
    ]
    return tables.table(seed, *laid).picture(), (x, y)


def seen_as(view, place, size, dice):
    """Where one die would lie whose top is seen where that of so many is, and how large it is."""
    above = view.eye[2] - mat.FLOOR
    edge = size * above / (above - (dice - 1) * size)
    share = (above - edge) / (above - dice * size)
    return view.eye[:2] + (np.array(place) - view.eye[:2]) * share, edge


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dice", [1, 2])
def test_the_outline_tells_two_dice_from_one(size, dice):
    found = []
    for seed in seeds(3, 6):
        picture, place = table(size, seed, dice)
        view = mat.MatTracker().find(picture)
        found.append(is_tower(Levels(picture), view, *seen_as(view, place, size, dice)))
    assert sum(found) == 0 if dice == 1 else sum(found) >= len(found) - 1


@pytest.mark.parametrize("dice", [1, 2])
def test_of_a_known_size_a_body_that_covers_too_much_floor_is_a_tower(dice):
    """Also of dice that lie on each other anyhow, whose outline is like neither."""
    found = []
    for seed in seeds(2, 4):
        random = np.random.default_rng(seed)
        x, y = np.array(mat.TRAYS["yellow"]) + random.uniform(-30, 30, 2)
        laid = [
            Die(3, x + 3.0 * i, y, random.uniform(0, 360), up=mat.FLOOR + i * 16.0)
            for i in range(dice)
        ]
        picture = tables.table(seed, *laid).picture()
        view = mat.MatTracker().find(picture)
        place = seen_as(view, (x + 3.0 * (dice - 1), y), 16.0, dice)[0]
        found.append(is_tower(Levels(picture), view, place, 16.0, sized=True))
    assert found == [dice == 2] * len(found)


def test_from_straight_above_nothing_is_told():
    camera = Camera.above(520.0, tilt=0.0, half=210.0, deep=110.0)
    laid = [Die(4, -40.0, 5.0, 30.0, up=mat.FLOOR + i * 16.0) for i in range(2)]
    picture = tables.table(1, *laid, camera=camera).picture()
    view = mat.MatTracker().find(picture)
    assert not is_tower(Levels(picture), view, *seen_as(view, (-40.0, 5.0), 16.0, 2))


def test_a_tower_in_one_picture_is_seldom_sure_and_one_die_mostly():
    reader, sure, count = DiceReader(), {1: 0, 2: 0}, 0
    for seed in seeds(2, 4):
        for size in SIZES:
            count += 1
            for dice in sure:
                picture, _ = table(size, seed, dice)
                sure[dice] += any(die.sure for die in reader.read(picture, alone=True))
    assert sure[1] >= count - 1
    assert sure[2] <= count // 5
