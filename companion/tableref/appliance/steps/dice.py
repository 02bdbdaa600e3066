"""Whether this table reads its own dice, each face laid up once in each tray, and how large they
are."""

from __future__ import annotations

import contextlib

from tableref.appliance.steps.table import SetUp
from tableref.errors import UserError
from tableref.hosting.cameras import calibrated, opened, placed

VERSION = 1
FACES = 6


def run(table: SetUp) -> bool:
    """Whether every face was laid up and the size is known; faces that are not read surely are
    told. UserError"""
    names = dict(map(placed, table.config.camera.look))
    name = names.get("mat") or names.get("both")
    if name is None:
        raise UserError(table.words.text("no-mat-camera"))
    from tableref_vision.errors import VisionError

    try:
        from tableref_vision.dice import check
        from tableref_vision.dice.reader import DiceReader

        calibration = calibrated(table.config.camera.calibration)
        reader = DiceReader(calibration.lens if calibration else None)
        found: list[check.Face] = []
        with contextlib.closing(opened(name)) as camera:
            frames = camera.frames()
            for asked in range(1, FACES + 1):
                if not table.agree("step-dice", "lay", asked):
                    return False
                frame = check.at_rest(frames, reader)
                if frame is None or reader.view is None:
                    raise UserError(table.words.text("no-mat"))
                found += check.faces(asked, reader.read(frame.image))
    except VisionError as error:
        raise UserError(str(error)) from error
    if reader.die is None:
        raise UserError(table.words.text("no-size"))
    table.remember("dice", {"size": round(reader.die, 1)})
    unsure = sorted({face.asked for face in found if not face.right})
    told = table.words.text("faces-sure", round(reader.die))
    if unsure:
        told = table.words.text("faces-unsure", round(reader.die), ", ".join(map(str, unsure)))
    table.say("step-dice", told)
    return True
