"""A question without what is said around it: `ok wait, mum says it's her go, right?`.

At a table people lead into a question, say who thinks so, and hang a word on it that asks for a
yes. None of that says what they want to know. The words are data, `asking.toml` of each language,
under `around`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_PARTS = re.compile(r"[,;:.!?…]+\s+|\s+[-–—]+\s+")
_LEAST = 2
"""Words that stay at least."""


class Around(NamedTuple):
    """Word sequences that lead into a question, and that hang on it; words for who thinks
    something, and for thinking it; those for `that`; those that make a sentence a condition."""

    openers: tuple[tuple[str, ...], ...]
    tags: tuple[tuple[str, ...], ...]
    thinkers: frozenset[str]
    thinking: frozenset[str]
    that: frozenset[str]
    conditions: frozenset[str]


def bare(words: Sequence[str], around: Around) -> list[str]:
    """The words that ask."""
    left = list(words)
    while True:
        size = _opener(left, around) or _thought(left, around)
        if size and len(left) >= size + _LEAST:
            left = left[size:]
            continue
        size = next((len(tag) for tag in around.tags if tuple(left[-len(tag) :]) == tag), 0)
        if not size or len(left) < size + _LEAST:
            return left
        left = left[:-size]


def _opener(words: Sequence[str], around: Around) -> int:
    return next((len(one) for one in around.openers if tuple(words[: len(one)]) == one), 0)


def _thought(words: Sequence[str], around: Around) -> int:
    """How many words say who thinks what follows: `dad says that`."""
    if len(words) < 2 or words[0] not in around.thinkers or words[1] not in around.thinking:
        return 0
    return 3 if words[2:3] and words[2] in around.that else 2


def parts(question: str) -> list[str]:
    """The sentences and halves of sentences of which a question is made; in the last it asks."""
    return [each for each in _PARTS.split(question) if each.strip()] or [question]
