"""Helpers for the tests of arrows and stars and of Squod: random games, golden playthroughs.

`python -m tests.rules.boards` writes the golden playthroughs anew, one for each kind of ending: do
so after a change of the rules, together with a new `rules_version`, and read the difference.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.rules.harness import GOLDEN, golden_form

from tableref.referee.games import load_game
from tableref.rules.squod.layout import KINDS

ARROWS: Any = load_game("arrows-and-stars")
SQUOD: Any = load_game("squod")

LONGEST = 500
"""Actions after which a random game is left: some positions of Squod go on for ever."""


def dealt(players: int, seed: int, hidden: float = 0.0) -> dict[str, Any]:
    """A set-up of Squod with a random placement, of which a part is not told to the referee."""
    rng = random.Random(seed)
    placement: list[list[str | None]] = []
    for _ in range(players):
        kinds = [*KINDS, *KINDS]
        rng.shuffle(kinds)
        placement.append([None if rng.random() < hidden else kind for kind in kinds])
    return {"players": players, "first": rng.randrange(players), "placement": placement}


def random_game(game: Any, setup: dict[str, Any], seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """State, action and the state after it, to the end of a random game or LONGEST actions."""
    rng = random.Random(seed)
    state = game.start(setup)
    for _ in range(LONGEST):
        action = choose(rng, list(game.legal(state)))
        after, _ = game.apply(state, action)
        yield state, action, after
        state = after
        if game.outcome(state) is not None:
            return


def choose(rng: random.Random, actions: list[Any]) -> Any:
    """A random action, each kind alike: else attacks, put-backs and star moves are rare."""
    by_kind: dict[Any, list[Any]] = {}
    for action in actions:
        by_kind.setdefault(type(action), []).append(action)
    return rng.choice(by_kind[rng.choice(list(by_kind))])


ENDINGS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "arrows-and-stars-won": (ARROWS, {}, "AE-4.1"),
    "arrows-and-stars-own-stars": (ARROWS, {"star_control": "own"}, "AE-4.1"),
    "arrows-and-stars-drawn": (ARROWS, {"repetition": 2}, "AE-4.2"),
    "arrows-and-stars-given-up": (ARROWS, {}, "HR-1.1"),
    "squod-line": (SQUOD, dealt(2, 1), "SQ-5.1"),
    "squod-line-four": (SQUOD, dealt(4, 2), "SQ-5.1"),
    "squod-lost-attack": (SQUOD, dealt(2, 3), "SQ-5.2"),
    "squod-hidden": (SQUOD, {"players": 2}, "SQ-5.1"),
    "squod-given-up": (SQUOD, dealt(4, 4), "HR-1.1"),
}
"""A kind of ending -> the game, its set-up, the paragraph that ends it."""


def told(name: str, play: list[str]) -> dict[str, Any]:
    """The golden form of a game: what each action did, and the end."""
    game, setup, _ = ENDINGS[name]
    return golden_form(game, setup, play)


def _played(name: str) -> list[str]:
    """The texts of the shortest of some random games that end in this way."""
    game, setup, paragraph = ENDINGS[name]
    found: list[list[str]] = []
    for seed in range(3000):
        texts, state = [], game.start(setup)
        for before, action, after in random_game(game, setup, seed):
            texts.append(game.text(before, action))
            state = after
        if paragraph == "HR-1.1":
            resigned = ["resign 1", "resign 3"] if game is SQUOD else ["resign 1"]
            return [*texts[: len(texts) // 3], *resigned]
        outcome = game.outcome(state)
        if outcome is not None and outcome.paragraph == paragraph:
            found.append(texts)
        if len(found) == 4:
            break
    return min(found, key=len)


if __name__ == "__main__":
    for name in ENDINGS:
        text = json.dumps(told(name, _played(name)), indent=0)
        (GOLDEN / f"{name}.json").write_text(text + "\n", encoding="utf-8")
