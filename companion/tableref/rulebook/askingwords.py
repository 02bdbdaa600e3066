"""The words in which people ask about the table's state: `asking.toml` of each language, read."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from itertools import takewhile
from typing import Any

from tableref.rulebook import text
from tableref.rulebook.covering import everyday_phrases
from tableref.rulebook.terms import Analyser, fold
from tableref.rulebook.wrapping import Around

WORD = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
"""A word, or in the data words that belong together, `en_train_de`."""
SHORTEST_MISSPELT, _LONG_WORD = 4, 8
"""Words from these lengths on are put right by one letter, and by two behind the first."""


@lru_cache(maxsize=2048)
def nearest(word: str, known: tuple[str, ...], close: bool = False) -> str:
    """The known word of which this one is a misspelling; empty where none is near enough.
    `close`: by one letter at most."""
    from tableref.rulebook.lookup import distance

    if len(word) < SHORTEST_MISSPELT or word.isdigit():
        return ""
    allowed = 1 if close or len(word) < _LONG_WORD else 2
    # Of words that are equally near, the one that begins alike for longer: `wher` is `where`.
    near = [
        (distance(word, each), each[0] != word[0], -_alike(each, word), each)
        for each in known
        if abs(len(each) - len(word)) <= allowed and len(each) >= SHORTEST_MISSPELT - 1
    ]
    best, other_start, _, found = min(near, default=(allowed + 1, False, 0, ""))
    if other_start and len(word) <= SHORTEST_MISSPELT and sorted(word) != sorted(found):
        return ""  # `late` is no `gate`, but `lbue` is `blue`
    return found if best <= (1 if other_start else allowed) else ""


def _alike(one: str, other: str) -> int:
    """How many letters two words begin with that are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def words_of(text: str, lang: str) -> list[str]:
    return WORD.findall(fold(text, lang))


def joined(words: str, lang: str) -> str:
    """Words with those that belong together as one."""
    for phrase in _phrases(lang):
        if phrase.replace("_", " ") in words:
            words = re.sub(rf"\b{phrase.replace('_', ' ')}\b", phrase, words)
    return words


@lru_cache(maxsize=4)
def _phrases(lang: str) -> tuple[str, ...]:
    """Words of the data that belong together, the longest first."""
    known = (*ideas_of(lang), *words_of(asking(lang)["small"], lang))
    return tuple(sorted((word for word in known if "_" in word), key=len, reverse=True))


@lru_cache(maxsize=4)
def everyday_words(lang: str) -> frozenset[str]:
    return frozenset(word for each in everyday_phrases(lang) for word in words_of(each, lang))


@lru_cache(maxsize=4)
def stems_of_life(lang: str) -> frozenset[str]:
    """Stems of the words of everyday life that stand alone."""
    stem = analyser_of(lang).stem
    return frozenset(
        stem(words_of(one, lang)[0]) for one in everyday_phrases(lang) if " " not in one
    )


@lru_cache(maxsize=4)
def asking(lang: str) -> dict[str, Any]:
    """The data of a language."""
    with (text.FOLDER / lang / "asking.toml").open("rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=4)
def around_of(lang: str) -> Around:
    """What is said around questions in a language."""
    data, relatives = asking(lang)["around"], asking(lang)["relatives"]

    def phrases(text: str) -> tuple[tuple[str, ...], ...]:
        told = (tuple(words_of(one, lang)) for one in text.split("|"))
        return tuple(sorted(told, key=len, reverse=True))

    words = {
        key: frozenset(words_of(data[key], lang)) for key in ("thinking", "that", "conditions")
    }
    thinkers = frozenset(words_of(f"{data['thinkers']} {relatives}", lang))
    return Around(phrases(data["openers"]), phrases(data["tags"]), thinkers, **words)


@lru_cache(maxsize=4)
def analyser_of(lang: str) -> Analyser:
    return Analyser(lang)


@lru_cache(maxsize=4)
def ideas_of(lang: str) -> dict[str, tuple[str, ...]]:
    """Word -> the ideas that it stands for."""
    found: dict[str, list[str]] = {}
    for idea, words in asking(lang)["ideas"].items():
        for word in words_of(words, lang):
            found.setdefault(word, []).append(idea)
    return {word: tuple(dict.fromkeys(ideas)) for word, ideas in found.items()}


@lru_cache(maxsize=4)
def stems_of(lang: str) -> dict[str, tuple[str, ...]]:
    """Stem of a longer word -> the ideas that it stands for in any ending."""
    found: dict[str, list[str]] = {}
    for word, ideas in ideas_of(lang).items():
        if len(word) >= SHORTEST_MISSPELT:
            found.setdefault(analyser_of(lang).stem(word), []).extend(ideas)
    return {stem: tuple(dict.fromkeys(ideas)) for stem, ideas in found.items()}
