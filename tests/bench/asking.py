"""Learns which kind of question some signs make, and writes the weights.

    python -m tests.bench.asking [--write]

Logistic regression with several classes, on our own questions about the state, and on those about
the rules and about life, which are none. Then the same with a fifth of the questions left out, and
with one language left out, each measured on what was left out.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tableref.referee.games import GAMES, load_game
from tableref.referee.questions import spoken
from tableref.rulebook import asked, text
from tableref.rulebook.asking import Listener
from tableref.rulebook.askingwords import asking
from tableref.rulebook.covering import everyday_phrases
from tableref.rulebook.kinds import KINDS, RULES, WEIGHTS, features
from tableref_hardware import load_board
from tests.bench.life import SENTENCES
from tests.bench.lookup import OWN, read

STATE = ("state_questions",)
OTHER = ("questions", "hard_questions", "everyday_questions")
RIDGE, STEPS, RATE, FOLDS = 0.0005, 80, 0.2, 5
LEAST_MEAN = 0.005
OTHERS = 0.5
SELDOM = 4
"""A pair of signs that is rarer tells nothing."""
LEAST = 0.15
"""Smaller weights are left out."""
SENTENCE = 5
"""Words of a phrase of the look-up that is like a question."""
SAMPLES, PATTERN = 10, 0.25
OF_LIFE = 0.4
"""Questions that are made of a pattern, and how much each of them counts."""
CLASSES = (*KINDS, RULES)
NEEDS = dict.fromkeys(("pays", "round", "numbers"), ("autoscooter",))
"""Kinds that only some games have."""


UNKNOWN = ("zorblam", "quintox", "habrunz", "vexlott", "wupfing", "krandel") * 30
"""Words that nobody knows, as often as those of everyday life."""


def _said(lang: str) -> dict[str, dict[str, list[str]]]:
    """Game -> slot of a pattern -> what may stand there."""
    names = asking(lang)["names"]
    sides = {
        "autoscooter": ["red", "orange", "yellow", "green", "blue", "purple", "white", "black"],
        "scorpion": ["blue", "red", "green", "white"],
        "skorpion-deep": ["red", "blue"],
        "arrows-and-stars": ["white", "black"],
        "squod": ["S", "W"],
    }
    counted = {
        "autoscooter": "chips", "scorpion": "scorpion", "skorpion-deep": "bead",
        "arrows-and-stars": "star", "squod": "piece",
    }  # fmt: skip
    piece = {"autoscooter": "car", "arrows-and-stars": "arrow", "skorpion-deep": "skorpion"}
    other = {"chips": {"en": "chips", "de": "chips", "fr": "jetons"},
             "piece": {"en": "pieces", "de": "figuren", "fr": "pièces"}}  # fmt: skip
    player = {"en": "player", "de": "spieler", "fr": "joueur"}[lang]
    found = {}
    for game, own in sides.items():
        words = [word for side in own for word in names[side].split()]
        cells = list(load_board(game).cells)
        kind = names.get(piece.get(game, "scorpion"), "").split()
        count = counted[game]
        found[game] = {
            "s": words,
            "S": [f"{side} {one}" for side in words for one in kind] + kind
            if lang != "fr"
            else [f"{one} {side}" for side in words for one in kind] + kind,
            "c": cells,
            "k": [other[count][lang]] if count in other else names[count].split(),
            "r": asking(lang)["relatives"].replace("_", " ").split(),
            "p": [f"{player} {number}" for number in range(1, 5 if game == "autoscooter" else 3)],
            "l": list("ABCDEFGHJKLMNOP"),
            "d": list("123456"),
            "u": [*UNKNOWN, *(one for one in everyday_phrases(lang) if " " not in one)],
            "t": [*names["yellow"].split()[:1], *names["black"].split()[:1]],
        }
    return found


SAID = {lang: _said(lang) for lang in text.LANGUAGES}


class Example(NamedTuple):
    """A question, its class and what it holds. `group`: what is left out together. Those made from
    patterns weigh less than 1."""

    lang: str
    words: str
    kind: str
    features: tuple[str, ...]
    weight: float
    group: int
    tokens: tuple[str, ...]


def examples() -> Iterator[Example]:
    """All questions of our own, and what the patterns make."""
    hears: dict[tuple[str, str], Listener] = {}

    def made(lang: str, game: str, words: str, kind: str, weight: float, group: int) -> Example:
        if (lang, game) not in hears:
            loaded, board = load_game(game), load_board(game)
            people = loaded.players(loaded.start({"players": 4} if game == "autoscooter" else {}))
            hears[lang, game] = Listener(lang, spoken(loaded, board.cells, people))
        hear = hears[lang, game]
        held = tuple(features(hear.signs(words)))
        return Example(lang, words, kind, held, weight, group, hear.tokens(words))

    group = 0
    for source in (*STATE, *OTHER):
        for one in read(OWN / f"{source}.jsonl"):
            group += 1
            if one.get("game"):
                kind = one.get("kind", RULES)
                yield made(one["lang"], one["game"], one["q"], kind, 1.0, group)
    games = list(GAMES)
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        lang, _, words = line.partition(" ")
        if lang in text.LANGUAGES:
            group += 1
            yield made(lang, games[group % len(games)], words, RULES, OF_LIFE, group)
    for lang in text.LANGUAGES:
        for game in text.GAMES.values():
            played = game if game != text.GAMES["HR"] else "squod"
            for phrase in (one for each in asked.load(lang, game).values() for one in each):
                group += 1
                if len(phrase.split()) >= SENTENCE:
                    yield made(lang, played, phrase, RULES, PATTERN, group)
    rng = random.Random(1)
    for line in (OWN / "state_patterns.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        group += 1
        lang, kind, pattern = line.split(" ", 2)
        for game, words in {filled(pattern, lang, kind, rng): None for _ in range(SAMPLES)}:
            yield made(lang, game, words, kind, PATTERN, group)


_EITHER = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w)\}")


def filled(pattern: str, lang: str, kind: str, rng: random.Random) -> tuple[str, str]:
    """A game and a question about it that a pattern makes."""
    words = _EITHER.sub(lambda match: rng.choice(match[1].split("|")), pattern)
    games = [game for game in SAID[lang] if game in NEEDS.get(kind, SAID[lang])]
    if "{l}" in words:
        games = ["autoscooter"]
    if "{t}" in words:
        games = ["scorpion"]
    game = rng.choice(games)
    slots = SAID[lang][game]
    said = _SLOT.sub(lambda match: rng.choice(slots[match[1]]), words)
    return game, " ".join(said.split())


def fitted(found: Sequence[Example]) -> dict[str, dict[str, float]]:
    """Feature -> class -> weight. Gradient descent with momentum; the ridge leaves the bias
    alone."""
    count = Counter(feature for one in found for feature in one.features)
    names = [name for name in count if count[name] >= (SELDOM if " " in name else 2)]
    at = {name: number for number, name in enumerate(names)}
    rows = [sorted({at[name] for name in one.features if name in at}) for one in found]
    lengths = np.array([len(row) for row in rows])
    flat = np.concatenate([np.array(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    share_of = np.bincount(flat, minlength=len(names)) / len(found)
    wanted = np.zeros((len(found), len(CLASSES)), np.float32)
    wanted[np.arange(len(found)), [CLASSES.index(one.kind) for one in found]] = 1.0
    weight = np.array([one.weight for one in found], np.float32)[:, None]
    # Both sorts of questions weigh the same, and of the kinds seldom ones a little more.
    per_class = (wanted * weight).sum(0)
    rare = np.sqrt(per_class[:-1].mean() / np.maximum(per_class[:-1], 1.0))
    share = np.append(rare, OTHERS * (per_class[:-1] * rare).sum() / per_class[-1])
    weight = weight * share[wanted.argmax(1)][:, None]
    ridge = np.array([[RIDGE if name else 0.0] for name in names], np.float32)
    step = RATE / np.sqrt(np.maximum(share_of, LEAST_MEAN))[:, None]
    weights = np.zeros((len(names), len(CLASSES)), np.float32)
    moving = np.zeros_like(weights)
    for _ in range(STEPS):
        odds = np.add.reduceat(weights[flat], starts)
        odds = np.exp(odds - odds.max(1, keepdims=True))
        chance = odds / odds.sum(1, keepdims=True)
        wrong = np.repeat(weight * (chance - wanted), lengths, axis=0)
        slope = np.stack([np.bincount(flat, each, len(names)) for each in wrong.T], 1)
        slope = slope / weight.sum() + ridge * weights
        moving = 0.9 * moving - step * slope
        weights += moving
    return {
        name: kept
        for name, row in zip(names, weights.tolist(), strict=True)
        if (kept := {kind: w for kind, w in zip(CLASSES, row, strict=True) if abs(w) >= LEAST})
    }


def said(weights: dict[str, dict[str, float]], one: Example) -> str:
    """The class that these weights speak for."""
    sums = dict.fromkeys(CLASSES, 0.0)
    for feature in one.features:
        for kind, weight in weights.get(feature, {}).items():
            sums[kind] += weight
    return max(sums, key=sums.__getitem__)


def left_out(
    found: Sequence[Example], group: Callable[[Example], object]
) -> list[tuple[Example, str]]:
    """Each example with what is said of it by weights that were fitted without its group."""
    groups = [group(one) for one in found]
    told = []
    for each in dict.fromkeys(groups):
        weights = fitted([one for one, own in zip(found, groups, strict=True) if own != each])
        told += [
            (one, said(weights, one)) for one, own in zip(found, groups, strict=True) if own == each
        ]
    return told


def report(title: str, told: Sequence[tuple[Example, str]]) -> str:
    """How many are right: questions about the state, and those that are none."""
    whole = [(one, kind) for one, kind in told if one.weight == 1.0]
    state = [one.kind == kind for one, kind in whole if one.kind != RULES]
    other = [one.kind == kind for one, kind in whole if one.kind == RULES]
    return f"{title}: state {sum(state)}/{len(state)}, others {sum(other)}/{len(other)}"


def main() -> None:
    """Prints how many are right, and writes the weights where asked to."""
    found = list(examples())
    weights = fitted(found)
    print(report("fitted on all", [(one, said(weights, one)) for one in found]))
    if "--write" in sys.argv:
        rows = [
            f" {json.dumps(name)}: {json.dumps({k: round(10 * w) for k, w in row.items()})}"
            for name, row in sorted(weights.items())
        ]
        WEIGHTS.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        return
    by_fifth = left_out(found, lambda one: one.group % FOLDS)
    print(report("a fifth left out", by_fifth))
    for one, kind in by_fifth:
        if one.weight == 1.0 and one.kind != kind:
            print(f"  {one.lang} {one.words}: {kind}, not {one.kind}")


if __name__ == "__main__":
    main()
