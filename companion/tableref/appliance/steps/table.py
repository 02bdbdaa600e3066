"""What the steps of setting up have at hand: display, buttons, words, configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tableref.appliance.dialogue import Dialogue
from tableref.appliance.menu import Command, Item, Menu, Page
from tableref.devices import font
from tableref.devices.buttons import Button
from tableref.devices.config import Value, remember
from tableref.devices.oled import BESIDE, Marker, Screen, Sketch
from tableref.devices.panel import Panel
from tableref.hosting.config import Config, load
from tableref.referee.games import GAMES
from tableref.rulebook.menuwords import MenuWords
from tableref.rulebook.text import title
from tableref_hardware import Board, load_board


class SetUp:
    """The table while it is set up; in the folder `root` is kept what has files of its own."""

    def __init__(self, dialogue: Dialogue, panel: Panel, config: Config, root: Path) -> None:
        self.dialogue, self.panel, self.config, self.root = dialogue, panel, config, root
        self.words = MenuWords(config.game.lang)

    def remember(self, section: str, options: Mapping[str, Value]) -> None:
        """Writes options into the configuration. ConfigError"""
        remember(section, options)
        self.config = load()

    def pick(self, page: Page) -> object | None:
        """What was chosen on a page; None where BACK was pressed."""
        menu = Menu((page,))
        while True:
            self.dialogue.show(menu.screen())
            press = self.dialogue.press()
            if press is None:
                continue
            menu, command = menu.pressed(press.button, press.long)
            if command is not None:
                return None if command.name == "back" else command.value

    def choose(self, key: str, labels: Sequence[str]) -> int | None:
        """The number of the label that was chosen, under the label `key`."""
        items = tuple(Item(label, Command("choose", n)) for n, label in enumerate(labels))
        chosen = self.pick(Page(self.words.label(key), items))
        return chosen if isinstance(chosen, int) else None

    def agree(self, key: str, text: str, *values: object) -> bool:
        """Whether OK was pressed under a text, once it was read to its end."""
        page = Page.of(
            self.words.label(key),
            self.words.text(text, *values),
            Command("ok", True),
            marker=Marker.ASK,
        )
        return bool(self.pick(page))

    def say(self, key: str, text: str) -> None:
        """Something to know, in words; any answer will do."""
        self.pick(Page.of(self.words.label(key), text, Command("ok", True)))

    def board(self) -> Board | None:
        """The board on the table; None where BACK was pressed."""
        names = [title(self.words.lang, game) or game for game in GAMES]
        chosen = self.choose("game", names)
        return None if chosen is None else load_board(list(GAMES)[chosen])

    def now(self, key: str, text: str, sketch: Sketch | None = None, hint: str = "") -> None:
        """Shows how it goes just now."""
        lines = font.wrap(text, BESIDE if sketch else 21, 4)
        self.dialogue.show(
            Screen(self.words.label(key), lines, Marker.WAIT, hint=hint, sketch=sketch)
        )

    def pressed(self, within: float = 0.0) -> Button | None:
        """The button that was pressed by now, or `within` so many seconds."""
        press = self.dialogue.press(within)
        return press.button if press is not None else None
