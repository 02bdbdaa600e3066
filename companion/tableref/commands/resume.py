"""`tableref resume`: takes up a game where its journal left it."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from tableref.commands.referee import camera_arguments, check_outputs, output_arguments, referee
from tableref.hosting.opening import DEMO, is_finished, taken_up
from tableref.referee.outlets import EventLines
from tableref.referee.resuming import repaired_evening, resumed_evening


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref resume`."""
    parser.add_argument("folder", metavar="FOLDER", help="the --out folder of the game")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="where the journal is damaged: go on from the last row that fits, keeping a copy",
    )
    camera_arguments(parser)
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Goes on with the camera of the journal, or with another. A game that is over is only told
    of, unless a camera is named: then what ended it can be taken back."""
    check_outputs(args)
    folder = Path(args.folder)
    repaired = repaired_evening(folder) if args.repair else None
    if repaired is not None:
        print(
            f"tableref: repaired: {repaired.rows} rows of the journal are good and stay; as it was"
            f" it is kept in {repaired.copy}",
            file=sys.stderr,
        )
    evening = repaired.evening if repaired else resumed_evening(folder)
    if not args.camera and is_finished(evening):
        with contextlib.closing(evening.journal):
            EventLines(sys.stdout, args.json).write(evening.stands())
        return 0
    if DEMO in evening.head and not args.camera:
        from tableref.commands import demo

        return demo.play(evening, folder, args)
    return referee(taken_up(folder, evening, args.camera), args)
