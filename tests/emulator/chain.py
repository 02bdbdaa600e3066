"""The chain of 74HC165 on the emulated Pico's SPI, at the level of their pins.

SH/LD low takes the inputs over, at once; each rising edge of CLK shifts by one, towards QH of the
register nearest the Pico; SER of the last one is at ground.
"""

from __future__ import annotations

from typing import Any

from rp2040py.gpio_pin import GPIOPinState

# SPI control register 0: the two bits that say at which edges it reads and writes
_CONTROL = 0x000
_CLOCK_HIGH_AT_REST = 1 << 6
_SECOND_EDGE = 1 << 7
_BITS = 8


class Chain:
    """`inputs` is a byte a register, nearest first, 0 for a magnet; D0 is its lowest bit.

    `gap` is the longest time between two readings of all cells since it was last set, in ns, and
    `gaps` has how many lay within each millisecond.
    """

    def __init__(self, mcu: Any, latch: int) -> None:
        self.inputs = bytearray(b"\xff" * 8)  # as many as the board has registers
        self.loose = False  # the data line has come off, and is pulled up
        self.scans = 0
        self.gap = 0.0
        self.gap_at = 0.0
        self.gaps: dict[int, int] = {}
        self._spi, self._clock = mcu.spi[0], mcu.clock
        self._register: list[int] = []
        self._last = 0.0
        self._byte = 0
        self._spi.on_transmit = self._transmit
        self._done = mcu.clock.create_alarm(self._transmitted)
        mcu.gpio[latch].add_listener(self._latched)

    def reset_gaps(self) -> None:
        """Begins to measure anew."""
        self.gap, self.gaps, self._last = 0.0, {}, 0.0

    def _latched(self, new: GPIOPinState, _old: GPIOPinState) -> None:
        if new != GPIOPinState.LOW:
            return
        now = self._clock.nanos
        if self._last:
            gap = now - self._last
            if gap > self.gap:
                self.gap, self.gap_at = gap, now
            self.gaps[int(gap / 1e6)] = self.gaps.get(int(gap / 1e6), 0) + 1
        self._last = now
        self.scans += 1
        # QH is D7 of the nearest register first.
        self._register = [byte >> bit & 1 for byte in self.inputs for bit in range(7, -1, -1)]

    def _transmit(self, _value: int) -> None:
        control = self._spi.read_uint32(_CONTROL)
        if not control & _CLOCK_HIGH_AT_REST or control & _SECOND_EDGE:
            # Reading at the edge that shifts would be a race between two chips.
            raise RuntimeError("the SPI reads at the rising edge, at which the registers shift")
        byte = 0
        for _ in range(_BITS):
            level = self._register.pop(0) if self._register else 0
            byte = byte << 1 | (1 if self.loose else level)
        self._byte = byte
        self._done.schedule(_BITS * 1e9 / self._spi.clock_frequency)

    def _transmitted(self) -> None:
        self._spi.complete_transmit(self._byte)
