"""What counts as a hand over a board of hexes: outlines that no piece hides."""

from __future__ import annotations

import pytest

from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.observation import Observation
from tableref_vision.reader import BoardReader

CROWDED = {
    "red": (-28.5, -91.5, 117.0),
    "orange": (-45.9, -42.3, 126.0),
    "yellow": (27.2, 5.4, 179.0),
    "green": (-51.8, 48.8, -112.0),
    "blue": (-79.9, 3.1, -180.0),
    "purple": (95.9, -42.9, -3.0),
    "white": (-4.8, -130.3, -176.0),
    "black": (-21.3, 1.9, -178.0),
}
"""Cars a few mm off the middles of their cells, bumper to bumper: x, y in mm, degrees."""


@pytest.fixture
def stage() -> Stage:
    stage = Stage(load_board("autoscooter"), seed=0)
    for name, (x, y, yaw) in CROWDED.items():
        stage.put_at(name, x, y, yaw)
    return stage


def read(stage: Stage, hand: bool) -> Observation:
    hands = [stage.hand_at(-20.0, 80.0)] if hand else []
    return BoardReader(stage.board).read(Frame(stage.picture(hands=hands), 0.0, "drawn"))


def test_lines_under_the_bumpers_of_cars_that_stand_close_are_no_hand(stage: Stage) -> None:
    seen = read(stage, hand=False)
    assert len(seen.pieces) == len(CROWDED)
    assert not seen.hand


def test_a_hand_over_cars_that_stand_close_is_one(stage: Stage) -> None:
    assert read(stage, hand=True).hand
