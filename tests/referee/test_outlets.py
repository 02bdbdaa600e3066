"""What goes to the terminal."""

from __future__ import annotations

import io

import pytest

from tableref.devices.trouble import DeviceError
from tableref.referee.outlets import EventLines


class Gone(io.StringIO):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_terminal_that_nobody_reads_any_more_is_told_once() -> None:
    lines = EventLines(Gone(), as_json=True)
    with pytest.raises(DeviceError, match="Nobody reads the terminal any more"):
        lines.write({"event": "end"})
    lines.write({"event": "end"})
