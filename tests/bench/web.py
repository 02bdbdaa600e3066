"""How soon sixteen phones see what happened, and what the pages take of the referee: memory, and
the time by which a switch's event or a frame is taken later.

The phones are in a process of their own, as at a table; both clocks are the computer's.
"""

from __future__ import annotations

import json
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

from tableref.referee.desk import Desk
from tableref.referee.evening import new_evening
from tableref.referee.inputs import Begin, Choose, Tick
from tableref.referee.queue import InputQueue
from tableref.web.live import Live
from tableref.web.seats import Seats
from tableref.web.server import WebServer

PHONES = 16
MOVES = 60
BETWEEN, EVENT = 0.2, 0.01
"""Seconds between two moves, and between two events of a switch or a camera."""
LIMIT_MS, LIMIT_MB, LATE_MS = 100, 200, 20


def phones(port: int, count: int) -> None:
    """So many phones that listen until the server ends; prints which change came when to each."""
    chosen = selectors.DefaultSelector()
    came: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    left = [b""] * count
    for number in range(count):
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(b"GET /events HTTP/1.1\r\nHost: table\r\n\r\n")
        chosen.register(stream, selectors.EVENT_READ, number)
    print("there", flush=True)
    while chosen.get_map():
        for key, _ in chosen.select():
            assert isinstance(key.fileobj, socket.socket)
            data = key.fileobj.recv(65536)
            if not data:
                chosen.unregister(key.fileobj)
                continue
            *whole, left[key.data] = (left[key.data] + data).split(b"\n\r\n")
            ids = (re.search(rb"id: (\d+)\n", part) for part in whole)
            came[key.data] += [(int(one[1]), time.monotonic()) for one in ids if one]
    print(json.dumps(came))


class Measured:
    """A game played by answers, with so many phones: `late`, seconds by which events were taken
    late; `delays`, seconds until each phone had each move."""

    def __init__(self, count: int) -> None:
        self.late: list[float] = []
        self.delays: list[float] = []
        self._ruled: list[tuple[float, int]] = []
        with tempfile.TemporaryDirectory() as scratch:
            began = time.process_time()
            self._play(Path(scratch), count)
            self.cpu = time.process_time() - began

    def _play(self, folder: Path, count: int) -> None:
        evening = new_evening(folder / "game", "skorpion-deep", {}, [], "")
        queue = InputQueue()
        live = Live(evening, queue.happened)
        evening.journal.begin()
        desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [live])
        server = WebServer(live, Seats(live.players), folder, 0, "127.0.0.1")
        server.start()
        desk.take(Begin(0.0, ()))
        listening = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.web", str(server.port), str(count)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert listening.stdout is not None
        referee = threading.Thread(target=self._referee, args=(queue, desk, live))
        try:
            listening.stdout.readline()
            time.sleep(1.0)
            referee.start()
            due = time.monotonic()
            for number in range(round(MOVES * BETWEEN / EVENT)):
                due += EVENT
                time.sleep(max(0.0, due - time.monotonic()))
                queue.put(Tick(time.monotonic()))
                if number % round(BETWEEN / EVENT) == 0:
                    queue.put(Choose(time.monotonic(), 0, desk.told.open))
            time.sleep(1.0)
        finally:
            queue.close()
            referee.join()
            server.close()
            evening.journal.close()
        came: list[list[tuple[int, float]]] = json.loads(listening.stdout.read() or "[]")
        listening.wait()
        for phone in came:
            for began, version in self._ruled:  # two that came at once are sent as one
                self.delays.append(next(at for id, at in phone if id >= version) - began)

    def _referee(self, queue: InputQueue, desk: Desk, live: Live) -> None:
        while (given := queue.take()) is not None:
            if isinstance(given, Tick):
                self.late.append(time.monotonic() - given.time)
            desk.take(given)
            if isinstance(given, Choose):
                self._ruled.append((given.time, live.view().version))


def run() -> list[str]:
    """The same game without phones and with them."""
    alone, together = Measured(0), Measured(PHONES)
    p95 = quantiles(together.delays, n=20)[-1] * 1000
    taken = (together.cpu - alone.cpu) / MOVES * 1000
    return [
        f"{PHONES} phones, {MOVES} moves: median {median(together.delays) * 1000:.1f} ms, p95 "
        f"{p95:.1f} ms (at most {LIMIT_MS}), wall time, ruling and journal included",
        f"an event each {EVENT * 1000:.0f} ms is taken late by {_late(alone)} without phones, "
        f"by {_late(together)} with {PHONES} (at most {LATE_MS} ms more)",
        f"the pages take {taken:.1f} ms of the processor a move, for {PHONES} phones together",
        f"referee and pages together: {_resident_mb():.0f} MB (at most {LIMIT_MB})",
    ]


def _late(measured: Measured) -> str:
    shares = [1000 * one for one in quantiles(measured.late, n=100)]
    worst = 1000 * max(measured.late)
    return f"{shares[49]:.2f} ms (p99 {shares[98]:.1f}, at most {worst:.1f})"


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    phones(int(sys.argv[1]), int(sys.argv[2]))
