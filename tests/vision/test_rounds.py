"""Rings and crescents at all places of a patch at once, against the same counted one by one."""

from __future__ import annotations

import numpy as np

from tableref_hardware import load_board
from tableref_vision.untagged.change import unlike
from tableref_vision.untagged.ground import discs, patch
from tableref_vision.untagged.rounds import Rings


def test_what_discs_hold_is_counted_at_all_places_at_once() -> None:
    look = load_board("scorpion").looks["scorpion"]
    rings = Rings(look)
    random = np.random.default_rng(5)
    marked = random.random(rings.x.shape) < 0.3
    held, beside = rings.crescents(marked), rings.surroundings(marked)
    for number in range(0, len(rings.places), 17):
        x, y = rings.places[number]
        away = np.hypot(rings.x - x, rings.y - y)
        assert round(float(held[number])) == np.count_nonzero(marked & (away < rings.radius - 0.7))
        ring = (away > rings.radius + 0.7) & (away < rings.radius + 2.5)
        assert round(float(beside[number])) == np.count_nonzero(marked & ring)


def test_a_shadow_on_a_colour_is_not_unlike_it_and_another_hue_is() -> None:
    colour = np.array([90.0, 120.0, 160.0], np.float32)
    pixels = np.array([colour, colour * 0.6, colour * 0.2, colour[::-1]], np.float32)
    apart = unlike(pixels, colour)
    assert apart[:2].max() < 0.2
    assert apart[2] > 25.0  # darker than any shadow
    assert apart[3] > 20.0
    np.testing.assert_allclose(unlike(pixels, np.tile(colour, (4, 1))), apart, atol=0.2)


def test_pixels_around_many_places_are_those_of_their_patches() -> None:
    flat = np.arange(80 * 60).reshape(80, 60)
    places = np.array([(0.0, 0.0), (-28.0, 37.5), (12.5, -20.0)])
    axis = np.arange(-6, 7)
    inside = np.hypot(*np.meshgrid(axis, axis)) <= 6
    for (x, y), numbers in zip(places, discs(places, 6, (80, 60)), strict=True):
        assert np.array_equal(flat.ravel()[numbers], patch(flat, x, y, 6)[inside])
