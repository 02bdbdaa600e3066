"""`tableref restore`: brings back what `tableref backup` has written."""

from __future__ import annotations

import argparse
from pathlib import Path

from tableref.commands.serve import state_argument
from tableref.devices.config import PLACES, config_path
from tableref.hosting.backup import restore


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which file, and where games are kept."""
    parser.add_argument("file", type=Path, metavar="FILE", help="of `tableref backup`")
    state_argument(parser)


def run(args: argparse.Namespace) -> int:
    """What is there already stays as it is, and is named."""
    found = restore(args.file, args.state, config_path() or Path(PLACES[0]).expanduser())
    for name in found.written:
        print(f"{name}: restored")
    for name in found.stayed:
        print(f"{name}: was there already, and stays")
    return 0
