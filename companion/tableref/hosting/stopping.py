"""Signals that end a game between two steps."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C, `kill` and a terminal that hangs up end a game between two steps: they call `stop`.
    Yields the signals that came; a second one ends at once."""
    came: list[int] = []

    def heard(number: int, _: object) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)
        stop()

    # What the caller has us ignore (nohup, a job in the background) stays ignored.
    ours = [s for s in SIGNALS if signal.getsignal(s) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, heard) for number in ours}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
