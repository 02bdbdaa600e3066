"""`tableref see --camera`: one picture of a camera, or with `--watch` what it goes on to see."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands.seeing import Eye, Sight
from tableref.errors import UserError
from tableref.rulebook.faulty import in_language

if TYPE_CHECKING:
    from tableref_vision.camera import Camera, Frame

PERIOD = 0.25
"""Seconds of the camera's own time between two pictures that are looked at."""
TRIES = 4
"""Faults of a camera in a row that are waited for before one picture of it is given up: the first
of several devices may be none that gives pictures."""


def run(args: argparse.Namespace, eye: Eye, opener: Callable[[str], Camera]) -> int:
    """0 where pictures came, else 2. Ctrl-C ends `--watch`. UserError where there is no camera."""
    from tableref_vision.errors import VisionError

    try:
        camera = opener(args.camera)
        with contextlib.closing(camera):
            if args.watch:
                return _watch(camera, eye, args)
            # Of a picture after another only the time differs, so each is read by itself.
            _show(eye.look(_first(camera.frames(), args.lang), alone=True), args)
            return 0
    except VisionError as error:
        raise UserError(str(error)) from error


def _first(frames: Iterator[Frame], lang: str) -> Frame:
    """The first frame. CameraError, at once where there is no such camera."""
    from tableref_vision.errors import CameraError, CameraMissing

    failed: CameraError | None = None
    for _ in range(TRIES):
        try:
            return next(frames)
        except StopIteration:
            break
        except CameraMissing:
            raise
        except CameraError as error:
            print(f"tableref: {in_language(str(error), lang)}", file=sys.stderr, flush=True)
            failed = error
    raise failed or CameraError("the camera gives no pictures")


def _watch(camera: Camera, eye: Eye, args: argparse.Namespace) -> int:
    """Says what is seen whenever that changes; each picture that is looked at goes to `--out`."""
    from tableref_vision.errors import CameraError

    code, due, said, told = 0, float("-inf"), "", ""
    frames = camera.frames()
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            try:
                frame = next(frames)
            except StopIteration:
                break
            except CameraError as error:
                if str(error) != told:
                    amiss = in_language(str(error), args.lang)
                    print(f"tableref: {amiss}", file=sys.stderr, flush=True)
                told, code = str(error), 2
                continue
            told = ""
            if not camera.waits:
                code = 0  # what was wrong is over
            if frame.time < due:
                continue  # the camera's thread waits for the next one; nothing turns meanwhile
            due = frame.time + PERIOD
            said = _show(eye.look(frame), args, said)
    return code


def _show(sight: Sight, args: argparse.Namespace, said: str = "") -> str:
    """Print and draw it; returns what was said, which is not said again."""
    from tableref_vision.drawing import write_picture

    # Its name is another each time.
    name = str(sight.record["image"])
    text = json.dumps(sight.record) if args.json else sight.text
    news = text.replace(name, "", 1)
    if args.json or news != said:
        print(text, flush=True)
    if args.out:
        write_picture(Path(args.out), sight.drawing())
    return news
