"""`tableref calibrate`: measure a camera's lens from pictures of the printed sheet."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands import words
from tableref.errors import UserError

if TYPE_CHECKING:
    from tableref_vision.camera import Frame

WANTED = 12  # pictures that a live camera takes
PATIENCE = 1200  # frames after which it gives up waiting for them


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures come from, and where the calibration goes."""
    parser.epilog = (
        "Print the sheet with: tableref print calibration. Hold it flat before the camera, tilted "
        "to all four sides and into the picture's corners."
    )
    parser.add_argument("pictures", nargs="*", type=Path, metavar="PICTURE")
    parser.add_argument("--camera", metavar="SPEC", help="take the pictures with this camera")
    parser.add_argument(
        "--out", type=Path, default=Path("calibration.json"), help="(default: calibration.json)"
    )
    parser.add_argument(
        "--ruler",
        type=words.number(1, 1000),
        metavar="MM",
        help="what the sheet's 100 mm ruler really measures",
    )


def run(args: argparse.Namespace) -> int:
    """0 where a calibration was written."""
    if bool(args.pictures) == bool(args.camera):
        raise UserError("say either pictures of the sheet, or a camera with --camera")
    words.writable(args.out)
    from tableref_vision.errors import VisionError

    try:
        from tableref_vision.calibration import SheetViews, check_ruler

        if args.ruler is not None:
            check_ruler(args.ruler)
        views = SheetViews()
        with contextlib.closing(_frames(args)) as frames:
            for frame in frames:
                if views.add(frame):
                    print(f"{frame.name}: picture {len(views)} of the sheet", flush=True)
                elif args.pictures:
                    print(f"{frame.name}: shows the sheet not, not enough of it, or as before")
                if args.camera and len(views) == WANTED:
                    break
        made = views.calibrate(args.camera or "")
        made.save(args.out)
    except VisionError as error:
        raise UserError(str(error)) from error
    lens = made.lens
    print(
        f"{args.out}: focal length {lens.focal:.0f} px, k1 {lens.k1:.3f}, k2 {lens.k2:.3f}; "
        f"off by {made.error:.2f} px over {made.pictures} pictures"
    )
    return 0


def _frames(args: argparse.Namespace) -> Generator[Frame, None, None]:
    from tableref_vision.camera import Frame, open_camera
    from tableref_vision.pictures import read_picture

    if args.camera:
        with contextlib.closing(open_camera(args.camera)) as camera:
            for _, frame in zip(range(PATIENCE), camera.frames(), strict=False):
                yield frame
    else:
        for number, path in enumerate(args.pictures):
            yield Frame(read_picture(path), float(number), path.name)
