"""Dice of any size: told, or measured by the first that are thrown."""

from __future__ import annotations

import json

import cv2
import pytest
from tests.dice import tables
from tests.dice.tables import seeds

from tableref.cli import main
from tableref.devices.config import ConfigError, read_config
from tableref.sim.mat import IVORY, Die
from tableref_hardware.dice import LARGEST, SMALLEST, USUAL
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.size import SAYS_FLAT, THROWS, DieSize, corrected

RED = (48, 40, 205)


def table(size, seed=0, tilt=0.0, up=None):
    """A picture of two dice of this size, and what they show."""
    values = 1 + seed % 6, 1 + (seed + 3) % 6
    places = (-95.0 + 6 * seed, 20.0 - 7 * seed), (60.0 + 7 * seed, -25.0 + 9 * seed)
    more = {} if up is None else {"up": up}
    laid = [
        Die(value, x, y, 31.0 * seed + x, tilt, 40.0 * seed, paint=paint, size=size, **more)
        for value, (x, y), paint in zip(values, places, (IVORY, RED), strict=True)
    ]
    return tables.table(seed, *laid).picture(), {("yellow", values[0]), ("black", values[1])}


def sure(dice):
    return {(die.tray, die.value) for die in dice if die.sure}


@pytest.mark.parametrize("size", [12.0, 14.0, 16.0, 18.0, 19.0, 22.0])
def test_dice_of_any_size_are_read_off_one_picture(size):
    reader, right, count = DiceReader(), 0, 0
    for seed in seeds(2, 4):
        picture, shown = table(size, seed)
        read = sure(reader.read(picture, alone=True))
        assert read <= shown
        right, count = right + len(read), count + len(shown)
    assert right >= count - 1


@pytest.mark.parametrize("size", [12.0, 16.0, 19.0, 22.0])
def test_three_throws_tell_how_large_the_dice_are(size):
    reader, known = DiceReader(), []
    for seed in range(5):
        reader.read(table(size, seed)[0])
        known.append(reader.die)
    assert known[:2] == [None, None]
    assert known[4] == pytest.approx(size, rel=0.1)
    assert known[4] == known[3]  # what is settled stays


def test_a_size_that_was_told_is_not_measured():
    reader = DiceReader(die=19.0)
    for seed in range(3):
        reader.read(table(14.0, seed)[0])
    assert reader.die == 19.0


@pytest.mark.parametrize("size", [14.0, 16.0, 19.0])
def test_once_the_size_is_known_what_leans_is_not_sure(size):
    reader = DiceReader(die=size)
    for seed in seeds(2, 4):
        assert not sure(reader.read(table(size, seed, tilt=25.0)[0], alone=True))


def test_once_the_size_is_known_a_die_on_a_die_is_not_sure():
    reader = DiceReader(die=16.0)
    for seed in seeds(3, 6):
        x, y = -110.0 + 9 * seed, 30.0 - 8 * seed
        below, above = Die(2, x - 2, y + 2, 20.0 * seed), Die(5, x, y, 50.0, up=19.0, paint=RED)
        picture = tables.table(seed, below, above).picture()
        assert not sure(reader.read(picture, alone=True))


def die(x):
    return SeenDie(3, True, 0.99, (0.0, 0.0, 30.0, 30.0), "yellow", None, (x, 0.0))


def test_throws_that_disagree_settle_nothing():
    size = DieSize()
    for number, edge in enumerate((12.0, 20.0, 15.0, 24.0)):
        size.measured(edge, (die(20.0 * number),))
    assert not size.settled
    for number in range(THROWS):
        size.measured(15.5, (die(200.0 * number),))
    assert size.settled
    assert size.edge == 15.0


def test_dice_that_lie_on_are_not_measured_again():
    size = DieSize()
    size.measured(18.0, (die(0.0), die(40.0)))
    assert not size.is_new([die(0.5), die(40.0)])
    assert size.is_new([die(0.0), die(80.0)])


def test_a_die_that_was_doubted_stays_so_while_it_lies_and_is_free_once_it_is_gone():
    size, other = DieSize(16.0), die(40.0)
    assert size.unchecked([die(0.0), other]) == [0, 1]
    size.checked([other], [die(0.0)])
    assert size.unchecked([die(0.5), other]) == []
    assert [size.as_checked(one).sure for one in (die(0.5), other)] == [False, True]
    size.gone([other])
    assert size.as_checked(die(0.5)).sure
    assert size.unchecked([die(0.5), other]) == [0]


def test_a_die_that_was_blurred_at_first_is_read_when_it_is_not():
    reader, (picture, shown) = DiceReader(die=16.0), table(16.0, 2)
    blurred = cv2.GaussianBlur(picture, (0, 0), 6.0)
    assert not sure(reader.read(blurred))
    reader.read(picture)
    assert sure(reader.read(picture)) == shown


def test_the_net_may_not_lead_to_dice_that_nobody_sells():
    assert corrected(USUAL, [9.0]) == SMALLEST
    assert corrected(USUAL, [-9.0]) == LARGEST
    assert corrected(18.0, [SAYS_FLAT]) == pytest.approx(18.0)


def test_the_configuration_tells_the_size_and_bounds_it():
    assert read_config("[dice]\nsize = 19", "here").die == 19.0
    assert read_config("", "here").die is None
    with pytest.raises(ConfigError, match=r"dice\.size: expected at most 25, found 40"):
        read_config("[dice]\nsize = 40", "here")


def test_the_command_takes_a_size_and_refuses_others(tmp_path, capsys):
    picture, shown = table(19.0, 1)
    path = tmp_path / "mat.png"
    cv2.imwrite(str(path), picture)
    assert main(["see", "--dice", "--die", "19", "--json", str(path)]) == 0
    dice = json.loads(capsys.readouterr().out)["dice"]
    assert {(one["tray"], one["value"]) for one in dice if one["sure"]} == shown
    assert main(["see", "--dice", "--die", "40", str(path)]) == 2
    assert "12 to 25" in capsys.readouterr().err


def test_path_traced_dice_of_12_18_and_22_mm_are_read(shared):
    reader, right, count = DiceReader(), 0, 0
    for path in sorted((shared / "scenes" / "dice-sizes").glob("*.jpg")):
        told = json.loads(path.with_suffix(".json").read_text())["dice"]
        read = sure(reader.read(cv2.imread(str(path)), alone=True))
        assert read <= {(one["tray"], one["value"]) for one in told}
        right, count = right + len(read), count + len(told)
    assert right >= 0.97 * count
