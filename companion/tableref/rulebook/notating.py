"""The notations of the games with their words in a language: `rot>b1NO` for `red>b1NE`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from tableref.rulebook.text import FOLDER, LANGUAGES

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
"""Colours that name pieces in notations."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_HEADING = re.compile(r"(?<=\b[a-z]\d)[A-Z]{1,2}\b")
"""Where a piece points, behind its cell: `b1NE`."""


class Notation:
    """Words of pieces and of notations in a language; its `headings` and the `value` of a fact's
    text are the rulebook's."""

    def __init__(self, lang: str, headings: Mapping[str, str], value: Callable[[str], str]) -> None:
        self._headings, self._value = headings, value
        data = played(lang)
        self._tokens: Mapping[str, str] = data["tokens"]
        self._words = {word: self.token(word) for word in COLOURS} | data["notation"]
        self._typed = {said: word for word, said in self._words.items()}
        self._pointed = {said: heading for heading, said in headings.items()}

    def token(self, word: str) -> str:
        """A word of a piece's or a fact's text: `red`, `NE`, `up`."""
        if word in self._tokens:
            return self._tokens[word]
        said = self._headings.get(word) or self._value(word)
        return said if said == word or word in self._headings else said.lower()

    def shown(self, text: str) -> str:
        """An action in the notation of its game, its words in the language."""
        said = _HEADING.sub(lambda match: self._headings.get(match[0], match[0]), text)
        return _WORD.sub(lambda match: self._words.get(match[0], match[0]), said)

    def read(self, line: str) -> str:
        """What was typed as the game's notation has it; English words are taken, too."""
        told = _WORD.sub(lambda match: self._typed.get(match[0].lower(), match[0]), line)
        return _HEADING.sub(lambda match: self._pointed.get(match[0], match[0]), told)


@lru_cache(maxsize=len(LANGUAGES))
def played(lang: str) -> dict[str, dict[str, Any]]:
    """The words of `play.toml`."""
    with (FOLDER / lang / "play.toml").open("rb") as file:
        return tomllib.load(file)
