"""A menu on four lines and five buttons, pure: menu and press in, menu and command out.

    UP, DOWN    the item before or after; in a text the lines before or after
    OK          choose it
    BACK        the page that one came from; held: the first page
    WHY         what the item means, in full

>>> menu = Menu((main,))
>>> menu, command = menu.pressed(Button.OK, long=False)
>>> panel.show(menu.screen())
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tableref.devices import font
from tableref.devices.buttons import Button
from tableref.devices.oled import COLUMNS, ROWS, Marker, Screen

CHOSEN, OTHER = "▶", " "
"""Before the item that OK chooses, and before any other."""


class Item(NamedTuple):
    """A line of a list. `go`: a page that opens, made when it is wanted, or what is asked of the
    appliance; None where there is nothing to choose. `help` says more than fits."""

    label: str
    go: Callable[[], Page] | Command | None = None
    help: str = ""


class Page(NamedTuple):
    """A list of items, or where it has `text` lines to read.

    `at`: the chosen item, or the first line that is seen. `go` of a text is what OK does; `id` is a
    paragraph that is named at the foot. `replaces`: it takes the place of the page that led here.
    `code` is read by phones, beside the text.
    """

    title: str
    items: tuple[Item, ...] = ()
    text: tuple[str, ...] = ()
    at: int = 0
    go: Callable[[], Page] | Command | None = None
    id: str = ""
    marker: Marker = Marker.NONE
    replaces: int = 0
    code: str = ""

    @classmethod
    def of(
        cls,
        title: str,
        text: str,
        go: Callable[[], Page] | Command | None = None,
        id: str = "",
        marker: Marker = Marker.NONE,
    ) -> Page:
        """A page with this text, broken between words; where it has line breaks, there too."""
        lines = [row for line in text.split("\n") for row in font.wrap(line, COLUMNS, 999)]
        return cls(title, (), tuple(lines), 0, go, id, marker)


class Command(NamedTuple):
    """What the appliance is asked to do, and with what."""

    name: str
    value: object = None


class Menu(NamedTuple):
    """Pages, the one that is seen last."""

    pages: tuple[Page, ...]

    @property
    def page(self) -> Page:
        """The page that is seen."""
        return self.pages[-1]

    def pressed(self, button: Button, long: bool = False) -> tuple[Menu, Command | None]:
        """The menu after a press, and what is asked for; at the first page BACK asks for
        `Command("back")`."""
        match button:
            case Button.UP | Button.DOWN:
                return self._moved(-1 if button is Button.UP else 1), None
            case Button.OK:
                return self._chosen()
            case Button.WHY:
                return self._explained(), None
        if long:
            return Menu(self.pages[:1]), None
        if len(self.pages) == 1:
            return self, Command("back")
        return Menu(self.pages[:-1]), None

    def opened(self, page: Page) -> Menu:
        """The menu with this page on top."""
        kept = self.pages[: len(self.pages) - page.replaces]
        return Menu((*kept, page._replace(replaces=0)))

    def screen(self) -> Screen:
        """What the display shows."""
        page = self.page
        if page.text or not page.items:
            more = page.at + ROWS < len(page.text)
            hint = "▼" if more else "OK" if page.go is not None else ""
            lines = page.text[page.at : page.at + ROWS]
            return Screen(page.title, lines, page.marker, page.id, hint, code=page.code)
        first = _first_seen(page.at, len(page.items))
        lines = tuple(
            f"{CHOSEN if number == page.at else OTHER} {item.label}"
            for number, item in enumerate(page.items[first : first + ROWS], first)
        )
        place = f"{page.at + 1}/{len(page.items)}" if len(page.items) > ROWS else ""
        hint = "OK" if page.items[page.at].go is not None else ""
        if page.items[page.at].help:
            hint = f"WHY {hint}".strip()
        return Screen(page.title, lines, page.marker, place, hint)

    def _moved(self, by: int) -> Menu:
        page = self.page
        if page.text:
            last = max(0, len(page.text) - ROWS)
            return self._with(page._replace(at=max(0, min(page.at + by * ROWS, last))))
        count = len(page.items)
        return self._with(page._replace(at=(page.at + by) % count)) if count else self

    def _chosen(self) -> tuple[Menu, Command | None]:
        page = self.page
        if page.text and page.at + ROWS < len(page.text):  # it was not read to its end
            return self._moved(1), None
        go = page.items[page.at].go if page.items and not page.text else page.go
        if go is None:
            return self, None
        if isinstance(go, Command):
            return self, go
        return self.opened(go()), None

    def _explained(self) -> Menu:
        page = self.page
        if page.text or not page.items:
            return self
        item = page.items[page.at]
        told = item.help or item.label
        return self.opened(Page.of(page.title, told))

    def _with(self, page: Page) -> Menu:
        return Menu((*self.pages[:-1], page))


def _first_seen(at: int, count: int) -> int:
    """The first item of a list that is seen while item `at` is chosen: a whole screenful at a
    time, so that the eye finds the items where they were."""
    return max(0, min(at // ROWS * ROWS, count - ROWS)) if count > ROWS else 0
