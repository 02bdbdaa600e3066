"""A video file as a camera: every frame in turn, with its time in the film."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraFormat, CameraMissing, FrameMissing
from tableref_vision.opencv import Picture, cv2, np


class _Closed(Exception):
    """The film was closed: there is no next frame."""


class VideoCamera:
    """The frames of one film. Any thread may close it."""

    waits = True

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise CameraMissing(f"{path}: there is no such video")
        self._film = _Film(cv2.VideoCapture(str(path)))
        self._path = path
        if not self._film.capture.isOpened():
            raise CameraFormat(f"{path}: is no video that can be read, or is damaged")

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Every frame once, or those behind the one named `after`.

        FrameMissing where the film has none of that name; `next` then goes on with the first.
        CameraFormat where there is none at all.
        """
        self._film.rewind(self._path)  # from its beginning, also the second time
        return _Frames(self._path, self._film, after)

    def close(self) -> None:
        """Close the file."""
        self._film.close()


class _Film:
    """An open film. One that is closed while a frame is decoded would take the process with it, so
    it is closed behind that frame."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self.capture = capture
        self._closed = False
        self._using = threading.Lock()

    def read(self) -> tuple[Picture | None, float]:
        """The next frame and its time in seconds; None where there is none. _Closed"""
        with self._open():
            done, image = self.capture.read()
            time = self.capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        return np.asarray(image).astype(np.uint8, copy=False) if done else None, time

    def grab(self) -> bool:
        """Passes over a frame; False: there is none. _Closed"""
        with self._open():
            return self.capture.grab()

    def rewind(self, path: Path) -> None:
        """Goes back to the first frame, unless it is closed."""
        with suppress(_Closed), self._open():
            self.capture.open(str(path))

    def close(self) -> None:
        """Closes it, as soon as nobody reads it."""
        self._closed = True
        with self._using:
            self.capture.release()

    @contextmanager
    def _open(self) -> Iterator[None]:
        with self._using:
            if self._closed:
                raise _Closed
            yield


class _Frames:
    """An iterator that goes on after an error, as a generator would not."""

    def __init__(self, path: Path, film: _Film, after: str) -> None:
        self._path, self._film, self._after = path, film, after
        self._number = 0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        try:
            return self._next()
        except _Closed:
            raise StopIteration from None

    def _next(self) -> Frame:
        after, self._after = self._after, ""
        if after and not self._skip(after):
            self._number = 0
            self._film.rewind(self._path)
            raise FrameMissing(
                f"{self._path}: has no frame {after!r}, which was looked at last; its first frame"
                " is the next"
            )
        image, time = self._film.read()
        if image is None:
            if self._number == 0:
                self._number = 1  # said once
                raise CameraFormat(f"{self._path}: has no pictures that can be read")
            raise StopIteration
        name = self._name(self._number)
        self._number += 1
        return Frame(image, time, name)

    def _name(self, number: int) -> str:
        return f"{self._path.name} {number:05d}"

    def _skip(self, after: str) -> bool:
        """Pass over the frames up to this one without handing them on; False: there is none."""
        while self._film.grab():
            self._number += 1
            if self._name(self._number - 1) == after:
                return True
        return False


def open_camera(words: str) -> VideoCamera:
    """The film with this path. CameraMissing, CameraFormat"""
    return VideoCamera(Path(words))
