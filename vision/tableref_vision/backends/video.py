"""A video file as a camera: every frame in turn, with its time in the film."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tableref_vision.camera import Frame
from tableref_vision.errors import CameraFormat, CameraMissing
from tableref_vision.opencv import cv2, np


class VideoCamera:
    """The frames of one film."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise CameraMissing(f"{path}: there is no such video")
        self._path = path
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraFormat(f"{path}: is no video that can be read, or is damaged")

    def frames(self) -> Iterator[Frame]:
        """Every frame once. CameraFormat where there is none at all."""
        number = 0
        while True:
            done, image = self._capture.read()
            if not done:
                break
            time = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            picture = np.asarray(image).astype(np.uint8, copy=False)
            yield Frame(picture, time, f"{self._path.name} {number:05d}")
            number += 1
        if number == 0:
            raise CameraFormat(f"{self._path}: has no pictures that can be read")

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


def open_camera(words: str) -> VideoCamera:
    """The film with this path. CameraMissing, CameraFormat"""
    return VideoCamera(Path(words))
