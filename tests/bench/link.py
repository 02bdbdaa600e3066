"""How quick the link is, with the whole firmware under unix MicroPython behind a pseudo-terminal.

Wall time from a switch that changes to the event in the reader's hand, less the debounce time; what
the host pays for it in CPU time; and how many events there may be.
"""

from __future__ import annotations

import itertools
import os
import select
import struct
import tempfile
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from statistics import median, quantiles

import pytest

from tableref.devices.link import BoardLink, Snapshot, SwitchEvent
from tableref.devices.link.cells import CellTable
from tableref.devices.link.ledger import Ledger
from tableref_firmware import protocol as p
from tableref_firmware.framing import Decoder, encode
from tableref_hardware.board import Board, load_board
from tests.link.rigs import PtyPico, until

DEBOUNCE_MS = 5
CHANGES = 400
BUSY_S = 20
EVENTS_PER_S = 100


def run() -> list[str]:
    """Lines with figures."""
    board = load_board("autoscooter")
    lines = [_capacity(board)]
    with tempfile.TemporaryDirectory() as folder:
        try:
            pico = PtyPico(Path(folder), board)
            pico.plug()
        except pytest.skip.Exception as reason:
            return [*lines, f"switch to event: not measured, {reason}"]
        try:
            with pico.link(board, debounce_ms=DEBOUNCE_MS) as link:
                until(link, lambda item: isinstance(item, Snapshot), 5.0)
                lines += [_latency(link, pico, board), _bare(), _burst(link, pico, board)]
                lines += [_load(link, pico, board), _bare_load()]
        finally:
            pico.unplug()
    return lines


def _latency(link: BoardLink, pico: PtyPico, board: Board) -> str:
    waits = []
    for turn, cell in itertools.islice(_changes(board), CHANGES):
        time.sleep(0.011 + turn * 0.0007 % 0.001)  # not in step with the scan
        began = time.monotonic()
        (pico.lift if turn % 2 else pico.put)(cell)
        until(link, lambda item: isinstance(item, SwitchEvent), 2.0)
        waits.append((time.monotonic() - began) * 1000 - DEBOUNCE_MS)
    return (
        f"switch to event, beyond {DEBOUNCE_MS} ms of debounce: median {median(waits):.2f} ms, "
        f"p95 {_p95(waits):.2f} ms, worst {max(waits):.2f} ms of {CHANGES} (wanted: p95 under 5)"
    )


def _p95(waits: list[float]) -> float:
    return quantiles(waits, n=20)[-1]


def _bare() -> str:
    """What the machine itself takes: bytes through a pseudo-terminal and back, nothing done."""
    master, slave = os.openpty()
    tty.setraw(slave)

    def echo() -> None:
        for _ in range(CHANGES):
            os.write(slave, os.read(slave, 100))

    other = threading.Thread(target=echo)
    other.start()
    waits = []
    for _ in range(CHANGES):
        time.sleep(0.011)
        began = time.monotonic()
        os.write(master, bytes(20))
        os.read(master, 100)
        waits.append((time.monotonic() - began) * 1000)
    other.join()
    os.close(master)
    os.close(slave)
    return (
        f"the same way with nothing behind it: median {median(waits):.2f} ms, "
        f"p95 {_p95(waits):.2f} ms, worst {max(waits):.2f} ms there and back: "
        "a busy machine shows here"
    )


def _changes(board: Board) -> itertools.chain[tuple[int, str]]:
    """All cells filled, all emptied, and so on: (turn, cell)."""
    return itertools.chain.from_iterable(
        ((turn, cell) for cell in board.cells) for turn in itertools.count()
    )


def _burst(link: BoardLink, pico: PtyPico, board: Board) -> str:
    cells = [cell for cell in board.cells if cell != "a1"]
    for act in (pico.put, pico.lift):
        act(*cells)
        time.sleep(0.5)
    while link.next(0.2):
        pass
    began = time.monotonic()
    pico.put(*cells)
    for _ in cells:
        until(link, lambda item: isinstance(item, SwitchEvent), 2.0)
    took = (time.monotonic() - began) * 1000
    pico.lift(*cells)
    for _ in cells:
        until(link, lambda item: isinstance(item, SwitchEvent), 2.0)
    return f"{len(cells)} switches at once: the last event after {took:.1f} ms, debounce included"


