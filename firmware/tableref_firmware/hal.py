"""The hardware of a Pico: the one module, with `ws2812`, that knows `machine`."""

import gc
import io
import os
import select
import sys
import time
from array import array

import machine
from machine import SPI, WDT, Pin

from tableref_firmware import pins
from tableref_firmware.protocol import TICKS_MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WATCHDOG_MS = 2000
_AT_ONCE = 512  # bytes read before the switches have their turn again
_SINGLE = 32  # and where each costs a call
_LAST_WORD_MS = 20  # in which USB still carries what was written before a reset

# Two of the watchdog's scratch registers, which a reset leaves alone: RP2040 data sheet, 4.7.6
_WHY = 0x4005800C
_ASKED = 0x7AB1E001
_ASKED_PROMPT = 0x7AB1E002

_LAST_WORDS = "last_words.txt"


def prompt_asked() -> bool:
    """Whether this start shall end in MicroPython's prompt: asked by the host, or by the pin."""
    why = machine.mem32[_WHY] & 0xFFFFFFFF
    if why == _ASKED_PROMPT:
        machine.mem32[_WHY] = 0
        return True
    return Pin(pins.ESCAPE, Pin.IN, Pin.PULL_UP).value() == 0


class Hal:
    """The hardware as `App` wants it (see `hardware.Hardware`)."""

    def __init__(self) -> None:
        self.has_lights = pins.HAS_LIGHTS
        self.boot = int.from_bytes(os.urandom(4), "little") or 1
        self.unit = (machine.unique_id() + bytes(8))[:8]
        self.cause = _cause()
        # Pulled up, so that a data line that has come off reads as a broken chain.
        Pin(pins.DATA, Pin.IN, Pin.PULL_UP)
        # The registers shift at the rising edge; reading at the falling one leaves half a clock.
        self._spi = SPI(
            0,
            baudrate=1_000_000,
            polarity=1,
            phase=0,
            sck=Pin(pins.CLOCK),
            mosi=Pin(pins.UNUSED_DATA_OUT),
            miso=Pin(pins.DATA),
        )
        self._latch = Pin(pins.LATCH, Pin.OUT, value=1)
        self._strip = None
        if pins.HAS_LIGHTS:
            from tableref_firmware.ws2812 import Strip

            self._strip = Strip(pins.LIGHTS)
        self._input = sys.stdin.buffer
        self._read_waiting = _read_waiting()
        self._output = sys.stdout.buffer
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._watchdog = WDT(timeout=_WATCHDOG_MS)

    def ticks(self) -> int:
        return time.ticks_us() & TICKS_MASK

    def feed(self) -> None:
        self._watchdog.feed()

    def read(self) -> bytes:
        if not self._poll.poll(1):
            return b""
        if self._read_waiting:
            return self._read_waiting(_AT_ONCE)
        # USB's standard input knows no partial read: a byte at a time, while there is one.
        data = b""
        while len(data) < _SINGLE:
            byte = self._input.read(1)
            if not byte:
                break
            data += byte
            if not self._poll.poll(0):
                break
        return data

    def write(self, data: bytes) -> None:
        self._output.write(data)

    def read_switches(self, wire: bytearray) -> None:
        self._latch(0)
        self._latch(1)
        self._spi.readinto(wire)

    def show(self, words: "array[int]") -> None:
        if self._strip:
            self._strip.show(words)

    def collect(self) -> None:
        gc.collect()

    def free(self) -> int:
        gc.collect()
        return gc.mem_free()

    def last_words(self) -> list[str]:
        try:
            with open(_LAST_WORDS) as file:
                return file.read().splitlines()[-4:]
        except OSError:
            return []

    def restart(self, prompt: bool) -> None:
        machine.mem32[_WHY] = _ASKED_PROMPT if prompt else _ASKED
        time.sleep_ms(_LAST_WORD_MS)
        machine.reset()

    def fail(self, error: Exception) -> None:
        """Leaves word of an error for the next start, and restarts."""
        text = io.StringIO()
        sys.print_exception(error, text)
        # The same error again and again must not wear out the flash.
        if self.last_words() != text.getvalue().splitlines()[-4:]:
            with open(_LAST_WORDS, "w") as file:
                file.write(text.getvalue())
        self.restart(False)


def _read_waiting() -> "Callable[[int], bytes] | None":
    """What reads so many bytes as are there; the image has it, and stock MicroPython has not."""
    try:
        from tableref_usb import read
    except ImportError:
        return None
    return read


def _cause() -> int:
    """Why the chip started, as a place in protocol.CAUSES."""
    why = machine.mem32[_WHY] & 0xFFFFFFFF
    machine.mem32[_WHY] = 0
    if why == _ASKED:
        return 3
    return {machine.PWRON_RESET: 1, machine.WDT_RESET: 2}.get(machine.reset_cause(), 0)
