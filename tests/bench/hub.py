"""Two hundred tables, a broker and a hub: how soon what is told stands on the scoreboard, what the
hub takes, and whether it ends with what the journals have.

The tables are the product's journals and publishers on rows that were recorded, an event a second
each and now and then twenty at once. In between the broker is killed and started again, then a
quarter of the tables; then the net between tables and broker is cut: all connections are reset, it
stalls, and all lines die without a word. Journals lie in memory, since two hundred tables have not
one disk together.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles

from tableref.hosting.mqtt import KEEP_ALIVE_S

TABLES, PROCESSES, SECONDS = 200, 4, 120.0
BURST, EACH = 20, 30
"""Events at once, and seconds between two such bursts of a table."""
QUEUED = 10_000
"""Messages that the broker queues for the hub; its own default is 1,000."""
LIMIT_MS, LIMIT_MB, SETTLED_S = 300, 200, 90.0
OUT_S, AFTER_S = 3.0, 15.0
"""Seconds for which the broker, tables or the net are away, and behind that in which they catch
up."""
GAME = "skorpion-deep"


def recorded(steps: int) -> list[list[tuple[str, dict[str, object]]]]:
    """Rows of so many steps: an answer, and that it is taken back."""
    from tableref.referee.desk import Desk
    from tableref.referee.evening import new_evening
    from tableref.referee.inputs import Act, Begin, Choose

    with tempfile.TemporaryDirectory() as scratch:
        evening = new_evening(Path(scratch) / "game", GAME, {}, [], "")
        evening.journal.begin()
        desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [])
        desk.take(Begin(0.0, ()))
        for number in range(steps):
            back = Act(float(number), {"take_back": {"player": 0, "agreed": [0, 1]}})
            desk.take(back if number % 2 else Choose(float(number), 0, desk.state.open))
        found: dict[int, list[tuple[str, dict[str, object]]]] = {}
        for line in evening.journal.lines():
            row = line.row()
            found.setdefault(line.step, []).append((row.kind, dict(row.data)))
        evening.journal.close()
    return list(found.values())


def publish(port: int, first: int, count: int, seconds: float, folder: Path) -> None:
    """So many tables of one process; goes on where it was when it was killed. Prints when which
    table had how many events."""
    from tableref.hosting.mqtt import Broker, Publisher
    from tableref.referee.desk import Feedback
    from tableref.referee.evening import JOURNAL, Evening, new_evening
    from tableref.referee.resuming import resumed_evening
    from tableref.referee.table import Phase, Row

    steps = recorded(round(seconds * (1 + BURST / EACH)) + BURST)
    nothing = Feedback((), (), {}, (), Phase.WAITING)
    evenings: list[Evening] = []
    outs: list[Publisher] = []
    done: list[int] = []
    for number in range(first, first + count):
        own = folder / f"{number}"
        if (own / JOURNAL).exists():
            evening = resumed_evening(own)
        else:
            evening = new_evening(own, GAME, {}, [], "")
            evening.journal.begin()
        evenings.append(evening)
        done.append(len({line.step for line in evening.journal.lines()}))
        out = Publisher(Broker("127.0.0.1", port, f"{number}"), evening, own)
        out.start()
        outs.append(out)
    tellers = [evening.teller() for evening in evenings]
    told = [out._count for out in outs]
    for at, (evening, teller) in enumerate(zip(evenings, tellers, strict=True)):
        told[at] = sum("text" in e for e in teller.events(evening.journal.rows()))
    print("there", flush=True)
    end = time.monotonic() + seconds
    due = [time.monotonic() + number / count for number in range(count)]
    while (now := time.monotonic()) < end:
        at = min(range(count), key=due.__getitem__)
        time.sleep(max(0.0, min(due[at], end) - now))
        bursts = round(due[at]) % EACH == (first + at) % EACH
        for _ in range(BURST if bursts else 1):
            if done[at] >= len(steps):
                break
            rows = [Row(kind, data) for kind, data in steps[done[at]]]
            evenings[at].journal.write(rows, time.monotonic())
            done[at] += 1
            told[at] += sum("text" in e for e in tellers[at].events(rows))
            outs[at].tell(nothing)
            print(json.dumps([first + at, told[at], time.monotonic()]), flush=True)
        due[at] += 1.0
    time.sleep(2 * SETTLED_S + seconds)  # until it is ended from outside


class Scoreboard:
    """Somebody who looks at the page with all tables: when which event of each was there."""

    def __init__(self, port: int) -> None:
        self.seen: dict[str, list[tuple[int, float]]] = {}
        self._stream = socket.create_connection(("127.0.0.1", port))
        self._stream.sendall(b"GET /events HTTP/1.1\r\nHost: hub\r\n\r\n")
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        left = b""
        while data := self._stream.recv(1 << 20):
            *whole, left = (left + data).split(b"\n\r\n")
            now = time.monotonic()
            for part in whole:
                for name, nth in re.findall(rb'data-table="(\w+)" data-nth="(\d+)"', part):
                    seen = self.seen.setdefault(name.decode(), [])
                    if not seen or seen[-1][0] < int(nth):
                        seen.append((int(nth), now))

    def came(self, table: str, nth: int) -> float | None:
        """When so many events of a table were told on the page."""
        return next((at for had, at in self.seen.get(table, ()) if had >= nth), None)


class Run:
    """The whole of it. `delays`: when an event was written, and seconds until it was shown."""

    def __init__(self, tables: int, processes: int, seconds: float, folder: Path) -> None:
        self.delays: list[tuple[float, float]] = []
        self.disturbed: list[tuple[float, float]] = []
        self._each, self._seconds, self._folder = tables // processes, seconds, folder
        self._mqtt, self._web = _free(), _free()
        self._told: list[list[float]] = []
        self._readers: list[threading.Thread] = []
        conf = folder / "mosquitto.conf"
        conf.write_text(
            f"listener {self._mqtt} 127.0.0.1\nallow_anonymous true\n"
            f"max_queued_messages {QUEUED}\nmax_inflight_messages 100\n"
        )
        self._conf = conf
        self._run(processes)

    def _broker(self) -> subprocess.Popen[bytes]:
        path = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
        if path is None:
            raise RuntimeError("there is no mosquitto")
        quiet = subprocess.DEVNULL
        return subprocess.Popen([path, "-c", str(self._conf)], stdout=quiet, stderr=quiet)

    def _publisher(self, number: int, seconds: float) -> subprocess.Popen[str]:
        told = [self._net_port, str(number * self._each), str(self._each), str(seconds)]
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.hub", *told, str(self._folder)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        stream = process.stdout

        def read() -> None:
            for line in stream:
                if line.startswith("["):
                    self._told.append(json.loads(line))

        stream.readline()
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        self._readers.append(thread)
        return process

    def _run(self, processes: int) -> None:
        broker = self._broker()
        self._net = subprocess.Popen(
            [sys.executable, "-m", "tests.hosting.real_net", str(self._mqtt)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
        assert self._net.stdout is not None
        self._net_port = self._net.stdout.readline().strip()
        hub = subprocess.Popen(
            [sys.executable, "-m", "tableref", "hub", "--broker",
             f"mqtt://127.0.0.1:{self._mqtt}", "--port", str(self._web),
             "--results", f"sqlite:///{self._folder}/hub.db"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        running: list[subprocess.Popen[str]] = []
        try:
            assert hub.stdout is not None
            hub.stdout.readline()
            board = Scoreboard(self._web)
            running = [self._publisher(number, self._seconds) for number in range(processes)]
            time.sleep(self._seconds / 3)
            broker = self._cut(broker)
            time.sleep(self._seconds / 6)
            began = time.monotonic()
            running[0].send_signal(signal.SIGKILL)
            running[0].wait()
            time.sleep(OUT_S)
            running[0] = self._publisher(0, self._seconds / 2 - OUT_S)
            self.disturbed.append((began, time.monotonic() + AFTER_S))
            end = time.monotonic() + self._seconds / 2
            time.sleep(self._seconds / 6)
            self._cut_net()
            time.sleep(max(0.0, end - time.monotonic()))
            self.settled = self._settles()
            self.hub_mb = _most_mb(hub.pid)
            for table, nth, at in list(self._told):
                came = board.came(str(int(table)), int(nth))
                self.delays.append((at, float("inf") if came is None else came - at))
        finally:
            for process in (*running, hub):
                process.send_signal(signal.SIGTERM)
                process.wait()
            broker.kill()
            broker.wait()
            self._net.kill()
            self._net.wait()

    def _cut_net(self) -> None:
        began = time.monotonic()
        assert self._net.stdin is not None
        for cut in ("reset", "stall", "lose"):
            self._net.stdin.write(f"{cut}\n")
            time.sleep(OUT_S)
            self._net.stdin.write("whole\n")
        # A line that is dead is given up once nobody has answered for twice as long.
        self.disturbed.append((began, time.monotonic() + 2 * KEEP_ALIVE_S + AFTER_S))

    def _cut(self, broker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        began = time.monotonic()
        broker.kill()
        broker.wait()
        time.sleep(OUT_S)
        again = self._broker()
        self.disturbed.append((began, time.monotonic() + AFTER_S))
        return again

    def _settles(self) -> bool:
        """Whether the hub has what the journals have, no more is written, in good time."""
        end = time.monotonic() + SETTLED_S
        while not self._equal():
            if time.monotonic() > end:
                return False
            time.sleep(1.0)
        return True

    def _equal(self) -> bool:
        from tableref.hub.results import Results
        from tableref.referee.evening import JOURNAL
        from tableref.referee.resuming import viewed_evening

        results = Results(f"sqlite:///{self._folder}/hub.db")
        games = list(results.counts())
        self.events = 0
        try:
            for folder in self._folder.iterdir():
                if not (folder / JOURNAL).exists():
                    continue
                evening = viewed_evening(folder)
                teller = evening.teller()
                told = [
                    (line.seq, tuple(event["text"]))
                    for line in evening.journal.lines()
                    for event in teller.events([line.row()])
                    if "text" in event
                ]
                evening.journal.close()
                own = [game for table, game in games if table == folder.name]
                if len(own) != 1:
                    return False
                kept = [(one.number, one.text) for one in results.events(folder.name, own[0])]
                if kept != told:
                    return False
                self.events += len(kept)
        finally:
            results.close()
        return True

    def quiet(self) -> list[float]:
        """Delays of what was written while nothing was killed, nor right behind it."""
        return [
            delay
            for at, delay in self.delays
            if not any(began <= at <= ended for began, ended in self.disturbed)
        ]


def run(tables: int = TABLES, processes: int = PROCESSES, seconds: float = SECONDS) -> list[str]:
    """All of it once."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        done = Run(tables, processes, seconds, Path(scratch))
    everything = _p95_ms([delay for _, delay in done.delays])
    quiet = done.quiet()
    return [
        f"{tables} tables in {processes} processes, {seconds:.0f} s, {len(done.delays)} steps; the "
        f"broker (at most {QUEUED} messages queued) and a quarter of the tables killed for "
        f"{OUT_S:.0f} s each, the net reset, stalled and all its lines dead",
        f"the hub has what the journals have, in order, none doubled: "
        f"{'yes' if done.settled else 'NO'}, {done.events} events",
        f"from the journal to the scoreboard: median {1000 * median(quiet):.0f} ms, p95 "
        f"{_p95_ms(quiet):.0f} ms (at most {LIMIT_MS}) but for what was written up to "
        f"{AFTER_S:.0f} s behind a cut; p95 of all {everything:.0f} ms",
        f"the hub takes {done.hub_mb:.0f} MB at most (limit {LIMIT_MB})",
    ]


def _p95_ms(delays: list[float]) -> float:
    return 1000 * quantiles(delays, n=20)[-1]


def _free() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _most_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    port, first, count, seconds, folder = sys.argv[1:]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    publish(int(port), int(first), int(count), float(seconds), Path(folder))
