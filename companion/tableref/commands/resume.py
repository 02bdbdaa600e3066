"""`tableref resume`: takes up a game where its journal left it."""

from __future__ import annotations

import argparse
from pathlib import Path

from tableref.commands.referee import (
    absolute,
    camera_arguments,
    opened,
    output_arguments,
    referee,
)
from tableref.referee.evening import resumed_evening
from tableref.referee.queue import InputQueue


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref resume`."""
    parser.add_argument("folder", metavar="FOLDER", help="the --out folder of the game")
    camera_arguments(parser, required=False)
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Goes on with the camera of the journal, or with another."""
    folder = Path(args.folder)
    evening = resumed_evening(folder)
    camera = absolute(args.camera) if args.camera else str(evening.head["camera"])
    every_frame = camera.startswith("folder:")
    return referee(evening, opened(camera), folder, args, InputQueue(every_frame))
