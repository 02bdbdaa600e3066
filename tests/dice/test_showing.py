"""What is drawn over a picture of dice can be read."""

import numpy as np
import pytest

from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.showing import draw


def black(width, height, x, y):
    """Px behind the words about a die here, in a white picture."""
    image = np.full((height, width, 3), 255, np.uint8)
    draw(image, [SeenDie(6, False, 0.5, (x, y, 40.0, 40.0), None, "unclear")])
    return int((image == 0).all(axis=2).sum())


@pytest.mark.parametrize("at", [(0, 0), (360, 0), (360, 260), (0, 260), (-20, -20)])
def test_words_about_a_die_at_the_edge_stay_in_the_picture(at):
    whole = black(400, 300, 150, 150)
    assert whole > 0
    assert black(400, 300, *at) == pytest.approx(whole, rel=0.05)


def test_words_in_a_large_picture_are_as_large_as_in_a_small_one():
    small, large = black(800, 600, 300, 300), black(3200, 2400, 1200, 1200)
    assert large / small == pytest.approx(16, rel=0.25)


def test_words_about_dice_that_touch_cover_none_of_each_other():
    image = np.full((600, 800, 3), 255, np.uint8)
    one = black(800, 600, 300, 300)
    draw(
        image,
        [
            SeenDie(6, False, 0.5, (300 + x, 300 + y, 40.0, 40.0), None, "unclear")
            for x, y in [(0, 0), (41, 0), (0, 10), (41, 12)]
        ],
    )
    assert int((image == 0).all(axis=2).sum()) == pytest.approx(4 * one, rel=0.05)
