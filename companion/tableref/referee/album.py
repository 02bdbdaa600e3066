"""The pictures that are kept of a game, as files: `evidence/` in its folder.

For each step of the journal that ruled, refused or asked there are, named by the number of the
step's first row, `000123.json` (what was read, and what the switches felt) and pictures of the
board and of the mat alone, `000123-board-before.jpg`, `000123-board-after.jpg`. Only the owner may
read them. Above a size that is set the oldest go.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tableref.devices.trouble import DeviceError, not_written

FOLDER = "evidence"
FORMAT = "table-evidence/1"
MB = 1_000_000
USUAL = 200
"""MB that may be kept where nobody says otherwise: two thousand rulings or so."""

RESERVE = 20 * MB
"""Bytes of the disk that pictures leave free: the journal needs them more."""

_NAME = re.compile(r"(\d{6,})(?:-(?:board|mat)-(?:before|after)\.jpg|\.json)")
_HALF = ".new"


class Kept(NamedTuple):
    """What is kept of a step: `pictures` by place and time (`board-before`), JPEG; `read` as its
    file has it."""

    pictures: Mapping[str, Path]
    read: Mapping[str, Any]


class Album:
    """The pictures of the game in a folder. Reading changes nothing."""

    def __init__(self, folder: Path, most: int = USUAL * MB) -> None:
        """`most` bytes are kept."""
        self.folder, self._most = folder / FOLDER, most
        self._sizes: dict[int, int] | None = None

    def at(self, step: int) -> Kept | None:
        """What is kept of the step whose first row has this number; None where nothing is."""
        files = {name: self.folder / f"{step:06d}-{name}.jpg" for name in self.names(step)}
        read: Any = None
        with contextlib.suppress(OSError, ValueError, RecursionError):  # the pictures say enough
            read = json.loads((self.folder / f"{step:06d}.json").read_text(encoding="utf-8"))
        if not files and read is None:
            return None
        return Kept(files, read if isinstance(read, dict) else {})

    def names(self, step: int) -> tuple[str, ...]:
        """The pictures that are kept of a step, in order."""
        pictures = ("board-before", "board-after", "mat-before", "mat-after")
        files = ((name, self.folder / f"{step:06d}-{name}.jpg") for name in pictures)
        return tuple(name for name, path in files if path.is_file() and not path.is_symlink())

    def changed(self) -> int:
        """A number that is another one once pictures came or went."""
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return 0

    def size(self) -> int:
        """Bytes that are kept."""
        return sum(self._found().values())

    def add(self, step: int, pictures: Mapping[str, bytes], read: Mapping[str, Any]) -> None:
        """Writes what is kept of a step, whole or not at all, then takes the oldest away where it
        is too much. DeviceError names the file"""
        files = {f"{step:06d}-{name}.jpg": data for name, data in pictures.items()}
        text = json.dumps({"format": FORMAT, **read}, ensure_ascii=False)
        files[f"{step:06d}.json"] = text.encode("utf-8", "backslashreplace")
        size = sum(map(len, files.values()))
        try:
            if self._sizes is None:
                self._sizes = self._found()
            self._make_room(self._sizes, size)
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if shutil.disk_usage(self.folder).free < RESERVE + size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.folder))
            for name, data in files.items():
                self._write(self.folder / name, data)
        except OSError as error:
            for name in files:
                with contextlib.suppress(
                    OSError
                ):  # what kept it from being written may do so still
                    (self.folder / name).unlink(missing_ok=True)
            why = not_written(self.folder, error)
            raise DeviceError(
                why.what, f"{why.advice} The game goes on without pictures."
            ) from error
        self._sizes[step] = size

    def delete(self) -> int:
        """Deletes all pictures and what was read in them. Returns how many files. OSError"""
        names = [path for path in self._files() if path.name != FOLDER]
        for path in names:
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # something else lies in it, which stays
            self.folder.rmdir()
        self._sizes = None
        return len(names)

    def _make_room(self, sizes: dict[int, int], size: int) -> None:
        kept = sum(sizes.values())
        for step in sorted(sizes):
            if kept + size <= self._most:
                return
            for path in self.folder.glob(f"{step:06d}[-.]*"):
                if _NAME.fullmatch(path.name):
                    path.unlink(missing_ok=True)
            kept -= sizes.pop(step)

    def _write(self, path: Path, data: bytes) -> None:
        half = path.with_name(path.name + _HALF)
        half.unlink(missing_ok=True)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with open(os.open(half, flags, 0o600), "wb") as file:
                file.write(data)
            half.replace(path)
        except OSError as error:
            error.filename = error.filename or str(path)
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            raise

    def _files(self) -> list[Path]:
        if self.folder.is_symlink() or not self.folder.is_dir():
            return []
        return [
            path
            for path in self.folder.iterdir()
            if _NAME.fullmatch(path.name.removesuffix(_HALF)) and not path.is_dir()
        ]

    def _found(self) -> dict[int, int]:
        sizes: dict[int, int] = {}
        for path in self._files():
            match = _NAME.fullmatch(path.name)
            if match is not None:
                sizes[int(match[1])] = sizes.get(int(match[1]), 0) + path.lstat().st_size
        return sizes
