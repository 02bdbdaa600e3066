"""Tells systemd that the service is up, that it is alive, and what it does (sd_notify(3)).

Nothing happens where nobody listens: outside of systemd all calls are silent.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

SHARE = 3
"""The watchdog is fed so many times in the time that it waits."""


class Notifier:
    """Speaks to the socket that NOTIFY_SOCKET names."""

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A name that begins with @ is of the abstract kind.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._clock, self._fed = clock, float("-inf")
        waits = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self._every = int(waits) / 1e6 / SHARE if waits.isdecimal() and ours else None

    def ready(self) -> None:
        """The menu can be used."""
        self._send("READY=1")

    def status(self, text: str) -> None:
        """What is done now, on one line."""
        self._send(f"STATUS={' '.join(text.split())}")

    def alive(self) -> None:
        """The loop turns. May be called as often as one likes."""
        now = self._clock()
        if self._every is not None and now - self._fed >= self._every:
            self._fed = now
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service ends."""
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        # Who waits for it notices by himself; a game is not ended for it.
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.connect(self._address)
            line.send(text.encode())
