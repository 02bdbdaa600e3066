"""The virtual dice mat: its pictures are true to its measures, and what hands do to it is seen."""

from __future__ import annotations

import numpy as np
import pytest

from tableref.sim.camera import Camera
from tableref.sim.draw import Hand
from tableref.sim.mat import SIDES, Die, VirtualMat
from tableref_hardware.dice import USUAL
from tableref_vision.camera import Frame
from tableref_vision.dice import mat
from tableref_vision.dice.eye import MatEye
from tableref_vision.dice.mat import MatTracker
from tableref_vision.dice.seen import SeenDie
from tableref_vision.opencv import Picture

PERIOD = 0.2


@pytest.fixture
def table() -> VirtualMat:
    return VirtualMat(5)


class TracksOnly:
    """A reader that finds the mat and sees these dice, whatever there is."""

    def __init__(self, dice: tuple[SeenDie, ...] = ()) -> None:
        self.view = self.die = None
        self.dice, self.read_times = dice, 0
        self._tracker = MatTracker()

    def read(self, picture: Picture, alone: bool = False) -> tuple[SeenDie, ...]:
        self.read_times += 1
        self.view = self._tracker.find(picture)
        return self.dice


@pytest.mark.parametrize("seed", range(4))
def test_the_mat_is_found_where_it_lies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    side, turn = rng.uniform(-180, 180, 2)
    camera = Camera.above(
        rng.uniform(480, 620), rng.uniform(0, 30), side, turn, half=215.0, deep=115.0
    )
    if abs(np.sin(np.radians(turn))) > 0.5:
        camera = Camera.above(600.0, 20.0, side, turn, half=215.0)
    view = MatTracker().find(VirtualMat(seed, camera).picture())
    assert view is not None
    corners = np.array([(-200.0, -100.0, 0), (200, -100, 0), (200, 100, 0), (-200, 100, 0)])
    there = view.on_plane(camera.project(corners), 0.0)
    assert np.abs(there - corners[:, :2]).max() < 2.0


@pytest.mark.parametrize("value", SIDES)
def test_a_flat_die_stands_on_its_floor_with_its_value_on_top(value: int) -> None:
    die = Die(value, -80.0, 10.0, yaw=37.0)
    assert np.isclose(die.corners()[:, 2].min(), mat.FLOOR)
    assert np.isclose(die.corners()[:, 2].max(), mat.top(USUAL))
    assert np.allclose(die.turn() @ SIDES[value], (0, 0, 1))


def test_a_tilted_die_touches_the_floor_with_its_lowest_point() -> None:
    die = Die(3, 0.0, 0.0, yaw=10.0, tilt=25.0, along=60.0)
    assert np.isclose(die.corners()[:, 2].min(), mat.FLOOR)
    assert die.corners()[:, 2].max() > mat.top(USUAL)


def test_a_die_is_drawn_where_it_lies(table: VirtualMat) -> None:
    empty = table.picture().astype(float)
    table.dice = [Die(5, 90.0, 20.0, yaw=30.0)]
    change = np.abs(table.picture() - empty).max(axis=2) > 60
    rows, columns = np.nonzero(change)
    middle = table.camera.project(np.array([(90.0, 20.0, mat.top(USUAL) - USUAL / 2)]))[0]
    assert np.abs((columns.mean() - middle[0], rows.mean() - middle[1])).max() < 6.0


def looks(eye: MatEye, table: VirtualMat, hands: list[tuple[Hand, ...]], start: int = 0):
    return [
        eye.read(Frame(table.picture(hands=hand), (start + number) * PERIOD, f"{number:04d}"))
        for number, hand in enumerate(hands)
    ]


def test_a_hand_over_the_mat_is_seen_even_when_it_holds_still(table: VirtualMat) -> None:
    eye, hand = MatEye(TracksOnly()), (Hand(-80.0, 0.0),)
    seen = looks(eye, table, [(), (), (), hand, hand, hand, hand, hand, hand, (), (), (), ()])
    assert [look.hand for look in seen] == [False] * 3 + [True] * 6 + [False] * 4
    assert not seen[3].still
    assert seen[-1].still


def test_dice_that_roll_are_not_still(table: VirtualMat) -> None:
    eye = MatEye(TracksOnly())
    looks(eye, table, [()] * 3)
    table.dice = [Die(2, 60.0, 0.0, tilt=40.0)]
    [rolling] = looks(eye, table, [()], 3)
    table.dice = [Die(2, 90.0, 0.0)]
    [came, *rest] = looks(eye, table, [()] * 5, 4)
    assert not rolling.still
    assert not came.still
    assert rest[-1].still


def test_a_still_mat_is_read_three_times_and_then_only_watched(table: VirtualMat) -> None:
    reader = TracksOnly()
    seen = looks(MatEye(reader), table, [()] * 10)
    assert all(look.still and look.in_view for look in seen)
    assert reader.read_times == 4
    assert [look.image for look in seen] == [f"{number:04d}" for number in range(10)]


def test_a_mat_that_is_not_there_is_not_in_view() -> None:
    class Blind(TracksOnly):
        def read(self, picture: Picture, alone: bool = False) -> tuple[SeenDie, ...]:
            return ()

    [look] = looks(MatEye(Blind()), VirtualMat(1), [()])
    assert not look.in_view
