"""The board's clock seen from the host's, with a bound on the error that always holds.

Each answered ping says that the board read its counter between our sending and our receiving.
Such intervals are intersected (Marzullo and Owicki, "Maintaining the time in a distributed
system", 1983), widened by the drift that two crystals can have between them.
"""

from __future__ import annotations

from tableref_firmware.protocol import TICKS_PERIOD, ticks_diff

DRIFT = 200e-6  # two crystals of 50 ppm each, warm or cold, doubled
_TICK = 1e-6  # seconds; what a counter value may be short of the true time


class BoardClock:
    """Maps ticks (wrapping microseconds) to host seconds, once `known`.

    It tells no time before `told`, nor before one that it has told already.
    """

    def __init__(self, told: float = float("-inf")) -> None:
        self.known = False
        self.told = told
        self._unwrapped = 0  # microseconds since the first ping, without wrap
        self._ticks = 0  # the same moment as the board counts it
        self._low = self._high = 0.0  # bounds of host time minus board time, at that moment
        self._time = self._error = 0.0  # that moment in host time, and the error of that

    def ping(self, sent: float, ticks: int, received: float) -> None:
        """Takes one answered ping: host seconds, board ticks, host seconds."""
        if self.known:
            passed = ticks_diff(ticks, self._ticks)
            self._unwrapped += passed
            slack = abs(passed) * 1e-6 * DRIFT
            self._low -= slack
            self._high += slack
        self._ticks = ticks
        board = self._unwrapped * 1e-6
        low, high = sent - board - _TICK, received - board
        if self.known and low <= self._high and high >= self._low:
            self._low, self._high = max(low, self._low), min(high, self._high)
        else:
            # The first one; or the host slept, and what was known before is worth nothing.
            self._low, self._high = low, high
        self._time = board + (self._low + self._high) / 2
        self._error = (self._high - self._low) / 2
        self.known = True

    def host_time(self, ticks: int) -> tuple[float, float]:
        """Host seconds and their error for ticks within 8.9 minutes of the last ping."""
        away = ticks_diff(ticks, self._ticks) * 1e-6
        when, error = self._time + away, self._error + abs(away) * DRIFT
        if when < self.told:  # which lies within the error
            error += self.told - when
            when = self.told
        self.told = when
        return when, error


assert TICKS_PERIOD * 1e-6 > 600.0  # events are kept for 300 s: half a period must be longer
