"""Fits the weights by which the look-up knows that no paragraph covers a question.

    python -m tests.bench.covering

Logistic regression on our own questions; then the same with a fifth of them left out, and with one
language left out, each measured on what was left out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tableref.rulebook.covering import ENOUGH, WEIGHTS, measured
from tableref.rulebook.lookup import Lookup
from tableref.rulebook.text import GAMES, LANGUAGES
from tests.bench import life
from tests.bench.lookup import OWN, read

LIFE = "sentences of life"
SETS = ("questions", "hard_questions", "everyday_questions")
RIDGE, STEPS, FOLDS = 0.5, 60, 5
OF_LIFE, OF_GAMES = 0.3, 2.0


class Case(NamedTuple):
    """One question, with the game known or not."""

    number: int
    lang: str
    source: str
    known: bool
    signs: tuple[float, ...]
    none: bool


def cases(cache: Path) -> Iterator[Case]:
    """All our own questions that share a word with some paragraph."""
    lookups = {lang: Lookup(lang, cache) for lang in LANGUAGES}
    number = 0
    for source in SETS:
        for question in read(OWN / f"{source}.jsonl"):
            number += 1
            for game in (question["game"], None):
                signs = lookups[question["lang"]].signs(question["q"], game)
                if signs is not None:
                    yield Case(
                        number, question["lang"], source, game is not None, measured(signs),
                        not question["answers"],
                    )  # fmt: skip


def of_life(cache: Path) -> Iterator[Case]:
    """The sentences of life, each in one of the games. How much they are like such ones is said by
    weights that were fitted without them."""
    games = tuple(game for game in GAMES.values() if game != GAMES["HR"])
    number = 0
    for lang in LANGUAGES:
        lookup = Lookup(lang, cache)
        for words, likeness in life.left_out(lang).items():
            number += 1
            for game in (games[number % len(games)], None):
                signs = lookup.signs(words, game)
                if signs is not None:
                    signs = signs._replace(life=likeness)
                    yield Case(-number, lang, LIFE, game is not None, measured(signs), True)


def fitted(found: Sequence[Case]) -> np.ndarray:
    """Weights and, last, the bias. Newton's method; the ridge leaves the bias alone."""
    matrix = np.array([(*case.signs, 1.0) for case in found])
    none = np.array([float(case.none) for case in found])
    # Questions that helped to choose the words of the look-up count half, and the few that nothing
    # covers more, by the root of how few they are.
    weight = np.where((none == 0) & np.array([c.source == SETS[0] for c in found]), 0.5, 1.0)
    # What is asked about a game and told by no paragraph is rare and hard; of life there is much.
    sources = np.array([case.source for case in found])
    weight[(none == 1) & (sources == LIFE)] *= OF_LIFE
    weight[(none == 1) & (sources != LIFE) & (sources != SETS[2])] *= OF_GAMES
    weight[none == 1] *= (weight[none == 0].sum() / weight[none == 1].sum()) ** 0.5
    ridge = np.diag([RIDGE] * len(WEIGHTS) + [0.0])
    found_weights = np.zeros(len(WEIGHTS) + 1)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-matrix @ found_weights))
        slope = matrix.T @ (weight * (chance - none)) + ridge @ found_weights
        bend = (matrix * (weight * chance * (1 - chance))[:, None]).T @ matrix + ridge
        found_weights -= np.linalg.solve(bend, slope)
    return found_weights


def report(title: str, found: Sequence[Case], said: Sequence[bool]) -> str:
    """How many were rightly and wrongly called uncovered."""
    parts = []
    for source in (*SETS, LIFE):
        for known in (True, False):
            own = [(c.none, s) for c, s in zip(found, said, strict=True)
                   if c.source == source and c.known == known]  # fmt: skip
            right, wrong = ([s for none, s in own if none == wanted] for wanted in (True, False))
            known_or_not = "known" if known else "not known"
            parts.append(
                f"{source}, game {known_or_not}: none {sum(right)}/{len(right)}, "
                f"wrongly {sum(wrong)}/{len(wrong)}"
            )
    return f"{title}\n  " + "\n  ".join(parts)


def left_out(found: list[Case], group: Callable[[Case], object]) -> list[bool]:
    """What is said of each case by weights that were fitted without its group."""
    said = [False] * len(found)
    for each in {group(case) for case in found}:
        weights = fitted([case for case in found if group(case) != each])
        for at, case in enumerate(found):
            if group(case) == each:
                said[at] = float(np.dot(weights, (*case.signs, 1.0))) > ENOUGH
    return said


def main() -> None:
    """Prints weights, and what they do."""
    with tempfile.TemporaryDirectory() as folder:
        found = [*cases(Path(folder)), *of_life(Path(folder))]
    weights = fitted(found)
    for name, weight in zip((*WEIGHTS, "BIAS"), weights, strict=True):
        print(f"{name}: {weight:.1f}")
    everything = [float(np.dot(weights, (*case.signs, 1.0))) > ENOUGH for case in found]
    print(report("fitted on all", found, everything))
    print(report("a fifth left out", found, left_out(found, lambda case: case.number % FOLDS)))
    print(report("a language left out", found, left_out(found, lambda case: case.lang)))


if __name__ == "__main__":
    main()
