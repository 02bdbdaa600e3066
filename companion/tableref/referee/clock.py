"""The one clock that stamps all inputs of an evening, so that what is older can be told.

A live camera dates its frames in monotonic seconds, as switches, buttons and the terminal date
what they say. A folder or a film has a time of its own, which begins at 0 and runs as quickly as
the pictures are looked at: then that is the evening's time, and what happens meanwhile is dated by
the picture that was shown last.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from tableref.referee.inputs import Input, Learning, MatSeen, Seen
from tableref_vision.camera import Frame

TICK = 1e-3  # seconds by which a picture is later than what happened before it was taken


class Clock:
    """Stamps frames and inputs; from any thread. `own_time`: the source of frames waits."""

    def __init__(self, own_time: bool, now: Callable[[], float] = time.monotonic) -> None:
        self._own_time, self._now = own_time, now
        self._lock = threading.Lock()
        self._late = 0.0  # seconds by which frames are dated later than their source dates them
        self._shown, self._shown_at = 0.0, now()  # the last frame: its stamp, and when that was
        self._last = float("-inf")  # the last stamp of anything that is no frame

    def frame(self, frame: Frame) -> Frame:
        """The frame with its stamp, later than all that was stamped before."""
        if not self._own_time:
            return frame
        with self._lock:
            stamp = max(frame.time + self._late, self._last + TICK)
            self._late = stamp - frame.time
            self._shown, self._shown_at = stamp, self._now()
        return replace(frame, time=stamp)

    def stamped(self, given: Input) -> Input:
        """What happened at this monotonic time, with its stamp."""
        if not self._own_time or isinstance(given, Seen | MatSeen | Learning):
            return given
        with self._lock:
            passed = max(0.0, given.time - self._shown_at)
            self._last = max(self._last, self._shown + passed)
            return given._replace(time=self._last)

    def time(self) -> float:
        """The evening's time now."""
        if not self._own_time:
            return self._now()
        with self._lock:
            return max(self._last, self._shown + self._now() - self._shown_at)
