"""A folder of pictures as a camera: they come in name order, one every two seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraMissing, FrameMissing
from tableref_vision.pictures import read_picture

SUFFIXES = (".bmp", ".jpeg", ".jpg", ".png", ".webp")
DIGITS = "0123456789"
PERIOD = 2.0  # seconds between two pictures: each is a moment of its own, not a piece of film


class FolderCamera:
    """The pictures of one folder, sorted by name; the time of each follows from its place."""

    waits = True

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise CameraMissing(f"{folder}: there is no such folder of pictures")
        try:
            files = [file for file in folder.iterdir() if _is_picture(file.name)]
        except OSError as error:
            raise CameraMissing(f"{folder}: cannot be read ({error.strerror})") from error
        if not files:
            raise CameraMissing(f"{folder}: holds no pictures ({', '.join(SUFFIXES)})")
        self._folder = folder
        self._files = sorted(files, key=lambda file: name_order(file.name))

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Every picture once, or those behind the one named `after`.

        FrameMissing where there is none of that name, PictureError at one that cannot be read;
        `next` then goes on.
        """
        names = [file.name for file in self._files]
        numbers: list[int | None] = [*range(len(names))]
        if after in names:
            del numbers[: names.index(after) + 1]
        elif after:
            numbers.insert(0, None)
        return map(partial(self._frame, after), numbers)

    def _frame(self, after: str, number: int | None) -> Frame:
        if number is None:
            raise FrameMissing(
                f"{self._folder}: {after}, the picture that was looked at last, is not there any"
                " more; its first picture is the next"
            )
        file = self._files[number]
        return Frame(read_picture(file), number * PERIOD, file.name)

    def close(self) -> None:
        """Nothing is held open."""


def _is_picture(name: str) -> bool:
    """Whether a file's name is that of a picture; macOS adds a `._` file to each that it copies."""
    return name.lower().endswith(SUFFIXES) and not name.startswith("._")


def name_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """What names are sorted by: numbers within them count as numbers, photo2 before photo10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(False, int(p), "") if p[0] in DIGITS else (True, 0, p) for p in parts], name


def open_camera(words: str) -> FolderCamera:
    """The camera of the folder with this path. CameraMissing"""
    return FolderCamera(Path(words))
