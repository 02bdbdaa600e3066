"""What the referee says apart from the paragraphs: `table.toml` of each language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from tableref.rulebook.book import Rulebook
from tableref.rulebook.text import FOLDER, begun, flowing, typeset


class Messages:
    """Messages in the language of a rulebook, whose words for values they share. `{other}` is a
    heading."""

    def __init__(self, book: Rulebook) -> None:
        self._book, self._texts = book, texts(book.lang)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def sentence(self, key: str, values: Mapping[str, str] | None = None) -> str:
        """The message as a sentence. KeyError where there is none of that key."""
        filled = self._fill(self._texts[key]["sentence"], values or {})
        return flowing(filled) if self._book.lang == "fr" else begun(filled)

    def phrase(self, key: str, values: Mapping[str, str]) -> str:
        """The message as a part of a sentence."""
        return self._fill(self._texts[key]["sentence"], values)

    def screen(self, key: str, values: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """The message as lines for the display."""
        first, *rest = self._texts[key]["screen"].split(" / ")
        filled = (self._fill(line, values or {}) for line in rest)
        lines = begun(self._fill(first, values or {})), *filled
        return tuple(map(typeset, lines)) if self._book.lang == "fr" else lines

    def _fill(self, template: str, values: Mapping[str, str]) -> str:
        filled = template.format_map({key: self._word(key, values[key]) for key in values})
        return self._book.joined(filled)

    def _word(self, key: str, value: str) -> str:
        if key == "other":
            return self._book.value(self._book.words.headings.get(value, value))
        return self._book.value(value)


@lru_cache(maxsize=4)
def texts(lang: str) -> dict[str, dict[str, str]]:
    with (FOLDER / lang / "table.toml").open("rb") as file:
        return tomllib.load(file)
