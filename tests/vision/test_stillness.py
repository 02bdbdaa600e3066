"""Hands and movement cover what they touch; changes of light do not (C2 to C5)."""

from __future__ import annotations

import numpy as np
import pytest

from tableref.devices.lights import Meaning
from tableref.sim.draw import Hand


def brighter(image: np.ndarray, factor: np.ndarray | float) -> np.ndarray:
    return np.clip(image.astype(np.float32) * factor, 0, 255).astype(np.uint8)


def test_nothing_is_read_under_a_moving_hand_and_the_rest_is(film):
    for step in range(6):
        hand = Hand(-150.0 + 15.0 * step, 0.0, 180.0)
        seen = film.show(film.table.picture(hands=[hand]))
        assert seen.hand
        assert not seen.still
        assert "a4" in seen.covered
        assert seen.not_seen == ("black",)
        assert all(piece.cell not in seen.covered for piece in seen.pieces)
        assert len(seen.pieces) == 7


def test_a_hand_that_rests_still_covers(film):
    image = film.table.picture(hands=[Hand(-60.0, 0.0, 180.0)])
    *_, seen = film.seconds(0.8, image)
    assert seen.still
    assert seen.hand
    assert {"a4", "b4"} <= seen.covered
    assert "black" in seen.not_seen


def test_it_reads_again_within_half_a_second_after_a_hand_has_left(film):
    for step in range(4):
        film.show(film.table.picture(hands=[Hand(-60.0 + step, 0.0, 180.0)]))
    film.table.put("black", "b4", "E")
    *_, seen = film.seconds(0.5)
    assert seen.still
    assert not seen.hand
    assert {piece.id: piece.cell for piece in seen.pieces}["black"] == "b4"


def test_a_car_that_is_set_down_is_read_once_it_rests(film):
    film.table.put("red", "c4", "NE")
    first = film.show()
    assert "red" in first.not_seen
    assert {"a1", "c4"} <= first.covered
    *_, seen = film.seconds(0.5)
    assert ("red", "c4", "NE") in {(p.id, p.cell, p.heading) for p in seen.pieces}


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(lambda t, y, x: 1.0 - 0.05 * t, id="exposure settling"),
        pytest.param(lambda t, y, x: 1.0 + 0.15 * np.sin(12 * y + 2 * t), id="flicker in bands"),
        pytest.param(lambda t, y, x: (0.5 + 0.4 * x) if t > 3 else 0.6, id="a lamp at the side"),
        pytest.param(
            lambda t, y, x: 0.5 + 0.4 * np.exp(-4 * ((x - 0.2) ** 2 + y**2)) * (t > 3),
            id="a lamp near by",
        ),
    ],
)
def test_a_change_of_light_neither_moves_nor_covers_nor_unsees(film, light):
    y, x = np.mgrid[0:1:540j, 0:1:960j]
    for tenth in range(7):
        factor = np.broadcast_to(light(tenth, y, x), y.shape)[..., None]
        seen = film.show(brighter(film.table.picture(), factor))
        assert not seen.hand
        assert seen.covered == frozenset()
        assert len(seen.pieces) == 8


def test_a_lamp_that_blinds_the_camera_hides_cars_for_a_moment_and_moves_none(film):
    glare = np.linspace(0.7, 1.6, 960)[None, :, None]
    before = {piece.id: (piece.cell, piece.heading) for piece in film.show().pieces}
    for factor in (1.0, 1.0, glare, glare, glare, glare, glare):
        seen = film.show(brighter(film.table.picture(), factor))
        assert all(before[p.id] == (p.cell, p.heading) for p in seen.pieces)
    assert seen.still
    assert len(seen.pieces) >= 7


def test_the_boards_own_lights_are_no_movement_where_they_are_known_to_shine(film):
    film.table.lights = {"c4": Meaning.TROUBLE.value, "d4": Meaning.LAST_MOVE.value}
    for _ in range(5):
        seen = film.show(lit=("c4", "d4"))
        assert seen.still
        assert seen.covered == frozenset()
    film.table.lights = {}
    for _ in range(5):
        seen = film.show()
        assert seen.still
        assert seen.covered == frozenset()


def test_movement_beside_the_board_is_none_on_it(film):
    image = film.table.picture().copy()
    image[:60, :90] = 255
    seen = film.show(image)
    assert seen.still
    assert len(seen.pieces) == 8


def test_while_nothing_moves_the_last_reading_stands_with_a_new_time(film):
    before = film.show()
    after = film.show()
    assert after.time > before.time
    assert after.pieces is before.pieces


def test_frames_far_apart_say_nothing_about_movement(film):
    film.time += 1.0
    film.table.put("red", "c4", "NE")
    seen = film.show()
    assert seen.still
    assert "red" not in seen.not_seen


def test_a_piece_without_tag_in_sight_covers_its_cell(film):
    image = film.table.picture().copy()
    middle = film.reader.view.pixels(np.array([(-25.4, 0.0, 6.0)]))[0].astype(int)
    image[middle[1] - 9 : middle[1] + 9, middle[0] - 9 : middle[0] + 9] = (30, 30, 30)
    *_, seen = film.seconds(0.6, image)
    assert seen.covered == {"c4"}
    assert not seen.hand
