"""How much a sentence is made like those of everyday life, and not like a question about rules.

    likeness(analyser, "could you pass the salt")    # above 0

What it is about need not be known: whom it speaks to and how it asks tell much (`have you got`,
`hast du mal`, `tu as déjà`). Weights of words and of pairs of them, by their stems: `life.json`,
learned by `python -m tests.bench.life`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from tableref.rulebook.terms import Analyser
from tableref.rulebook.text import FOLDER

WEIGHTS = FOLDER / "life.json"
MOST = 2.0
"""What speaks for or against more than this says no more."""
SCALE = 20
"""Weights are kept as whole numbers of so many parts."""
_LONGEST = 14
"""Words of a sentence that are looked at."""


def features(analyser: Analyser, sentence: str) -> Iterator[str]:
    """The stems of a sentence: one by one, each with the next, and with the one after that."""
    stems = ("^", *analyser.stems(analyser.words(sentence)[:_LONGEST]), "$")
    yield ""
    yield from stems[1:-1]
    yield from (f"{one} {other}" for one, other in pairwise(stems))
    yield from (f"{one} . {other}" for one, other in zip(stems, stems[2:], strict=False))


def likeness(analyser: Analyser, sentence: str) -> float:
    """From -`MOST`, made like a question about rules, to `MOST`, made like one of life."""
    weights = _weights()[analyser.lang]
    total = sum(weights.get(feature, 0) for feature in set(features(analyser, sentence)))
    return max(-MOST, min(MOST, total / SCALE))


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, Mapping[str, int]]:
    """Language -> feature -> its weight."""
    weights: Mapping[str, Mapping[str, int]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights
