"""`tableref resume`: takes up a game where its journal left it."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from tableref.commands.referee import (
    absolute,
    camera_arguments,
    check_outputs,
    is_demo,
    opened_all,
    output_arguments,
    queue_for,
    referee,
)
from tableref.errors import UserError
from tableref.referee.evening import Evening
from tableref.referee.outlets import EventLines
from tableref.referee.resuming import repaired_evening, resumed_evening
from tableref.rules.house import TakeUp


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
    if is_demo(evening.head):
        evening.journal.close()
        raise UserError(
            f"{folder}: a demo cannot go on, for its virtual players ended with it; play another"
            f" with `tableref demo --out {folder}`"
        )
    camera = absolute(args.camera) if args.camera else evening.camera()
    sources = opened_all(camera, evening)
    evening = evening.seen_through(camera)
    return referee(evening, sources, folder, args, queue_for(sources))


def is_finished(evening: Evening) -> bool:
    """Whether the game has ended, and was not only broken off (HR-1.4): it is not taken up again
    but by naming a camera, to take back what ended it."""
    house, table = evening.referee.house, evening.state.table
    return house.outcome(table) is not None and not house.judge(table, TakeUp()).allowed
