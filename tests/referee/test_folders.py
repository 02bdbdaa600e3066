"""Folders and files of an evening: nothing that somebody else wrote is touched."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from PIL import Image

from tableref.cli import main
from tableref.errors import UserError
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.journal import Journal
from tableref.referee.recording import new_recording


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def evening(folder: Path, camera: str) -> None:
    made = new_evening(folder, "scorpion", {"players": 2}, [], camera)
    made.journal.begin()
    made.journal.close()


# -- a demo's folder (A6) --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "strange",
    [
        "notes.txt",
        "photo.jpg",
        "screens/holiday.png",
        "camera/sub/0001.jpg",
        "lights.txt",
        ".git/x",
    ],
)
def test_a_demo_touches_no_folder_that_holds_anything_else(
    tmp_path: Path, strange: str, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(tmp_path, "virtual:7")
    (tmp_path / strange).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / strange).write_text("mine")
    before = contents(tmp_path)
    assert main(["demo", "--rounds", "1", "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "nothing in" in error
    assert error.count("\n") == 1
    assert contents(tmp_path) == before


def test_a_real_evening_is_no_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening(tmp_path, "usb:0")
    before = contents(tmp_path)
    assert main(["demo", "--rounds", "1", "--out", str(tmp_path)]) == 2
    assert "holds no demo" in capsys.readouterr().err
    assert contents(tmp_path) == before


def test_a_demo_in_the_folder_one_stands_in_is_refused_where_it_is_not_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plots.json").write_text("{}")
    (tmp_path / "screens").mkdir()
    assert main(["demo", "--rounds", "1", "--out", "."]) == 2
    assert "holds no demo" in capsys.readouterr().err
    assert (tmp_path / "plots.json").read_text() == "{}"


def test_a_link_in_a_demos_folder_is_not_followed(tmp_path: Path) -> None:
    evening(tmp_path / "demo", "virtual:7")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "0001.jpg").write_text("mine")
    (tmp_path / "demo" / "camera").symlink_to(tmp_path / "mine")
    assert main(["demo", "--rounds", "1", "--out", str(tmp_path / "demo")]) == 2
    assert (tmp_path / "mine" / "0001.jpg").exists()


def test_a_demo_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    out = tmp_path / "demo"
    for _ in range(2):
        assert (
            main(["demo", "--senses", "switches", "--rounds", "1", "--out", str(out), "--json"])
            == 0
        )
    assert stat.S_IMODE((out / JOURNAL).stat().st_mode) == 0o600
    assert len(list(Journal.read(out / JOURNAL).rows())) > 5


def test_a_demo_says_that_it_cannot_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening(tmp_path, "virtual:7")
    assert main(["resume", str(tmp_path)]) == 2
    assert "a demo cannot go on, for its virtual players ended with it; play another with" in (
        capsys.readouterr().err
    )


# -- recordings ------------------------------------------------------------------------------------


def test_a_recording_never_takes_the_place_of_anything(tmp_path: Path) -> None:
    (tmp_path / "inputs").write_text("an evening")
    with pytest.raises(UserError, match="nothing recorded is overwritten"):
        new_recording(tmp_path / "inputs")
    assert (tmp_path / "inputs").read_text() == "an evening"


def test_only_its_owner_may_read_a_recording(tmp_path: Path) -> None:
    new_recording(tmp_path / "inputs").close()
    assert stat.S_IMODE((tmp_path / "inputs").stat().st_mode) == 0o600


# -- nothing begins before all of it is there (B8) -------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [["--camera", "folder:nowhere"], ["--calibration", "nowhere"], ["--record", "/nowhere/inputs"]],
)
def test_a_mistyped_word_leaves_no_game_behind(
    tmp_path: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (640, 480)).save(tmp_path / "pictures" / "1.png")
    words = ["referee", "--game", "autoscooter", "--out", str(tmp_path / "out")]
    words += ["--camera", f"folder:{tmp_path / 'pictures'}", *wrong]
    assert main(words) == 2
    assert "nowhere" in capsys.readouterr().err
    assert list((tmp_path / "out").glob("journal*")) == []
