"""Pictures with exact truth: never a wrong car, hardly a missing one, and exact places."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest
from tests.vision.robustness import CONDITIONS, table
from tests.vision.scenes import VISIBLE, Score, game, stills

from tableref_vision.camera import Frame
from tableref_vision.observation import Observation
from tableref_vision.pictures import read_picture
from tableref_vision.reader import BoardReader


def read(path: Path, board) -> Observation:
    return BoardReader(board).read(Frame(read_picture(path), 0.0, path.name))


@pytest.fixture(scope="module")
def readings(scenes, board):
    """Stills, each read by itself: kind -> readings, each with the truth about its cars."""
    return {
        kind: [(read(path, board), cars) for path, cars in list(stills(scenes, kind))[::2]]
        for kind in ("board", "arm", "odd")
    }


def test_cars_on_cells_between_them_and_askew_are_what_they_are(readings):
    score = Score()
    for seen, cars in chain(*readings.values()):
        score.add(seen, cars)
    assert score.wrong == []
    assert score.snapped == []
    assert score.reported >= 0.995, score.missing
    assert score.off_at(0.5) <= 1.0
    assert score.off_at(0.95) <= 2.5


def test_a_cell_whose_car_cannot_be_read_is_not_called_empty(readings):
    for seen, cars in chain(*readings.values()):
        for name in seen.not_seen:
            truth = cars.get(name)
            if truth and truth["cell"] and VISIBLE < truth["hidden"] < 1.0:
                assert truth["cell"] in seen.covered, f"{seen.image}: {name}"


def test_an_arm_is_a_hand_and_a_board_without_one_covers_nothing_but_unread_cars(readings):
    for seen, _ in readings["arm"]:
        assert seen.hand, seen.image
    for seen, cars in readings["board"]:
        assert not seen.hand, seen.image
        assert seen.covered <= {cars[name]["cell"] for name in seen.not_seen}, seen.image


@pytest.mark.parametrize("name", ["game-4p", "game-8p"])
def test_a_game_seen_by_one_camera_is_read_frame_by_frame(scenes, board, name):
    score, reader = Score(), BoardReader(board)
    for number, (path, cars) in enumerate(list(game(scenes, name))[::6]):
        score.add(reader.read(Frame(read_picture(path), float(number), path.name)), cars)
    assert score.wrong == []
    assert score.reported >= 0.995, score.missing


def test_frames_of_a_game_without_arm_show_no_hand(scenes, board):
    for frame in json.loads((scenes / "game-8p" / "frames.json").read_text())["frames"][::9]:
        if not frame["arm"]:
            assert not read(scenes / "game-8p" / frame["image"], board).hand, frame["image"]


@pytest.mark.parametrize("condition", [c for c in CONDITIONS if not c.startswith("turned")])
def test_bad_pictures_lose_cars_but_never_move_them(scenes, condition):
    for _, fresh, known in table(scenes, every=23, only=condition):
        assert fresh.wrong + fresh.snapped + known.wrong + known.snapped == []
        assert known.reported >= 0.85


@pytest.mark.parametrize("angle", [45, 195, 300])
def test_the_camera_may_stand_any_way_round(scenes, angle):
    for _, fresh, _ in table(scenes, every=30, only=f"turned by {angle} degrees"):
        assert fresh.wrong + fresh.snapped == []
        assert fresh.reported >= 0.97
