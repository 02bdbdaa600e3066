"""How soon sixteen phones see what happened, and what the pages take of the referee: memory, and
the time by which a switch's event or a frame is taken later. The journal lies in memory: a disk on
which others write makes the referee wait longer than anything else, with phones and without.

One game goes on through windows of two seconds. In one of each two the phones are there, in the
other they are not, so that whatever else this computer does weighs on both; how much two windows
without phones differ tells what a difference means. The phones are in a process of their own, as at
a table; both clocks are the computer's.
"""

from __future__ import annotations

import json
import os
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

PHONES, PAIRS, MOVES = 16, 16, 10
"""Phones, pairs of windows, and moves of a window."""
BETWEEN, EVENT = 0.2, 0.01
"""Seconds between two moves, and between two events of a switch or a camera."""
LIMIT_MS, LIMIT_MB, LATE_MS = 100, 200, 20


def phones(port: int, count: int) -> None:
    """So many phones that come at each line "on" and go at each "off"; prints at the end which
    change came when to each."""
    chosen = selectors.DefaultSelector()
    chosen.register(sys.stdin, selectors.EVENT_READ)
    came: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    left = [b""] * count
    while True:
        for key, _ in chosen.select():
            if key.fileobj is sys.stdin:
                told = os.read(sys.stdin.fileno(), 100)
                if not told:
                    print(json.dumps(came))
                    return
                for stream in [k.fileobj for k in chosen.get_map().values() if k.data is not None]:
                    chosen.unregister(stream)
                    assert isinstance(stream, socket.socket)
                    stream.close()
                if told == b"on\n":
                    for number in range(count):
                        stream = socket.create_connection(("127.0.0.1", port))
                        stream.sendall(b"GET /events HTTP/1.1\r\nHost: table\r\n\r\n")
                        chosen.register(stream, selectors.EVENT_READ, number)
                        left[number] = b""
                print("done", flush=True)
                break
            assert isinstance(key.fileobj, socket.socket)
            data = key.fileobj.recv(65536)
            if not data:
                chosen.unregister(key.fileobj)
                continue
            *whole, left[key.data] = (left[key.data] + data).split(b"\n\r\n")
            ids = (re.search(rb"id: (\d+)\n", part) for part in whole)
            came[key.data] += [(int(one[1]), time.monotonic()) for one in ids if one]


class Window:
    """Two seconds of the game: `late`, seconds by which events were taken late; `ruled`, when each
    move was entered and the version of the page that shows it; `cpu`, seconds of the processor."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.ruled: list[tuple[float, int]] = []
        self.cpu = 0.0

    @property
    def p99_ms(self) -> float:
        """Lateness that one event of a hundred passes."""
        return 1000 * quantiles(self.late, n=100)[98]


class Measured:
    """A game played by answers: its windows without and with so many phones, pair by pair;
    `delays`, seconds until each phone had each move."""

    def __init__(self, count: int, pairs: int) -> None:
        self.without: list[Window] = []
        self.together: list[Window] = []
        self.delays: list[float] = []
        memory = Path("/dev/shm")
        with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
            self._play(Path(scratch), count, pairs)

    def _play(self, folder: Path, count: int, pairs: int) -> None:
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
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        assert listening.stdin is not None
        assert listening.stdout is not None
        self._window = Window()
        referee = threading.Thread(target=self._referee, args=(queue, desk, live))
        referee.start()
        try:
            for number in range(2 * pairs):
                there = number % 4 in (0, 3)  # what drifts weighs on both
                listening.stdin.write("on\n" if there else "off\n")
                listening.stdout.readline()
                time.sleep(0.5)
                (self.together if there else self.without).append(self._two_seconds(queue, desk))
            time.sleep(1.0)
        finally:
            queue.close()
            referee.join()
            listening.stdin.close()
            told = listening.stdout.read()
            listening.wait()
            server.close()
            evening.journal.close()
        came: list[list[tuple[int, float]]] = json.loads(told or "[]")
        for phone in came:
            for began, version in (ruled for window in self.together for ruled in window.ruled):
                # Two that came at once are sent as one.
                self.delays.append(next(at for id, at in phone if id >= version) - began)

    def _two_seconds(self, queue: InputQueue, desk: Desk) -> Window:
        self._window = window = Window()
        began, due = time.process_time(), time.monotonic()
        for number in range(round(MOVES * BETWEEN / EVENT)):
            due += EVENT
            time.sleep(max(0.0, due - time.monotonic()))
            queue.put(Tick(time.monotonic()))
            if number % round(BETWEEN / EVENT) == 0:
                queue.put(Choose(time.monotonic(), 0, desk.told.open))
        time.sleep(0.3)
        window.cpu = time.process_time() - began
        return window

    def _referee(self, queue: InputQueue, desk: Desk, live: Live) -> None:
        while (given := queue.take()) is not None:
            window = self._window
            if isinstance(given, Tick):
                window.late.append(time.monotonic() - given.time)
            desk.take(given)
            if isinstance(given, Choose):
                window.ruled.append((given.time, live.view().version))


def run() -> list[str]:
    """The same game without phones and with them, in turn."""
    done = Measured(PHONES, PAIRS)
    p95 = quantiles(done.delays, n=20)[-1] * 1000
    pairs = list(zip(done.without, done.together, strict=True))
    more = [both.p99_ms - alone.p99_ms for alone, both in pairs]
    noise = [
        abs(one.p99_ms - next_.p99_ms)
        for one, next_ in zip(done.without[::2], done.without[1::2], strict=True)
    ]
    taken = median(both.cpu - alone.cpu for alone, both in pairs) / MOVES * 1000
    events = sum(len(alone.late) for alone in done.without)
    return [
        f"{PHONES} phones, {PAIRS * MOVES} moves: median {median(done.delays) * 1000:.1f} ms, p95 "
        f"{p95:.1f} ms (at most {LIMIT_MS}), wall time, ruling included",
        f"{events} events, one each {EVENT * 1000:.0f} ms, are taken late by "
        f"{_late(done.without)} without phones, as many by {_late(done.together)} with {PHONES}",
        f"because of the phones p99 is {median(more):+.1f} ms later in the median of {PAIRS} pairs "
        f"of windows (at most {LATE_MS}), {min(more):+.1f} to {max(more):+.1f}; two windows "
        f"without phones differ by {median(noise):.1f}, at most {max(noise):.1f}",
        f"the pages take {taken:.1f} ms of the processor a move, for {PHONES} phones together",
        f"referee and pages together: {_resident_mb():.0f} MB (at most {LIMIT_MB})",
    ]


def _late(windows: list[Window]) -> str:
    late = [1000 * one for window in windows for one in window.late]
    shares, over = quantiles(late, n=100), sum(one > LATE_MS for one in late)
    return f"{shares[49]:.2f} ms (p99 {shares[98]:.1f}, {over} by more than {LATE_MS})"


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    phones(int(sys.argv[1]), int(sys.argv[2]))
