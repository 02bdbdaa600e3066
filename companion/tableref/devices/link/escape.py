"""The way out of the firmware: into MicroPython's prompt, for mpremote. Works with any version."""

from __future__ import annotations

import time
from collections.abc import Callable

from tableref.devices.link.errors import BoardSilent, LinkError
from tableref.devices.link.serial_port import Port
from tableref_firmware.framing import Decoder, encode
from tableref_firmware.protocol import BYE, PROMPT, PROMPT_MAGIC, pack

# A board answers within milliseconds. Asked again before that, its prompt would read the question.
_AGAIN_S = 1.0
_OPEN_S = 0.2
_ANSWER_S = 1.0
_PROMPT = b">>> "
# Control characters in what it got to read may have led to another prompt, for programs: out of it.
CALM = b"\r\x03\x02\r"


def send_to_prompt(port: Port, seconds: float = 3.0) -> None:
    """Makes the board on this port restart into its prompt. LinkError, BoardSilent."""
    decoder = Decoder()
    end = time.monotonic() + seconds
    sequence = 0
    while time.monotonic() < end:
        port.write(encode(PROMPT, sequence, pack(PROMPT, PROMPT_MAGIC)))
        sequence = (sequence + 1) & 0xFF
        again = time.monotonic() + _AGAIN_S
        while (left := again - time.monotonic()) > 0:
            if any(kind == BYE for kind, _payload in decoder.feed(port.read(left))):
                return
    raise BoardSilent(
        f"no firmware of ours answers on {port.name}",
        "If the board is in its prompt already, go on with mpremote; "
        "else join GP22 to ground and plug the board in again",
    )


def await_prompt(opened: Callable[[], Port], seconds: float) -> None:
    """Waits until the board that restarts into its prompt answers there. BoardSilent.

    Its port goes away meanwhile and comes back, which no answer of the port itself tells; so it is
    opened again until the prompt is seen.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            port = opened()
        except LinkError:
            time.sleep(_OPEN_S)
            continue
        try:
            if _prompts(port, end):
                return
        except LinkError:
            time.sleep(_OPEN_S)
        finally:
            port.close()
    raise BoardSilent(
        f"the board has not come to its prompt in {seconds:.0f} s",
        "Join GP22 to ground, plug the board in again, and repeat",
    )


def _prompts(port: Port, end: float) -> bool:
    answer = b""
    while time.monotonic() < end:
        port.write(CALM)
        again = min(end, time.monotonic() + _ANSWER_S)
        while (left := again - time.monotonic()) > 0:
            answer = answer[-len(_PROMPT) :] + port.read(left)
            if _PROMPT in answer:
                return True
    return False
