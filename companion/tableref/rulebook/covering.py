"""Whether a paragraph answers a question at all, or only comes nearest to it.

Words of a question weigh as much as they are rare. What speaks for "no paragraph covers this": a
low score, phrases that none covers and that come near, rare words that the paragraph lacks, words
that no text knows, words of everyday life (`everyday.toml`), a sentence made as those of life
are (`life.json`), and few words in all.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tableref.rulebook.terms import Analyser
from tableref.rulebook.text import FOLDER

_LONGEST = 4
"""Words of an everyday phrase at most."""
_MOST_EVERYDAY = 2
_LONG = 3
"""Words of a question that is long enough to judge by."""
RARE = 7.0
"""Weight of a word that no text has: that of the rarest."""
MENDED = 0.5
"""How much a word says that was put right, beside the word itself."""
ASKING = 2.5
"""Weight of a word that asks, where or who: it tells what kind of answer is wanted."""
KNOWN = 4.0
"""Weight of a word that only an idea has."""


class Signs(NamedTuple):
    """What speaks for and against the best paragraph.

    `score` is its own, `rival` the best of what none covers; `held` the share of the question's
    weight that it has, 0 to 1; `unknown`, `everyday` and `words` count words that say something;
    everyday ones where the paragraph lacks them. `life`: how much the sentence is made like one of
    life.
    """

    score: float
    rival: float
    held: float
    unknown: int
    everyday: int
    words: int
    house: bool
    life: float = 0.0


WEIGHTS = {
    "score": -2.6,
    "rival": 4.9,
    "held": -2.6,
    "unknown": 0.6,
    "everyday": 2.8,
    "words": -3.9,
    "house": 0.9,
    "life": 1.7,
    "lead": 4.6,
}
BIAS = 5.4
"""Of the signs, `words` as logarithm, and of how far the rival leads: logistic regression on our
own questions, checked by leaving out a fifth of them, and one language (`python -m
tests.bench.covering`)."""
ENOUGH = 0.4
"""How much more must speak for "none" than against it: a right answer lost is worse than a wrong
one too many."""


def measured(signs: Signs) -> tuple[float, ...]:
    """The signs as numbers, in the order of `WEIGHTS`."""
    return (
        signs.score,
        signs.rival,
        signs.held,
        float(signs.unknown),
        float(min(signs.everyday, _MOST_EVERYDAY)),
        # A short question is no doubtful one where the paragraph has all of it.
        math.log(1 + (signs.words if signs.held < 1.0 else max(signs.words, _LONG))),
        float(signs.house),
        # A sentence made like a question about rules may still ask what no rule tells.
        max(signs.life, 0.0),
        # That another answer comes nearer says more than how near it comes.
        max(signs.rival - signs.score, 0.0),
    )


def balance(signs: Signs) -> float:
    """How much more speaks for "no paragraph covers this" than against it."""
    weighed = zip(WEIGHTS.values(), measured(signs), strict=True)
    return BIAS + sum(weight * sign for weight, sign in weighed)


def uncovered(signs: Signs) -> bool:
    """Whether the best paragraph does not answer the question."""
    return balance(signs) > ENOUGH


def everyday_phrases(lang: str) -> Iterator[str]:
    """The words and phrases of everyday life in a language."""
    with (FOLDER / lang / "everyday.toml").open("rb") as file:
        for words in tomllib.load(file).values():
            yield from (phrase.strip() for phrase in words.split(","))


def everyday_stems(analyser: Analyser, rules: set[str]) -> set[str]:
    """Everyday phrases as stems with spaces between them; no single stem that a rule or a
    phrase about it has."""
    phrases = (analyser.stems(analyser.words(each)) for each in everyday_phrases(analyser.lang))
    return {" ".join(stems) for stems in phrases if len(stems) > 1 or stems[0] not in rules}


def count_everyday(stems: Sequence[str], everyday: set[str], has: set[str]) -> int:
    """How many everyday words and phrases are in a question that the paragraph does not have."""
    runs = (
        stems[start : start + length]
        for start in range(len(stems))
        for length in range(1, _LONGEST + 1)
        if start + length <= len(stems)
    )
    return sum(" ".join(run) in everyday and not has.issuperset(run) for run in runs)
