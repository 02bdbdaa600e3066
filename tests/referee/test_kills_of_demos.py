"""A demo that is ended at any point, by any signal, and taken up again: the game that it was."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.games import GAMES
from tableref.referee.resuming import viewed_evening
from tableref.referee.table import Row
from tests.referee.test_kills import ENDS, FULL, POINTS, Event, plain, run, survives

SEED = 7


def demo(game: str, turns: int, senses: str) -> list[str]:
    """Begins a demo."""
    how = ["--turns", str(turns), "--senses", senses] if senses else ["--turns", str(turns)]
    return ["demo", "--game", game, "--seed", str(SEED), "--json", *how]


def rulings(events: Sequence[Event]) -> list[Event]:
    """What was ruled, as somebody knows who has heard these: of what one process repeats, the
    beginning may be the end of what is known. The frame tells two throws that are alike apart."""
    known, again = list[Event](), list[Event]()
    for event in (*events, {"event": "end"}):
        if event["event"] == "ruling" and event.get("repeated"):
            again.append(plain(event))
            continue
        if event.get("repeated"):
            continue
        old = max(n for n in range(len(again) + 1) if known[len(known) - n :] == again[:n])
        known, again = [*known, *again[old:]], []
        if event["event"] == "ruling":
            known.append(plain(event))
    return [{key: value for key, value in event.items() if key != "frame"} for event in known]


def actions(out: Path) -> list[tuple[Any, Any]]:
    """The actions of a game, and whether each followed by itself."""
    rows: list[Row] = list(viewed_evening(out).journal.rows())
    return [(row.data["action"], row.data["followed"]) for row in rows if row.kind == "action"]


def survives_a_demo(
    game: str, turns: int, senses: str, folder: Path, ends: Sequence[tuple[str, int, str]]
) -> int:
    """Ends a demo so often, and checks that it is the game that was never ended. Returns how often
    it was ended indeed."""
    begun, whole, out = demo(game, turns, senses), folder / "whole", folder / "ended"
    code, told_whole, errors = run([*begun, "--out", str(whole)])
    assert code == 0, errors
    ended, told = survives(begun, out, ends)
    assert actions(out) == actions(whole)
    assert rulings(told) == rulings(told_whole)
    states = [viewed_evening(each).state for each in (out, whole)]
    assert {state.phase.value for state in states} == {"over"}
    assert states[0].table.state == states[1].table.state
    return ended


def test_a_throw_that_is_told_again_is_not_taken_for_the_one_before_it() -> None:
    """Two dice of three, one after the other: the second was never told before it is repeated."""
    first = {"event": "ruling", "action": {"throw": {"tray": "yellow", "value": 3}}, "frame": "1"}
    second = first | {"frame": "2"}
    again = second | {"repeated": True}
    assert len(rulings([first, again])) == len(rulings([first, second, again])) == 2


SHORT = [
    ("scorpion", 4, "", [
        ("written", 3, "SIGKILL"), ("told", 2, "SIGTERM"), ("write", 2, "SIGINT"),
        ("written", 1, "SIGHUP"),
    ]),
    ("autoscooter", 6, "camera", [("told", 5, "SIGKILL"), ("written", 2, "SIGTERM")]),
    ("arrows-and-stars", 2, "camera", [("written", 3, "SIGKILL")]),
]  # fmt: skip
"""Games with dice and switches, with tags and notes in secret, and without tags."""


@pytest.mark.parametrize(("game", "turns", "senses", "ends"), SHORT if FULL else SHORT[:2])
def test_a_demo_that_is_ended_goes_on_as_it_would_have(
    game: str, turns: int, senses: str, ends: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    # A signal that is obeyed may be so late that the demo is over before the next.
    assert survives_a_demo(game, turns, senses, tmp_path, ends) >= max(1, len(ends) - 1)


@pytest.mark.skipif(not FULL, reason="100 ends of demos take a quarter of an hour: TABLEREF_FULL=1")
@pytest.mark.parametrize("game", GAMES)
def test_demos_ended_a_hundred_times_at_random(game: str, tmp_path: Path) -> None:
    """Until there were 20 ends of each game's demos, whatever watches the board."""
    chance, ended, demos = random.Random(game), 0, 0
    while ended < 20:
        demos += 1
        ends = [
            (chance.choice(POINTS), chance.randint(1, 4), chance.choice(ENDS))
            for _ in range(20 - ended)
        ]
        senses = ("", "switches")[demos % 2]
        ended += survives_a_demo(game, 20, senses, tmp_path / str(demos), ends)
        assert demos < 10
