"""Cameras by name: what each looks at, and one opened for each place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.errors import UserError
from tableref.referee.eyes import PLACES

if TYPE_CHECKING:
    from tableref_vision.calibration import Calibration
    from tableref_vision.camera import Camera


def absolute(cameras: Iterable[str]) -> str:
    """The cameras' names, a line each, with the path of a folder or film made whole: the journal
    keeps them."""
    return "\n".join(map(_absolute, cameras))


def _absolute(camera: str) -> str:
    place, name = placed(camera)
    scheme, _, words = name.partition(":")
    if scheme in ("folder", "video"):
        name = f"{scheme}:{Path(words).resolve()}"
    return f"{place}={name}" if place else name


def placed(camera: str) -> tuple[str, str]:
    """What a camera looks at, where its name begins with that, and its name without."""
    place, equals, name = camera.partition("=")
    return (place, name) if equals and place in PLACES else ("", camera)


def opened_all(cameras: str, usual: str) -> dict[str, Camera]:
    """What each camera looks at -> the camera; `usual` is what one looks at of which nothing is
    said. UserError"""
    found: dict[str, Camera] = {}
    try:
        for camera in filter(None, cameras.split("\n")):
            place, name = placed(camera)
            if (place or usual) in found:
                raise UserError(
                    f"camera {name}: another one looks at the {place or usual} already; say what"
                    f" each looks at, as mat={name}"
                )
            found[place or usual] = opened(name)
    except UserError:
        for source in found.values():
            source.close()
        raise
    return found


def opened(camera: str) -> Camera:
    """The camera of this name. UserError"""
    from tableref_vision.camera import CameraError, open_camera

    try:
        return open_camera(camera)
    except CameraError as error:
        raise UserError(f"camera {camera}: {error}") from error


def calibrated(path: str | None) -> Calibration | None:
    """The calibration in this file; None where none is named. UserError"""
    if not path:
        return None
    from tableref_vision.calibration import Calibration
    from tableref_vision.errors import CalibrationError

    try:
        return Calibration.load(Path(path))
    except CalibrationError as error:
        raise UserError(str(error)) from error
