"""The one queue of the referee: bounded, ordered by arrival; it keeps only the newest frame."""

from __future__ import annotations

import threading
from collections import deque

from tableref.referee.clock import Clock
from tableref.referee.inputs import Input, MatSeen, Seen, Tick

FRAMES = (Seen, MatSeen)
BOUND = 256
"""Inputs that may wait. People and switches stay far below; who is faster waits."""


class InputQueue:
    """Threads put inputs in, the referee takes one at a time.

    A frame that nobody has looked at yet is replaced by a newer one, unless `every_frame`: then
    the camera waits, as a folder of pictures can. `clock` stamps what is put in.
    """

    def __init__(self, every_frame: bool = False) -> None:
        self.every_frame = every_frame
        self.clock = Clock(every_frame)
        self._waiting: deque[Input] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._hungry = False

    def happened(self, given: Input) -> bool:
        """Adds what happened at a monotonic time, as `put` does, stamped by the evening's clock."""
        return self.put(self.clock.stamped(given))

    def put(self, given: Input) -> bool:
        """Adds an input; waits while there is no room. False where the queue is closed."""
        with self._changed:
            if isinstance(given, FRAMES):
                place = next(
                    (i for i, x in enumerate(self._waiting) if isinstance(x, FRAMES)), None
                )
                if place is not None and not self.every_frame:
                    self._waiting[place] = given
                    return not self._closed
                self._changed.wait_for(lambda: self._closed or not self._frame_waits())
            self._changed.wait_for(lambda: self._closed or len(self._waiting) < BOUND)
            if self._closed:
                return False
            self._waiting.append(given)
            self._changed.notify_all()
            return True

    def _frame_waits(self) -> bool:
        return any(isinstance(given, FRAMES) for given in self._waiting)

    def take(self, within: float | None = None) -> Input | None:
        """The next input; waits for one, or `within` so many seconds for the time alone, a `Tick`.
        None where the queue is closed."""
        with self._changed:
            self._hungry = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or bool(self._waiting), within)
            self._hungry = False
            if self._closed:
                return None
            if not self._waiting:
                return Tick(self.clock.time())
            given = self._waiting.popleft()
            self._changed.notify_all()
            return given

    def rest(self) -> None:
        """Waits until all that was put in has been taken, and what came of it has been told."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or (self._hungry and not self._waiting))

    def close(self) -> None:
        """Nobody waits any more; what is left is dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
