"""Pictures of virtual devices: they go on counting, the last ones stay, a full disk is told."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from PIL import Image

from tableref.devices import gallery
from tableref.devices.gallery import Gallery
from tableref.devices.lights import Meaning, PngLights
from tableref.devices.oled import PngDisplay, Screen
from tableref.devices.trouble import DeviceError
from tableref_hardware.board import Board

DOT = Image.new("1", (1, 1))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_display_goes_on_counting_where_an_earlier_one_ended(tmp_path: Path) -> None:
    PngDisplay(tmp_path).show(Screen("first"))
    first = (tmp_path / "screen-0001.png").read_bytes()
    PngDisplay(tmp_path).show(Screen("second"))
    assert names(tmp_path) == ["screen-0001.png", "screen-0002.png"]
    assert (tmp_path / "screen-0001.png").read_bytes() == first


def test_lights_go_on_counting_too(tmp_path: Path, board: Board) -> None:
    for _ in range(2):
        PngLights(tmp_path, board).show({"a1": Meaning.DUE.value})
    assert names(tmp_path) == ["lights-0001.png", "lights-0002.png"]


def test_only_the_last_ones_stay(tmp_path: Path) -> None:
    kept = Gallery(tmp_path, "screen", most=3)
    for _ in range(5):
        kept.add(DOT)
    assert names(tmp_path) == [f"screen-000{n}.png" for n in (3, 4, 5)]
    assert gallery.MOST == 500


def test_other_files_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "screen-mine.png").write_text("mine")
    (tmp_path / "lights-0009.png").write_text("mine")
    kept = Gallery(tmp_path, "screen", most=1)
    kept.add(DOT)
    kept.add(DOT)
    assert names(tmp_path) == ["lights-0009.png", "screen-0002.png", "screen-mine.png"]


def test_a_full_disk_is_told_with_the_files_name_and_leaves_no_half_picture(
    tmp_path: Path, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Image.Image, path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", full)
    lights = PngLights(tmp_path, board)
    for _ in range(2):  # it is tried again, for room may have been made
        with pytest.raises(DeviceError, match=r"lights-0001\.png: cannot be written"):
            lights.show({"a1": Meaning.DUE.value})
    assert names(tmp_path) == []


def test_a_file_where_the_folder_should_be_is_told_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "screens").write_text("a file")
    for folder in (tmp_path / "screens", tmp_path / "screens" / "deeper"):
        with pytest.raises(DeviceError) as told:
            PngDisplay(folder)
        assert told.value.what == f"{tmp_path}/screens: is a file, where Tableref needs a folder"
        assert "Move it" in told.value.advice


def test_a_folder_that_became_a_file_is_told_as_one(tmp_path: Path, board: Board) -> None:
    lights = PngLights(tmp_path / "lights", board)
    (tmp_path / "lights").rmdir()
    with pytest.raises(DeviceError, match=r"lights-0001\.png: cannot be written.* is gone"):
        lights.show({"a1": Meaning.DUE.value})
    (tmp_path / "lights").write_text("a file")
    with pytest.raises(DeviceError, match="lights: is a file"):
        lights.show({"a1": Meaning.DUE.value})


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EROFS, "can only be read"),
        (errno.EACCES, "belongs to somebody else"),
        (errno.EIO, "Check the disk"),
    ],
)
def test_each_thing_that_keeps_a_picture_from_being_written_has_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, advice: str
) -> None:
    def fails(_: Image.Image, path: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Image.Image, "save", fails)
    with pytest.raises(DeviceError) as told:
        Gallery(tmp_path, "screen").add(DOT)
    assert os.strerror(number) in told.value.what
    assert advice in told.value.advice
