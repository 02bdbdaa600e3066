"""Threads that a fault does not end, and one for a device that waits on time."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tableref.errors import UserError

log = logging.getLogger(__name__)


class Guard:
    """Keeps a thread alive: a fault in a piece of its work is told, once, and then it goes on.

    >>> guard = Guard("the buttons")
    >>> while not closing:
    ...     with guard:
    ...         work()
    ...     wait(guard.pause)

    `tell` gets the sentence; by default it is logged. Errors of the kinds in `fatal` pass through.
    """

    SHORTEST, LONGEST = 0.25, 8.0

    def __init__(
        self,
        who: str,
        tell: Callable[[str], object] = log.error,
        fatal: tuple[type[Exception], ...] = (),
    ) -> None:
        self._who, self._tell, self._fatal = who, tell, fatal
        self._told: set[str] = set()
        self.pause = 0.0
        """Seconds to wait before the work is tried again: 0 where it was done, else doubling."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is None:
            self.pause = 0.0
        if not isinstance(error, Exception) or isinstance(error, self._fatal):
            return False
        self.pause = min(max(2 * self.pause, self.SHORTEST), self.LONGEST)
        # By its place, for its words may differ every time.
        key = str(error) if isinstance(error, UserError) else _place(error)
        if key not in self._told:
            self._told.add(key)
            self._tell(f"{self._who}: {in_words(error)}")
            log.debug("%s", self._who, exc_info=error)
        return True


def in_words(error: Exception) -> str:
    """An error as a sentence: what is meant for people as it is, a fault of ours with its place."""
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    what = f"{type(error).__name__} {error}".strip()
    return f"a fault of Tableref ({what}, at {_place(error)}); the game goes on"


def _place(error: Exception) -> str:
    *_, last = traceback.extract_tb(error.__traceback__) or [None]
    return f"{Path(last.filename).name}:{last.lineno}" if last else type(error).__name__


class Worker:
    """Calls `step(now)` (monotonic seconds) whenever woken and when the time it gave has passed.

    `step` returns the seconds until something is due again, or None to sleep until `wake`. A fault
    in it is told once; it is called again after a pause.
    """

    def __init__(self, name: str, step: Callable[[float], float | None]) -> None:
        self._step = step
        self._guard = Guard(name)
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
            wait: float | None = None
            with self._guard:
                wait = self._step(time.monotonic())
            wait = self._guard.pause or wait
            with self._changed:
                self._changed.wait_for(lambda: self._woken or self._closing, wait)
                self._woken = False
