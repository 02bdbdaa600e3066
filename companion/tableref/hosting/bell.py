"""Rings the bell of a game's clock: an outlet that follows the table, and says when time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from tableref.devices.worker import Worker
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Bell
from tableref.referee.timing import Clock, Timer, due, followed
from tableref.rules.defaults import TableGame


class Ringer:
    """Follows what is told; `give` takes the bells as inputs, so that they are in the journal."""

    def __init__(
        self,
        clock: Clock,
        game: TableGame[Any],
        give: Callable[[Bell], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._game, self._give, self._now = clock, game, give, now
        self._timer = Timer()
        self._lock = threading.Lock()
        self._worker = Worker("bell", self.step)

    def start(self) -> None:
        """Rings from a thread of its own, until `close`."""
        self._worker.start()

    def tell(self, feedback: Feedback) -> None:
        """Takes how the table stands."""
        if feedback.table is None:
            return
        with self._lock:
            self._timer = followed(
                self._timer, self._clock, self._game, feedback.table, self._now()
            )
        self._worker.wake()

    def step(self, now: float) -> float | None:
        """Rings what is due at `now`; the seconds until the next bell, or None."""
        with self._lock:
            self._timer, bell, wait = due(self._timer, self._clock, now)
            who = self._timer.who
        if bell is not None:
            self._give(Bell(now, who, bell))
        return wait

    def close(self) -> None:
        """Rings no more."""
        self._worker.close()
