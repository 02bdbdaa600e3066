"""Pictures kept as evidence: which, where, how many; and that nobody waits for them."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tableref.cli import main
from tableref.devices.trouble import DeviceError
from tableref.referee.album import Album
from tableref.referee.desk import Feedback
from tableref.referee.inputs import MatSeen, Seen
from tableref.referee.keeping import WAITING, Keeper
from tableref.referee.pictures import Pictures
from tableref.referee.table import Phase
from tableref_vision.camera import Frame
from tableref_vision.dice.throw import MatLook
from tableref_vision.opencv import cv2
from tableref_vision.view import Lens, View
from tests.referee.conftest import BOARD, seen

START = {piece.id: (piece.start, piece.heading) for piece in BOARD.pieces}
RULING = ({"event": "ruling"},)


def view() -> View:
    """A camera 700 mm above the middle of the board."""
    turn = np.array([np.pi, 0.0, 0.0])
    return View(Lens.unknown(640, 480), turn, np.array([0.0, 0.0, 700.0]), 0.0, 0.1, 0.1)


def frame(name: str, shade: int = 100) -> Frame:
    return Frame(np.full((480, 640, 3), shade, np.uint8), float(name), name)


def look(pictures: Pictures, name: str, shade: int = 100, red: str = "a1", **more: Any) -> None:
    """The eye reads a frame in which red stands there."""
    cars = START | {"red": (red, "E")}
    given = seen(cars, name, float(name), **more)
    pictures.looked("board", frame(name, shade), view(), given)


def look_at_cells(pictures: Pictures, name: str, shade: int, cells: dict[str, str]) -> None:
    """The eye by looks reads a frame in which these pieces stand on their cells."""
    given = seen({}, name, float(name))
    may = {cell: frozenset({text}) for cell, text in cells.items()}
    given = Seen(replace(given.observation, pieces=(), cells=may))
    pictures.looked("board", frame(name, shade), view(), given)


def told(
    step: int, at: str, events: Iterable[Any] = RULING, phase: Phase = Phase.WAITING
) -> Feedback:
    return Feedback(tuple(events), (), {}, (), phase, 0, step, at)


def shade(path: Path) -> int:
    return round(float(cv2.imread(str(path)).mean()))


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, BOARD, 1)


def test_a_ruling_has_the_picture_before_and_the_one_after(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1", 50)
    look(keeper.pictures, "2", 150, red="b2")
    keeper.tell(told(7, "2"))
    keeper.close()
    kept = Album(tmp_path).at(7)
    assert kept is not None
    assert shade(kept.pictures["board-before"]) == 50
    assert shade(kept.pictures["board-after"]) == 150
    reds = [
        piece["cell"]
        for when in ("before", "after")
        for piece in kept.read["seen"][f"board-{when}"]["pieces"]
        if piece["id"] == "red"
    ]
    assert reds == ["a1", "b2"]


def test_before_is_how_it_stood_when_all_was_well_last(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1", 50)
    keeper.tell(told(1, "1"))
    look(keeper.pictures, "2", 100, red="c4")
    keeper.tell(told(2, "2", [{"event": "trouble"}], Phase.REFUSED))
    look(keeper.pictures, "3", 150, red="b2")
    keeper.tell(told(3, "3"))
    keeper.close()
    kept = Album(tmp_path).at(3)
    assert kept is not None
    assert shade(kept.pictures["board-before"]) == 50


def test_the_eye_may_be_a_picture_ahead_of_the_referee(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1", 50)
    look(keeper.pictures, "2", 100, red="b2")
    look(keeper.pictures, "3", 150, red="b3")
    keeper.tell(told(4, "2"))
    keeper.close()
    kept = Album(tmp_path).at(4)
    assert kept is not None
    assert shade(kept.pictures["board-after"]) == 100


def test_pieces_without_tags_that_moved_are_another_sight(keeper: Keeper, tmp_path: Path) -> None:
    look_at_cells(keeper.pictures, "1", 50, {"a1": "red", "b2": ""})
    look_at_cells(keeper.pictures, "2", 150, {"a1": "", "b2": "red"})
    keeper.tell(told(7, "2"))
    keeper.close()
    kept = Album(tmp_path).at(7)
    assert kept is not None
    assert shade(kept.pictures["board-before"]) == 50


@pytest.mark.parametrize("more", [{"hand": True}, {"still": False}, {"pose": "bumped"}])
def test_a_hand_movement_or_a_lost_board_is_no_picture(more: dict[str, Any]) -> None:
    pictures = Pictures()
    look(pictures, "1", **more)
    assert pictures.around("1") == {}


def test_the_memory_is_bounded_however_long_it_looks() -> None:
    pictures = Pictures()
    for number in range(500):
        look(pictures, str(number), red=sorted(BOARD.cells)[number % 30])
    [runs] = pictures._runs.values()
    assert len(runs) <= 3
    for number in range(500, 1000):
        look(pictures, str(number))
    assert len(runs[-1].names) <= 64


def test_the_picture_shows_the_board_alone(keeper: Keeper, tmp_path: Path) -> None:
    """What lies beside the plate is not in it."""
    image = np.full((480, 640, 3), 200, np.uint8)
    x, y = BOARD.plate.width / 2, BOARD.plate.depth / 2
    corners = view().pixels(np.array([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)]))
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (40, 40, 40))
    shown = Frame(image, 1.0, "1")
    keeper.pictures.looked("board", shown, view(), seen(START, "1", 1.0))
    keeper.tell(told(1, "1"))
    keeper.close()
    kept = Album(tmp_path).at(1)
    assert kept is not None
    picture = cv2.imread(str(kept.pictures["board-after"]))
    assert picture is not None
    assert picture.shape[:2] == (592, 592)
    assert picture[8:-8, 8:-8].max() < 60


def test_the_mat_is_kept_too(keeper: Keeper, tmp_path: Path) -> None:
    keeper.pictures.looked("mat", frame("1"), view(), MatSeen(MatLook(1.0, "1")))
    keeper.tell(told(2, "1"))
    keeper.close()
    kept = Album(tmp_path).at(2)
    assert kept is not None
    assert list(kept.pictures) == ["mat-after"]


def test_only_the_owner_may_read_them(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1")
    keeper.tell(told(1, "1"))
    keeper.close()
    files = list((tmp_path / "evidence").iterdir())
    assert len(files) == 2
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in files)
    assert stat.S_IMODE((tmp_path / "evidence").stat().st_mode) == 0o700


def test_above_the_size_the_oldest_go_first(tmp_path: Path) -> None:
    album = Album(tmp_path, 1000)
    for step in range(1, 6):
        album.add(step, {"board-after": b"x" * 300}, {})
    assert album.size() <= 1000
    assert [step for step in range(1, 6) if album.at(step)] == [4, 5] or [
        step for step in range(1, 6) if album.at(step)
    ] == [3, 4, 5]
    again = Album(tmp_path, 1000)
    again.add(6, {"board-after": b"x" * 300}, {})
    assert again.size() <= 1000
    assert again.at(6)


def test_a_full_disk_is_told_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    album = Album(tmp_path)
    album.add(1, {"board-after": b"x"}, {})

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", full)
        with pytest.raises(DeviceError, match="No space left"):
            album.add(2, {"board-after": b"x"}, {})
    assert album.at(2) is None
    assert len(list((tmp_path / "evidence").iterdir())) == 2
    album.add(3, {"board-after": b"x"}, {})


def test_pictures_leave_the_last_of_the_disk_to_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = SimpleNamespace(free=10_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: left)
    with pytest.raises(DeviceError, match="No space left"):
        Album(tmp_path).add(1, {"board-after": b"x"}, {})
    assert Album(tmp_path).at(1) is None


def test_a_file_where_the_folder_of_pictures_should_be_is_told_and_what_to_do(
    tmp_path: Path,
) -> None:
    album = Album(tmp_path)
    (tmp_path / "evidence").write_text("a file")
    for _ in range(2):
        with pytest.raises(DeviceError) as told:
            album.add(1, {"board-after": b"x"}, {})
        assert told.value.what == f"{tmp_path}/evidence: is a file, where Tableref needs a folder"
        assert told.value.advice.startswith("Move it")
    (tmp_path / "evidence").unlink()
    album.add(1, {"board-after": b"x"}, {})
    assert album.at(1)


def test_a_disk_that_can_only_be_read_is_told_where_room_is_to_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    album = Album(tmp_path, most=10)
    album.add(1, {"board-after": b"x"}, {})

    def fixed(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", fixed)
        with pytest.raises(DeviceError, match="can only be read"):
            album.add(2, {"board-after": b"x"}, {})
    assert album.at(1)


def test_a_slow_disk_never_holds_up_the_game(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1")
    with keeper._writing:  # the disk is busy
        for step in range(1, WAITING + 1):
            keeper.tell(told(step, "1"))
        with pytest.raises(DeviceError, match="too slow"):
            keeper.tell(told(99, "1"))
    keeper.close()
    assert Album(tmp_path).at(1)


def test_what_is_no_picture_of_ours_stays_where_pictures_are_deleted(tmp_path: Path) -> None:
    album = Album(tmp_path)
    album.add(1, {"board-after": b"x"}, {})
    (tmp_path / "evidence" / "notes.txt").write_text("mine")
    assert album.delete() == 2
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == ["notes.txt"]


def test_plots_that_were_written_down_need_no_picture(keeper: Keeper, tmp_path: Path) -> None:
    look(keeper.pictures, "1")
    keeper.tell(told(1, "1", []))
    keeper.close()
    assert Album(tmp_path).at(1) is None


def test_it_is_kept_by_default_told_at_the_start_and_switched_off_by_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = ["demo", "--rounds", "1", "--json", "--out"]
    assert main([*demo, str(tmp_path / "on")]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["event"] == "evidence"
    assert "200 MB" in events[0]["text"][0]
    names = {path.name for path in (tmp_path / "on" / "evidence").iterdir()}
    rulings = sum(name.endswith("after.jpg") for name in names)
    assert rulings >= 8
    demo = ["demo", "--turns", "1", "--json", "--out"]
    assert main([*demo, str(tmp_path / "off"), "--evidence", "off"]) == 0
    assert '"evidence"' not in capsys.readouterr().out
    assert not (tmp_path / "off" / "evidence").exists()


def test_the_reading_of_a_frame_is_an_input(keeper: Keeper) -> None:
    """Pictures are beside the step: what was seen is not changed by keeping it."""
    given = seen(START, "1", 1.0)
    before = given.record()
    keeper.pictures.looked("board", frame("1"), view(), given)
    keeper.close()
    assert isinstance(given, Seen)
    assert given.record() == before
