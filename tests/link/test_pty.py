"""The whole firmware behind a pseudo-terminal: `hal`, `main`, pyserial and the thread, for real.

Time is real here, so every wait has a limit and nothing is judged by its speed.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.link.conftest import moves
from tests.link.rigs import PtyPico, until

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import BoardLink, Faults, LinkBack, LinkItem, LinkLost, Snapshot
from tableref.devices.link.errors import BoardSilent, PortBusy, PortGone
from tableref.devices.link.serial_port import SerialPort
from tableref_firmware import protocol as p
from tableref_hardware.board import Board


@pytest.fixture
def pico(tmp_path: Path, board: Board) -> Iterator[PtyPico]:
    rig = PtyPico(tmp_path, board)
    yield rig
    rig.unplug()


def is_snapshot(item: LinkItem) -> bool:
    return isinstance(item, Snapshot)


def told(link: BoardLink, count: int, seconds: float = 5.0) -> list[tuple[str, bool]]:
    """The next so many switch events."""
    events: list[tuple[str, bool]] = []
    while len(events) < count:
        events += moves(until(link, lambda item: bool(moves([item])), seconds))
    return events


def test_s4_a_board_says_hello_through_noise_and_tells_lifts(pico: PtyPico, board: Board) -> None:
    pico.put("c1", "f4")
    pico.plug(power=False)
    with pico.link(board) as link:
        pico.hear(10.0)  # now the port is open, which has thrown away what came before
        pico.make_noise(os.urandom(4000))
        pico.power_up()
        back, snapshot = until(link, is_snapshot, 5.0)
        assert back == LinkBack(back.time, str(pico.name))
        assert snapshot.occupancy == {"c1", "f4"}
        before = time.monotonic()
        pico.lift("c1")
        (event,) = until(link, lambda item: bool(moves([item])), 2.0)
        assert (event.cell, event.occupied) == ("c1", False)
        assert before - event.error <= event.time <= time.monotonic() + event.error


def test_s1_lifts_while_nobody_reads_wait_in_order(pico: PtyPico, board: Board) -> None:
    cells = list(board.cells)[:30]
    pico.put(*cells)
    pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        for cell in cells:
            pico.lift(cell)
            time.sleep(0.02)
        assert told(link, 30) == [(cell, False) for cell in cells]
        assert link.next(0.1) is None


def test_s3_events_come_once_and_in_order_over_a_damaged_line(pico: PtyPico, board: Board) -> None:
    pico.plug()
    with pico.link(board, Faults(flip=0.004, drop=0.003, double=0.003)) as link:
        until(link, is_snapshot, 5.0)
        expected = []
        for cell in board.cells:
            pico.put(cell)
            expected.append((cell, True))
            time.sleep(0.012)
        assert told(link, len(expected)) == expected
        link.snapshot()
        assert until(link, is_snapshot, 5.0)[-1].occupancy == frozenset(board.cells)


def test_s6_a_board_that_comes_back_under_another_name_is_found(
    pico: PtyPico, board: Board
) -> None:
    first = pico.plug()
    keeper, taken = os.openpty()  # so that the old number is not given out again
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        pico.unplug()
        (lost,) = until(link, lambda item: isinstance(item, LinkLost), 2.0)
        assert isinstance(lost.reason, PortGone)
        other, spare = os.openpty()  # takes the old number
        pico.put("a1")
        assert pico.plug() != first
        items = until(link, is_snapshot, 5.0)
        assert [type(item) for item in items] == [LinkBack, Snapshot]
        assert items[-1].occupancy == {"a1"}
    for end in (keeper, taken, other, spare):
        os.close(end)


def test_s11_a_board_that_hangs_is_lost_and_goes_on_where_it_was(
    pico: PtyPico, board: Board
) -> None:
    pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        pico.hang(True)
        before = time.monotonic()
        (lost,) = until(link, lambda item: isinstance(item, LinkLost), 2.0)
        assert isinstance(lost.reason, BoardSilent)
        assert lost.time - before < 1.0
        pico.put("a1")
        pico.hang(False)
        assert told(link, 1) == [("a1", True)]


def test_s7_a_second_link_finds_the_port_busy_and_says_so(pico: PtyPico, board: Board) -> None:
    pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        with pico.link(board) as second:
            (lost,) = until(second, lambda item: isinstance(item, LinkLost), 2.0)
            assert isinstance(lost.reason, PortBusy)
        pico.put("a1")
        assert told(link, 1) == [("a1", True)]


def test_s12_a_port_that_does_not_say_hello_is_passed_over(
    pico: PtyPico, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableref.devices.link.session.HELLO_S", 0.5)
    master, slave = os.openpty()
    (pico.root / "dev/serial/by-id").mkdir(parents=True, exist_ok=True)
    (pico.root / "dev/serial/by-id/usb-A_printer").symlink_to(os.ttyname(slave))
    pico.plug()
    with pico.link(board) as link:
        back = until(link, is_snapshot, 8.0)[0]
        assert back.port == str(pico.name)
    os.close(master)
    os.close(slave)


def test_lights_reach_the_strip_in_its_own_order_of_colours(pico: PtyPico, board: Board) -> None:
    pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        link.show({"b1": Light((1, 2, 3), Pattern.STEADY)})
        end = time.monotonic() + 3.0
        while pico.lights()[4:7] != bytes((2, 1, 3)):
            assert time.monotonic() < end
            time.sleep(0.02)


def test_a_broken_chain_is_told_through_the_real_hardware_layer(
    pico: PtyPico, board: Board
) -> None:
    pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        pico.break_chain(True)
        assert until(link, is_snapshot, 2.0)[-1].unsteady == frozenset(board.cells)


def test_the_escape_ends_in_a_prompt_and_the_next_reset_in_the_firmware(
    pico: PtyPico, board: Board
) -> None:
    pico.prompt = True
    device = pico.plug()
    with pico.link(board) as link:
        until(link, is_snapshot, 5.0)
        link.ask(p.BYE, p.PROMPT, p.PROMPT_MAGIC)
    talk(device, b"\rprint(42*42)\r", b"1764")
    assert (pico.root / "scratch").read_text() == "0"


def test_a_pin_held_low_at_the_start_ends_in_a_prompt(pico: PtyPico) -> None:
    (pico.root / "escape").touch()
    talk(pico.plug(), b"\r", b">>>")


def talk(device: str, say: bytes, expected: bytes) -> None:
    """Says something to a prompt until the expected words come."""
    answer, end = b"", time.monotonic() + 10.0
    while True:
        try:
            port = SerialPort(device)
            break
        except PortBusy:  # the rig's own fork holds the link's lock until it has become MicroPython
            assert time.monotonic() < end
            time.sleep(0.05)
    try:
        while expected not in answer:
            assert time.monotonic() < end, answer
            port.write(say)
            answer += port.read(0.2)
    finally:
        port.close()


def test_an_error_in_the_firmware_is_kept_for_the_next_start(pico: PtyPico, board: Board) -> None:
    (pico.root / "lights").mkdir()  # the strip cannot be written to
    pico.plug()
    with pico.link(board) as link:
        end = time.monotonic() + 5.0
        while not (pico.root / "last_words.txt").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        (pico.root / "lights").rmdir()
        until(link, is_snapshot, 5.0)
        link.snapshot()
        until(link, is_snapshot, 5.0)
        lines = link.ask(p.LOG, p.ASK_LOG, last=lambda fields: fields[1] == 0)
        assert any(b"EISDIR" in text for _age, _left, text in lines)
