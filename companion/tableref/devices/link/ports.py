"""Which ports there are, under names that stay, and why there may be none.

A board is known by what it says, never by its chip: every port is a candidate, and one that does
not say hello is left alone.
"""

from __future__ import annotations

import grp
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tableref.devices.link.serial_port import Port, SerialPort

_PATTERNS = ("dev/ttyACM*", "dev/ttyUSB*")
_BRLTTY = ("usr/lib/udev/rules.d", "lib/udev/rules.d", "etc/udev/rules.d")
_MODEM_MANAGER = ("usr/sbin/ModemManager", "usr/bin/ModemManager")


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that keeps a board from being found, and its cure."""

    what: str
    cure: str


def _own_groups() -> frozenset[int]:
    return frozenset((*os.getgroups(), os.getegid()))


def _group_name(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


class Ports:
    """The serial ports of this computer; `root` and the rest stand in for it in tests."""

    no_port = Advice(
        "there is no serial port",
        "Plug the board in with a cable that carries data; some cables only charge",
    )

    def __init__(
        self,
        root: Path = Path("/"),
        opener: Callable[[str], Port] = SerialPort,
        groups: Callable[[], frozenset[int]] = _own_groups,
        user: int | None = None,
    ) -> None:
        self.root, self.open = root, opener
        self._groups = groups
        self._user = os.geteuid() if user is None else user

    def candidates(self) -> list[str]:
        """All ports, those with a lasting name first and under that name; none twice."""
        by_id = sorted((self.root / "dev/serial/by-id").glob("*"))
        plain = sorted(path for pattern in _PATTERNS for path in self.root.glob(pattern))
        found: dict[Path, str] = {}
        for path in (*by_id, *plain):
            if path.exists():
                found.setdefault(path.resolve(), str(path))
        return list(found.values())

    def lasting_name(self, path: str) -> str:
        """The by-id name of this port, or the path itself where it has none."""
        for name in self.candidates():
            if Path(name).resolve() == Path(path).resolve():
                return name
        return path

    def advice(self) -> list[Advice]:
        """What on this computer keeps a board from being found or opened, each with its cure."""
        advice = [] if self.candidates() else [self.no_port]
        advice += self.forbidden()
        return advice + [one for one in (self.brltty(), self.modem_manager()) if one]

    def forbidden(self) -> list[Advice]:
        """The ports that this user may not open."""
        return [one for port in self.candidates() if (one := self._forbidden(Path(port)))]

    def brltty(self) -> Advice | None:
        """What brltty does, where it is installed."""
        there = any(list((self.root / folder).glob("*brltty*.rules")) for folder in _BRLTTY)
        return _BRLTTY_ADVICE if there else None

    def modem_manager(self) -> Advice | None:
        """What ModemManager does, where it is installed."""
        there = any((self.root / program).exists() for program in _MODEM_MANAGER)
        return _MODEM_ADVICE if there else None

    def _forbidden(self, port: Path) -> Advice | None:
        status = port.stat()
        if self._user in (0, status.st_uid) or status.st_mode & 0o006 == 0o006:
            return None
        if status.st_mode & 0o060 == 0o060 and status.st_gid in self._groups():
            return None
        group = _group_name(status.st_gid)
        return Advice(
            f"{port} belongs to group {group}, and you are not in it",
            f"sudo usermod -aG {group} $USER, then log out and in again",
        )


_BRLTTY_ADVICE = Advice(
    "brltty is installed and takes serial adapters for braille displays",
    "If you need no braille display: sudo apt remove brltty, then plug the board in again",
)
_MODEM_ADVICE = Advice(
    "ModemManager is installed and talks to new serial ports for some seconds",
    "Wait 20 s after plugging in, or: sudo systemctl disable --now ModemManager",
)
