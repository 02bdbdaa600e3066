"""A demo that is ended at any point, by any signal, and taken up again: the game that it was."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.evening import JOURNAL
from tableref.referee.games import GAMES
from tableref.referee.resuming import viewed_evening
from tableref.referee.table import Row
from tests.referee.test_kills import CLEAN, ENDS, FULL, POINTS, Event, plain, run

SEED = 7
KILLS, EVENINGS = 20, 2
"""Ends of a demo in the long form, and demos of a game."""


def command(game: str, out: Path, turns: int, senses: str) -> list[str]:
    """Begins the demo, or goes on with it where it has begun."""
    if (out / JOURNAL).exists():
        return ["resume", str(out), "--json"]
    how = ["--turns", str(turns), "--senses", senses] if senses else ["--turns", str(turns)]
    return ["demo", "--game", game, "--seed", str(SEED), "--json", "--out", str(out), *how]


def rulings(events: Sequence[Event]) -> list[Event]:
    """What was ruled, as somebody knows who has heard these: what is repeated is nothing new."""
    known: list[Event] = []
    for event in events:
        ruled = {key: value for key, value in plain(event).items() if key != "frame"}
        if event["event"] == "ruling" and not (event.get("repeated") and ruled in known[-3:]):
            known.append(ruled)
    return known


def actions(out: Path) -> list[tuple[Any, Any]]:
    """The actions of a game, and whether each followed by itself."""
    rows: list[Row] = list(viewed_evening(out).journal.rows())
    return [(row.data["action"], row.data["followed"]) for row in rows if row.kind == "action"]


def files(out: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in out.rglob("*") if path.suffix in (".png", ".jpg")}


def survives(
    game: str, turns: int, senses: str, tmp_path: Path, ends: Sequence[tuple[str, int, str]]
) -> int:
    """Ends a demo so often, and checks that it is the game that was never ended. Returns how often
    it was ended indeed."""
    code, whole, errors = run(command(game, tmp_path / "whole", turns, senses))
    assert code == 0, errors
    out, heard, ended = tmp_path / "ended", list[Event](), 0
    for point, number, name in (*ends, ("write", 0, "SIGKILL")):
        before = files(out)
        code, more, errors = run(command(game, out, turns, senses), point, number, name)
        heard += more
        assert "Traceback" not in errors, errors
        assert "not ruled" not in errors, errors
        assert code in (0, -9, *CLEAN.values()), errors
        if code in CLEAN.values():
            assert f"tableref resume {out}\n" in errors
        ended += code != 0
        after = files(out)
        assert before.items() <= after.items(), "nothing that was written is overwritten"
    assert actions(out) == actions(tmp_path / "whole")
    assert rulings(heard) == rulings(whole)
    for each in (out, tmp_path / "whole"):
        assert viewed_evening(each).state.phase.value == "over"
    states = [viewed_evening(each).state.table.state for each in (out, tmp_path / "whole")]
    assert states[0] == states[1]
    return ended


SHORT = [
    ("scorpion", 4, "", [
        ("written", 3, "SIGKILL"), ("told", 2, "SIGTERM"), ("write", 2, "SIGINT"),
        ("written", 1, "SIGHUP"),
    ]),
    ("autoscooter", 6, "camera", [("told", 5, "SIGKILL"), ("written", 2, "SIGTERM")]),
    ("arrows-and-stars", 2, "camera", [("written", 3, "SIGKILL")]),
]  # fmt: skip
"""Games with dice and switches, with tags and notes in secret, and without tags."""


@pytest.mark.parametrize(("game", "turns", "senses", "ends"), SHORT)
def test_a_demo_that_is_ended_goes_on_as_it_would_have(
    game: str, turns: int, senses: str, ends: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    assert survives(game, turns, senses, tmp_path, ends) == len(ends)


@pytest.mark.skipif(not FULL, reason="200 ends of demos take half an hour: TABLEREF_FULL=1")
@pytest.mark.parametrize("evening", range(EVENINGS))
@pytest.mark.parametrize("game", GAMES)
def test_demos_ended_two_hundred_times_at_random(game: str, evening: int, tmp_path: Path) -> None:
    chance = random.Random(f"{game} {evening}")
    ends = [
        (chance.choice(POINTS), chance.randint(1, 4), chance.choice((*ENDS, "SIGSTOP")))
        for _ in range(KILLS)
    ]
    assert survives(game, 20, ("", "switches")[evening], tmp_path, ends)
