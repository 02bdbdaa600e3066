"""`tableref` that gets a signal at a point of its choice: python -m tests.referee.killing POINT
NUMBER SIGNAL ARGUMENTS... The points of a step: "write", "written", "told", "noted"."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from typing import Any

from tableref.cli import main
from tableref.referee.journal import Journal


def arm(point: str, number: int, what: signal.Signals) -> None:
    """Sends this process the signal when it comes to the point for the time of that number."""
    came: Counter[str] = Counter()

    def at(here: str) -> None:
        came[here] += 1
        if (here, came[here]) == (point, number):
            os.kill(os.getpid(), what)

    write, note = Journal.write, Journal.note_told

    def watched_write(self: Journal, *args: Any) -> None:
        at("write")
        write(self, *args)
        at("written")

    def watched_note(self: Journal) -> None:
        at("told")
        note(self)
        at("noted")

    Journal.write, Journal.note_told = watched_write, watched_note  # type: ignore[method-assign]


if __name__ == "__main__":
    point, number, name, *arguments = sys.argv[1:]
    arm(point, int(number), signal.Signals[name])
    sys.exit(main(arguments))
