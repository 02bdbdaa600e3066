"""Aiming the camera: what it sees, drawn small, until all corners of the board are in view."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from typing import TYPE_CHECKING

from tableref.appliance.steps.table import SetUp
from tableref.devices.buttons import Button
from tableref.devices.oled import Sketch
from tableref.errors import UserError
from tableref.hosting.cameras import calibrated, opened, placed
from tableref.rulebook import Rulebook
from tableref_hardware import Board

if TYPE_CHECKING:
    from tableref_vision.camera import Frame
    from tableref_vision.view import View

VERSION = 1
PERIOD = 0.25  # s of the camera's time between two looks


def run(table: SetUp) -> bool:
    """Whether somebody has said OK while all corners were seen. UserError"""
    names = dict(map(placed, table.config.camera.look))
    name = names.get("board") or names.get("both") or names.get("")
    if name is None:
        raise UserError(table.words.text("no-camera"))
    board = table.board()
    if board is None:
        return False
    return _aim(table, name, board)


def _aim(table: SetUp, name: str, board: Board) -> bool:
    from tableref_vision.corners import compass
    from tableref_vision.errors import CameraError
    from tableref_vision.reader import BoardReader

    reader = BoardReader(board, calibrated(table.config.camera.calibration))
    headings = Rulebook(table.words.lang).words.headings
    due, seen = float("-inf"), False
    with contextlib.closing(opened(name)) as camera:
        frames = camera.frames()
        while True:
            try:
                frame = next(frames)
            except CameraError as error:
                raise UserError(f"{name}: {error}") from error
            except StopIteration:
                return _awaits_ok(table, seen)
            if frame.time >= due:
                due = frame.time + PERIOD
                reader.read(frame)
                missing = [tag for tag in board.corner_tags if tag.id not in reader.corners]
                seen = not missing
                said = [headings.get(compass(tag), compass(tag)) for tag in missing]
                count = len(board.corner_tags) - len(missing)
                text = table.words.text("corners", count, len(board.corner_tags))
                if said and count:
                    text += " " + table.words.text("missing", ", ".join(said))
                drawn = sketch(frame, board, reader.corners, reader.view)
                table.now("step-aim", text, drawn, "OK" if seen else "")
            match table.pressed():
                case Button.OK if seen:
                    return True
                case Button.BACK:
                    return False


def _awaits_ok(table: SetUp, seen: bool) -> bool:
    """A folder or film has come to its end: the last picture stays until a press."""
    while True:
        match table.pressed(60.0):
            case Button.OK if seen:
                return True
            case Button.BACK:
                return False


def sketch(frame: Frame, board: Board, seen: Collection[int], view: View | None) -> Sketch:
    """What the camera sees, small: the plate's outline and the corner tags, hollow where they are
    not seen; only what is known where no view is."""
    from tableref_vision.opencv import np

    height, width = frame.image.shape[:2]
    if view is None:
        return Sketch(width / height)
    x, y = board.plate.width / 2, board.plate.depth / 2

    def shares(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
        spots = np.array([(a, b, 0.0) for a, b in places])
        return [(float(u) / width, float(v) / height) for u, v in view.pixels(spots)]

    tags = [(tag.x, tag.y) for tag in board.corner_tags]
    marks = [
        (u, v, tag.id in seen) for (u, v), tag in zip(shares(tags), board.corner_tags, strict=True)
    ]
    return Sketch(width / height, tuple(shares([(-x, y), (x, y), (x, -y), (-x, -y)])), tuple(marks))
