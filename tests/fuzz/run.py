"""Runs broken files through the commands: no traceback, no hang, little memory.

    python -m tests.fuzz.run [COUNT] [FORMAT ...]

What fails is added to `tests/fuzz/found/FORMAT.jsonl`, which `make test` runs ever after.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from tableref.cli import main
from tests.fuzz.formats import FORMATS, Format, filled, named

FOUND = Path(__file__).parent / "found"
SECONDS = 5.0
"""CPU time that one input may take: other programs may be busy beside us."""
MEGABYTES = 300
SAMPLE = 100
"""Of so many inputs one is run as a program of its own, too."""


class Case(NamedTuple):
    """A broken file and a command line that reads it (`{}`: the file)."""

    format: str
    line: tuple[str, ...]
    raw: bytes

    def record(self) -> dict[str, Any]:
        """As in a file of what was found."""
        return {"line": list(self.line), "raw": base64.b64encode(self.raw).decode()}


class Hangs(BaseException):
    """An input took too long; no handler of ours may swallow that."""


def cases(format: Format, count: int, seed: int = 0) -> Iterator[Case]:
    """The same broken files for the same seed."""
    for number in range(count):
        rng = random.Random(f"{format.name} {seed} {number}")
        raw = format.broken(rng)
        for line in format.commands(rng):
            yield Case(format.name, line, raw)


def kept(name: str) -> list[Case]:
    """What was found before in this format."""
    path = FOUND / f"{name}.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Case(name, tuple(row["line"]), base64.b64decode(row["raw"])) for row in rows]


def fault(case: Case) -> str:
    """What is wrong with how the command takes this file; empty where nothing is."""
    out, error = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    streams = contextlib.redirect_stdout(out), contextlib.redirect_stderr(error)
    with _folder(case) as path, _input(), streams[0], streams[1], _watched():
        try:
            code: object = main(filled(case.line, path))
        except SystemExit as exit_:  # of --help and --version
            code = exit_.code
        except Hangs:
            return f"takes more than {SECONDS:g} s"
        except BaseException as raised:
            return f"raises {type(raised).__name__}: {raised}"
    return _wrong(code, error)


def _wrong(code: object, stream: io.TextIOWrapper) -> str:
    stream.flush()
    told = stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined]
    if code not in (0, 1, 2, None) or "Traceback" in told:
        return f"ends with {code}: {told[-300:]}"
    if code == 2 and not told.startswith("tableref: "):
        return f"says nothing of what is wrong: {told[-300:]!r}"
    return ""


PROGRAM = """
import sys
from pathlib import Path
from tableref.cli import main
code = main(sys.argv[2:])
# What getrusage tells of a child is at least what its parent took before it forked.
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
Path(sys.argv[1]).write_text(peak)
sys.exit(code)
"""


def fault_as_program(case: Case) -> str:
    """The same, of a program of its own, with its memory."""
    return as_program(case)[0]


def as_program(case: Case) -> tuple[str, int]:
    """What is wrong with it, and the MB that it took; 0 where it did not come to its end."""
    with _folder(case) as path, tempfile.NamedTemporaryFile() as peak:
        words = [sys.executable, "-c", PROGRAM, peak.name, *filled(case.line, path)]
        if any("\0" in word for word in words):
            return "", 0
        try:
            run = subprocess.run(
                words, capture_output=True, stdin=subprocess.DEVNULL, timeout=12 * SECONDS
            )
        except subprocess.TimeoutExpired:
            return "hangs as a program", 0
        most = int(Path(peak.name).read_text() or 0) // 1024
    if run.returncode not in (0, 1, 2) or b"Traceback" in run.stderr:
        return f"ends with {run.returncode}: {run.stderr[-300:]!r}", most
    return (f"takes {most} MB" if most > MEGABYTES else ""), most


@contextlib.contextmanager
def _folder(case: Case) -> Iterator[Path]:
    """A folder of its own to work in, with the broken file."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / named(case.format).file
        path.write_bytes(case.raw)
        os.chdir(folder)
        os.environ["XDG_STATE_HOME"] = folder
        try:
            yield path
        finally:
            os.chdir(before)


@contextlib.contextmanager
def _input() -> Iterator[None]:
    """Nobody types anything."""
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        yield
    finally:
        sys.stdin = before


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    """Raises Hangs in the code that has used up its time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def run(count: int, names: Sequence[str]) -> int:
    """Tells a line a format; 1 where anything was found."""
    bad = 0
    for format in [named(name) for name in names] or FORMATS:
        began, slowest, found = time.monotonic(), 0.0, dict[str, Case]()
        program = 0
        for number, case in enumerate(cases(format, count)):
            before = time.process_time()
            wrong = fault(case)
            slowest = max(slowest, time.process_time() - before)
            if not wrong and number % SAMPLE == 0:
                wrong, megabytes = as_program(case)
                program = max(program, megabytes)
            if wrong:
                found.setdefault(wrong[-160:], case)
        for wrong, case in found.items():
            print(f"  {format.name}: {' '.join(case.line)[:120]}: {wrong}")
        if found:
            with (FOUND / f"{format.name}.jsonl").open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(case.record()) + "\n" for case in found.values())
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{format.name}: {count} inputs, {len(found)} kinds of fault, slowest {slowest:.2f} s, "
            f"{most} MB in one process, {program} MB as a program, "
            f"{time.monotonic() - began:.0f} s in all",
            flush=True,
        )
        bad += len(found)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2:]))
