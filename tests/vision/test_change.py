"""What differs from the empty board, and what of it is a shadow."""

from __future__ import annotations

import numpy as np
import pytest

from tableref_vision.opencv import Picture, cv2
from tableref_vision.untagged.change import ALIKE, LOGS, Change, middle
from tableref_vision.untagged.light import Light

SIZE = 400  # mm of the plate's sides


def light(field: float = 1.0) -> Light:
    """Light that is the same all over the plate."""
    ratios = np.full((SIZE, SIZE, 3), field, np.float32)
    return Light(np.zeros((6, 3)), ratios, np.zeros(0, bool), burnt=False)


def plate(seed: int) -> Picture:
    grain = np.random.default_rng(seed).integers(90, 150, (SIZE // 8, SIZE // 8, 3), np.uint8)
    return np.asarray(cv2.resize(grain, (SIZE, SIZE)), np.uint8)


def test_what_is_only_darker_is_a_shadow_and_another_colour_is_none() -> None:
    empty = plate(1)
    now = empty.copy()
    now[50:90, 50:90] = empty[50:90, 50:90] * 0.6
    now[200:240, 200:240] = (200, 60, 30)
    change = Change(now, empty, light())
    assert change.noticed[55:85, 55:85].mean() > 0.95
    assert change.shade[change.noticed][:100].all()
    assert change.noticed[205:235, 205:235].all()
    assert not change.shade[205:235, 205:235].any()
    assert not change.noticed[300:, 300:].any()


def test_a_shadow_is_told_by_the_colours_whose_ratios_are_farthest_apart() -> None:
    """One colour after the other, as all three at once would tell it."""
    now, empty = plate(2), plate(3)
    change = Change(now, empty, light())
    ratio = cv2.blur(LOGS[now] - LOGS[empty], (3, 3))
    most, least = ratio.max(axis=2), ratio.min(axis=2)
    even = (most < 0.0) & (most - least < ALIKE - 0.15 * least)
    assert change.shade.any()
    assert np.array_equal(change.shade, even & change.noticed)


@pytest.mark.parametrize("count", [1, 2, 7, 450, 451])
@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_the_middle_of_colours_is_their_median(count: int, kind: type) -> None:
    colours = np.random.default_rng(count).integers(0, 256, (count, 3)).astype(kind)
    found = middle(colours)
    assert np.array_equal(found, np.median(colours, axis=0))
