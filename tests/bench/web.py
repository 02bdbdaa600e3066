"""How soon sixteen phones see what happened, and what the pages take of the referee's memory."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

from tableref.referee.desk import Desk
from tableref.referee.evening import new_evening
from tableref.referee.inputs import Begin, Choose
from tableref.web.live import Live
from tableref.web.seats import Seats
from tableref.web.server import WebServer

PHONES = 16
MOVES = 60
LIMIT_MS, LIMIT_MB = 100, 200


class Phone:
    """A stream that is read in a thread; `came` has the time of each part of the page."""

    def __init__(self, port: int) -> None:
        self.came: list[float] = []
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall(b"GET /events HTTP/1.1\r\nHost: table\r\n\r\n")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        left = b""
        while data := self._socket.recv(65536):
            left += data
            *whole, left = left.split(b"\n\r\n") if b"\n\r\n" in left else (left,)
            self.came += [time.perf_counter()] * sum(b"data: " in part for part in whole)

    def close(self) -> None:
        """Hangs up."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def run() -> list[str]:
    """Plays a game by answers, and notes when each phone has each change."""
    with tempfile.TemporaryDirectory() as scratch:
        evening = new_evening(Path(scratch) / "game", "skorpion-deep", {}, [], "")
        live = Live(evening, lambda _: None)
        evening.journal.begin()
        desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [live])
        server = WebServer(live, Seats(live.players), Path(scratch), 0, "127.0.0.1")
        server.start()
        try:
            desk.take(Begin(0.0, ()))
            phones = [Phone(server.port) for _ in range(PHONES)]
            _wait(phones, 1)
            delays: list[float] = []
            for move in range(MOVES):
                had = len(phones[0].came)
                began = time.perf_counter()
                desk.take(Choose(float(move + 1), 0, desk.state.open))
                _wait(phones, had + 1)
                delays += (phone.came[had] - began for phone in phones)
        finally:
            for phone in phones:
                phone.close()
            server.close()
            evening.journal.close()
    p95 = quantiles(delays, n=20)[-1] * 1000
    peak = _resident_mb()
    return [
        f"{PHONES} phones, {MOVES} moves: median {median(delays) * 1000:.1f} ms, p95 {p95:.1f} ms "
        f"(at most {LIMIT_MS}), wall time, ruling and journal included",
        f"referee, pages and phones together: {peak:.0f} MB (at most {LIMIT_MB})",
    ]


def _wait(phones: list[Phone], number: int) -> None:
    end = time.monotonic() + 10
    while any(len(phone.came) < number for phone in phones):
        if time.monotonic() > end:
            raise RuntimeError("a phone has not heard within 10 s")
        time.sleep(0.001)


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
