"""A folder of pictures as a camera: they come in name order, one every two seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraMissing, PictureError
from tableref_vision.opencv import Picture, np

SUFFIXES = (".bmp", ".jpeg", ".jpg", ".png", ".webp")
PERIOD = 2.0  # seconds between two pictures: each is a moment of its own, not a piece of film


def read_picture(path: Path) -> Picture:
    """The picture in this file, (h, w, 3) B, G, R. PictureError, also where it is cut off."""
    # Pillow, as OpenCV hands out the upper part of a picture that is cut off without a word.
    try:
        with Image.open(path) as picture:
            upright = ImageOps.exif_transpose(picture).convert("RGB")
    except UnidentifiedImageError as error:
        raise PictureError(f"{path}: is no picture that can be read, or is damaged") from error
    except OSError as error:
        raise PictureError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PictureError(f"{path}: is damaged ({error})") from error
    return np.ascontiguousarray(np.asarray(upright, np.uint8)[:, :, ::-1])


class FolderCamera:
    """The pictures of one folder, sorted by name; the time of each follows from its place."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise CameraMissing(f"{folder}: there is no such folder of pictures")
        self._files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES)
        if not self._files:
            raise CameraMissing(f"{folder}: holds no pictures ({', '.join(SUFFIXES)})")

    def frames(self) -> Iterator[Frame]:
        """Every picture once. PictureError at one that cannot be read; `next` then goes on."""
        return map(self._frame, range(len(self._files)))

    def _frame(self, number: int) -> Frame:
        file = self._files[number]
        return Frame(read_picture(file), number * PERIOD, file.name)

    def close(self) -> None:
        """Nothing is held open."""


def open_camera(words: str) -> FolderCamera:
    """The camera of the folder with this path. CameraMissing"""
    return FolderCamera(Path(words))
