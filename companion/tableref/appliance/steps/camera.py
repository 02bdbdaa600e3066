"""Which camera looks at the board, and which at the dice mat."""

from __future__ import annotations

import contextlib

from tableref.appliance.steps.table import SetUp
from tableref.errors import UserError
from tableref.hosting.cameras import opened

VERSION = 1
CAMERAS = ("", "picamera:", "usb:", "usb:/dev/video2")
"""What may be chosen: none, the Pi's, the first at USB, another at USB."""


def run(table: SetUp) -> bool:
    """Whether it is known what looks at what. UserError where a camera gives no picture"""
    labels = [table.words.label(f"camera-{kind}") for kind in ("none", "pi", "usb", "usb-2")]
    board = table.choose("over-board", labels)
    if board is None:
        return False
    both = [table.words.label("camera-both")] if board else []
    mat = table.choose("over-mat", labels + both)
    if mat is None:
        return False
    look = {"board": CAMERAS[board], "mat": CAMERAS[mat] if mat < len(CAMERAS) else ""}
    if mat == len(CAMERAS):
        look = {"both": CAMERAS[board]}
    elif board and board == mat:
        raise UserError(table.words.text("one-camera"))
    wanted = {place: name for place, name in look.items() if name}
    for name in wanted.values():
        table.now("step-camera", table.words.text("looking"))
        _gives_a_picture(name)
    table.remember("camera", {"look": tuple(f"{place}={name}" for place, name in wanted.items())})
    return True


def _gives_a_picture(name: str) -> None:
    """UserError"""
    from tableref_vision.errors import CameraError

    with contextlib.closing(opened(name)) as camera:
        try:
            next(camera.frames())
        except (CameraError, StopIteration) as error:
            raise UserError(f"{name}: {error}") from error
