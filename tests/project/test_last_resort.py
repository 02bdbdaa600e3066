"""What the command line does where nothing else helps, and what it refuses before it starts."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tableref.cli import Parser, main
from tableref.faults import report, without_secrets


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence with which a command line is refused."""
    code = main(arguments)
    out, error = capsys.readouterr()
    assert (code, out, error.count("\n")) == (2, "", 1), (code, out, error)
    return error


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line.replace("tableref", f"{shlex.quote(sys.executable)} -m tableref")],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **more},
    )


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A command with a fault of its own; the folder that its reports go to."""
    from tableref.commands import rules_

    def run(args: argparse.Namespace) -> int:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(rules_, "run", run)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "tableref"


def test_a_fault_is_told_in_one_sentence_and_written_to_a_file(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "squod"]) == 70
    error = capsys.readouterr().err
    (path,) = broken.iterdir()
    assert error.startswith("tableref: a fault of Tableref")
    assert str(path) in error
    assert error.count("\n") == 1
    text = path.read_text()
    assert "ZeroDivisionError: a fault" in text
    assert "'rules' 'squod'" in text
    assert path.stat().st_mode & 0o777 == 0o600


def test_where_no_folder_takes_a_report_the_place_is_told(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> int:
        raise OSError("read-only")

    monkeypatch.setattr(os, "open", full)
    assert main(["rules", "squod"]) == 70
    assert "test_last_resort.py, line" in capsys.readouterr().err


def test_a_report_goes_where_all_may_write_if_need_be(
    broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert f"written to {tmp_path}/fault-" in report(ZeroDivisionError(), [])


def test_a_report_holds_no_secrets() -> None:
    words = ["x", "--password", "abc", "--api-token=abc", "--seed", "7"]
    assert without_secrets(words) == ["x", "--password", "...", "--api-token=...", "--seed", "7"]


def test_closed_output_is_as_good_as_none(tmp_path: Path) -> None:
    run = shell("tableref rules squod 1.1 >&- && tableref lookup how far <&- >&-")
    assert (run.returncode, run.stderr) == (0, "")
    save = tmp_path / "game.json"
    run = shell(f"tableref play squod --save {save} <&- >&- 2>&-")
    assert run.returncode == 0
    assert save.read_text().startswith("{")


def test_a_reader_that_goes_away_is_no_trouble() -> None:
    run = shell("tableref rules autoscooter | head -1")
    assert (run.returncode, run.stderr) == (0, "")


def test_words_behind_two_dashes_are_taken_as_they_are() -> None:
    parser = Parser(prog="x")
    parser.add_argument("first")
    parser.add_argument("rest", nargs="*", type=Path)
    parser.add_argument("--lang")
    found = parser.read(["--lang", "fr", "--", "-a", "--lang", "--"], intermixed=True)
    assert found.lang == "fr"
    assert (found.first, found.rest) == ("-a", [Path("--lang"), Path("--")])
    found = parser.read(["a", "--", "--lang"], intermixed=True)
    assert (found.first, found.rest, found.lang) == ("a", [Path("--lang")], None)


@pytest.mark.parametrize("name", ["Squod", "arrows AND stars", "ARROWS_AND_STARS", "skorpion deep"])
def test_a_game_may_be_typed_in_any_usual_way(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", name, "1.1"]) == 0
    capsys.readouterr()
    words = refusal(capsys, "referee", "--game", name, "--camera", "folder:x", "--out", "y")
    assert "there is no such folder of pictures" in words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("demo --seed -5", "expected a whole number, 0 to"),
        ("demo --rounds 0", "1 to 10000, found '0'"),
        ("demo --rounds -1", "1 to 10000"),
        ("demo --rounds 12", "autoscooter has 11 at most"),
        ("demo --game scorpion --rounds 3", "scorpion has no rounds; say --turns"),
        ("demo --record /none/x", "/none/x: cannot be written"),
        ("demo --calibration /none/x", "/none/x: cannot be read"),
        ("rules squod --out x.pdf", "say --pdf too"),
        ("rules squod --paper a4", "say --pdf too"),
        ("print mat squod", "the same for every game"),
        ("print calibration squod", "the same for every game"),
        ("print tags --out /none/x.pdf", "/none/x.pdf: cannot be written"),
        ("play squod --save /none/x", "/none/x: cannot be written"),
        ("play squod --seed -1", "expected a whole number"),
        ("play squod --random 3", "expected 0 to 2"),
        ("play chess", "there is no game 'chess'; there are autoscooter"),
        ("play squod --set players=2 --set players=2", "said twice"),
        ("panel --seconds -1", "expected a number, 0 to 3600"),
        ("panel --patience nan", "expected a number, 0 to 3600"),
        ("calibrate x.png --ruler nan", "expected a number"),
        ("calibrate x.png --out /none/x", "/none/x: cannot be written"),
        ("ask x words --kind what-if", "either words or --kind"),
        ("ask x words --piece red", "belong to --kind"),
        ("board status --port virtual --log /none/x", "/none/x: cannot be written"),
        ("referee --game autoscooter --camera folder:x --out y --setup players=²", "players"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_starts(
    line: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert words in refusal(capsys, *line.split())
    assert not list(tmp_path.iterdir())
