"""Where a piece stands, and when that is no cell or no heading; and what only all pieces tell."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.placing import cell_at, heading_along, stand
from tableref_vision.reader import SIZES, BoardReader
from tableref_vision.view import SQUARE, Lens, View

BOARD = load_board("autoscooter")
TAG = BOARD.piece_tag
ABOVE = View(
    Lens(1280, 720, 1100.0, -0.05, 0.01, 0.01),
    np.array([np.pi - 0.3, 0.1, 0.0]),
    np.array([10.0, 5.0, 700.0]),
    0.3,
    0.1,
    0.2,
)
cells = st.sampled_from([*BOARD.cells.values()])


def standing(pixels: np.ndarray):
    """The stand of the piece with its roof tag at these pixels."""
    return stand(TAG, ABOVE.bleed, ABOVE.on_plane(pixels, TAG.height))


names = st.sampled_from([*BOARD.headings])
turns = st.floats(0, 360)


def roof(x: float, y: float, yaw: float, height: float = 13.3, grow: float = 1.0) -> np.ndarray:
    """Pixels of the roof tag of a car here."""
    a = np.radians(yaw)
    half = grow * (TAG.square / 2 - ABOVE.bleed)
    across = SQUARE[:, :1] * half * (np.sin(a), -np.cos(a))
    along = (SQUARE[:, 1:] * half + TAG.ahead) * (np.cos(a), np.sin(a))
    places = across + along + (x, y)
    return ABOVE.pixels(np.column_stack([places, np.full(4, height)]))


@given(cells, st.floats(-170, 170), st.floats(-170, 170), turns)
def test_a_tag_tells_its_cars_middle_and_yaw(cell, x, y, yaw):
    place = standing(roof(x, y, yaw))
    assert (place.x, place.y) == pytest.approx((x, y), abs=0.05)
    assert (place.yaw - yaw + 180) % 360 == pytest.approx(180, abs=0.1)
    assert place.confidence > 0.95


@given(cells, st.floats(0, 6), turns, names, st.floats(-12, 12))
def test_set_down_as_people_do_it_is_on_the_cell(cell, off, side, name, turn):
    x, y = cell.x + off * np.cos(np.radians(side)), cell.y + off * np.sin(np.radians(side))
    assert cell_at(BOARD, x, y) == cell
    assert heading_along(BOARD.headings, BOARD.headings[name] + turn, BOARD.askew) == name


@given(st.floats(-185, 185), st.floats(-185, 185), turns)
def test_what_is_far_from_every_middle_and_heading_is_snapped_to_none(x, y, yaw):
    if min(np.hypot(x - cell.x, y - cell.y) for cell in BOARD.cells.values()) > 17:
        assert cell_at(BOARD, x, y) is None
    if min(abs((yaw - to + 180) % 360 - 180) for to in BOARD.headings.values()) > 22:
        assert heading_along(BOARD.headings, yaw, BOARD.askew) is None


def test_a_corner_under_a_bead_does_not_shift_the_car():
    pixels = roof(20.0, 30.0, 40.0)
    pixels[2] += (3.0, -2.0)
    place = standing(pixels)
    assert (place.x, place.y) == pytest.approx((20.0, 30.0), abs=0.4)
    assert place.confidence < 0.95


def test_a_tilted_tag_stands_nowhere():
    pixels = roof(20.0, 30.0, 0.0)
    squeezed = pixels.mean(axis=0) + (pixels - pixels.mean(axis=0)) * (0.7, 1.0)
    assert standing(squeezed) is None


@pytest.mark.parametrize("height", [70.0, 100.0])
def test_a_car_in_a_hand_stands_nowhere(height):
    assert standing(roof(20.0, 30.0, 0.0, height)).size > SIZES[1]


def read(film, board):
    reader = BoardReader(board)
    seen = reader.read(Frame(film.table.picture(), 0.0, "picture"))
    assert (seen.pieces == ()) == (seen.pose != "ok")
    return seen


@pytest.mark.parametrize("scale", [0.95, 1.08])
def test_corner_tags_that_were_printed_at_another_size_are_noticed(film, board, scale):
    tags = tuple(replace(t, square=t.square / scale) for t in board.corner_tags)
    wrong = replace(board, corner_tags=tags)
    assert read(film, wrong).pose in ("wrong-size", "bad-fit")


def test_a_board_that_was_printed_at_95_percent_is_noticed(film, board):
    tags = tuple(
        replace(t, x=t.x / 0.95, y=t.y / 0.95, square=t.square / 0.95) for t in board.corner_tags
    )
    assert read(film, replace(board, corner_tags=tags)).pose == "wrong-size"


def test_all_cars_off_the_same_way_are_noticed(film, board):
    tags = tuple(replace(t, x=t.x + 7.0) for t in board.corner_tags)
    assert read(film, replace(board, corner_tags=tags)).pose == "off-centre"


def test_the_same_roof_tag_twice_is_seen_nowhere_and_said(film, board):
    image = film.table.picture().copy()
    car = film.table.pieces["red"]
    x, y = film.reader.view.pixels(np.array([(car.x, car.y, 13.0)]))[0].astype(int)
    piece = image[y - 30 : y + 30, x - 30 : x + 30].copy()
    image[250:310, 20:80] = piece
    seen = BoardReader(board).read(Frame(image, 0.0, "twice"))
    assert seen.twice == ("red",)
    assert "red" in seen.not_seen


def test_a_tag_of_the_dictionary_that_is_not_ours_is_no_piece(film, board):
    image = film.table.picture().copy()
    other = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 17, 36
    )
    image[260:310, 450:500] = 255
    image[267:303, 457:493] = other[..., None]
    seen = BoardReader(board).read(Frame(image, 0.0, "another"))
    assert {piece.id for piece in seen.pieces} == {piece.id for piece in board.pieces}


def test_no_tag_of_ours_is_found_in_photographs_of_dice(shared, board):
    from tableref_vision.pictures import read_picture
    from tableref_vision.tags import TagFinder

    ids = {tag.id for tag in board.corner_tags} | {piece.tag for piece in board.pieces}
    finder = TagFinder(board.dictionary, ids)
    photos = sorted(p for p in (shared / "photos").rglob("*") if p.suffix.lower() == ".jpg")
    for path in photos[::25]:
        image = read_picture(path)
        assert finder.quick(image.min(axis=2)) + finder.again(image) == [], path.name
