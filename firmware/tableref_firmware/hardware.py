"""What `App` asks of the hardware: the shape of `hal.Hal` and of its virtual stand-ins.

Read by type checkers only; a board never imports it.
"""

from array import array
from collections.abc import Iterable
from typing import Protocol


class Hardware(Protocol):
    """One board. Ticks are microseconds in 0 .. TICKS_PERIOD - 1."""

    has_lights: bool
    boot: int  # differs with every start, never 0
    cause: int  # of the start, a place in protocol.CAUSES
    unit: bytes  # eight bytes, the same for ever

    def ticks(self) -> int:
        """The clock."""

    def feed(self) -> None:
        """Tells the watchdog that all is well."""

    def read(self) -> bytes:
        """What the host has sent; waits no longer than a millisecond for it."""

    def write(self, data: bytes) -> None:
        """Sends to the host."""

    def read_switches(self, wire: bytearray) -> None:
        """Fills `wire` from the chain of shift registers, a byte a register, nearest first."""

    def show(self, words: "array[int]") -> None:
        """Shows one word (green << 16 | red << 8 | blue) a light."""

    def collect(self) -> None:
        """Collects garbage."""

    def free(self) -> int:
        """Bytes of memory that are free, garbage not counted."""

    def last_words(self) -> Iterable[str]:
        """What a run that ended in an error left behind, a line each."""

    def restart(self, prompt: bool) -> None:
        """Resets the chip, into MicroPython's prompt where `prompt`."""
