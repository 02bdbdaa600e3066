"""A Pico that is not there: the firmware's own modules on hardware made of Python.

`VirtualPico` runs at whatever pace it is given times; `VirtualPort` puts it behind a port in real
time, with faults on the wire.
"""

from __future__ import annotations

import random
import threading
import time
from array import array
from collections.abc import Callable

from tableref.devices.link.faults import Faults, Wire
from tableref.devices.link.wiring import WIRING, Wiring
from tableref.errors import UserError
from tableref_firmware.app import App
from tableref_firmware.protocol import CAUSES, TICKS_PERIOD
from tableref_hardware.board import Board

NAME = "virtual"
_CHAIN = 8  # registers
TURN_S = 0.001  # a turn of the firmware while it has something to do
REST_S = 0.05  # and while it has not


class VirtualHardware:
    """The hardware that `App` wants (see `tableref_firmware.hardware`)."""

    def __init__(
        self, faults: Faults, switches: dict[str, int], seed: int, wiring: Wiring, high: bool
    ) -> None:
        self.now = 0.0  # seconds; set by whoever lets time pass
        self.origin: float | None = None  # when the board was first run
        self.first_ticks = 0  # its counter then
        self.rate = 1.0  # of its crystal
        self.has_lights = True
        self.boot = 1
        self.cause = CAUSES.index("power")
        self.unit = b"virtual\0"
        self.input = b""
        self.output = b""
        self.words: list[int] = []  # what the lights show
        self.prompt = False  # the firmware has ended, for MicroPython's prompt
        self.chain_whole = True
        self.chain_late = 0  # registers of the next reading before the chain is whole again
        self._faults, self._switches = faults, switches
        self.wiring, self._high = wiring, high
        self._random = random.Random(seed)
        self._level = [False] * 8 * _CHAIN
        self._changed = [float("-inf")] * 8 * _CHAIN
        self._stuck: dict[int, bool] = {}

    def set_magnet(self, place: int, there: bool) -> None:
        """A magnet comes to a switch, or leaves it."""
        if self._level[place] != there:
            self._level[place] = there
            self._changed[place] = self.now

    def settle_at(self) -> float:
        """When the last switch stops bouncing."""
        return max(self._changed) + self._faults.bounce / 1000

    def ticks(self) -> int:
        passed = 0.0 if self.origin is None else (self.now - self.origin) * self.rate
        return (round(passed * 1e6) + self.first_ticks) % TICKS_PERIOD

    def feed(self) -> None:
        """Nothing watches a virtual board."""

    def read(self) -> bytes:
        data, self.input = self.input, b""
        return data

    def write(self, data: bytes) -> None:
        self.output += data

    def read_switches(self, wire: bytearray) -> None:
        stuck = self._switches.get(self._faults.stuck)
        self._stuck = {} if stuck is None else {stuck: self._stuck.get(stuck, self._level[stuck])}
        bouncing = self.now - self._faults.bounce / 1000
        levels = self._level
        if self._stuck or max(self._changed) > bouncing:
            levels = [
                self._stuck.get(place, self._random.random() < 0.5 if at > bouncing else level)
                for place, (level, at) in enumerate(zip(levels, self._changed, strict=True))
            ]
        levels, whole = self.wiring.read(levels)
        at_rest = 0x00 if self._high else 0xFF
        for register in range(len(wire) - 1):
            bits = levels[8 * register : 8 * register + 8]
            wire[register] = at_rest ^ sum(1 << bit for bit, level in enumerate(bits) if level)
        if self.chain_late:
            wire[: self.chain_late] = b"\xff" * self.chain_late
            self.chain_late, self.chain_whole = 0, True
        wire[-1] = 0x00 if self.chain_whole and whole is None else 0xFF
        if whole is not None:
            wire[whole:] = b"\xff" * (len(wire) - whole)

    def show(self, words: array[int]) -> None:
        self.words = list(words)

    def collect(self) -> None:
        """Memory is not this board's concern."""

    def free(self) -> int:
        return 0

    def last_words(self) -> list[str]:
        return []

    def restart(self, prompt: bool) -> None:
        self.prompt = prompt


