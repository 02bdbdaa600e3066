"""Learns how sentences of everyday life are made, and writes the weights.

    python -m tests.bench.life [--write]

Logistic regression for each language on sentences of life and on phrases in which rules are asked
for; then the same with a fifth left out, measured on what was left out. Questions of the other
files take no part: they measure.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tableref.rulebook import asked, text
from tableref.rulebook.life import MOST, SCALE, WEIGHTS, features
from tableref.rulebook.terms import Analyser
from tests.bench.lookup import OWN

SENTENCES = OWN / "life.txt"
RIDGE, STEPS, RATE, FOLDS = 2.0, 300, 0.05, 5
LEAST, SELDOM = 2, 4
"""Smaller weights, in parts of `SCALE`, are left out; a phrase has at least so many words."""


class Sentence(NamedTuple):
    """A sentence, whether it is one of life, and what it is made of."""

    words: str
    life: bool
    features: tuple[str, ...]


def sentences(lang: str) -> Iterator[Sentence]:
    """Those of life, and those about rules, in a language."""
    analyser = Analyser(lang)
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{lang} "):
            words = line.removeprefix(f"{lang} ")
            yield Sentence(words, True, tuple(set(features(analyser, words))))
    for game in text.GAMES.values():
        for id, phrases in asked.load(lang, game).items():
            for words in phrases:
                if id != asked.NONE and len(words.split()) >= SELDOM:
                    yield Sentence(words, False, tuple(set(features(analyser, words))))


def fitted(found: Sequence[Sentence]) -> dict[str, float]:
    """Feature -> weight. Gradient descent with steps by how steep it was (Adam); the ridge leaves
    the bias alone, and both sorts weigh the same."""
    count = Counter(feature for one in found for feature in one.features)
    names = [name for name in sorted(count) if count[name] > 1]
    at = {name: number for number, name in enumerate(names)}
    rows = [[at[name] for name in one.features if name in at] for one in found]
    lengths = np.array([len(row) for row in rows])
    flat = np.concatenate([np.array(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    life = np.array([one.life for one in found], np.float64)
    share = np.where(life == 1, 0.5 / life.sum(), 0.5 / (1 - life).sum()) * len(found)
    ridge = np.array([RIDGE if name else 0.0 for name in names])
    weights, mean, square = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, STEPS):
        chance = 1 / (1 + np.exp(-np.add.reduceat(weights[flat], starts)))
        wrong = np.repeat(share * (chance - life), lengths)
        slope = (np.bincount(flat, wrong, len(names)) + ridge * weights) / len(found)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        steep = np.sqrt(square / (1 - 0.99**step)) + 1e-7
        weights -= RATE * mean / (1 - 0.9**step) / steep
    return dict(zip(names, weights.tolist(), strict=True))


def likeness(weights: dict[str, float], one: Sentence) -> float:
    """What these weights say of a sentence."""
    return max(-MOST, min(MOST, sum(weights.get(name, 0.0) for name in one.features)))


def left_out(lang: str) -> dict[str, float]:
    """Each sentence of life with what is said of it by weights that were fitted without it."""
    found, told = list(sentences(lang)), {}
    part = [zlib.crc32(one.words.encode()) % FOLDS for one in found]
    for fold in range(FOLDS):
        weights = fitted([one for one, own in zip(found, part, strict=True) if own != fold])
        for one, own in zip(found, part, strict=True):
            if own == fold and one.life:
                told[one.words] = likeness(weights, one)
    return told


def main() -> None:
    """Prints how well it tells what was left out, and writes the weights where asked to."""
    kept: dict[str, dict[str, int]] = {}
    for lang in text.LANGUAGES:
        weights = fitted(list(sentences(lang)))
        whole = {name: round(SCALE * weight) for name, weight in weights.items()}
        kept[lang] = {name: weight for name, weight in whole.items() if abs(weight) >= LEAST}
        told = left_out(lang)
        print(
            f"{lang}: {len(kept[lang])} weights; of {len(told)} sentences of life left out "
            f"{sum(one > 0 for one in told.values())} above 0"
        )
    if "--write" in sys.argv:
        WEIGHTS.write_text(
            json.dumps(kept, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
