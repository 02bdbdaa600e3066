"""What virtual people know of the dice that they threw."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tableref.referee.games import load_game
from tableref.sim.mat import Die
from tableref.sim.throwing import Dice
from tableref_vision.dice import mat

GAME = load_game("scorpion")
X, Y = mat.TRAYS["black"]


def thrown(*dice: Die) -> Dice:
    """These dice lie on the mat, and nothing is ruled yet."""
    room: Any = SimpleNamespace(mat=SimpleNamespace(dice=list(dice)))
    found = Dice(room, random.Random(1), 0.0, lambda number: None)
    found.pending = list(dice)
    return found


@pytest.mark.parametrize(
    "leaning",
    [
        pytest.param(Die(3, X + mat.INSIDE - 5.0, Y, 0.0, 24.0, 90.0, mat.FLOOR + 4.0), id="rim"),
        pytest.param(Die(3, X + 2.0, Y - 2.0, 0.0, up=mat.top(16.0)), id="on another"),
    ],
)
def test_a_die_that_does_not_lie_flat_is_not_the_one_that_was_ruled(leaning: Die) -> None:
    flat = Die(3, X, Y, 0.0)
    dice, action = thrown(leaning, flat), cast(Any, GAME.thrown("black", 3))
    assert dice.ruled(GAME, action)
    assert dice.pending == [leaning]
    assert not dice.ruled(GAME, action)
