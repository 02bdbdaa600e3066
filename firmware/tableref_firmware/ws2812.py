"""WS2812B lights through a PIO state machine of the RP2040.

A cycle is 37 of the processor's, 296 ns, without a fraction and so without jitter. High for 1 and
low for 3 is a 0 (296 and 888 ns), high for 3 and low for 2 is a 1 (888 and 592 ns): that is within
the limits of the first WS2812B (0.4, 0.85, 0.8 and 0.45 us, each within 0.15) and within those of
the WS2812B-V5 (220 to 380 ns for the first, 580 ns to 1 us for the other three).
"""

from array import array

import rp2
from machine import Pin

_HZ = 125_000_000 // 37


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
    out(x, 1).side(0)[1]
    jmp(not_x, "zero").side(1)
    jmp("next").side(1)[1]
    label("zero")
    nop().side(0)
    wrap()


class Strip:
    """Lights on one pin. `show` takes up to 36 us a light, during which nothing else is done."""

    def __init__(self, pin: int) -> None:
        self._machine = rp2.StateMachine(0, _bits, freq=_HZ, sideset_base=Pin(pin))
        self._machine.active(1)

    def show(self, words: "array[int]") -> None:
        """Sends one word (green << 16 | red << 8 | blue) a light, from the nearest on."""
        # The state machine shifts out of the top of 32 bits; a word holds 24.
        self._machine.put(words, 8)
