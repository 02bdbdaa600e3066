"""What printed sheets say, in one language: `print.toml` and the words of the rulebook."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from tableref.rulebook import Rulebook
from tableref.rulebook.text import FOLDER, title
from tableref_hardware.board import Board


class Words:
    """Texts by key; gaps are filled like `str.format`.

    words = Words("fr")
    words("page", number=2)
    """

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang
        self._book = Rulebook(lang)
        self._texts = _texts(lang)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key. KeyError where there is none (a test sees to it)."""
        return self._texts[key].format(**values)

    @property
    def colon(self) -> str:
        """A colon with the space before it that the language wants."""
        return self._book.words.labels["colon"]

    def game(self, board: Board) -> str:
        """What the game of a board is called; the board's own title where no rulebook has it."""
        return title(self.lang, board.game) or board.title

    def name(self, value: str) -> str:
        """A colour, a kind of piece, a side as a label: `red` -> `Rouge`."""
        return self._book.value(value, name=True)

    def heading(self, name: str) -> str:
        """A heading as sentences say it: `W` -> `O`, `up` -> `vers le haut`."""
        headings = self._book.words.headings
        return headings.get(name) or self._book.value(name)


@lru_cache(maxsize=4)
def _texts(lang: str) -> dict[str, str]:
    with (FOLDER / lang / "print.toml").open("rb") as file:
        return tomllib.load(file)
