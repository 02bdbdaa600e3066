"""`tableref` that gets a signal at a point of its choice: python -m tests.referee.killing POINT
NUMBER SIGNALS ARGUMENTS... The points of a step: "write", "written", "told", "noted". Of several
signals each is sent at the next time that it comes there."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from typing import Any

from tableref.cli import main
from tableref.referee.journal import Journal


def arm(point: str, number: int, signals: list[signal.Signals]) -> None:
    """Sends this process the signals, the first when it comes to the point for the time of that
    number."""
    came: Counter[str] = Counter()

    def at(here: str) -> None:
        came[here] += 1
        if here == point and 0 <= (which := came[here] - number) < len(signals):
            os.kill(os.getpid(), signals[which])

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
    point, number, names, *arguments = sys.argv[1:]
    arm(point, int(number), [signal.Signals[name] for name in names.split()])
    sys.exit(main(arguments))
