"""`tableref demo`: what is played, and how the virtual players play it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import get_args

import pytest

from tableref.cli import main
from tableref.devices.lock import FileLock
from tableref.referee.games import load_game
from tableref.referee.journal import Journal
from tableref.rulebook.text import LANGUAGES
from tableref.rules.autoscooter.actions import Plot
from tableref.sim.people import People, Slip, Slipped


def test_a_demo_plays_with_the_options_that_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", "scorpion", "--senses", "switches", "--turns", "2", "--json"]
    told = ["--setup", "players=4", "--setup", "teams=true", "--setup", "partner_throws=true"]
    assert main(["demo", *words, *told, "--out", str(tmp_path)]) == 0
    setup = Journal.read(tmp_path / "journal.sqlite3").head()["setup"]
    assert setup == {
        "players": 4, "teams": True, "partner_throws": True, "cells_per_side": 8,
        "names": ["Ada", "Ben", "Cleo", "Dan"],
    }  # fmt: skip
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1]["event"] == "end"


def test_a_demo_says_in_its_language_where_pictures_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", "skorpion-deep", "--senses", "switches", "--turns", "1", "--lang", "de"]
    assert main(["demo", *words, "--out", str(tmp_path)]) == 0
    [where] = [line for line in capsys.readouterr().out.splitlines() if "screens" in line]
    assert where.startswith("Was die Anzeige und die Lichter des Bretts zeigten: ")


def test_a_ruling_of_what_nobody_did_is_told_in_the_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(people: People, room: object) -> None:
        people.slips.append(Slip(2.6, "action", "red>b1NE", "{}", "None"))

    monkeypatch.setattr(People, "play", play)
    words = ["--game", "skorpion-deep", "--senses", "switches", "--lang", "de"]
    assert main(["demo", *words, "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "nach 3 s: das wird nicht entschieden: rot>b1NO; der Schiedsrichter hat {}" in said


@pytest.mark.parametrize("key", get_args(Slipped))
def test_every_such_ruling_has_words_in_every_language(key: Slipped) -> None:
    slip = Slip(1.0, key, "", "", "")
    assert len({slip.text(lang).partition(": ")[2] for lang in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize("told", ["teams=true", "players=five", "wheels=3", "players"])
def test_options_that_cannot_be_are_told_and_nothing_is_cleared_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: str
) -> None:
    (tmp_path / "made-by-tableref-demo").write_text("")
    words = ["--game", "scorpion", "--setup", told, "--out", str(tmp_path)]
    assert main(["demo", *words]) == 2
    said = capsys.readouterr().err
    assert told.partition("=")[0] in said
    assert "Traceback" not in said
    assert [path.name for path in tmp_path.iterdir()] == ["made-by-tableref-demo"]


def test_a_folder_in_which_another_process_plays_is_refused_and_names_it_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "made-by-tableref-demo").write_text("")
    lock = FileLock(tmp_path / "journal.lock")
    try:
        assert main(["demo", "--out", str(tmp_path)]) == 2
    finally:
        lock.close()
    said = capsys.readouterr().err
    assert f"{tmp_path}: process {os.getpid()} (" in said
    assert said.rstrip().endswith("plays here; choose another --out")


def test_people_seldom_leave_a_number_or_a_letter_open() -> None:
    game = load_game("autoscooter")
    noted = []
    for seed in range(40):
        people = People(game, {"players": 4}, seed)
        for car in range(8):
            people._by_chance(f"plot {car}")
            action = people._choice()
            assert isinstance(action, Plot)
            noted.append(action)
    left_open = sum(None in (plot.number, plot.letter) for plot in noted)
    assert 0 <= left_open < 0.05 * len(noted)
    assert len({plot.letter for plot in noted}) > 10
