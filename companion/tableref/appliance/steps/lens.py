"""Measuring the camera's lens with the printed sheet, which is held before it."""

from __future__ import annotations

import contextlib

from tableref.appliance.steps.table import SetUp
from tableref.devices.buttons import Button
from tableref.errors import UserError
from tableref.hosting.cameras import opened, placed

VERSION = 1
WANTED = 12  # pictures of the sheet
FILE = "lens.json"


def run(table: SetUp) -> bool:
    """Whether a calibration was made and is used from now on. UserError"""
    if not table.config.camera.look:
        raise UserError(table.words.text("no-camera"))
    _, name = placed(table.config.camera.look[0])
    if not table.agree("step-lens", "sheet"):
        return False
    from tableref_vision.calibration import SheetViews
    from tableref_vision.errors import CameraError, VisionError

    views = SheetViews()
    try:
        with contextlib.closing(opened(name)) as camera:
            table.now("step-lens", table.words.text("sheets", 0, WANTED))
            for frame in camera.frames():
                if views.add(frame):
                    table.now("step-lens", table.words.text("sheets", len(views), WANTED))
                if len(views) == WANTED:
                    break
                if table.pressed() is Button.BACK:
                    return False
        path = table.root / FILE
        views.calibrate(name).save(path)
    except (CameraError, VisionError) as error:
        raise UserError(str(error)) from error
    table.remember("camera", {"calibration": str(path)})
    return True
