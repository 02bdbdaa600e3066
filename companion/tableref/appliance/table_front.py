"""The display and the buttons while a game runs: its front, and the menu over it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from tableref.appliance.menu import Command, Menu, Page
from tableref.appliance.pages import Pages, Running
from tableref.devices.buttons import Button, Press
from tableref.devices.oled import Screen
from tableref.devices.panel import Panel
from tableref.devices.sounds import Sound
from tableref.devices.status import Status
from tableref.hosting.opening import Game
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Act
from tableref.referee.standing import StandingWords, standing
from tableref.referee.table import Phase
from tableref.rules.house import TakeUp


class Curtain(Panel):
    """The panel as a game's front has it: what it shows is not seen while the menu is open."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._panel, self._last, self._drawn = panel, Screen(""), False
        self._lock = threading.Lock()

    def show(self, screen: Screen) -> None:
        """Show this, now or when the curtain opens."""
        with self._lock:
            self._last = screen
            if not self._drawn:
                self._panel.show(screen)

    def cover(self, screen: Screen) -> None:
        """Show this in front of it."""
        with self._lock:
            self._drawn = True
            self._panel.show(screen)

    def open(self) -> None:
        """Show what the game shows."""
        with self._lock:
            self._drawn = False
            self._panel.show(self._last)

    def status(self, status: Status) -> None:
        """Show this status."""
        self._panel.status(status)

    def play(self, sound: Sound) -> None:
        """Begin this melody."""
        self._panel.play(sound)


class TableFront:
    """An outlet with the front of a game and the menu over it. `asked` gets what the menu asks of
    the appliance, from the buttons' thread."""

    def __init__(
        self,
        game: Game,
        panel: Panel,
        pages: Pages,
        asked: Callable[[Command], None],
        phones: tuple[str, str] = ("", ""),
        judge: Callable[[], bool] | None = None,
    ) -> None:
        """`phones`: the address of the pages for phones, and the table's code; empty where there
        are none. `judge` calls one where WHY is held."""
        self._phones = phones
        self._game, self._pages, self._asked = game, pages, asked
        self._state = game.evening.state
        self._curtain = Curtain(panel)
        self._menu: Menu | None = None
        self._front = game.front(self._open, judge)
        self._front.start(self._curtain)

    def tell(self, feedback: Feedback) -> None:
        """Takes the pages of a step."""
        if feedback.table is not None:
            self._state = feedback.table
        self._front.tell(feedback)

    def pressed(self, press: Press) -> None:
        """A button was pressed; called from the buttons' thread."""
        menu = self._menu
        if menu is None:
            self._front.pressed(press)
            return
        menu, command = menu.pressed(press.button, press.long)
        if command is None:
            self._show(menu)
            return
        match command.name:
            case "act":
                assert isinstance(command.value, dict)
                self._close()
                self._game.queue.happened(Act(press.time, command.value))
            case "back":
                self._close()
            case "no":
                self._show(menu.pressed(Button.BACK)[0])
            case "stands":
                self._show(menu.opened(self._stands()))
            case _:
                self._asked(command)

    def close(self) -> None:
        """Stops turning pages."""
        self._front.close()

    def _open(self) -> None:
        game, table = self._game.evening.referee.game, self._state.table
        house = self._game.evening.referee.house
        self._show(
            Menu(
                (
                    self._pages.in_game(
                        Running(
                            game.name,
                            self._game.players,
                            tuple(sorted(table.away)),
                            self._state.phase is Phase.OVER,
                            house.judge(table, TakeUp()).allowed,
                            *self._phones,
                        )
                    ),
                )
            )
        )

    def _show(self, menu: Menu) -> None:
        self._menu = menu
        self._curtain.cover(menu.screen())

    def _close(self) -> None:
        self._menu = None
        self._curtain.open()

    def _stands(self) -> Page:
        evening = self._game.evening
        words = StandingWords(evening.referee.game, evening.board, evening.head["lang"])
        stands = standing(evening.referee.game, self._state, list(evening.journal.rows()))
        return self._pages.said("stands", "\n".join(words.all(stands)))
