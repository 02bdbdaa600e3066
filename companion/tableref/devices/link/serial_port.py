"""A port that bytes go through, and the serial one, whose every failure is one LinkError."""

from __future__ import annotations

import os
import select
import termios
from collections.abc import Callable
from typing import Any, Protocol

from tableref.devices.link.errors import open_error, use_error

WRITE_S = 0.5  # a board that takes nothing for so long is not there
_READ = 4096

# pyserial raises the last three when another thread, or the kernel, closed the port under it.
_FAILURES = (OSError, termios.error, TypeError, ValueError, AttributeError)


class Port(Protocol):
    """Where bytes go. `read` waits; `wake` makes it return at once, from any thread."""

    name: str

    def read(self, timeout: float) -> bytes:
        """What has come, after at most `timeout` seconds. LinkError when the port has failed."""
        ...

    def write(self, data: bytes) -> None:
        """Sends all of it. LinkError when the port has failed."""
        ...

    def wake(self) -> None:
        """Ends the `read` that waits, or the next one."""
        ...

    def close(self) -> None:
        """Gives the port back; it may be closed twice."""
        ...


def _open_serial(path: str) -> Any:
    import serial

    return serial.Serial(path, 115200, timeout=0, write_timeout=WRITE_S, exclusive=True)


class SerialPort:
    """A serial device, held by nobody else. Raises PortNotFound, PortBusy, PortForbidden."""

    def __init__(self, path: str, opener: Callable[[str], Any] = _open_serial) -> None:
        self.name = path
        try:
            self._serial = opener(path)
        except _FAILURES as error:
            raise open_error(path, error) from error
        self._woken, self._waker = os.pipe()
        self._closed = False

    def read(self, timeout: float) -> bytes:
        try:
            waiting = [self._serial.fileno(), self._woken]
            ready, _, _ = select.select(waiting, [], [], max(0.0, timeout))
            if self._woken in ready:
                os.read(self._woken, _READ)
            if waiting[0] in ready:
                return bytes(self._serial.read(_READ))
        except _FAILURES as error:
            raise use_error(self.name, error) from error
        return b""

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except _FAILURES as error:
            raise use_error(self.name, error) from error

    def wake(self) -> None:
        if not self._closed:
            os.write(self._waker, b"!")

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self._serial.close()
        except _FAILURES as error:
            raise use_error(self.name, error) from error
        finally:
            os.close(self._woken)
            os.close(self._waker)
