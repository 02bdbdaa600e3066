"""The appliance: from its start to the menu, its memory in a game, and what an evening writes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from tableref.hosting.opening import Game, Watching
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.games import GAMES
from tableref.sim.camera import Camera
from tableref.sim.people import People
from tableref.sim.playing import Playing
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tests.bench.steps import filmed

LIMIT_S, LIMIT_MB, LIMIT_SHARE = 3.0, 160, 0.03
IDLE = 15.0
STARTS = 5
TURNS = 30
"""Actions of the evening that is written."""
PATIENCE = 60.0
PORT = 8765


def run() -> Iterator[str]:
    """Lines for people."""
    yield from _starts()
    yield _idle()
    yield _by_camera()
    yield from _written()


def _starts() -> list[str]:
    """Seconds of wall and CPU from the start of the process to the first screen, and its memory."""
    walls, cpus, peak = [], [], 0.0
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            wall, cpu, memory = _start(Path(folder))
        walls.append(wall)
        cpus.append(cpu)
        peak = max(peak, memory)
    held = "holds" if min(cpus) < LIMIT_S else "does not hold"
    return [
        f"start to menu: CPU {min(cpus):.2f} s, under {LIMIT_S:g} s {held}; {min(walls):.2f} s by"
        f" the clock at best of {STARTS} ({max(walls):.2f} at worst), beside a load of"
        f" {os.getloadavg()[0]:.0f}; a Pi is slower",
        f"memory in the menu: {peak:.0f} MB",
    ]


def _start(folder: Path) -> tuple[float, float, float]:
    """Wall s, CPU s and MB when the menu is shown. RuntimeError where it never is"""
    words = ["serve", "--panel", "pictures", "--state", str(folder / "state")]
    environment = {**os.environ, "TABLEREF_CONFIG": str(folder / "tableref.toml")}
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "tableref", *words], stdin=subprocess.PIPE, env=environment
    ) as served:
        try:
            _await(folder.glob, "state/panel/screens/screen-0001.png", served)
            wall = time.monotonic() - began
            cpu = _ticks(served.pid) / os.sysconf("SC_CLK_TCK")
            memory = _most_memory(served.pid)
        finally:
            served.terminate()
    return wall, cpu, memory


def _idle() -> str:
    """Share of a core and MB of a game by switches in which nobody moves: service, game, panel."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        # New game, the fourth of the list, Begin.
        with _served(folder, '[link]\nport = "virtual"\n', b"o\ndddo\no\n") as served:
            time.sleep(3.0)
            before = _ticks(served.pid)
            time.sleep(IDLE)
            share = (_ticks(served.pid) - before) / os.sysconf("SC_CLK_TCK") / IDLE
            memory = _most_memory(served.pid)
    held = "holds" if memory < LIMIT_MB and share < LIMIT_SHARE else "does not hold"
    return (
        f"a game by switches in which nobody moves: {share:.1%} of a core, the board's firmware"
        f" that runs in it here included; {memory:.0f} MB; under {LIMIT_SHARE:.0%} and"
        f" {LIMIT_MB} MB {held}"
    )


def _by_camera() -> str:
    """MB of service, game and panel in a game by a camera, with pictures kept and phones served."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        film = filmed("autoscooter", folder)
        config = f'[camera]\nlook = ["folder:{film}"]\n\n[web]\nport = {PORT}\n'
        with _served(folder, config, b"o\no\no\n") as served:
            # Once the folder is read the game is over for the camera, and the menu is there again.
            _await(folder.glob, "state/games/*/journal.sqlite3", served)
            end = time.monotonic() + PATIENCE
            while (folder / "state" / "playing").exists() and time.monotonic() < end:
                time.sleep(0.1)
            memory = _most_memory(served.pid)
    held = "holds" if memory < LIMIT_MB else "does not hold"
    return f"a game by a camera, phones served: {memory:.0f} MB; under {LIMIT_MB} MB {held}"


@contextlib.contextmanager
def _served(folder: Path, config: str, presses: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """The service in which these buttons have begun a game. RuntimeError"""
    (folder / "tableref.toml").write_text(config)
    words = ["serve", "--panel", "pictures", "--state", str(folder / "state")]
    environment = {**os.environ, "TABLEREF_CONFIG": str(folder / "tableref.toml")}
    with subprocess.Popen(
        [sys.executable, "-m", "tableref", *words], stdin=subprocess.PIPE, env=environment
    ) as served:
        try:
            assert served.stdin is not None
            served.stdin.write(presses)
            served.stdin.flush()
            _await(folder.glob, "state/games/*/journal.sqlite3", served)
            yield served
        finally:
            served.terminate()


def _most_memory(process: int) -> float:
    """The most that a process had resident, MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


def _ticks(process: int) -> int:
    """CPU time of a process in clock ticks."""
    ticks = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(ticks[11]) + int(ticks[12])


def _await(
    find: Callable[[str], Iterable[Path]], name: str, served: subprocess.Popen[bytes]
) -> None:
    """Until there is such a file. RuntimeError"""
    end = time.monotonic() + PATIENCE
    while not list(find(name)):
        if time.monotonic() > end or served.poll() is not None:
            raise RuntimeError(f"{name} did not come")
        time.sleep(0.005)


def _written() -> Iterator[str]:
    """Bytes of an evening: those in its folder, and those that went to the disk for them, as the
    kernel counts them for this process."""
    for name in GAMES:
        with tempfile.TemporaryDirectory(dir=".") as scratch:
            folder = Path(scratch)
            before = _to_disk()
            actions = _evening(name, folder)
            sent = _to_disk() - before
            kept = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            journal = (folder / JOURNAL).stat().st_size
        yield (
            f"{name}: {actions} actions: journal {journal / 1000:.0f} kB, with pictures"
            f" {kept / 1e6:.1f} MB; written to the disk {sent / 1e6:.1f} MB"
        )


def _evening(name: str, folder: Path) -> int:
    """An evening on a virtual table by all its senses, with pictures kept; how many actions."""
    board = load_board(name)
    setup = {"players": 2} if name in ("autoscooter", "scorpion", "squod") else {}
    evening = new_evening(folder, name, setup, [], "virtual:1")
    people = People(evening.referee.game, setup, 1, 0.05, TURNS)
    senses = {"switches"} | ({"mat"} if board.senses.mat else set())
    if board.senses.board == "tags":
        senses.add("board")
    stage = Stage(board, 1, Camera.above(tilt=12.0, turn=20.0))
    playing = Playing(people, stage, frozenset(senses), 1, lambda name, picture: None)
    playing.start()
    game = Game(folder, evening, dict(playing.cameras), playing.queue, playing.cable)
    game.play([people, playing], Watching())
    if playing.error is not None:
        raise RuntimeError(str(playing.error))
    return people.made


def _to_disk() -> int:
    """Bytes that this process has caused to be written to the disk."""
    text = Path("/proc/self/io").read_text()
    return int(text.partition("\nwrite_bytes:")[2].split()[0])
