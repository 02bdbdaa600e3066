"""The emulated Pico with its switches and lights: a process of its own, run by `rig.Pico`.

    python -m tests.emulator.machine IMAGE CLOCK

USB is a pseudo-terminal, or, in steps, bytes that each command brings and takes; commands come as
lines of JSON on standard input, and each is answered with one line. CLOCK is a file of 8 bytes that
has the emulated time in ns, as a double. The emulator is young and knows one core and no flash
latency; times are of its clock.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import random
import select
import struct
import sys
import tty
from pathlib import Path
from typing import Any

from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice, ResetCause
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals.peripheral import BasePeripheral
from rp2040py.utils.logging import LogLevel
from tests.emulator.chain import Chain
from tests.emulator.strip import Strip

from tableref_firmware import pins

_STEPS = 1  # the emulator's clock is exact to one instruction
_PACKET_US = 52  # 64 bytes on the way: full speed has room for 19 of them in a millisecond
_RING = 0x40060  # the ring oscillator's address, without its last 12 bits
_RANDOM_BIT = 0x1C


class Ring(BasePeripheral):
    """The ring oscillator's random bit, from which the firmware makes the number of its run."""

    def __init__(self, mcu: Any) -> None:
        super().__init__(mcu, "ROSC_BASE")
        self._random = random.Random(3)

    def read_uint32(self, offset: int) -> int:
        return self._random.getrandbits(1) if offset == _RANDOM_BIT else 0xFFFFFFFF

    def write_uint32(self, offset: int, value: int) -> None:
        """It has no other part that the firmware needs."""


