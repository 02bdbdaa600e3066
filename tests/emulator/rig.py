"""The board as a test holds it: an emulated Pico in a process of its own, and the host's link.

Time is the emulator's: the link runs on the emulated clock, and the limits of waits are in
emulated seconds, with a limit on real time behind each, for an emulator that has stopped. Where
times are measured the emulator waits for the host, too (`SteppedPico`).
"""

from __future__ import annotations

import json
import mmap
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.emulator.scripts import Move, times

from tableref.devices.link import BoardLink, LinkItem, Ports
from tableref.devices.link.serial_port import SerialPort
from tableref.devices.link.virtual import TURN_S, VirtualPico
from tableref_firmware import scan
from tableref_hardware.board import Board

ROOT = Path(__file__).resolve().parents[2]
ANSWER_S = 30.0  # real, for one command
REAL_S = 240.0  # real, for one wait that is short
SLOWEST = 150.0  # real seconds that an emulated one may take, while others use the machine, too
BY_ID = "dev/serial/by-id/usb-MicroPython_Board_in_FS_mode-if00"


class Pico:
    """An emulated Pico with this image. `root` is a folder that stands for /."""

    def __init__(self, image: Path, root: Path, board: Board) -> None:
        self.root, self.board = root, board
        (root / BY_ID).parent.mkdir(parents=True, exist_ok=True)
        clock = root / "clock"
        clock.write_bytes(bytes(8))
        self._clock = mmap.mmap(os.open(clock, os.O_RDONLY), 8, prot=mmap.PROT_READ)
        self._answers = b""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.emulator.machine", str(image), str(clock)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        places = [cell.switch for cell in board.cells.values() if cell.switch is not None]
        self.tell("solder", registers=scan.registers(places))

    def now(self) -> float:
        """Emulated seconds."""
        return float(struct.unpack("d", self._clock[:8])[0]) * 1e-9

    def tell(self, command: str, **values: object) -> dict[str, Any]:
        """Has the machine do something; its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([command, values]).encode() + b"\n")
        self._process.stdin.flush()
        end = time.monotonic() + ANSWER_S
        while b"\n" not in self._answers:
            left = end - time.monotonic()
            if left <= 0 or not select.select((self._process.stdout,), (), (), left)[0]:
                pytest.fail(f"the emulator does not answer {command} in {ANSWER_S} s")
            data = os.read(self._process.stdout.fileno(), 1 << 16)
            assert data, "the emulator has ended"
            self._answers += data
        line, self._answers = self._answers.split(b"\n", 1)
        return dict(json.loads(line))

    def plug(self, escape: bool = False, stepped: bool = False) -> str:
        """Plugs it in; the port's device."""
        device = str(self.tell("plug", escape=escape, stepped=stepped)["port"])
        (self.root / BY_ID).symlink_to(device)
        return device

    def unplug(self) -> None:
        """Pulls the plug: port and power."""
        (self.root / BY_ID).unlink()
        self.tell("unplug")

    def put(self, cell: str) -> None:
        """Sets a magnet on a cell."""
        self.tell("switch", place=self.board.cells[cell].switch, magnet=True)

    def lift(self, cell: str) -> None:
        """Takes the magnet off a cell."""
        self.tell("switch", place=self.board.cells[cell].switch, magnet=False)

    def play(self, script: list[Move]) -> None:
        """Moves magnets, one after the other, from now on; returns at once."""
        timed = [
            (moment * 1e9, self.board.cells[cell].switch, magnet)
            for moment, (cell, magnet) in zip(times(script), script, strict=True)
        ]
        self.tell("play", moves=timed)

    def link(self, opener: Callable[[str], Any] = SerialPort) -> BoardLink:
        """The host's link, which finds this board by itself."""
        return BoardLink(self.board, "auto", clock=self.now, ports=Ports(self.root, opener))

    def wait(self, seconds: float) -> None:
        """Lets emulated time pass."""
        end = self.now() + seconds
        self.until(lambda: self.now() >= end, seconds + 1.0, "end")

    def until(self, reached: Callable[[], bool], seconds: float, what: str) -> None:
        """Waits for something; fails after so many emulated seconds, or many real ones."""
        end, real = self.now() + seconds, time.monotonic() + max(REAL_S, seconds * SLOWEST)
        while not reached():
            if self.now() > end or time.monotonic() > real:
                pytest.fail(f"no {what} after {seconds} s of emulated time")
            time.sleep(0.002)

    def items(
        self, link: BoardLink, enough: Callable[[LinkItem], bool], seconds: float
    ) -> list[LinkItem]:
        """Items up to the first that is `enough`; fails after so many emulated seconds."""
        end, real = self.now() + seconds, time.monotonic() + max(REAL_S, seconds * SLOWEST)
        items: list[LinkItem] = []
        while self.now() < end and time.monotonic() < real:
            item = link.next(0.2)
            if item is not None:
                items.append(item)
                if enough(item):
                    return items
        pytest.fail(f"not enough after {seconds} s of emulated time: {items}")

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._process.stdout.close()


class SteppedPico(VirtualPico):
    """The emulated Pico under a `VirtualLink`, whose clock is then the only one.

    A host that other work holds up would send what it has to say in heaps, and the times measured
    would be of that machine.
    """

    def __init__(self, pico: Pico) -> None:
        self._pico = pico
        super().__init__(pico.board)
        pico.plug(stepped=True)

    def power_up(self) -> None:
        """The firmware is the image's; none runs here."""

    def run(self, now: float, data: bytes = b"") -> bytes:
        """What the image says up to `now`, with these bytes from the host before."""
        hardware = self.hardware
        hardware.now = now
        if hardware.origin is None:
            hardware.origin = now
        until = (now - hardware.origin) * 1e9
        return bytes.fromhex(self._pico.tell("step", until=until, data=data.hex())["said"])

    def next_turn(self) -> float:
        """A millisecond later: so often USB asks."""
        return self.hardware.now + TURN_S
