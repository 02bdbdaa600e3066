"""A game on the very image that is flashed, with all that happens to a board during one."""

from __future__ import annotations

import time
from pathlib import Path

from tests.emulator.rig import Pico
from tests.emulator.scripts import START, Move, evening, game, times
from tests.link.conftest import moves
from tests.link.rigs import FaultyPort, LockstepPico

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import (
    BoardLink,
    Faults,
    LinkBack,
    LinkItem,
    LinkLost,
    Snapshot,
    VirtualLink,
)
from tableref.devices.link.escape import CALM, send_to_prompt
from tableref.devices.link.serial_port import SerialPort
from tableref_hardware.board import Board

BOOT_S = 4.0


def is_snapshot(item: LinkItem) -> bool:
    return isinstance(item, Snapshot)


def occupancy(pico: Pico, link: BoardLink) -> frozenset[str]:
    """What a snapshot asked for now says."""
    link.snapshot()
    (*_, last) = pico.items(link, is_snapshot, 2.0)
    assert isinstance(last, Snapshot)
    return last.occupancy


def told(pico: Pico, link: BoardLink, count: int, seconds: float = 4.0) -> list[Move]:
    """The next so many lifts and puts."""
    events: list[Move] = []

    def enough(item: LinkItem) -> bool:
        events.extend(moves([item]))
        return len(events) == count

    pico.items(link, enough, seconds)
    return events


def test_a_whole_game_with_an_unplugged_cable_and_a_hanging_firmware(
    pico: Pico, board: Board
) -> None:
    script = game(board, 12)
    half = len(script) // 2
    for cell in START:
        pico.put(cell)
    pico.plug()
    with pico.link() as link:
        back, snapshot = pico.items(link, is_snapshot, BOOT_S)
        assert isinstance(back, LinkBack)
        assert isinstance(snapshot, Snapshot)
        assert snapshot.occupancy == frozenset(START)
        assert link.hello is not None
        first = link.hello
        assert first.cause == "power"

        pico.play(script[:half])
        assert told(pico, link, half) == script[:half]

        # One light, and the strip has exactly that one, in the order green, red, blue.
        link.show({"c4": Light((1, 2, 3), Pattern.STEADY)})
        pico.until(lambda: link.shown, 2.0, "answer to a picture")
        pico.wait(0.02)
        place = board.cells["c4"].light
        words = pico.tell("look")["words"]
        assert {n: word for n, word in enumerate(words) if word} == {place: 0x020103}

        # The cable is pulled, and a piece moves meanwhile.
        pico.unplug()
        pico.items(link, lambda item: isinstance(item, LinkLost), 2.0)
        stands = _after(START, script[:half])
        moved = min(stands)
        pico.lift(moved)
        pico.plug()
        _, snapshot = pico.items(link, is_snapshot, BOOT_S)
        assert isinstance(snapshot, Snapshot)
        assert snapshot.occupancy == stands - {moved}
        assert link.hello is not None
        assert link.hello.boot != first.boot
        pico.put(moved)
        assert told(pico, link, 1) == [(moved, True)]

        # The firmware hangs in mid-game; the watchdog ends that, and the game goes on.
        second = link.hello.boot
        pico.tell("hang")
        pico.tell("skip", seconds=2.2)
        assert pico.tell("look")["resets"] == 1
        snapshot = pico.items(link, is_snapshot, BOOT_S)[-1]
        assert isinstance(snapshot, Snapshot)
        assert snapshot.occupancy == stands
        assert link.hello is not None
        assert (link.hello.cause, link.hello.boot != second) == ("watchdog", True)

        pico.play(script[half:])
        rest = script[half:]
        assert told(pico, link, len(rest)) == rest
        assert occupancy(pico, link) == _after(START, script)
        assert pico.tell("look")["wrong"] == []


def _after(start: tuple[str, ...], script: list[Move]) -> frozenset[str]:
    standing = set(start)
    for cell, magnet in script:
        (standing.add if magnet else standing.remove)(cell)
    return frozenset(standing)


def test_events_come_once_and_in_order_over_a_damaged_line(pico: Pico, board: Board) -> None:
    script = game(board, 5)
    for cell in START:
        pico.put(cell)
    pico.plug()
    faults = Faults(flip=0.004, drop=0.003, double=0.003)
    with pico.link(lambda path: FaultyPort(path, faults)) as link:
        pico.items(link, is_snapshot, BOOT_S)
        pico.play(script)
        assert told(pico, link, len(script), 10.0) == script


def test_no_byte_of_the_host_ends_a_start(pico: Pico) -> None:
    """MicroPython takes a 3 for the wish to interrupt a program, and the host speaks early."""
    port = SerialPort(pico.plug())
    for _ in range(40):
        port.write(b"\x03")
        pico.wait(0.002)
    port.close()
    with pico.link() as link:
        pico.items(link, is_snapshot, BOOT_S)


def test_a_loose_chain_is_told_and_no_lift_is_invented(pico: Pico, board: Board) -> None:
    pico.put("c4")
    pico.plug()
    with pico.link() as link:
        pico.items(link, is_snapshot, BOOT_S)
        pico.tell("loose", loose=True)
        items = pico.items(link, is_snapshot, 1.0)
        assert moves(items) == []
        assert isinstance(items[-1], Snapshot)
        assert items[-1].unsteady == frozenset(board.cells)
        pico.tell("loose", loose=False)
        items = pico.items(link, is_snapshot, 1.0)
        assert isinstance(items[-1], Snapshot)
        assert items[-1].occupancy == {"c4"}


def test_the_escape_leads_to_the_prompt_and_the_next_reset_to_the_firmware(
    pico: Pico, board: Board
) -> None:
    device = pico.plug()
    with pico.link() as link:
        pico.items(link, is_snapshot, BOOT_S)
    port = SerialPort(device)
    send_to_prompt(port, 20.0)
    answer, end = b"", time.monotonic() + 60.0
    while b"1764" not in answer:
        assert time.monotonic() < end, answer
        port.write(CALM + b"print(42*42)\r")
        answer += port.read(0.5)
    port.write(b"import machine\rmachine.reset()\r")
    port.close()
    with pico.link() as link:
        pico.items(link, is_snapshot, 10.0)


def test_a_recorded_evening_is_told_as_unix_micropython_tells_it(
    pico: Pico, board: Board, shared: Path, full: bool
) -> None:
    standing, script = evening(shared / "records/autoscooter", 2000 if full else 24)
    clock = _Clock()
    lockstep = LockstepPico(board)
    link = VirtualLink(board, clock, pico=lockstep)
    try:
        for cell in standing:
            link.put(cell)
        clock.now += 0.5
        list(link)
        expected = []
        start = clock.now
        for moment, (cell, magnet) in zip(times(script), script, strict=True):
            clock.now = start + moment
            expected += moves(list(link))
            (link.put if magnet else link.lift)(cell)
        clock.now += 0.1
        expected += moves(list(link))
    finally:
        lockstep.close()
    for cell in standing:
        pico.put(cell)
    pico.plug()
    with pico.link() as real:
        pico.items(real, is_snapshot, BOOT_S)
        pico.play(script)
        assert told(pico, real, len(expected), times(script)[-1] + 3.0) == expected
    assert expected == script


class _Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now
