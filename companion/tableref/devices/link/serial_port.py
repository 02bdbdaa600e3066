"""A port that bytes go through, and the serial one, whose every failure is one LinkError."""

from __future__ import annotations

import os
import select
import termios
from collections.abc import Callable
from typing import Any, Protocol

from tableref.devices.link.errors import open_error, use_error

WRITE_S = 0.5  # a board that takes nothing for so long is not there
_READ = 256  # a frame; for more Python would have to fetch memory from the system

# pyserial raises the last three where the kernel has closed the port under it.
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

    return serial.Serial(path, 115200, timeout=0, exclusive=True)


class SerialPort:
    """A serial device, held by nobody else. Raises PortNotFound, PortBusy, PortForbidden.

    pyserial opens it, sets it up and locks it. Reading and writing go to the descriptor itself,
    which pyserial leaves non-blocking: its own calls cost three times as much.
    """

    def __init__(self, path: str, opener: Callable[[str], Any] = _open_serial) -> None:
        self.name = path
        try:
            self._serial = opener(path)
            self._port = self._serial.fileno()
        except _FAILURES as error:
            raise open_error(path, error) from error
        self._woken, self._waker = os.pipe()
        self._ready = select.poll()
        for descriptor in (self._port, self._woken):
            self._ready.register(descriptor, select.POLLIN)
        self._closed = False

    def read(self, timeout: float) -> bytes:
        try:
            for descriptor, _what in self._ready.poll(timeout * 1000 if timeout > 0 else 0):
                data = os.read(descriptor, _READ)
                if descriptor == self._port:
                    if not data:  # ready, and nothing there: that is how a device goes away
                        raise OSError("it was unplugged")
                    return data
        except _FAILURES as error:
            raise use_error(self.name, error) from error
        return b""

    def write(self, data: bytes) -> None:
        try:
            while data:
                try:
                    data = data[os.write(self._port, data) :]
                except BlockingIOError:
                    if not select.select((), (self._port,), (), WRITE_S)[1]:
                        raise TimeoutError(f"it takes nothing for {WRITE_S} s") from None
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
