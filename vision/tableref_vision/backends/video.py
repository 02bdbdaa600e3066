"""A video file as a camera: every frame in turn, with its time in the film."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraFormat, CameraMissing, FrameMissing
from tableref_vision.opencv import cv2, np


class VideoCamera:
    """The frames of one film."""

    waits = True

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise CameraMissing(f"{path}: there is no such video")
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraFormat(f"{path}: is no video that can be read, or is damaged")

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Every frame once, or those behind the one named `after`.

        FrameMissing where the film has none of that name; `next` then goes on with the first.
        CameraFormat where there is none at all.
        """
        self._capture.open(str(self._path))  # from its beginning, also the second time
        return _Frames(self._path, self._capture, after)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class _Frames:
    """An iterator that goes on after an error, as a generator would not."""

    def __init__(self, path: Path, capture: cv2.VideoCapture, after: str) -> None:
        self._path, self._capture, self._after = path, capture, after
        self._number = 0

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        after, self._after = self._after, ""
        if after and not self._skip(after):
            self._number = 0
            self._capture.open(str(self._path))
            raise FrameMissing(
                f"{self._path}: has no frame {after!r}, which was looked at last; its first frame"
                " is the next"
            )
        done, image = self._capture.read()
        if not done:
            if self._number == 0:
                self._number = 1  # said once
                raise CameraFormat(f"{self._path}: has no pictures that can be read")
            raise StopIteration
        time = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        name = self._name(self._number)
        self._number += 1
        return Frame(np.asarray(image).astype(np.uint8, copy=False), time, name)

    def _name(self, number: int) -> str:
        return f"{self._path.name} {number:05d}"

    def _skip(self, after: str) -> bool:
        """Pass over the frames up to this one without handing them on; False: there is none."""
        while self._capture.grab():
            self._number += 1
            if self._name(self._number - 1) == after:
                return True
        return False


def open_camera(words: str) -> VideoCamera:
    """The film with this path. CameraMissing, CameraFormat"""
    return VideoCamera(Path(words))
