"""`tableref record`: as `tableref referee`, writing every input to a file."""

from __future__ import annotations

import argparse

from tableref.commands import referee


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref record`: the file, then those of `tableref referee`."""
    parser.add_argument("recording", metavar="FILE", help="the recording to write")
    referee.arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Referees, recording."""
    args.record = args.recording
    return referee.run(args)
