"""What systemd is told, over a real socket."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.appliance.notify import Notifier


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(path)
        listener.settimeout(5)
        yield listener, path


def heard(listener: socket.socket) -> list[str]:
    listener.setblocking(False)
    found = []
    while True:
        try:
            found.append(listener.recv(4096).decode())
        except BlockingIOError:
            return found


def test_systemd_hears_that_the_service_is_up_what_it_does_and_that_it_ends(
    listening: tuple[socket.socket, str],
) -> None:
    listener, path = listening
    notifier = Notifier({"NOTIFY_SOCKET": path})
    notifier.ready()
    notifier.status("squod in\n/games/1")
    notifier.stopping()
    assert heard(listener) == ["READY=1", "STATUS=squod in /games/1", "STOPPING=1"]


def test_an_abstract_socket_is_found() -> None:
    name = f"tableref-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        Notifier({"NOTIFY_SOCKET": f"@{name}"}).ready()
        assert heard(listener) == ["READY=1"]


def test_the_watchdog_is_fed_three_times_in_its_time_however_often_the_loop_turns(
    listening: tuple[socket.socket, str],
) -> None:
    listener, path = listening
    now = 0.0
    notifier = Notifier({"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "30000000"}, lambda: now)
    for tick in range(90):
        now = tick / 3
        notifier.alive()
    assert heard(listener) == ["WATCHDOG=1"] * 3


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "30000000", "NOTIFY_SOCKET": "/nobody/listens"},
        {"WATCHDOG_USEC": "soon", "NOTIFY_SOCKET": ""},
        {"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"},
    ],
)
def test_nothing_happens_where_nobody_listens(environment: dict[str, str]) -> None:
    notifier = Notifier(environment)
    notifier.ready()
    notifier.alive()
    notifier.stopping()
