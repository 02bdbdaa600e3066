"""The way to the board's prompt, when the prompt has read what was meant for the firmware."""

from __future__ import annotations

import pytest

from tableref.devices.link.escape import await_prompt
from tableref_firmware.framing import encode
from tableref_firmware.protocol import PROMPT, PROMPT_MAGIC, pack


class Console:
    """MicroPython's prompts, as far as control characters lead from one to the other."""

    name = "/dev/ttyACM0"

    def __init__(self) -> None:
        self.prompt = b">>> "
        self._said = b""

    def write(self, data: bytes) -> None:
        for key in data:
            if key == 1 and self.prompt != b"=== ":
                self.prompt = b">"
            elif key == 2 or (key == 3 and self.prompt == b"=== "):
                self.prompt = b">>> "
            elif key == 5 and self.prompt == b">>> ":
                self.prompt = b"=== "
            elif key != 13:
                continue
            self._said += b"\r\n" + self.prompt

    def read(self, _timeout: float) -> bytes:
        said, self._said = self._said, b""
        return said

    def wake(self) -> None:
        """Nobody waits here."""

    def close(self) -> None:
        """Nothing is held."""


@pytest.mark.parametrize("sequence", range(6))
def test_the_prompt_is_found_after_it_has_read_a_second_question(sequence: int) -> None:
    console = Console()
    console.write(encode(PROMPT, sequence, pack(PROMPT, PROMPT_MAGIC)))
    console.read(0)
    await_prompt(lambda: console, 1.0)
    assert console.prompt == b">>> "