class Machine:
    """One Pico; each command is a method of this name."""

    def __init__(self, image: Path, clock: Path) -> None:
        self._device = BaseDevice(board=BoardSpec(image=image), log_level=LogLevel.ERROR)
        self._mcu = self._device.mcu
        self._mcu.peripherals[_RING] = Ring(self._mcu)
        self._clock = mmap.mmap(os.open(clock, os.O_RDWR), 8)
        self._chain = Chain(self._mcu, pins.LATCH)
        self._strip = Strip(self._mcu, pins.LIGHTS)
        self._strip.on_picture = self._pictured
        self._pictures: list[tuple[float, list[int]]] = []
        self._keep = False
        self._device.cdc.on_serial_data = self._said
        usb = self._mcu.usb_ctrl
        self._hand_over, usb.on_endpoint_read = usb.on_endpoint_read, self._wanted
        self._forget, usb.on_reset = usb.on_reset, self._gone
        self._wants: tuple[int, int] | None = None  # end point and bytes that the chip waits for
        usb.read_delay_microseconds = usb.write_delay_microseconds = _PACKET_US
        self._to_host = bytearray()
        self._from_host = bytearray()
        self._master = self._slave = -1
        self._said_at: list[tuple[float, str]] = []  # when, and what, in hex
        self._heard_at: list[tuple[float, str]] = []  # the other way
        self._played: list[tuple[float, int, int]] = []
        self._resets = 0
        self._device.mcu.watchdog.on_watchdog_trigger = self._reset_by_itself
        self._running = False  # it has power
        self._ran = False  # it has had power before
        self._stepped = False  # its time passes in `step` alone
        self._end = self._mcu.clock.create_alarm(self._stop)  # of a step

    # Commands

    def solder(self, registers: int) -> dict[str, Any]:
        """Makes the chain so long; no magnets."""
        self._chain.inputs = bytearray(b"\xff" * registers)
        return {}

    def plug(self, escape: bool = False, stepped: bool = False) -> dict[str, Any]:
        """Power and a port: the device's name. `stepped`: time stands still between steps."""
        self._stepped = stepped
        self._mcu.gpio[pins.ESCAPE].set_input_value(not escape)
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        if self._ran:
            self._device.hard_reset(cause=ResetCause.POWER_ON)
        self._mcu.core.pc = FLASH_START_ADDRESS
        self._running = self._ran = True
        self._device.simulator.stopped = False
        return {"port": os.ttyname(self._slave)}

    def unplug(self) -> dict[str, Any]:
        """The port goes away, and the power."""
        os.close(self._master)
        os.close(self._slave)
        self._master = -1
        self._to_host.clear()
        self._from_host.clear()
        self._running = False
        return {}

    def escape(self, joined: bool) -> dict[str, Any]:
        """Joins the escape pin to ground, or opens it."""
        self._mcu.gpio[pins.ESCAPE].set_input_value(not joined)
        return {}

    def switch(self, place: int, magnet: bool) -> dict[str, Any]:
        """Sets or takes a magnet, now."""
        self._set(place, magnet)
        return {"now": self._mcu.clock.nanos}

    def loose(self, loose: bool) -> dict[str, Any]:
        """Takes the chain's data line off, or puts it back."""
        self._chain.loose = loose
        return {}

    def play(self, moves: list[tuple[float, int, bool]]) -> dict[str, Any]:
        """Moves magnets at emulated times: (ns from now, place, magnet)."""
        for delay, place, magnet in moves:
            alarm = self._mcu.clock.create_alarm(lambda p=place, m=magnet: self._set(p, m))
            alarm.schedule(delay)
        return {}

    def keep(self, on: bool) -> dict[str, Any]:
        """Keeps every picture and every byte's time from now on, or hands them over."""
        kept = {
            "pictures": self._pictures,
            "said": self._said_at,
            "heard": self._heard_at,
            "played": self._played,
        }
        self._pictures, self._said_at, self._heard_at, self._played = [], [], [], []
        self._keep = on
        if on:
            self._chain.reset_gaps()
        return kept

    def look(self) -> dict[str, Any]:
        """What the rig has measured."""
        chain, strip = self._chain, self._strip
        return {
            "now": self._mcu.clock.nanos,
            "scans": chain.scans,
            "gap": chain.gap,
            "gap_at": chain.gap_at,
            "gaps": chain.gaps,
            "pictures": strip.pictures,
            "bits": strip.bits,
            "wrong_pulses": strip.wrong_pulses,
            "means": strip.means(),
            "wrong": strip.wrong,
            "rest": strip.rest,
            "words": strip.words,
            "resets": self._resets,
        }

    def step(self, until: float, data: str) -> dict[str, Any]:
        """Hands these bytes (hex) over and runs to an emulated time (ns): what the chip said (hex).

        The host works in no time at all, however busy the machine is that it runs on.
        """
        self._from_host += bytes.fromhex(data)
        simulator = self._device.simulator
        # A batch would end when a few real milliseconds are over: the alarm ends it to the tick.
        self._end.schedule(max(0.0, until - self._mcu.clock.nanos))
        while not simulator.stopped:
            self._hand_in()
            self._advance()
        simulator.stopped = False
        said = self._to_host.hex()
        self._to_host.clear()
        return {"said": said}

    def hang(self) -> dict[str, Any]:
        """Takes the program counter into an endless loop, as a firmware that stands still would."""
        core = self._mcu.core
        # `b .` in the stack's memory, with interrupts off: nothing runs but the watchdog.
        address = core.sp - 256 & ~3
        self._mcu.write_uint16(address, 0xE7FE)
        core.pm = True
        core.pc = address
        return {}

    def skip(self, seconds: float) -> dict[str, Any]:
        """Lets time pass in which the processor does nothing that matters, as while it hangs."""
        self._mcu.clock.tick(seconds * 1e9)
        return {}

    # The machine

    def _stop(self) -> None:
        self._device.simulator.stopped = True

    def _set(self, place: int, magnet: bool) -> None:
        mask = 1 << (place & 7)
        byte = self._chain.inputs[place >> 3]
        self._chain.inputs[place >> 3] = byte & ~mask if magnet else byte | mask
        if self._keep:
            self._played.append((self._mcu.clock.nanos, place, int(magnet)))

    def _reset_by_itself(self) -> None:
        self._resets += 1
        self._device._on_watchdog_trigger()

    def _pictured(self, words: list[int]) -> None:
        if self._keep:
            self._pictures.append((self._strip.when, words))

    def _wanted(self, endpoint: int, size: int) -> None:
        """The chip is ready for bytes.

        The emulator's own host would send an empty packet each 10 us, which keeps the chip busy;
        a real one asks nothing of a chip that it has nothing for.
        """
        cdc = self._device.cdc
        if endpoint == cdc._out_endpoint and not cdc.tx_fifo.item_count:
            self._wants = (endpoint, size)
        else:
            self._hand_over(endpoint, size)

    def _gone(self) -> None:
        self._wants = None
        self._forget()

    def _said(self, data: bytes) -> None:
        if self._keep and data:
            self._said_at.append((self._mcu.clock.nanos, data.hex()))
        self._to_host += data

    def run(self) -> None:
        """Runs until standard input ends."""
        commands = b""
        while True:
            free = self._running and not self._stepped
            if free:
                self._advance()
                self._carry()
                self._hand_in()
            ready, _, _ = select.select((0,), (), (), 0.0 if free else 0.05)
            if ready:
                data = os.read(0, 1 << 16)
                if not data:
                    return
                *lines, commands = (commands + data).split(b"\n")
                for line in lines:
                    name, values = json.loads(line)
                    answer = getattr(self, name)(**values)
                    print(json.dumps(answer), flush=True)

    def _carry(self) -> None:
        """Takes bytes from the pseudo-terminal, and puts there what the chip has said."""
        with contextlib.suppress(BlockingIOError):
            self._from_host += os.read(self._master, 4096)
        if self._to_host:
            with contextlib.suppress(BlockingIOError):
                del self._to_host[: os.write(self._master, self._to_host)]

    def _advance(self) -> None:
        """Lets the chip work for some real milliseconds at most."""
        execute_batch(self._device.simulator, _STEPS)
        self._clock[:8] = struct.pack("d", self._mcu.clock.nanos)

    def _hand_in(self) -> None:
        """Gives the chip's USB the host's bytes that it has room for."""
        fifo = self._device.cdc.tx_fifo
        count = min(len(self._from_host), fifo.size - fifo.item_count)
        for byte in self._from_host[:count]:
            self._device.cdc.send_serial_byte(byte)
        if count:
            if self._keep:
                heard = bytes(self._from_host[:count])
                self._heard_at.append((self._mcu.clock.nanos, heard.hex()))
            del self._from_host[:count]
            if self._wants:
                wants, self._wants = self._wants, None
                self._hand_over(*wants)


if __name__ == "__main__":
    Machine(Path(sys.argv[1]), Path(sys.argv[2])).run()
