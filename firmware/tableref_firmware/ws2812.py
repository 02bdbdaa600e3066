"""WS2812B lights through a PIO state machine of the RP2040.

A cycle is 37 of the processor's, 296 ns, without a fraction and so without jitter. High for 1 and
low for 3 is a 0 (296 and 888 ns), high for 3 and low for 2 is a 1 (888 and 592 ns): that is within
the limits of the first WS2812B (0.4, 0.85, 0.8 and 0.45 us, each within 0.15) and within those of
the WS2812B-V5 (220 to 380 ns for the first, 580 ns to 1 us for the other three).
"""

import time
from array import array

import rp2
from machine import Pin

from tableref_firmware.quick import raise_words

_HZ = 125_000_000 // 37
_LIGHT_US = 36  # 24 bits, all of them 1
_REST_US = 300  # ends a picture
_WANTS_WORDS = 0  # DREQ_PIO0_TX0: RP2040 data sheet, 2.5.3.1


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
    """Lights on one pin. `show` returns while the picture is still going out, by DMA.

    Were it the processor's task, an interrupt (a long message of the host is one) could leave a gap
    in mid-picture, which the lights would take for its end.
    """

    def __init__(self, pin: int) -> None:
        self._machine = rp2.StateMachine(0, _bits, freq=_HZ, sideset_base=Pin(pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        self._control = self._dma.pack_ctrl(inc_write=False, treq_sel=_WANTS_WORDS)
        self._out = array("I")
        self._free_at = time.ticks_us()

    def show(self, words: "array[int]") -> None:
        """Sends one word (green << 16 | red << 8 | blue) a light, from the nearest on.

        Waits where the picture before is not out yet: 2.7 ms at most, with 64 lights.
        """
        while time.ticks_diff(self._free_at, time.ticks_us()) > 0:
            pass
        count = len(words)
        if len(self._out) != count:
            self._out = array("I", words)
        out = self._out
        raise_words(words, out)
        self._free_at = time.ticks_add(time.ticks_us(), count * _LIGHT_US + _REST_US)
        self._dma.config(
            read=out, write=self._machine, count=count, ctrl=self._control, trigger=True
        )
