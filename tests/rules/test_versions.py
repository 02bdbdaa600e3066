"""Records that were made under older rules: `tableref check --as-of`, by a toy change of a rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.referee.games import load_game
from tableref.rules.autoscooter import Autoscooter, Layout
from tableref.rules.surface import Record
from tableref.rules.versions import NoSuchVersion, as_of, kept_versions
from tableref_hardware import load_board


class Mended(Autoscooter):
    """Version 2 of the rules: AS-5.4 is read the other way, the old reading is an option."""

    rules_version = "2"
    readings = {"1": {"side_turn": "pivot"}}  # noqa: RUF012 - as a game would declare it

    def start(self, setup: Record) -> Any:
        return super().start({"side_turn": "nose-away", **setup})


MENDED = Mended(Layout(load_board("autoscooter").data))

SIDE_HIT: dict[str, Any] = {
    "format": "table-record/1",
    "game": "autoscooter",
    "rules_version": "1",
    "setup": {"players": 8},
    "position": {
        "cars": {
            "red": {"cell": "b3", "heading": "E", "speed": 1},
            "orange": {"cell": "c3", "heading": "SE", "speed": 1},
        }
    },
    "steps": [
        {
            "run_only": "red",
            "do": [{"plot": {"car": "red", "number": 1, "letter": "C"}}],
            "expect": {"cars": {"orange": {"heading": "SW"}}},
        }
    ],
}


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record of version 1, on a Tableref that plays by version 2."""
    monkeypatch.setattr("tableref.commands.check.load_game", lambda name, board: MENDED)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(SIDE_HIT), encoding="utf-8")
    return path


def test_what_does_not_replay_says_step_and_version(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(record)]) == 1
    assert capsys.readouterr().out == (
        f"{record}: step 1: cars.orange.heading: expected 'SW', found 'E' (made under rules"
        " version 1, these are 2; --as-of 1 replays it by those)\n"
    )


def test_as_of_its_version_it_replays(record: Path) -> None:
    assert main(["check", "--as-of", "1", str(record)]) == 0


def test_as_of_the_present_version_it_does_not(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--as-of", "2", str(record)]) == 1
    assert capsys.readouterr().out.endswith("expected 'SW', found 'E'\n")


def test_as_of_a_version_that_is_not_kept(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--as-of", "0", str(record)]) == 1
    told = capsys.readouterr().out
    assert "no reading of rules version '0' of autoscooter; there are 1, 2" in told


def test_a_version_that_is_not_kept_says_so(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_text(json.dumps({**SIDE_HIT, "rules_version": "0"}), encoding="utf-8")
    assert main(["check", str(record)]) == 1
    assert (
        "(made under rules version 0, these are 2; those are not kept)" in capsys.readouterr().out
    )


def test_a_record_that_names_the_option_keeps_it() -> None:
    named = {**SIDE_HIT, "setup": {"side_turn": "nose-away"}}
    assert as_of(MENDED, named, "1")["setup"] == {"side_turn": "nose-away"}


def test_a_game_whose_rules_never_changed_keeps_its_one_version() -> None:
    game = load_game("skorpion-deep")
    assert kept_versions(game) == (game.rules_version,)
    assert as_of(game, SIDE_HIT, game.rules_version) == SIDE_HIT
    with pytest.raises(NoSuchVersion):
        as_of(game, SIDE_HIT, "0")