class VirtualPico:
    """A board without wires. `run(now)` is called with times that never go back.

    UserError where the switch that is to be stuck is not there.
    """

    def __init__(self, board: Board, faults: Faults | None = None, seed: int = 1) -> None:
        self.faults = faults or Faults()
        self._switches = {
            cell.name: cell.switch for cell in board.cells.values() if cell.switch is not None
        }
        self._lights = {
            cell.name: cell.light for cell in board.cells.values() if cell.light is not None
        }
        if self.faults.stuck:
            self.place(self.faults.stuck)
        self._board = board
        self.magnet_turned = False  # whoever puts one holds it upside down
        self.hardware = VirtualHardware(
            self.faults, self._switches, seed, self._wiring(), board.magnet == "high"
        )
        self._busy = True  # the firmware wants its next turn soon
        self.power_up()

    def power_up(self) -> None:
        """Starts the firmware on the hardware as it is."""
        self.app = App(self.hardware)

    def turn(self, overflow: bool) -> bool:
        """One turn of the firmware; whether the next one should follow soon."""
        if overflow:
            self.app.outbox.overflow()
        self.app.turn()
        return self.app.busy()

    def lift(self, cell: str, now: float) -> None:
        """Takes the magnet off a cell."""
        self._move(cell, False, now)

    def put(self, cell: str, now: float, off: float = 0.0) -> None:
        """Sets a magnet on a cell, so many mm off its middle."""
        self._move(cell, self.hardware.wiring.feels(cell, off, self.magnet_turned), now)

    def rewire(self) -> None:
        """Takes what `faults` says of the wiring. UserError where it cannot be."""
        self.hardware.wiring = self._wiring()

    def _wiring(self) -> Wiring:
        return Wiring(self._board, self.faults.wiring)

    def place(self, cell: str) -> int:
        """Where a cell's switch is in the chain. UserError where it has none."""
        if cell not in self._switches:
            raise UserError(f"there is no switch under {cell!r}")
        return self._switches[cell]

    def _move(self, cell: str, there: bool, now: float) -> None:
        place = self.place(cell)
        self.hardware.now = now
        self.hardware.set_magnet(place, there)
        self._busy = True  # a real board would have its next turn within a millisecond

    def light(self, cell: str) -> tuple[int, int, int]:
        """Red, green, blue that a cell's light shows now."""
        place = self._lights[cell]
        words = self.hardware.words
        word = words[place] if place < len(words) else 0
        return word >> 8 & 255, word >> 16 & 255, word & 255

    def reset(self, cause: str = "power") -> None:
        """Resets the chip."""
        hardware = self.hardware
        hardware.boot += 1
        hardware.cause = CAUSES.index(cause)
        hardware.input = hardware.output = b""
        hardware.words = []
        hardware.prompt = False
        self.power_up()

    def run(self, now: float, data: bytes = b"") -> bytes:
        """One turn of the firmware at `now` (seconds) with these bytes from the host; its answer.

        Faults of the board itself happen here.
        """
        hardware, faults = self.hardware, self.faults
        hardware.now = now
        if hardware.origin is None:
            hardware.origin = now
        if faults.reset:
            faults.reset = False
            self.reset()
        hardware.input += data
        if hardware.prompt:
            return b""
        overflow, faults.overflow = faults.overflow, False
        self._busy = self.turn(overflow)
        out, hardware.output = hardware.output, b""
        return out

    def next_turn(self) -> float:
        """When `run` should be called again, though nothing comes from outside (seconds)."""
        now = self.hardware.now
        soon = self._busy or now < self.hardware.settle_at()
        return now + (TURN_S if soon else REST_S)


class VirtualPort:
    """A `Port` with a virtual Pico behind it, in real time; faults of the wire happen here."""

    def __init__(self, pico: VirtualPico, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = NAME
        self._pico, self._clock = pico, clock
        self._to_board = Wire(pico.faults, seed=2)
        self._to_host = Wire(pico.faults, seed=3)
        self._changed = threading.Condition()
        self._woken = False

    def set_fault(self, name: str, value: str) -> None:
        """Switches a fault of FAULTS, at any time. UserError where there is no such fault, value
        or cell."""
        if name == "stuck" and value not in ("", "0", "1"):
            self._pico.place(value)
        with self._changed:
            kept = dict(self._pico.faults.wiring)
            self._pico.faults.set(name, value)
            if name in WIRING:
                try:
                    self._pico.rewire()
                except UserError:
                    self._pico.faults.wiring = kept
                    raise

    def lift(self, cell: str) -> None:
        """Takes the magnet off a cell, now."""
        with self._changed:
            self._pico.lift(cell, self._clock())
            self._changed.notify()

    def put(self, cell: str, off: float = 0.0) -> None:
        """Sets a magnet on a cell, now, so many mm off its middle."""
        with self._changed:
            self._pico.put(cell, self._clock(), off)
            self._changed.notify()

    def turn_magnet(self) -> None:
        """Whoever puts magnets holds them the other way up from now on."""
        self._pico.magnet_turned = not self._pico.magnet_turned

    def read(self, timeout: float) -> bytes:
        end = self._clock() + timeout
        with self._changed:
            while True:
                now = self._clock()
                self._to_host.put(self._pico.run(now, self._to_board.take(now)), now)
                data = self._to_host.take(now)
                if data or self._woken or now >= end:
                    self._woken = False
                    return data
                wires = (self._to_board.next_at(), self._to_host.next_at())
                due = min(end, self._pico.next_turn(), *(at for at in wires if at is not None))
                self._changed.wait(max(0.0, due - now))

    def write(self, data: bytes) -> None:
        with self._changed:
            self._to_board.put(data, self._clock())

    def wake(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.notify()

    def close(self) -> None:
        """There is nothing to give back."""


def port_named(text: str, board: Board) -> str | VirtualPort:
    """What a person calls a port: `virtual`, `virtual:flip=0.01,stuck=a1`, or a device's name.

    Raises UserError where a fault is not one of FAULTS, or not of this board.
    """
    name, _, faults = text.partition(":")
    if name != NAME:
        return text
    return VirtualPort(VirtualPico(board, Faults.parse(faults)))
