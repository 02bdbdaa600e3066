"""The way out of the firmware: into MicroPython's prompt, for mpremote. Works with any version."""

from __future__ import annotations

import time

from tableref.devices.link.errors import BoardSilent
from tableref.devices.link.serial_port import Port
from tableref_firmware.framing import Decoder, encode
from tableref_firmware.protocol import BYE, PROMPT, PROMPT_MAGIC, pack

_AGAIN_S = 0.2


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
