"""The commands on pictures of a dice mat: recorded, killed, resumed, played again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest

from tableref.cli import main
from tableref.referee.evening import JOURNAL
from tableref.referee.journal import Journal
from tableref.sim.mat import Die, VirtualMat
from tableref_vision.dice import reader
from tableref_vision.dice.reader import DiceReader


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty mat, then two dice that come to lie in the yellow tray and lie on."""
    folder = tmp_path_factory.mktemp("pictures")
    table = VirtualMat(4)
    for number in range(20):
        if number == 7:
            table.dice = [Die(3, -100.0, -20.0, 20.0), Die(2, -60.0, 25.0, 65.0)]
        cv2.imwrite(str(folder / f"{number:04d}.jpg"), table.picture())
    return folder


def events(out: str) -> list[dict[str, Any]]:
    """What was told of the game, but not where pictures are kept."""
    told = [json.loads(line) for line in out.splitlines()]
    return [event for event in told if event["event"] != "evidence"]


def test_a_recording_played_again_gives_the_same_rulings(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "inputs"
    told = ["--game", "scorpion", "--camera", f"folder:{pictures}", "--out", str(tmp_path / "e")]
    assert main(["record", str(recording), *told, "--json"]) == 0
    first = events(capsys.readouterr().out)
    assert main(["replay", str(recording), "--json"]) == 0
    assert events(capsys.readouterr().out) == first
    # Two dice were thrown: each is ruled as it lies, or asked about, or thrown again.
    throws = [e["action"]["throw"] for e in first if "throw" in e.get("action", {})]
    assert len(throws) <= 2
    assert all(t in ({"tray": "yellow", "value": v} for v in (2, 3)) for t in throws)
    assert throws or any(e["event"] in ("question", "trouble") for e in first)


def test_killed_in_the_middle_and_resumed_no_throw_is_doubled(
    pictures: Path, tmp_path: Path
) -> None:
    out = tmp_path / "evening"
    run = [sys.executable, "-m", "tableref"]
    begin = [*run, "referee", "--game", "scorpion", "--camera", f"folder:{pictures}"]
    with subprocess.Popen(
        [*begin, "--out", str(out), "--json"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if events(line):
                break  # it has told something, so that is in the journal
        process.send_signal(signal.SIGKILL)
    subprocess.run([*run, "resume", str(out), "--json"], check=True, capture_output=True)
    journal = Journal.open(out / JOURNAL)
    throws = [row for row in journal.rows() if "throw" in row.data.get("action", {})]
    journal.close()
    assert len(throws) <= 2
    values = [row.data["action"]["throw"]["value"] for row in throws]
    assert len(set(values)) == len(values)


@pytest.mark.parametrize("told", ["command", "configuration"])
def test_the_size_that_is_told_counts_when_a_game_begins_and_when_it_goes_on(
    told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[float | None] = []

    class Asked(DiceReader):
        def __init__(self, lens: Any = None, die: float | None = None) -> None:
            sizes.append(die)
            super().__init__(lens, die=die)

    def said(millimetres: int) -> list[str]:
        if told == "command":
            return ["--die", str(millimetres)]
        written = tmp_path / "config.toml"
        written.write_text(f"[dice]\nsize = {millimetres}\n")
        monkeypatch.setenv("TABLEREF_CONFIG", str(written))
        return []

    table, folder, out = VirtualMat(4), tmp_path / "pictures", tmp_path / "evening"
    folder.mkdir()
    monkeypatch.setattr(reader, "DiceReader", Asked)
    for number in range(12):
        table.dice = [Die(3, -100.0, -20.0, 20.0, size=19.0)] if number > 3 else []
        cv2.imwrite(str(folder / f"{number:04d}.jpg"), table.picture())
    begin = ["referee", "--game", "scorpion", "--camera", f"folder:{folder}", "--out", str(out)]
    assert main([*begin, *said(19)]) == 0
    journal = Journal.open(out / JOURNAL)
    assert [row.data["die"] for row in journal.rows() if row.kind == "dice"][-1] == 19.0
    journal.close()
    monkeypatch.delenv("TABLEREF_CONFIG", raising=False)
    assert main(["resume", str(out)]) == 0
    assert main(["resume", str(out), *said(22)]) == 0
    assert sizes == [19.0, 19.0, 22.0]
