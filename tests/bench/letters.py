"""Learns which kind of question letters and words make, and writes the weights.

    python -m tests.bench.letters [--write]

Logistic regression with several classes for each language, on the examples of
`tests.bench.asking`, each also with a typing error. Without `--write` a third of the examples is
left out in turn, by both this and the weighing of ideas, and it is printed for several thresholds
what people would have been told: the right answer, a wrong one, or a question what they mean.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from math import exp

import numpy as np

from tableref.rulebook import text
from tableref.rulebook.kinds import RULES
from tableref.rulebook.letters import CLASSES, PLACES, SCALE, WEIGHTS, places
from tests.bench import asking
from tests.bench.asking import Example

RIDGE, STEPS, RATE, FINE = 0.00003, 150, 0.2, 110
OTHERS, FOLDS, MISTYPED, SLIP = 0.7, 3, 0.6, 0.6
"""What is none of a kind weighs so much; a typing error in so many examples, which weigh less."""


def mistyped(tokens: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """With two letters of a word in the wrong order, or one left out or twice."""
    words = list(tokens)
    long = [at for at, word in enumerate(words) if len(word) > 3 and word[0] != "@"]
    if long:
        at = rng.choice(long)
        word, place = words[at], rng.randrange(1, len(words[at]) - 1)
        words[at] = rng.choice(
            (
                word[:place] + word[place + 1] + word[place] + word[place + 2 :],
                word[:place] + word[place + 1 :],
                word[:place] + word[place] + word[place:],
            )
        )
    return tuple(words)


def fitted(found: Sequence[Example]) -> np.ndarray:
    """(`PLACES` + 1, classes), float32. Gradient descent with steps by how steep it was (Adam)."""
    rng, rows, wanted, weight = random.Random(3), [], [], []
    for one in found:
        for tokens, count in ((one.tokens, 1.0), (mistyped(one.tokens, rng), SLIP)):
            if count == 1.0 or rng.random() < MISTYPED:
                rows.append(places(tokens))
                wanted.append(CLASSES.index(one.kind))
                weight.append(one.weight * count)
    lengths = np.array([len(row) for row in rows])
    flat = np.concatenate([np.array(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    right = np.eye(len(CLASSES), dtype=np.float32)[wanted]
    share = np.array(weight, np.float32)
    per_class = (right * share[:, None]).sum(0)
    rare = np.sqrt(per_class[:-1].mean() / np.maximum(per_class[:-1], 1.0))
    rare = np.append(rare, OTHERS * (per_class[:-1] * rare).sum() / per_class[-1])
    share *= rare[wanted]
    share /= share.mean()
    shrunk = 1 / np.sqrt(lengths)[:, None]
    weights = np.zeros((PLACES + 1, len(CLASSES)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        odds = np.add.reduceat(weights[flat], starts) * shrunk
        odds = np.exp(odds - odds.max(1, keepdims=True))
        chance = odds / odds.sum(1, keepdims=True)
        wrong = np.repeat(share[:, None] * (chance - right) * shrunk, lengths, axis=0)
        slope = np.stack([np.bincount(flat, each, PLACES + 1) for each in wrong.T], 1)
        slope = slope / len(rows) + RIDGE * weights
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        rate = RATE if step < FINE else 0.3 * RATE
        weights -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return weights


def chances(weights: np.ndarray, one: Example) -> np.ndarray:
    """How likely each class is."""
    rows = weights[places(one.tokens)]
    odds = np.exp(rows.sum(0) / np.sqrt(len(rows)))
    return odds / odds.sum()


def ideas(weights: dict[str, dict[str, float]], one: Example) -> np.ndarray:
    """The same by the weighing of ideas."""
    sums = dict.fromkeys(CLASSES, 0.0)
    for feature in one.features:
        for kind, weight in weights.get(feature, {}).items():
            sums[kind] += weight
    odds = np.array([exp(each - max(sums.values())) for each in sums.values()])
    return odds / odds.sum()


def left_out(found: Sequence[Example]) -> list[tuple[Example, np.ndarray, np.ndarray]]:
    """Each whole example with what both say of it that have not seen it, nor its group."""
    told = []
    for fold in range(FOLDS):
        kept = [one for one in found if one.group % FOLDS != fold]
        own = {lang: fitted([x for x in kept if x.lang == lang]) for lang in text.LANGUAGES}
        other = asking.fitted(kept)
        told += [
            (one, ideas(other, one), chances(own[one.lang], one))
            for one in found
            if one.group % FOLDS == fold and one.weight == 1.0
        ]
    return told


def main() -> None:
    """Prints what is told of what was left out, or writes the weights."""
    found = [one for one in asking.examples() if one.kind in CLASSES]
    if "--write" in sys.argv:
        own = [fitted([x for x in found if x.lang == lang]) for lang in text.LANGUAGES]
        np.save(WEIGHTS, np.clip(np.round(SCALE * np.stack(own)), -127, 127).astype(np.int8))
        return
    told = left_out(found)
    for sure in (0.0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6):
        for none in (0.0, 0.25, 0.35, 0.45):
            count: Counter[str] = Counter()
            for one, first, second in told:
                both = (first + second) / 2
                best = CLASSES[first.argmax()]
                three = [CLASSES[at] for at in np.argsort(-both) if CLASSES[at] != RULES][:3]
                sort = "none" if one.kind == RULES else "state"
                if best == RULES and both[-1] >= none:
                    count[f"{sort}: none"] += 1
                elif best != RULES and both[first.argmax()] >= sure:
                    count[f"{sort}: {'right' if best == one.kind else 'wrong'}"] += 1
                else:
                    count[f"{sort}: asked{'' if one.kind in three else ', not it'}"] += 1
            print(sure, none, dict(sorted(count.items())))


if __name__ == "__main__":
    main()