def _shares(send: Callable[[int], None], take: Callable[[], None]) -> list[float]:
    """CPU time of this process for each second of events, less that of the thread that sends.

    `send` makes event after event happen; `take` waits for one.
    """
    done = threading.Event()

    def run() -> None:
        began, turn = time.monotonic(), 0
        while not done.wait(max(0.0, began + turn / EVENTS_PER_S - time.monotonic())):
            send(turn)
            turn += 1

    sender = threading.Thread(target=run)
    sender.start()
    assert sender.ident is not None
    clock = time.pthread_getcpuclockid(sender.ident)
    shares = []
    for _ in range(BUSY_S):
        before, began = time.process_time() - time.clock_gettime(clock), time.monotonic()
        for _ in range(EVENTS_PER_S):
            take()
        spent = time.process_time() - time.clock_gettime(clock) - before
        shares.append(spent / (time.monotonic() - began))
    done.set()
    sender.join()
    return shares


def _told(shares: list[float]) -> str:
    return f"{median(shares):.1%} of one core, {min(shares):.1%} in the calmest of {BUSY_S} seconds"


def _load(link: BoardLink, pico: PtyPico, board: Board) -> str:
    """CPU time of this process, in which link and reader run. The board is a process of its own,
    and does not count."""
    changes = _changes(board)

    def move(_: int) -> None:
        turn, cell = next(changes)
        (pico.lift if turn % 2 else pico.put)(cell)

    waits = []

    def take() -> None:
        while not isinstance(item := link.next(2.0), SwitchEvent):
            if item is None:
                raise RuntimeError("an event has not come")
        waits.append((time.monotonic() - item.time) * 1000)

    shares = _shares(move, take)
    return (
        f"host at {EVENTS_PER_S} events/s: {_told(shares)} (wanted: under 2 %); gathered for up "
        f"to {p.GATHER_MS} ms, they are {median(waits):.1f} ms old, p95 "
        f"{_p95(waits):.1f} ms"
    )


def _bare_load() -> str:
    """What the machine takes for the least that can be done: a thread that reads a frame from a
    pseudo-terminal, answers every second one, and hands something to another thread."""
    master, slave = os.openpty()
    tty.setraw(slave)
    handed: SimpleQueue[bytes] = SimpleQueue()
    last = b"!"

    def echo() -> None:
        data, turn = b"", 0
        while not data.endswith(last):
            select.select((slave,), (), (), 1.0)
            data, turn = os.read(slave, 4096), turn + 1
            if turn % 2:
                os.write(slave, bytes(13))
            handed.put(data)

    def send(_: int) -> None:
        os.write(master, bytes(18))
        if select.select((master,), (), (), 0)[0]:
            os.read(master, 4096)

    reader = threading.Thread(target=echo)
    reader.start()

    def take() -> None:
        handed.get()

    shares = _shares(send, take)
    os.write(master, last)
    reader.join()
    os.close(master)
    os.close(slave)
    return (
        f"two threads that only read, answer and hand on as often: {_told(shares)}: "
        "a busy machine shows here"
    )


def _capacity(board: Board) -> str:
    """Events a second: what the board may send, and what the host could take."""
    frame = len(encode(p.EVENTS, 0, bytes(2 + 5 * p.EVENTS_IN_FRAME)))
    allowed = p.BUDGET_BYTES_PER_S / frame * p.EVENTS_IN_FRAME
    ledger, decoder = Ledger(CellTable(board)), Decoder()
    ledger.clock.ping(0.0, 0, 0.0)
    ledger.begin("", 1, False)
    ledger.snapshot(0, 0, True, bytes(8), bytes(8), True)
    frames = []
    for first in range(0, 12_000, p.EVENTS_IN_FRAME):
        numbers = range(first, first + p.EVENTS_IN_FRAME)
        packed = b"".join(struct.pack("<BI", n % 38 | (n // 38 % 2 == 0) << 7, n) for n in numbers)
        frames.append(encode(p.EVENTS, first & 0xFF, p.pack(p.EVENTS, first, packed)))
    began, taken = time.process_time(), 0
    for data in frames:
        for kind, payload in decoder.feed(data):
            if kind == p.EVENTS:
                taken += len(ledger.events(payload, 1000) or ())
    rate = taken / (time.process_time() - began)
    return (
        f"events a second: the board sends up to {allowed:.0f} within its "
        f"{p.BUDGET_BYTES_PER_S} bytes/s; the host could take {rate:.0f} (CPU time)"
    )
