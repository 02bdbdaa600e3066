"""Display and buttons for somebody who shows something and waits for a press."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable

from tableref.devices.buttons import Button, Press
from tableref.devices.oled import Screen
from tableref.devices.panel import Panel
from tableref.hosting.session import BEAT

WAITING = 32
"""Presses that may wait while something takes long; later ones are lost."""


class Stopped(Exception):
    """The service is to end."""


class Dialogue:
    """Shows screens and gives presses one at a time. `beat` is called while it waits."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._panel = Panel()
        self._shown: Screen | None = None
        # Of the kinds of queues this is the one that a signal may put into at any time.
        self._presses: queue.SimpleQueue[Press | None] = queue.SimpleQueue()
        self._stopped = False

    def begin(self, panel: Panel) -> None:
        """It is shown on this panel."""
        self._panel = panel

    def pressed(self, press: Press) -> None:
        """A button was pressed; from any thread."""
        if self._presses.qsize() < WAITING:
            self._presses.put(press)

    def stop(self) -> None:
        """Whoever waits for a press gets `Stopped`; from any thread or signal."""
        self._stopped = True
        self._presses.put(None)

    def show(self, screen: Screen) -> None:
        """Show this screen."""
        if screen != self._shown:
            self._shown = screen
            self._panel.show(screen)
        self._beat()

    def hidden(self) -> None:
        """Somebody else has shown something."""
        self._shown = None

    def forget(self) -> None:
        """Presses that came while something took long were meant for what was shown then."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._presses.get_nowait()

    def press(self, within: float | None = None) -> Press | None:
        """The next press; None where there is none `within` so many seconds. Stopped"""
        until = None if within is None else time.monotonic() + within
        while True:
            if self._stopped:
                raise Stopped
            left = BEAT if until is None else min(BEAT, until - time.monotonic())
            self._beat()
            try:
                press = self._presses.get(timeout=max(0.0, left))
            except queue.Empty:
                if until is not None and time.monotonic() >= until:
                    return None
                continue
            if press is not None:
                return press

    def answer(self, screen: Screen) -> bool:
        """Whether OK was pressed, and not BACK. Stopped"""
        self.show(screen)
        while True:
            press = self.press()
            if press is not None and press.button in (Button.OK, Button.BACK):
                return press.button is Button.OK
