"""How many bytes the board may still send: a bucket that fills at a steady rate."""

from tableref_firmware.protocol import BUDGET_BURST, BUDGET_BYTES_PER_S, ticks_diff

_US_A_BYTE = 1_000_000 // BUDGET_BYTES_PER_S


class Budget:
    """In any T seconds no more than BUDGET_BURST + T * BUDGET_BYTES_PER_S bytes are allowed."""

    def __init__(self, now: int) -> None:
        self._left = BUDGET_BURST
        self._stamp = now

    def earn(self, now: int) -> int:
        """Bytes that may be sent at `now` (ticks); to be asked at least once in 8 minutes."""
        earned = ticks_diff(now, self._stamp) // _US_A_BYTE
        if self._left + earned >= BUDGET_BURST:
            self._left, self._stamp = BUDGET_BURST, now
        else:
            self._left += earned
            self._stamp += earned * _US_A_BYTE
        return self._left

    def spend(self, count: int) -> None:
        """Takes `count` bytes out."""
        self._left -= count
