"""Another version, asked for by the menu: systemd does it, as root, for the table may not."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from tableref.updating.slots import OUTCOME, Outcome, Slots

UNIT = "tableref-update@{}.service"
STICK, BACK = "stick", "back"
TOLD = "outcome-told"
"""Beside the games: which outcome the display has told already."""


class Updates:
    """What the menu may ask for. `root` is where the table keeps its games."""

    def __init__(
        self,
        root: Path,
        slots: Slots | None = None,
        start: Callable[[Sequence[str]], subprocess.Popen[bytes]] | None = None,
    ) -> None:
        self._slots = slots or Slots()
        self._told = root / TOLD
        self._start = start or _started

    @property
    def version(self) -> str:
        """What runs here; empty where it was not installed so that it can be changed."""
        held = self._slots.holds(self._slots.running) if self._slots.running else None
        return held.version if held else ""

    @property
    def other(self) -> str:
        """The version that one can go back to; empty where there is none."""
        held = self._slots.holds(self._slots.other) if self._slots.running else None
        return held.version if held else ""

    def news(self) -> Outcome | None:
        """What the last update came to, once; None where it was told."""
        mark = self._mark()
        try:
            told = self._told.read_text(encoding="utf-8", errors="replace")
        except OSError:
            told = ""
        if mark == told:
            return None
        with contextlib.suppress(OSError):  # then it is told once more at the next start
            self._told.parent.mkdir(parents=True, exist_ok=True)
            self._told.write_text(mark, encoding="utf-8")
        return self._slots.told()

    def begin(self, how: str) -> subprocess.Popen[bytes]:
        """Has it done; the process ends with it. OSError"""
        return self._start(("systemctl", "start", UNIT.format(how)))

    def _mark(self) -> str:
        try:
            return str((self._slots.place / OUTCOME).stat().st_mtime_ns)
        except OSError:
            return ""


def _started(words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
