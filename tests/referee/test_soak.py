"""Hours of play in one process: nothing grows, no move is missed, every journal is the script."""

from __future__ import annotations

import os
import random

import pytest

from tests.referee.soaking import PLAYED, Evening, growth, soak

FULL = bool(os.environ.get("TABLEREF_FULL"))
MINUTES = 120.0
SPEED = 20.0
"""So many virtual seconds a second of CPU, people, drawing and all."""
GROWTH = 10.0  # MB, once every kind of evening has been played twice


def test_evening_after_evening_is_journalled_as_it_was_played_and_nothing_grows() -> None:
    """At full length two hours; else an evening by switches of each board, which is some minutes
    of play in a few seconds."""
    played = []
    for one in soak(MINUTES if FULL else 8.0):
        assert not one.wrong, one
        assert one.actions > 10, one
        played.append(one)
    assert {one.threads for one in played} == {played[0].threads}
    if FULL:
        assert sum(one.seconds for one in played) / sum(one.cpu for one in played) > SPEED
        assert len(played) >= 6 * len(PLAYED)  # so that there is something between the two
        assert growth(played) < GROWTH, [one.memory for one in played]
        assert played[-1].files <= played[4 * len(PLAYED)].files


@pytest.mark.parametrize("leak", [0.0, 0.5, 2.0])
def test_what_every_evening_leaves_behind_is_growth(leak: float) -> None:
    """Beside what pictures take, which comes and goes, and what the first evenings leave."""
    chance = random.Random(4)
    played = [
        Evening(
            "", "", 120.0, 1.0, 60, (), 150 * min(n, 9) / 9 + chance.uniform(0, 25) + n * leak, 1, 9
        )
        for n in range(8 * len(PLAYED))
    ]
    assert (growth(played) >= GROWTH) == (leak > 0)
