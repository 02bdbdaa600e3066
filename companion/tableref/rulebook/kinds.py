"""Which kind of question some signs make, by weights that were learned from examples.

    kind_of(Signs(("who", "pay"), ("en:who", "en:paid"), 0, 0, 0, words=2))    # pays

Ideas are the same in each language, and so are their weights; beside them the words of each
language weigh by themselves. Weights: `kinds.json`, written by `python -m tests.bench.asking` from
the questions in `tests/`. What is none of the kinds is a question about the rules, or about life.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import NamedTuple

from tableref.rulebook.text import FOLDER

KINDS = (
    "turn", "score", "leader", "over", "round", "last", "can", "may", "what-if", "why", "pays",
    "seen", "where", "whose", "numbers",
)  # fmt: skip
RULES = "rules"
"""The class of what is none about the state."""
WEIGHTS = FOLDER / "kinds.json"
_MOST = 3
"""Words that nobody knows, or that only the rules have, are counted up to this."""
_LONG = (3, 6, 9, 12)
"""Lengths at which a question counts as longer."""


class Signs(NamedTuple):
    """What a question holds: ideas of its words, in order and each once, and what it names
    (`piece`, `side`, `cell`, ...); the stems of its words that name nothing, with the language
    before them; how many words only the rules have, only everyday life, and nobody; words in
    all."""

    ideas: tuple[str, ...]
    stems: tuple[str, ...]
    ruled: int
    everyday: int
    unknown: int
    words: int


def features(signs: Signs) -> Iterator[str]:
    """The signs one by one, and in pairs, as the weights name them."""
    counts = (("#r", signs.ruled), ("#e", signs.everyday), ("#u", signs.unknown))
    held = sorted([*signs.ideas, *(name for name, count in counts if count)])
    yield ""
    yield from signs.ideas
    yield from signs.stems
    yield from (f"{one} {other}" for one, other in combinations(held, 2))
    yield from (f"^{idea}" for idea in signs.ideas[:1])
    for name, count in counts:
        yield from (f"{name}{number}" for number in range(1, min(count, _MOST) + 1))
    yield from (f"#{length}" for length in _LONG if signs.words >= length)


def kind_of(signs: Signs) -> str | None:
    """The kind that most speaks for; None where most speaks for a question about the rules."""
    sums = _sums(signs)
    best = max(range(len(sums)), key=sums.__getitem__)
    return KINDS[best] if best < len(KINDS) else None


def likely(signs: Signs) -> dict[str, float]:
    """Kind, or `RULES` -> how likely it is by its signs; together 1."""
    sums = _sums(signs)
    odds = [exp(each - max(sums)) for each in sums]
    return {kind: one / sum(odds) for kind, one in zip((*KINDS, RULES), odds, strict=True)}


def _sums(signs: Signs) -> list[float]:
    """What speaks for each kind, and last for `RULES`."""
    weights = _weights()
    sums = [0.0] * (len(KINDS) + 1)
    for feature in features(signs):
        for number, weight in weights.get(feature, ()):
            sums[number] += weight
    return sums


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, tuple[tuple[int, float], ...]]:
    """Feature -> numbers of kinds and their weights."""
    told = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    numbers = {kind: number for number, kind in enumerate((*KINDS, RULES))}
    return {
        feature: tuple((numbers[kind], weight / 10) for kind, weight in by_kind.items())
        for feature, by_kind in told.items()
    }
