"""`tableref replay`: plays the inputs of a recording again, without any camera."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tableref.referee.desk import Desk
from tableref.referee.evening import new_evening_of
from tableref.referee.outlets import EventLines
from tableref.referee.recording import fitting, read_recording


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref replay`."""
    parser.add_argument("recording", metavar="FILE", help="a recording of `tableref record`")
    parser.add_argument("--out", metavar="FOLDER", help="keep the journal in this folder")
    parser.add_argument("--json", action="store_true", help="a line of JSON an event")


def run(args: argparse.Namespace) -> int:
    """Takes every input again; prints the events."""
    head, inputs = read_recording(Path(args.recording))
    with tempfile.TemporaryDirectory() as scratch:
        evening = new_evening_of(Path(args.out or scratch), head)
        desk = Desk(
            evening.referee,
            evening.state,
            evening.journal,
            evening.teller(),
            [EventLines(sys.stdout, args.json)],
        )
        evening.journal.begin()
        desk.begin()
        players = len(evening.referee.game.players(evening.state.table.state))
        for given in fitting(inputs, evening.board, players):
            desk.take(given)
        evening.journal.close()
    return 0
