"""`tableref dice --check`: whether this table reads its own dice, in this light."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands import words
from tableref.commands.terminal import typed
from tableref.devices.config import load_config, remember
from tableref.errors import UserError
from tableref.hosting.cameras import calibrated

if TYPE_CHECKING:
    from tableref_vision.camera import Camera, Frame
    from tableref_vision.dice.reader import DiceReader

FACES = 6


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which camera, which dice, and where the picture goes."""
    parser.epilog = (
        "Lay one die into each tray with the asked face up, six times; other dice of the set may "
        "follow in six more. A folder holds a picture for each time, in the order 1 to 6. "
        "Exit code 1: not every face is read surely."
    )
    parser.add_argument("--check", action="store_true", required=True, help="check the dice")
    parser.add_argument(
        "--camera",
        required=True,
        metavar="SPEC",
        help="as of tableref referee, or virtual-mat:SEED, or virtual-mat:SEED,MM",
    )
    words.die_argument(parser, "measured")
    parser.add_argument("--calibration", metavar="FILE", help="of `tableref calibrate`")
    parser.add_argument(
        "--out", type=Path, default=Path("dice-check.png"), help="(default: dice-check.png)"
    )
    parser.add_argument(
        "--remember", action="store_true", help="write the size into the configuration"
    )


def run(args: argparse.Namespace) -> int:
    """0 where every face is read surely in both trays, else 1."""
    words.writable(args.out)
    calibration = calibrated(args.calibration)
    from tableref_vision.errors import VisionError

    try:
        from tableref.sim.turned import open_turned
        from tableref_vision.camera import open_camera
        from tableref_vision.dice import check
        from tableref_vision.dice.reader import DiceReader
        from tableref_vision.drawing import write_picture
        from tableref_vision.opencv import np

        reader = DiceReader(
            calibration.lens if calibration else None,
            die=args.die or (None if args.remember else load_config().die),
        )
        found: list[check.Face] = []
        lights: Counter[str] = Counter()
        rows = []
        with contextlib.closing(open_camera(args.camera, {"virtual-mat": open_turned})) as camera:
            for asked, frame in _steps(camera, reader):
                dice = reader.read(frame.image)
                if reader.view is None:
                    print(f"{asked}: the mat is not in view", flush=True)
                    continue
                own = check.faces(asked, dice)
                found += own
                lights[check.light(frame.image, reader.view)] += 1
                rows.append(check.tiles(frame.image, reader.view, own))
                for face in own:
                    print(f"{asked}, {face.tray} tray: {face.said}", flush=True)
        if not found:
            raise UserError(f"camera {args.camera}: no picture shows the dice mat with its tags")
        write_picture(args.out, np.vstack(rows))
    except VisionError as error:
        raise UserError(str(error)) from error
    print(check.words(found, lights, reader.die))
    print(f"{args.out}: the dice as they lay, green where they were read surely")
    if args.remember:
        if reader.die is None:
            raise UserError("the size is not known: lay the dice down more often, or say --die")
        path = remember("dice", {"size": round(reader.die, 1)})
        print(f"{path}: {reader.die:.1f} mm, for all games")
    return 0 if all(face.right for face in found) else 1


def _steps(camera: Camera, reader: DiceReader) -> Iterator[tuple[int, Frame]]:
    """Each asked face with a frame that shows it at rest. A camera that waits has a picture for
    each; otherwise somebody says when the dice lie."""
    from tableref_vision.dice.check import at_rest

    frames = camera.frames()
    if camera.waits:
        for number, frame in enumerate(frames):
            reader.read(frame.image)  # what lay elsewhere before is not moving
            yield 1 + number % FACES, frame
        return
    lines = typed()
    for asked in range(1, FACES + 1):
        print(
            f"Lay a die into each tray with {asked} up, take your hand away, press Enter.",
            file=sys.stderr,
            flush=True,
        )
        if not lines.readline():
            return
        rested = at_rest(frames, reader)
        if rested is not None:
            yield asked, rested
