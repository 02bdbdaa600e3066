"""Frames, and the one small protocol behind which every camera stands.

>>> from tableref_vision.camera import open_camera
>>> with contextlib.closing(open_camera("folder:pictures")) as camera:
...     for frame in camera.frames():
...         print(frame.name, frame.image.shape)
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tableref_vision.errors import (
    CameraBlack,
    CameraBusy,
    CameraError,
    CameraFormat,
    CameraLost,
    CameraMissing,
    FrameMissing,
    UnknownCamera,
)

if TYPE_CHECKING:
    from tableref_vision.opencv import Picture

__all__ = [
    "Camera",
    "CameraBlack",
    "CameraBusy",
    "CameraError",
    "CameraFormat",
    "CameraLost",
    "CameraMissing",
    "Frame",
    "FrameMissing",
    "Opener",
    "UnknownCamera",
    "open_camera",
]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture: `image` (h, w, 3) bytes B, G, R; `time` in monotonic seconds; its `name`."""

    image: Picture
    time: float
    name: str


class Camera(Protocol):
    """A source of frames.

    One that `waits` has its pictures already: it gives every one, in order, when it is asked for
    the next, and can begin behind any of them. Any other shows the present, and what nobody asked
    for in time is gone.
    """

    @property
    def waits(self) -> bool:
        """Whether it waits."""
        ...

    def frames(self, after: str = "") -> Iterator[Frame]:
        """Frames; of a source that waits those behind the frame named `after`.

        CameraError where there are none; `next` may go on behind it. FrameMissing, and then all
        frames, where no frame has that name.
        """
        ...

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        ...


Opener = Callable[[str], Camera]
"""Opens the camera that the words after the colon name. CameraError"""

BACKENDS: Mapping[str, str] = {
    "folder": "folder",
    "picamera": "picamera",
    "usb": "usb",
    "video": "video",
}
"""Scheme -> module in `tableref_vision.backends`, whose `open_camera` is its Opener."""


def open_camera(spec: str, schemes: Mapping[str, Opener] | None = None) -> Camera:
    """The camera that `spec` (`scheme:words`) names.

    `folder:PATH` plays the pictures of a folder in name order, numbers in names counting as
    numbers, `video:PATH` a film; `picamera:`
    is a Pi camera and `usb:` a USB camera, each with a number where there are several. `schemes`
    adds others by name, as the virtual table does. UnknownCamera, and the CameraErrors of the
    back-end.
    """
    scheme, _, words = spec.partition(":")
    extra = schemes or {}
    if scheme in extra:
        return extra[scheme](words)
    if scheme not in BACKENDS:
        known = ", ".join(f"{name}:" for name in sorted({*BACKENDS, *extra}))
        raise UnknownCamera(f"no camera is named {spec!r}; say one of {known}")
    backend = importlib.import_module(f"tableref_vision.backends.{BACKENDS[scheme]}")
    camera: Camera = backend.open_camera(words)
    return camera
