"""Faults that a link or a board can be told to have, while it runs.

FAULTS is the documented list; `Faults.set` switches one on or off from a test or the command line.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

from tableref.devices.link.wiring import WIRING
from tableref.errors import UserError

FAULTS = {
    "drop": "share of bytes that vanish, 0 to 1",
    "double": "share of bytes that come twice, 0 to 1",
    "flip": "share of bytes with one bit flipped, 0 to 1",
    "garbage": "so many random bytes come before the next good ones, once",
    "silence": "1: nothing comes through either way",
    "slow": "bytes a second that come through, 0 for no limit",
    "reset": "1: the board starts anew, once",
    "overflow": "1: the board gives up the events that wait, once",
    "stuck": "a cell whose switch does not move any more, empty for none",
    "bounce": "ms that every switch bounces after a change",
    **WIRING,
}
_SHARES = ("drop", "double", "flip")
_COUNTS = ("garbage", "slow", "bounce")


@dataclass
class Faults:
    """The faults that are on. See FAULTS for what each value means."""

    drop: float = 0.0
    double: float = 0.0
    flip: float = 0.0
    garbage: int = 0
    silence: bool = False
    slow: int = 0
    reset: bool = False
    overflow: bool = False
    stuck: str = ""
    bounce: int = 0
    wiring: dict[str, str] = field(default_factory=dict)  # faults of WIRING

    @classmethod
    def parse(cls, text: str) -> Faults:
        """Faults out of `name=value,name=value`; a name alone means 1. Raises UserError."""
        faults = cls()
        for item in filter(None, text.split(",")):
            name, _, value = item.partition("=")
            faults.set(name.strip(), value.strip() or "1")
        return faults

    def set(self, name: str, value: str) -> None:
        """Switches one fault; UserError where there is none of this name or value."""
        try:
            if name in _SHARES:
                share = float(value)
                if not 0.0 <= share <= 1.0:
                    raise ValueError(value)
                setattr(self, name, share)
            elif name in _COUNTS:
                count = int(value)
                if count < 0:
                    raise ValueError(value)
                setattr(self, name, count)
            elif name == "stuck":
                self.stuck = "" if value in ("0", "1") else value
            elif name in WIRING:
                self.wiring.pop(name, None)
                if value not in ("", "0"):
                    self.wiring[name] = value
            elif name in FAULTS:
                setattr(self, name, {"0": False, "1": True}[value])
            else:
                raise UserError(f"there is no fault {name!r}; there are {', '.join(FAULTS)}")
        except (ValueError, KeyError):
            raise UserError(f"fault {name} cannot be {value!r}; it is: {FAULTS[name]}") from None


class Wire:
    """One direction of a link, with the faults that concern bytes. `now` is in seconds."""

    def __init__(self, faults: Faults, seed: int) -> None:
        self._faults = faults
        self._random = random.Random(seed)
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0  # when a slow wire has carried what it was given

    def put(self, data: bytes, now: float) -> None:
        """Gives bytes to the wire."""
        faults = self._faults
        if not data or faults.silence:
            return
        if faults.drop or faults.double or faults.flip:
            data = b"".join(self._damaged(byte) for byte in data)
        if faults.garbage:
            data = self._random.randbytes(faults.garbage) + data
            faults.garbage = 0
        if faults.slow:
            for byte in data:
                self._free_at = max(now, self._free_at) + 1 / faults.slow
                self._waiting.append((self._free_at, bytes((byte,))))
        else:
            self._waiting.append((max(now, self._free_at), data))

    def _damaged(self, byte: int) -> bytes:
        if self._random.random() < self._faults.drop:
            return b""
        if self._random.random() < self._faults.flip:
            byte ^= 1 << self._random.randrange(8)
        return bytes((byte,) * (2 if self._random.random() < self._faults.double else 1))

    def take(self, now: float) -> bytes:
        """What has come out at the other end."""
        out = []
        while self._waiting and self._waiting[0][0] <= now:
            out.append(self._waiting.popleft()[1])
        return b"".join(out)

    def next_at(self) -> float | None:
        """When the next byte comes out, None where none is under way."""
        return self._waiting[0][0] if self._waiting else None
