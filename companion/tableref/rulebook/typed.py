"""What people type at the referee's terminal: the words of `typed.toml` of each language, beside
which the English ones are taken."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache

from tableref.rulebook import text


@lru_cache(maxsize=4)
def typed(lang: str) -> dict[str, dict[str, str]]:
    """The words of a language: `typed`, `help`, `shows`, `says`."""
    with (text.FOLDER / lang / "typed.toml").open("rb") as file:
        return tomllib.load(file)


def command(key: str, lang: str) -> str:
    """What is typed for a command in a language: the first of its phrases."""
    return typed(lang)["typed"][key].split(", ")[0]


def commands(lang: str) -> Iterator[tuple[str, str]]:
    """Every phrase that is a command, and which, in the language and in English."""
    for each in dict.fromkeys((lang, text.LANGUAGES[0])):
        for key, phrases in typed(each)["typed"].items():
            yield from ((phrase, key) for phrase in phrases.split(", "))


def say(key: str, lang: str, **values: object) -> str:
    """One of the sentences, as it is set in the language."""
    said = typed(lang)["says"][key].format(**values)
    return text.typeset(said) if lang == "fr" else said
