"""Words of the menu on the display, in one language: `menu.toml` of the rulebook."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from tableref.rulebook.text import FOLDER


class MenuWords:
    """Labels of at most `COLUMNS` letters, help, and longer texts. KeyError where there is none."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._data = _data(lang)

    def label(self, key: str, *values: object) -> str:
        """A label, with these values in its gaps."""
        return self._data["labels"][key].format(*values)

    def help(self, key: str) -> str:
        """What a label means, in full; empty where it says all."""
        return self._data["help"].get(key, "")

    def text(self, key: str, *values: object) -> str:
        """A longer text."""
        return self._data["texts"][key].format(*values)


@lru_cache(maxsize=4)
def _data(lang: str) -> dict[str, dict[str, str]]:
    with (FOLDER / lang / "menu.toml").open("rb") as file:
        return tomllib.load(file)
