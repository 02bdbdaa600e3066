"""A table with virtual devices that is played with by buttons alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from tableref.appliance.notify import Notifier
from tableref.appliance.serve import Appliance, Found
from tableref.appliance.updates import Updates
from tableref.commands.phones import CasePhones
from tableref.devices.buttons import Button, Press, VirtualButtons
from tableref.devices.link.virtual import VirtualPico, VirtualPort
from tableref.devices.oled import DisplayOptions, Screen
from tableref.devices.panel import Panel
from tableref.devices.sounds import Sound
from tableref.devices.status import Status
from tableref.hosting.config import Config
from tableref.hosting.mqtt import Publisher
from tableref.hosting.opening import Game
from tableref_hardware import Board

PATIENCE = 60.0
"""Seconds after which a screen that is waited for does not come any more."""


class SeenPanel(Panel):
    """A panel on which one waits for what one wants to see."""

    def __init__(self, pressed: Callable[[Press], None]) -> None:
        super().__init__()
        self.buttons = VirtualButtons(pressed)
        self.shown: list[Screen] = []
        self.sounded: list[Sound] = []
        self.driven: list[list[str]] = []
        self.closed = self.dark = False
        self._at = 0
        self._changed = threading.Condition()

    def show(self, screen: Screen) -> None:
        super().show(screen)
        with self._changed:
            self.shown.append(screen)
            self._changed.notify_all()

    def status(self, status: Status) -> None:
        pass

    def drive(self, displays: Sequence[DisplayOptions]) -> None:
        self.driven.append([options.driver for options in displays])

    def play(self, sound: Sound) -> None:
        self.sounded.append(sound)

    def close(self, dark: bool = True) -> None:
        with self._changed:
            self.closed, self.dark = True, dark
            self._changed.notify_all()

    @property
    def last(self) -> Screen:
        return self.shown[-1]

    def mark(self) -> None:
        """What was shown up to now is not seen any more."""
        self._at = len(self.shown)

    def see(self, *words: str) -> Screen:
        """The next screen with these words on it, shown already or soon."""

        def there() -> bool:
            for number in range(self._at, len(self.shown)):
                if all(word in text_of(self.shown[number]) for word in words):
                    self._at = number
                    return True
            return False

        with self._changed:
            if not self._changed.wait_for(there, PATIENCE):
                pytest.fail(f"{words} not on the display: {[text_of(s) for s in self.shown[-6:]]}")
            return self.shown[self._at]


def text_of(screen: Screen) -> str:
    lines = " ".join(screen.lines)
    return f"{screen.title} | {lines} | {screen.paragraph} {screen.hint}"


class Table:
    """The appliance in a thread of its own, and hands at its board and buttons."""

    on: ClassVar[list[Table]] = []
    """Those that were switched on."""

    def __init__(
        self,
        root: Path,
        config: Config,
        monkeypatch: pytest.MonkeyPatch,
        found: list[Found] | None = None,
    ) -> None:
        self.off: list[str] = []
        self.game: Game | None = None
        self.port: VirtualPort | None = None
        self.began = threading.Event()
        self.updates: Updates | None = None
        self.pages: CasePhones | None = None
        self.publisher: Callable[[Game], Publisher] | None = None
        self._config, self._root, self._found = config, root, found or []
        self._board: set[str] = set()
        monkeypatch.setattr("tableref.devices.link.port_named", self._plugged)
        # Nobody reads: pages turn at once, and a hand that is away is away.
        monkeypatch.setattr("tableref.referee.front.PAGE", 0.05)
        monkeypatch.setattr("tableref.referee.front.READ", 0.0)
        monkeypatch.setattr("tableref.referee.step.AT_REST", 0.2)

    def _plugged(self, text: str, board: Board) -> VirtualPort:
        self.port = VirtualPort(VirtualPico(board))
        for cell in self._board:
            self.port.put(cell)
        return self.port

    def power(self) -> SeenPanel:
        """Switches it on."""

        def opened(pressed: Callable[[Press], None]) -> SeenPanel:
            self.panel = SeenPanel(pressed)
            if self.pages is not None:
                self.pages.begin(pressed)
                self.panel.watchers.append(self.pages.shown)
            return self.panel

        pages = self.pages

        self.appliance = Appliance(
            self._config, self._root, opened, notifier=Notifier({}),
            examine=lambda: self._found, power_off=lambda: self.off.append("off"),
            today=lambda: "2026-11-30", opened=self._opened, updates=self.updates,
            publisher=self.publisher,
            phones=None if pages is None else lambda game, _, judge: pages.beside(game, 0, judge),
            between=None if pages is None else lambda lang, port: pages.alone(lang, 0),
        )  # fmt: skip
        self._thread = threading.Thread(target=self.appliance.run, daemon=True)
        self._thread.start()
        Table.on.append(self)
        self.panel.see()
        return self.panel

    def _opened(self, game: Game) -> None:
        self.game = game

    def stop(self) -> None:
        self.appliance.stop()
        self.ended()

    def ended(self) -> None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    # -- hands ------------------------------------------------------------------------------------

    def press(self, *buttons: Button, long: bool = False) -> None:
        self.panel.mark()
        for button in buttons:
            self.panel.buttons.press(button, long)  # type: ignore[union-attr]

    def choose(self, *labels: str) -> None:
        """Goes down to an item, and OK, one after the other."""
        for label in labels:
            for _ in range(40):
                if f"▶ {label}" in self.panel.last.lines:
                    break
                self.press(Button.DOWN)
                self.panel.see("▶")
            else:
                pytest.fail(f"no {label!r} on the menu")
            self.press(Button.OK)
            self.panel.see()

    def put(self, *cells: str) -> None:
        self._board |= {*cells}
        for cell in cells:
            assert self.port is not None
            self.port.put(cell)

    def move(self, start: str, to: str) -> None:
        """A hand moves a piece."""
        self.panel.mark()
        self.lift(start)
        self.put(to)

    def lift(self, *cells: str) -> None:
        self._board -= {*cells}
        for cell in cells:
            assert self.port is not None
            self.port.lift(cell)

    def stands_as(self, other: Table) -> None:
        """The pieces stand as on another table, which was this one before."""
        self._board = set(other._board)

    def menu(self) -> None:
        """Goes back until the menu over the game is there."""
        for _ in range(4):
            if "▶" in text_of(self.panel.last):
                return
            self.press(Button.BACK)
            self.panel.see()
        pytest.fail("no menu")

    def reads_on(self, word: str) -> None:
        """Goes down a text until this word is seen."""
        for _ in range(9):
            if word in text_of(self.panel.last):
                return
            self.press(Button.DOWN)
            self.panel.see()
        pytest.fail(f"{word!r} is not in the text")
