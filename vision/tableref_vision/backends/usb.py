"""USB cameras through V4L2 and OpenCV: `usb:0`, `usb:/dev/video2`, or `usb:` for the first that
gives pictures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from tableref_vision.backends.live import LiveCamera, now
from tableref_vision.errors import CameraBusy, CameraLost, CameraMissing
from tableref_vision.opencv import Picture, cv2, np

SIZE = 1280, 720
DEVICES = Path("/dev")


class UsbDevice:
    """One open V4L2 camera."""

    def __init__(self, path: str) -> None:
        if not os.path.exists(path):
            raise CameraMissing(f"{path}: there is no such camera; is it plugged in?")
        if not os.access(path, os.R_OK | os.W_OK):
            raise CameraMissing(
                f"{path}: may not be opened; add yourself to its group with "
                "'sudo usermod -aG video $USER' and log in again"
            )
        self._path = path
        self._started = False
        self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise CameraBusy(f"{path}: does not open; another program holds it, or it is no camera")
        # Compressed, as uncompressed pictures of this size do not fit through USB 2 at full rate.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> tuple[Picture, float]:
        """The next picture. CameraBusy where none ever came, CameraLost where no more come."""
        done, image = self._capture.read()
        if not done or image is None:
            if self._started:
                raise CameraLost(f"{self._path}: gives no more pictures; was it unplugged?")
            raise CameraBusy(f"{self._path}: gives no pictures; does another program hold it?")
        self._started = True
        return np.asarray(image).astype(np.uint8, copy=False), now()

    def settled(self) -> None:
        """What can be locked differs from camera to camera; none is."""

    def close(self) -> None:
        """Let the camera go."""
        self._capture.release()


def _paths(words: str) -> Iterator[str]:
    """The paths to try, round and round."""
    if not words:
        found = [p for p in DEVICES.iterdir() if re.fullmatch(r"video\d+", p.name)]
        paths = [str(p) for p in sorted(found, key=lambda p: int(p.name.removeprefix("video")))]
        if not paths:
            raise CameraMissing("no USB camera is plugged in (there is no /dev/video*)")
    else:
        paths = [f"{DEVICES}/video{words}" if words.isdecimal() else words]
    return cycle(paths)


def open_camera(words: str) -> LiveCamera:
    """The USB camera with this number or path; without words, the first that gives pictures."""
    paths = _paths(words)
    return LiveCamera(lambda: UsbDevice(next(paths)), f"usb:{words}")
