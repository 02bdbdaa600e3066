"""Pictures of what a device would have shown, numbered in a folder: the last ones stay."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.devices.trouble import not_written

if TYPE_CHECKING:
    from PIL import Image

MOST = 500
"""Pictures of a kind that are kept; an evening makes thousands, and a card is small."""


class Gallery:
    """Pictures `NAME-0001.png` and so on in a folder. It goes on where an earlier one ended."""

    def __init__(self, folder: Path, name: str, most: int = MOST) -> None:
        """DeviceError where there can be no such folder."""
        self._folder, self._name, self._most = folder, name, most
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(folder, error) from error
        self._numbers = sorted(self._there())
        self.last: Path | None = None

    def add(self, image: Image.Image) -> None:
        """Saves the next picture and removes what is too old. DeviceError, naming the file"""
        number = self._numbers[-1] + 1 if self._numbers else 1
        path = self._path(number)
        try:
            image.save(path)
        except OSError as error:
            with contextlib.suppress(OSError):  # half a picture, where there is one
                path.unlink()
            raise not_written(path, error) from error
        self._numbers.append(number)
        self.last = path
        while len(self._numbers) > self._most:
            self._path(self._numbers.pop(0)).unlink(missing_ok=True)

    def _path(self, number: int) -> Path:
        return self._folder / f"{self._name}-{number:04d}.png"

    def _there(self) -> list[int]:
        words = (path.stem.removeprefix(f"{self._name}-") for path in self._folder.glob("*.png"))
        return [int(word) for word in words if word.isascii() and word.isdigit()]
