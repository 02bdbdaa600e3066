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
BUSY_S = 10.0
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
    p95 = quantiles(waits, n=20)[-1]
    return (
        f"switch to event, beyond {DEBOUNCE_MS} ms of debounce: median {median(waits):.2f} ms, "
        f"p95 {p95:.2f} ms, worst {max(waits):.2f} ms of {CHANGES} (wanted: p95 under 5)"
    )


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
    p95 = quantiles(waits, n=20)[-1]
    return (
        f"the same way with nothing behind it: median {median(waits):.2f} ms, p95 {p95:.2f} ms, "
        f"worst {max(waits):.2f} ms there and back: a busy machine shows here"
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


def _load(link: BoardLink, pico: PtyPico, board: Board) -> str:
    """CPU time of this process, in which link and reader run, less that of the thread that moves
    the magnets. The board is a process of its own, and does not count."""
    spent = 0.0

    def move() -> None:
        nonlocal spent
        began = time.monotonic()
        for number, (turn, cell) in enumerate(_changes(board)):
            due = began + number / EVENTS_PER_S
            if due > began + BUSY_S:
                break
            time.sleep(max(0.0, due - time.monotonic()))
            (pico.lift if turn % 2 else pico.put)(cell)
        spent = time.thread_time()

    mover = threading.Thread(target=move)
    before, events = time.process_time(), 0
    mover.start()
    end = time.monotonic() + BUSY_S
    while (left := end - time.monotonic()) > 0:
        events += isinstance(link.next(left), SwitchEvent)
    mover.join()
    share = (time.process_time() - before - spent) / BUSY_S
    return (
        f"host at {events / BUSY_S:.0f} events/s: {share:.1%} of one core "
        f"(wanted at {EVENTS_PER_S}: under 2 %)"
    )


def _bare_load() -> str:
    """What the machine takes for the least that can be done: a thread that reads a frame from a
    pseudo-terminal, answers every second one, and hands something to another thread."""
    master, slave = os.openpty()
    tty.setraw(slave)
    handed: SimpleQueue[bytes] = SimpleQueue()
    spent, last = 0.0, b"!"

    def echo() -> None:
        data, turn = b"", 0
        while not data.endswith(last):
            select.select((slave,), (), (), 1.0)
            data, turn = os.read(slave, 4096), turn + 1
            if turn % 2:
                os.write(slave, bytes(13))
            handed.put(data)

    def send() -> None:
        nonlocal spent
        began, turns = time.monotonic(), int(BUSY_S * EVENTS_PER_S)
        for turn in range(turns):
            time.sleep(max(0.0, began + turn / EVENTS_PER_S - time.monotonic()))
            os.write(master, bytes(18))
            if select.select((master,), (), (), 0)[0]:
                os.read(master, 4096)
        os.write(master, last)
        spent = time.thread_time()

    threads = [threading.Thread(target=echo), threading.Thread(target=send)]
    before = time.process_time()
    for thread in threads:
        thread.start()
    while not handed.get().endswith(last):
        pass
    for thread in threads:
        thread.join()
    share = (time.process_time() - before - spent) / BUSY_S
    os.close(master)
    os.close(slave)
    return (
        f"two threads that only read, answer and hand on as often: {share:.1%} of one core: "
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
            first, packed = p.unpack(kind, payload)
            items, _reply = ledger.events(first, packed, 1000)
            taken += len(items)
    rate = taken / (time.process_time() - began)
    return (
        f"events a second: the board sends up to {allowed:.0f} within its "
        f"{p.BUDGET_BYTES_PER_S} bytes/s; the host could take {rate:.0f} (CPU time)"
    )
