"""WS2812B lights through a PIO state machine of the RP2040.

A bit is 10 cycles at 8 MHz, 1.25 us: high for 3 and low for 7 is a 0 (375 and 875 ns), high for 7
and low for 3 is a 1. The data sheet of the WS2812B-V5 allows 220 to 380 ns and 580 ns to 1 us.
"""

from array import array

import rp2
from machine import Pin

_HZ = 8_000_000


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    fifo_join=rp2.PIO.JOIN_TX,
    autopull=True,
    pull_thresh=24,
)
def _bits():  # type: ignore[no-untyped-def]  # assembled by rp2, never called as Python
    wrap_target()
    label("next")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[2]
    jmp("next").side(1)[3]
    label("zero")
    nop().side(0)[3]
    wrap()


class Strip:
    """Lights on one pin. `show` takes 30 us a light, during which nothing else is done."""

    def __init__(self, pin: int) -> None:
        self._machine = rp2.StateMachine(0, _bits, freq=_HZ, sideset_base=Pin(pin))
        self._machine.active(1)

    def show(self, words: "array[int]") -> None:
        """Sends one word (green << 16 | red << 8 | blue) a light, from the nearest on."""
        # The state machine shifts out of the top of 32 bits; a word holds 24.
        self._machine.put(words, 8)
