"""A thread for a device that waits on time: what is done lies in a `step` that knows no thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Worker:
    """Calls `step(now)` (monotonic seconds) whenever woken and when the time it gave has passed.

    `step` returns the seconds until something is due again, or None to sleep until `wake`.
    """

    def __init__(self, name: str, step: Callable[[float], float | None]) -> None:
        self._step = step
        self._changed = threading.Condition()
        self._woken = self._closing = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; call it once."""
        self._thread.start()

    def wake(self) -> None:
        """Have `step` called soon. Never waits; from any thread."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def close(self) -> None:
        """Let a running step end, then stop."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._closing:
            wait = self._step(time.monotonic())
            with self._changed:
                self._changed.wait_for(lambda: self._woken or self._closing, wait)
                self._woken = False
