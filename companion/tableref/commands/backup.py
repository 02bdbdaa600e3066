"""`tableref backup`: games, configuration and calibration of this table in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from tableref.commands.serve import state_argument
from tableref.devices.config import config_path
from tableref.hosting.backup import back_up


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where it goes, and where games are kept."""
    parser.add_argument("file", type=Path, metavar="FILE", help="as table.tar.gz, on a USB stick")
    state_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Also while a game is played. An earlier file of this name is replaced once it is whole."""
    games = back_up(args.state, config_path(), args.file)
    size = args.file.stat().st_size / 1e6
    kept = f"{games} game{'' if games == 1 else 's'}, {size:.1f} MB"
    print(f"{args.file}: {kept}. It holds all that was plotted in secret.")
    return 0
