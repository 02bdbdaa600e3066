"""The board is found, carried while tags are covered, and dropped when it has moved."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tableref.sim.camera import Camera
from tableref.sim.stage import Stage
from tableref_vision.calibration import Calibration
from tableref_vision.camera import Frame
from tableref_vision.reader import BoardReader
from tableref_vision.view import Lens, tag_corners


def without(film, *ids: int) -> np.ndarray:
    """The table with these corner tags under paper."""
    image = film.table.picture().copy()
    for tag in film.reader.board.corner_tags:
        if tag.id in ids:
            place = (film.reader.view or film.view).pixels(tag_corners(tag)).astype(int)
            cv2.fillConvexPoly(image, place, (120, 130, 140))
    return image


@pytest.fixture
def bare(film):
    """A film whose reader forgets: a fresh one sees the first picture."""
    film.view = film.reader.view
    film.reader = BoardReader(film.reader.board)
    film.time = 60.0
    return film


def places(seen):
    return {piece.id: (piece.cell, piece.heading) for piece in seen.pieces}


def start(board):
    return {piece.id: (piece.start, piece.heading) for piece in board.pieces}


def test_three_tags_establish_the_pose(bare, board):
    seen = bare.show(without(bare, 41))
    assert seen.pose == "ok"
    assert places(seen) == start(board)


def test_two_tags_do_not_with_a_camera_nobody_knows(bare, board):
    seen = bare.show(without(bare, 41, 42))
    assert seen.pose == "few-corners"
    assert seen.pieces == ()
    assert set(seen.not_seen) == set(start(board))
    assert seen.covered == frozenset(board.cells)


def test_two_tags_do_with_a_calibrated_camera(bare, board):
    camera = bare.table.camera
    lens = Lens(*camera.size, camera.focal, camera.k1, 0.002, 0.005)
    bare.reader = BoardReader(board, Calibration(lens))
    seen = bare.show(without(bare, 41, 42))
    assert seen.pose == "ok"
    assert places(seen) == start(board)


def test_one_tag_establishes_nothing_even_with_a_calibrated_camera(bare, board):
    camera = bare.table.camera
    lens = Lens(*camera.size, camera.focal, camera.k1, 0.002, 0.005)
    bare.reader = BoardReader(board, Calibration(lens))
    assert bare.show(without(bare, 40, 41, 42)).pose == "few-corners"


@pytest.mark.parametrize("covered", [(40, 41), (41, 43), (40, 41, 42)])
def test_a_pose_is_carried_while_one_tag_confirms_it(film, board, covered):
    image = without(film, *covered)
    seen = list(film.seconds(0.5, image))[-1]
    assert seen.pose == "ok"
    assert places(seen) == start(board)


def test_without_any_tag_there_is_no_board_but_one_that_returns_is_confirmed(film, board):
    nothing, one = without(film, 40, 41, 42, 43), without(film, 40, 41, 42)
    assert list(film.seconds(0.5, nothing))[-1].pose == "no-board"
    seen = list(film.seconds(0.5, one))[-1]
    assert places(seen) == start(board)


def test_a_bump_is_said_and_the_board_found_again(film, board):
    camera = film.table.camera
    moved = film.table.picture(camera.bumped(9.0, 4.0))
    codes = [seen.pose for seen in film.seconds(0.6, moved)]
    assert codes[0] == "bumped"
    last = film.show(moved)
    assert (last.pose, last.still) == ("ok", True)
    assert places(last) == start(board)


def test_in_the_frame_of_a_bump_nothing_is_placed(film):
    seen = film.show(film.table.picture(film.table.camera.bumped(9.0, 0.0)))
    assert seen.pieces == ()


def test_a_creep_of_less_than_a_bump_is_followed(film, board):
    for step in range(1, 4):
        seen = film.show(film.table.picture(film.table.camera.bumped(0.6 * step, 0.0)))
        assert seen.pose == "ok"
    film.time += 5.0
    seen = film.show(film.table.picture(film.table.camera.bumped(1.8, 0.0)))
    assert places(seen) == start(board)


def test_a_corner_tag_that_is_in_view_twice_counts_for_nothing(bare, board):
    image = bare.table.picture().copy()
    tag = board.corner_tags[0]
    around = tag_corners(tag) * (1.1, 1.1, 1.0) - np.array([tag.x, tag.y, 0.0]) * 0.1
    left, top, width, height = cv2.boundingRect(np.float32(bare.view.pixels(around)))
    image[10 : 10 + height, 10 : 10 + width] = image[top : top + height, left : left + width]
    assert bare.show(image).pose == "ok", "three others tell the pose"
    for hidden in (41, 42):
        place = bare.view.pixels(tag_corners(board.corner_tags[hidden - 40])).astype(int)
        cv2.fillConvexPoly(image, place, (120, 130, 140))
    bare.reader = BoardReader(board)
    assert bare.show(image).pose == "same-tag-twice"


@pytest.mark.parametrize("seed", range(4))
def test_any_camera_that_the_table_allows_will_do(board, seed):
    camera = Camera.somewhere(np.random.default_rng(seed))
    table = Stage(board, seed, camera)
    table.set_up()
    seen = BoardReader(board).read(Frame(table.picture(), 0.0, "any"))
    assert places(seen) == start(board)


def test_an_empty_picture_has_no_board(board):
    for level in (0, 128, 255):
        image = np.full((480, 640, 3), level, np.uint8)
        assert BoardReader(board).read(Frame(image, 0.0, "empty")).pose == "no-board"


def test_a_calibration_for_pictures_of_another_shape_is_refused(board, film):
    reader = BoardReader(board, Calibration(Lens(640, 480, 600.0, 0.0, 0.01, 0.01)))
    seen = reader.read(Frame(film.table.picture(), 0.0, "wide"))
    assert seen.pose == "other-camera"
    assert seen.pieces == ()


def test_a_mirrored_picture_is_told_and_nothing_is_placed(bare, board):
    seen = bare.show(np.ascontiguousarray(bare.table.picture()[:, ::-1]))
    assert (seen.pose, seen.pieces) == ("mirrored", ())
    assert set(seen.not_seen) == set(start(board))
    assert bare.show(bare.table.picture()).pose == "ok"
