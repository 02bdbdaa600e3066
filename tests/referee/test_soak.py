"""Hours of play in one process: nothing grows, no move is missed, every journal is the script."""

from __future__ import annotations

import os

from tests.referee.soaking import PLAYED, soak

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
        # What a picture took is given back now and then: the least of a round is what stays.
        each = len(PLAYED)
        settled, last = played[2 * each : 4 * each], played[-2 * each :]
        least, most = (min(one.memory for one in part) for part in (settled, last))
        assert most < least + GROWTH, [one.memory for one in played]
        assert last[-1].files <= settled[-1].files
