"""Finding and losing ports: a fake /dev, and every failure one typed error with its cure."""

import errno
import os
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from tableref.devices.link import (
    BoardLink,
    LinkBack,
    LinkLost,
    Ports,
    Snapshot,
    SwitchEvent,
    VirtualPico,
    VirtualPort,
)
from tableref.devices.link.errors import (
    BoardSilent,
    LinkError,
    PortBusy,
    PortForbidden,
    PortGone,
    PortNotFound,
    SeveralBoards,
)
from tableref.devices.link.serial_port import Port, SerialPort
from tableref_firmware import protocol as p
from tableref_hardware.board import Board, load_board


class Pipe:
    """What pyserial gives, on a pipe."""

    def __init__(self) -> None:
        self.inner, self.outer = os.pipe()

    def fileno(self) -> int:
        return self.inner

    def close(self) -> None:
        os.close(self.inner)
        os.close(self.outer)


def opening(error: BaseException) -> Callable[[str], object]:
    def opener(path: str) -> object:
        raise error

    return opener


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (serial.SerialException(errno.EACCES, "no"), PortForbidden),
        (PermissionError(errno.EPERM, "no"), PortForbidden),
        (serial.SerialException(errno.EBUSY, "busy"), PortBusy),
        (serial.SerialException("Could not exclusively lock port /dev/ttyACM0"), PortBusy),
        (serial.SerialException(errno.ENOENT, "none"), PortNotFound),
        (OSError(errno.ENXIO, "none"), PortNotFound),
        (termios.error(errno.EIO, "Input/output error"), PortGone),
        (OSError(errno.EIO, "Input/output error"), PortGone),
    ],
)
def test_s7_each_failure_to_open_is_one_error_with_a_cure(
    error: BaseException, kind: type[LinkError]
) -> None:
    with pytest.raises(kind) as caught:
        SerialPort("/dev/ttyACM0", opening(error))
    assert "/dev/ttyACM0" in caught.value.what
    assert caught.value.advice


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(errno.EIO, "Input/output error"), PortGone),
        (OSError(errno.EBUSY, "Device or resource busy"), PortBusy),
        (termios.error(errno.EIO, "Input/output error"), PortGone),
        (serial.SerialException("device reports readiness to read but returned no data"), PortGone),
        (TypeError("'NoneType' object cannot be interpreted as an integer"), PortGone),
    ],
)
def test_s7_each_failure_of_a_port_in_use_is_one_error(
    error: BaseException, kind: type[LinkError], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = Pipe()
    port = SerialPort("/dev/ttyACM0", lambda path: pipe)
    os.write(pipe.outer, b"x")

    def fails(*_: object) -> None:
        raise error

    for call in ("read", "write"):
        monkeypatch.setattr(f"tableref.devices.link.serial_port.os.{call}", fails)
    for use in (lambda: port.read(1.0), lambda: port.write(b"x")):
        with pytest.raises(kind):
            use()
    monkeypatch.undo()
    port.close()
    port.close()


def test_s7_ready_but_no_data_is_a_port_that_went_away() -> None:
    pipe = Pipe()
    port = SerialPort("/dev/ttyACM0", lambda path: pipe)
    spare = os.dup(pipe.inner)
    os.close(pipe.outer)
    with pytest.raises(PortGone, match="unplugged"):
        port.read(1.0)
    pipe.outer = spare
    port.close()


def test_waking_ends_a_read() -> None:
    port = SerialPort("/dev/ttyACM0", lambda path: Pipe())
    port.wake()
    began = time.monotonic()
    assert port.read(10.0) == b""
    assert time.monotonic() - began < 9.0
    port.close()


class Dying(VirtualPort):
    """A port that fails once it is told to."""

    error: Exception | None = None

    def read(self, timeout: float) -> bytes:
        if self.error:
            error, self.error = self.error, None
            raise error
        return super().read(min(timeout, 0.01))


def lost_and_back(link: BoardLink) -> LinkLost:
    """Why the link was lost, once it is back. Snapshots come before, between and after."""
    lost: LinkLost | None = None
    while (item := link.next(30.0)) is not None:
        if isinstance(item, LinkLost):
            lost = item
        elif isinstance(item, LinkBack) and lost is not None:
            return lost
    pytest.fail("the link does not come back")


@pytest.mark.parametrize("kind", [PortGone, PortBusy, PortForbidden])
def test_s7_the_thread_lives_on_after_each_failure(kind: type[LinkError], board: Board) -> None:
    port = Dying(VirtualPico(board))
    with BoardLink(board, port) as link:
        assert isinstance(link.next(30.0), LinkBack)
        port.error = kind("it failed", "mend it")
        assert isinstance(lost_and_back(link).reason, kind)


def test_a_fault_in_the_thread_is_told_and_the_link_opened_anew(board: Board) -> None:
    port = Dying(VirtualPico(board))
    with BoardLink(board, port) as link:
        assert isinstance(link.next(30.0), LinkBack)
        port.error = ZeroDivisionError("a fault")
        assert "ZeroDivisionError a fault" in str(lost_and_back(link).reason)


def test_an_unknown_port_is_told_once_and_the_link_can_be_closed(tmp_path: Path) -> None:
    with BoardLink(load_board("autoscooter"), str(tmp_path / "ttyACM0")) as link:
        lost = link.next(5.0)
        assert isinstance(lost, LinkLost)
        assert isinstance(lost.reason, PortNotFound)
        assert link.next(0.6) is None


def fake_dev(root: Path, *devices: str, by_id: dict[str, str] | None = None) -> Path:
    (root / "dev/serial/by-id").mkdir(parents=True)
    for device in devices:
        (root / "dev" / device).touch()
        (root / "dev" / device).chmod(0o660)
    for name, device in (by_id or {}).items():
        (root / "dev/serial/by-id" / name).symlink_to(root / "dev" / device)
    return root


def test_s12_ports_are_listed_under_lasting_names_none_twice_and_none_by_its_chip(
    tmp_path: Path,
) -> None:
    root = fake_dev(tmp_path, "ttyACM0", "ttyUSB0", "ttyS0", by_id={"usb-Pico": "ttyACM0"})
    ports = Ports(root)
    assert ports.candidates() == [
        str(root / "dev/serial/by-id/usb-Pico"),
        str(root / "dev/ttyUSB0"),
    ]
    assert ports.lasting_name(str(root / "dev/ttyACM0")).endswith("usb-Pico")
    assert ports.lasting_name(str(root / "dev/ttyUSB0")).endswith("ttyUSB0")


def test_s12_a_dangling_name_is_no_port(tmp_path: Path) -> None:
    root = fake_dev(tmp_path, by_id={"usb-Gone": "ttyACM7"})
    assert Ports(root).candidates() == []


def test_s12_ports_that_fail_are_passed_over_and_named(tmp_path: Path, board: Board) -> None:
    root = fake_dev(tmp_path, "ttyACM0", "ttyACM1", "ttyACM2")

    def opener(path: str) -> Port:
        if path.endswith("0"):
            raise PortGone(f"{path} failed", "mend it")
        if path.endswith("1"):
            raise BoardSilent(f"{path} is silent", "mend it")
        return VirtualPort(VirtualPico(board))

    with BoardLink(board, "auto", ports=Ports(root, opener)) as link:
        assert isinstance(link.next(5.0), LinkBack)


def test_s12_of_two_boards_none_is_taken_and_both_are_named(tmp_path: Path, board: Board) -> None:
    root = fake_dev(tmp_path, "ttyACM0", "ttyACM1", "ttyACM2")
    silent = root / "dev/ttyACM1"

    def opener(path: str) -> Port:
        if path == str(silent):
            raise BoardSilent(f"{path} is silent", "mend it")
        return VirtualPort(VirtualPico(board))

    with BoardLink(board, "auto", ports=Ports(root, opener)) as link:
        item = link.next(10.0)
        assert isinstance(item, LinkLost)
        assert isinstance(item.reason, SeveralBoards)
        assert str(root / "dev/ttyACM0") in str(item.reason)
        assert str(root / "dev/ttyACM2") in str(item.reason)
        assert str(silent) not in str(item.reason)


def test_s6_a_port_named_by_its_number_is_found_again_under_another(
    tmp_path: Path, board: Board
) -> None:
    root = fake_dev(tmp_path, "ttyACM0", by_id={"usb-Pico": "ttyACM0"})
    lasting, number = root / "dev/serial/by-id/usb-Pico", root / "dev/ttyACM0"
    pico, opened = VirtualPico(board), list[Dying]()

    def opener(path: str) -> Port:
        if not Path(path).exists():
            raise PortNotFound(f"there is no {path}", "plug it in")
        opened.append(Dying(pico))
        opened[-1].name = path
        return opened[-1]

    with BoardLink(board, str(number), ports=Ports(root, opener)) as link:
        assert isinstance(link.next(5.0), LinkBack)
        number.rename(root / "dev/ttyACM1")
        lasting.unlink()
        lasting.symlink_to(root / "dev/ttyACM1")
        opened[-1].error = PortGone("it was unplugged", "plug it in")
        items = [link.next(5.0)]
        while not isinstance(items[-1], LinkBack):
            items.append(link.next(5.0))
            assert items[-1] is not None
        assert any(isinstance(item, LinkLost) for item in items)
        assert items[-1].port == str(lasting)


def test_s12_what_keeps_a_board_from_being_found_is_told_with_its_cure(tmp_path: Path) -> None:
    root = fake_dev(tmp_path, "ttyACM0")
    (root / "usr/lib/udev/rules.d").mkdir(parents=True)
    (root / "usr/lib/udev/rules.d/85-brltty.rules").touch()
    (root / "usr/sbin").mkdir()
    (root / "usr/sbin/ModemManager").touch()
    advice = Ports(root, groups=frozenset, user=4711).advice()
    cures = " ".join(one.cure for one in advice)
    assert len(advice) == 3
    for word in ("usermod -aG", "apt remove brltty", "disable --now ModemManager"):
        assert word in cures


def test_s12_nothing_is_said_where_nothing_is_wrong(tmp_path: Path) -> None:
    root = fake_dev(tmp_path, "ttyACM0")
    group = (root / "dev/ttyACM0").stat().st_gid
    assert Ports(root, groups=lambda: frozenset({group}), user=4711).advice() == []
    assert Ports(root, user=0).advice() == []


def test_s12_no_port_at_all_is_told(tmp_path: Path) -> None:
    (advice,) = Ports(tmp_path).advice()
    assert "cable" in advice.cure


def test_each_turn_of_the_firmware_feeds_the_watchdog(board: Board) -> None:
    pico, fed = VirtualPico(board), []
    pico.hardware.feed = lambda: fed.append(1)  # type: ignore[method-assign]  # counts
    for turn in range(10):
        pico.run(turn * 0.001)
    assert len(fed) == 10


def test_an_answer_is_to_this_question_and_not_to_an_earlier_one(board: Board) -> None:
    with BoardLink(board, VirtualPort(VirtualPico(board))) as link:
        while not isinstance(link.next(5.0), Snapshot):
            pass
        ((first, *_),) = link.ask(p.STATS, p.ASK_STATS)
        ((second, *_),) = link.ask(p.STATS, p.ASK_STATS)
        assert second > first


def test_what_cannot_be_held_back_fills_the_queue_no_further_than_its_spare_room(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableref.devices.link.board_link.QUEUE", 4)
    monkeypatch.setattr("tableref.devices.link.board_link._SPARE", 2)
    with BoardLink(board, VirtualPort(VirtualPico(board))) as link:
        for _ in range(20):
            link.snapshot()
            time.sleep(0.02)
        assert 4 < link._queue.qsize() <= 8
        while link.next(0.3):
            pass
        link.snapshot()
        assert isinstance(link.next(5.0), Snapshot)


def test_a_full_queue_holds_the_board_back_and_loses_nothing(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableref.devices.link.board_link.QUEUE", 4)
    port = VirtualPort(VirtualPico(board))
    cells = list(board.cells)[:30]
    with BoardLink(board, port) as link:
        while not isinstance(link.next(5.0), Snapshot):
            pass
        for cell in cells:
            port.put(cell)
        end = time.monotonic() + 5.0
        while link._queue.qsize() < 4 and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.1)
        assert link._queue.qsize() == 4
        events = [link.next(5.0) for _ in cells]
        assert [event.cell for event in events if isinstance(event, SwitchEvent)] == cells
