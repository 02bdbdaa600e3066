"""`docs/link-protocol.md`, made from the tables that both sides of the link import.

python -m tableref.devices.link.page > docs/link-protocol.md
"""

from __future__ import annotations

from collections.abc import Iterable

from tableref.devices.link.faults import FAULTS
from tableref.devices.link.session import ACK_FRAMES, ACK_S, HELLO_S, LOST_S, SYNC_S
from tableref_firmware import protocol as p
from tableref_firmware.lights import CHANNEL_MA, DARK_MA, PATTERNS, STEP_MS

_KINDS = {
    "B": "1 byte",
    "H": "2 bytes",
    "I": "4 bytes",
    "8s": "8 bytes",
}

_FRAMES = """\
# The link between board and host

Made from `firmware/tableref_firmware/protocol.py` and its neighbours by
`python -m tableref.devices.link.page`; a test keeps it up to date. Change the tables, not this
page.

## Frames

USB serial, both ways the same. Numbers are little-endian.

```
00 | COBS( type 1, sequence 1, length 1, payload, CRC-32 4 ) | 00
```

COBS leaves no zero inside a frame, so the first whole frame after any noise is read. The CRC-32
(`binascii.crc32`) is over all before it. The sequence number goes up by one with each frame of a
side; a frame that is byte for byte the one before it is dropped. A payload has at most {payload}
bytes.
"""

_RULES = """\
## How nothing is lost, doubled or invented

- **Events** are numbered (16 bits, wrapping) and stay on the board until `ACK` names a later
  number. A frame that is not acknowledged is sent again after {resend} ms, then after twice that,
  up to {cap} ms. At a gap the host asks once to go back; what comes twice it drops by number.
- **Overflow.** The board keeps {outbox} events, none longer than {keep} s. Beyond that it drops all
  of them, and repeats a `SNAPSHOT` with `lost` 1 until that is acknowledged. A number that the
  board does not have (any more) leads to the same, never to a loop.
- **Gathering.** What happens after a pause is told at once. For {gather} ms after a frame of events
  more are gathered, unless they fill a frame: to wake the host costs it more than what is in it.
- **Acknowledgements.** The host sends one for {frames} frames of events, and none later than
  {ack} ms after the first that it is for. A frame that brings nothing new is answered at once.
- **Back pressure.** The host acknowledges what its queue has room for, and no more.
- **Heartbeat.** `PING` every {beat} ms, or every {sync:g} s while other frames come; after {beats}
  beats of silence ({lost} s) the host says that the link is lost, and looks for the board again,
  under any name, by the number in its `HELLO`. After {gone} s without a frame from the host the
  board darkens its lights.
- **Clock.** Ticks are microseconds modulo 2^30 (17.9 minutes). Each `PONG` bounds the offset
  between the clocks by the moments of sending and receiving; the bounds are intersected and
  widened by the drift of the crystals. Every event carries its time and the bound on its error.
- **Budget.** The board sends no more than {rate} bytes a second after a burst of {burst}: under
  30 % of the 14.9 kB/s that were measured. A switch that changes more than {changes} times at once,
  or {per_s} times a second, is reported as flickering once and then silent until it has been calm
  for {calm} s, so 64 chattering switches need less than the budget.
- **Hello.** A board that boots slowly has {hello} s. Another protocol version, or another hash of
  the table below, is refused with both versions and the command to flash.
- **Way out.** `PROMPT` restarts the board into MicroPython's prompt, without watchdog.
"""


def page() -> str:
    """The whole page as Markdown."""
    parts = [
        _FRAMES.format(payload=p.MAX_PAYLOAD),
        _rules(),
        f"## Messages\n\nProtocol {p.PROTOCOL}, hash `{p.HASH:08x}`.\n",
        *(_message(message) for message in p.MESSAGES),
        _patterns(),
        _faults(),
    ]
    return "\n".join(parts)


def _rules() -> str:
    return _RULES.format(
        resend=p.RESEND_MS,
        cap=p.RESEND_CAP_MS,
        gather=p.GATHER_MS,
        frames=ACK_FRAMES,
        ack=round(ACK_S * 1000),
        outbox=p.OUTBOX_EVENTS,
        keep=p.KEEP_EVENTS_S,
        beat=p.HEARTBEAT_MS,
        sync=SYNC_S,
        beats=p.LOST_BEATS,
        lost=LOST_S,
        gone=p.HOST_GONE_MS // 1000,
        rate=p.BUDGET_BYTES_PER_S,
        burst=p.BUDGET_BURST,
        changes=p.FLICKER_CHANGES,
        per_s=1000 // p.FLICKER_LEAK_MS,
        calm=p.CALM_MS // 1000,
        hello=f"{HELLO_S:g}",
    )


def _message(message: tuple[object, ...]) -> str:
    kind, name, sender, fields, tail, meaning = message
    assert isinstance(fields, tuple)
    way = "host to board" if sender == "host" else "board to host"
    rows = [(field, _KINDS[code], said) for field, code, said in fields]
    if isinstance(tail, tuple):
        rows.append((tail[0], "the rest", tail[1]))
    table = _table(("field", "size", "meaning"), rows) if rows else ""
    return f"### {name} ({kind}, {way})\n\n{meaning}\n{table}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _patterns() -> str:
    rows = []
    for number, (name, levels) in enumerate(PATTERNS):
        period = len(levels) * STEP_MS / 1000
        course = "does not change" if len(levels) == 1 else f"every {period:g} s"
        rows.append(
            (str(number), name, course, " ".join(str(level * 100 // 255) for level in levels))
        )
    return (
        "## Patterns of lights\n\n"
        f"The board runs them by itself, a step in {STEP_MS} ms. START's limit is kept by dimming "
        f"the whole picture, reckoned with {CHANNEL_MA} mA a colour at full brightness and "
        f"{DARK_MA} mA a dark light, every light at the brightest step of its pattern.\n"
        + _table(("number", "name", "course", "brightness in %"), rows)
    )


def _faults() -> str:
    return (
        "## Faults for practice\n\n"
        "The virtual board (`tableref board watch --port virtual:flip=0.01`) can be told to have "
        "these, also while it runs: type `flip 0.01`.\n"
        + _table(("fault", "value"), FAULTS.items())
    )


if __name__ == "__main__":
    print(page(), end="")
