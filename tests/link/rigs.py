"""The firmware under unix MicroPython: in virtual time, and behind a pseudo-terminal."""

from __future__ import annotations

import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from tableref.devices.link import BoardLink, Faults, LinkItem, Ports
from tableref.devices.link.faults import Wire
from tableref.devices.link.serial_port import SerialPort
from tableref.devices.link.virtual import VirtualPico
from tableref_hardware.board import Board

ROOT = Path(__file__).resolve().parents[2]
FAKES = ROOT / "tests/link/fakes"
# Twice the memory that a Pico's MicroPython leaves: a word here has 64 bits.
HEAP = "400k"
RESET_CODE = 75  # the fake `machine` ends with it


def micropython() -> list[str]:
    """The command that starts unix MicroPython; skips the test where there is none."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if found is None:
        pytest.skip("unix MicroPython is not here (its PyPI build is for x86-64 only)")
    return [found, "-X", f"heapsize={HEAP}"]


def environment(**more: str) -> dict[str, str]:
    """Environment in which `import machine` finds the fake, and the firmware is in reach."""
    return {**os.environ, "MICROPYPATH": f"{FAKES}:{ROOT / 'firmware'}:.frozen", **more}


class LockstepPico(VirtualPico):
    """A virtual Pico whose firmware runs under MicroPython, a turn at a time."""

    process: subprocess.Popen[bytes] | None = None
    free = 0  # bytes of memory, after the last turn that asked
    ask_free = False

    def power_up(self) -> None:
        self.close()
        self.process = subprocess.Popen(
            [*micropython(), str(FAKES / "lockstep.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        hardware = self.hardware
        self._write(struct.pack("<IBB", hardware.boot, hardware.cause, hardware.has_lights))

    def turn(self, overflow: bool) -> bool:
        hardware = self.hardware
        first, again = bytearray(9), bytearray(9)
        hardware.read_switches(first)
        hardware.read_switches(again)
        data = hardware.read()
        flags = int(overflow) | 2 * self.ask_free
        head = (hardware.ticks(), flags, bytes(first), bytes(again), len(data))
        self._write(struct.pack("<IB9s9sH", *head) + data)
        size, state, free, lights = struct.unpack("<HBIB", self._read(8))
        hardware.write(self._read(size))
        words = self._read(4 * lights)
        if lights:
            hardware.words = list(struct.unpack(f"<{lights}I", words))
        hardware.prompt = bool(state & 2)
        self.free = free or self.free
        return bool(state & 1)

    def _write(self, data: bytes) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _read(self, size: int) -> bytes:
        assert self.process is not None
        assert self.process.stdout is not None
        data = self.process.stdout.read(size)
        assert len(data) == size, f"the firmware ended: {data!r}"
        return data

    def close(self) -> None:
        """Ends the process."""
        if self.process:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.close()
            self.process.wait(5)
            self.process.stdout.close()
            self.process = None


class PtyPico:
    """The whole firmware, `hal` and `main` included, behind a pseudo-terminal, in real time.

    `root` is a folder that stands for /: the port is in its dev/serial/by-id.
    """

    BY_ID = "usb-Board_under_the_table-if00"

    def __init__(self, root: Path, board: Board) -> None:
        self.root = root
        self._switches = {cell.name: cell.switch for cell in board.cells.values()}
        self.prompt = False  # the next reset of its own ends there
        self._wires = bytearray(b"\xff" * 8 + b"\0")
        self._write_chain()
        (root / "dev/serial/by-id").mkdir(parents=True, exist_ok=True)
        self.name = root / "dev/serial/by-id" / self.BY_ID
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper: threading.Thread | None = None
        self._master = self._slave = -1

    def plug(self, power: bool = True) -> str:
        """Makes the port appear, and starts the firmware; its device."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        device = os.ttyname(self._slave)
        self.name.symlink_to(device)
        if power:
            self.power_up()
        return device

    def hear(self, seconds: float) -> bytes:
        """What the host says to a board that is not powered up; fails after so many seconds."""
        assert select.select((self._master,), (), (), seconds)[0]
        return os.read(self._master, 4096)

    def make_noise(self, noise: bytes) -> None:
        """Says this as if the board did."""
        os.write(self._master, noise)

    def power_up(self) -> None:
        """Starts the firmware, and starts it again after a reset of its own."""
        # With -i a script ends in the prompt, as on a Pico; but then it cannot end the process.
        escape = (self.root / "escape").exists()
        self._process = self._spawn(*(["-i"] if escape else []))
        self._keeper = threading.Thread(target=self._keep, args=(self._process,), daemon=True)
        self._keeper.start()

    def _spawn(self, *options: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*micropython(), *options, str(ROOT / "firmware/main.py")],
            stdin=self._master,
            stdout=self._master,
            cwd=self.root,
            env=environment(TABLEREF_RIG=str(self.root)),
        )

    def _keep(self, process: subprocess.Popen[bytes]) -> None:
        while process.wait() == RESET_CODE:
            self._process = process = self._spawn(*(["-i"] if self.prompt else []))

    def unplug(self) -> None:
        """The port goes away, and the board's power with it."""
        self.name.unlink(missing_ok=True)
        if self._process and self._keeper:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._keeper.join(5)
            self._process = None
        for end in (self._master, self._slave):
            if end >= 0:
                os.close(end)
        self._master = self._slave = -1

    def hang(self, hanging: bool) -> None:
        """Stops the board dead, or lets it run on."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP if hanging else signal.SIGCONT)

    def put(self, *cells: str) -> None:
        """Sets magnets on cells."""
        self._set(cells, 0)

    def lift(self, *cells: str) -> None:
        """Takes magnets off cells."""
        self._set(cells, 1)

    def break_chain(self, broken: bool) -> None:
        """Takes the switches' data line off, or puts it back."""
        self._wires[8] = 0xFF if broken else 0
        self._write_chain()

    def _set(self, cells: tuple[str, ...], level: int) -> None:
        for cell in cells:
            place = self._switches[cell]
            assert place is not None
            mask = 1 << (place & 7)
            self._wires[place >> 3] = self._wires[place >> 3] & ~mask | mask * level
        self._write_chain()

    def _write_chain(self) -> None:
        descriptor = os.open(self.root / "chain", os.O_WRONLY | os.O_CREAT)
        os.pwrite(descriptor, self._wires, 0)
        os.close(descriptor)

    def lights(self) -> bytes:
        """What the strip shows: green, red, blue, 0 for each light."""
        file = self.root / "lights"
        return file.read_bytes() if file.exists() else b""

    def link(self, board: Board, faults: Faults | None = None, **more: object) -> BoardLink:
        """A link that finds this board by itself."""
        opener = SerialPort if faults is None else lambda path: FaultyPort(path, faults)
        ports = Ports(self.root, opener)
        return BoardLink(board, "auto", ports=ports, **more)  # type: ignore[arg-type]


class FaultyPort(SerialPort):
    """A serial port with faults on its wire, both ways."""

    def __init__(self, path: str, faults: Faults) -> None:
        super().__init__(path)
        self._in, self._out = Wire(faults, 11), Wire(faults, 12)

    def read(self, timeout: float) -> bytes:
        self._in.put(super().read(timeout), time.monotonic())
        return self._in.take(time.monotonic())

    def write(self, data: bytes) -> None:
        self._out.put(data, time.monotonic())
        super().write(self._out.take(time.monotonic()))


def until(link: BoardLink, enough: Callable[[LinkItem], bool], seconds: float) -> list[LinkItem]:
    """Items up to the first that is `enough`; fails after so many seconds."""
    end = time.monotonic() + seconds
    items: list[LinkItem] = []
    while (left := end - time.monotonic()) > 0:
        item = link.next(left)
        if item is not None:
            items.append(item)
            if enough(item):
                return items
    pytest.fail(f"not enough after {seconds} s: {items}")
