"""Helpers for the tests of Scorpion and Skorpion Deep: random games, and golden playthroughs.

`python -m tests.rules.scorpions` writes the golden playthroughs anew, one for each kind of ending:
do so after a change of the rules, together with a new `rules_version`, and read the difference.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.rules.harness import GOLDEN, golden_form

from tableref.referee.games import load_game
from tableref.rules.skorpion_deep import SkorpionDeep, layout_from
from tableref_hardware import load_board

SCORPION: Any = load_game("scorpion")
DEEP: Any = load_game("skorpion-deep")

ENDINGS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "scorpion-first-of-three": (SCORPION, {"players": 3}, "SC-5.2"),
    "scorpion-set-of-eight": (
        SCORPION,
        {"players": 2, "exact_exit": True, "cells_per_side": 8},
        "SC-5.3",
    ),
    "scorpion-teams": (SCORPION, {"players": 4, "teams": True, "partner_throws": True}, "SC-5.4"),
    "scorpion-given-up": (SCORPION, {"players": 2}, "HR-1.1"),
    "skorpion-deep-gate": (DEEP, {}, "SD-5.1"),
    "skorpion-deep-last-bead": (DEEP, {}, "SD-5.2"),
    "skorpion-deep-drawn": (DEEP, {}, "SD-5.3"),
    "skorpion-deep-given-up": (DEEP, {}, "HR-1.1"),
}
"""A kind of ending -> the game, its set-up, the paragraph that ends it."""


def random_game(game: Any, setup: dict[str, Any], seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """State, action and the state after it, to the end of a random game."""
    rng = random.Random(seed)
    state = game.start(setup)
    while game.outcome(state) is None:
        action = choose(rng, game.legal(state))
        after, _ = game.apply(state, action)
        yield state, action, after
        state = after


def choose(rng: random.Random, actions: Iterable[Any]) -> Any:
    """A random action, each kind alike: else games are all steps, or all throws on yellow."""
    by_kind: dict[Any, list[Any]] = {}
    for action in actions:
        by_kind.setdefault((type(action), len(getattr(action, "path", ()))), []).append(action)
    return rng.choice(rng.choice(list(by_kind.values())))


def stuck() -> tuple[Any, Any]:
    """Skorpion Deep with hardly a line: red, to play, can neither place nor move the Skorpion."""
    data = {**load_board("skorpion-deep").data, "graph": {"lines": [["gate", "w1"]]}}
    pieces = dict.fromkeys(("sw3", "s3", "se3"), "red") | {"n3": "blue"}
    game = SkorpionDeep(layout_from(data))
    return game, game.from_position({}, {"pieces": pieces, "skorpion": "w1", "tail": "gate"})


def told(name: str, play: list[str]) -> dict[str, Any]:
    """The golden form of a game: what each action did, and the end."""
    game, setup, _ = ENDINGS[name]
    return golden_form(game, setup, play)


def _played(name: str) -> list[str]:
    """The texts of the shortest of some random games that end in this way."""
    game, setup, paragraph = ENDINGS[name]
    found: list[list[str]] = []
    for seed in range(400):
        texts, state = [], game.start(setup)
        for before, action, after in random_game(game, setup, seed):
            texts.append(game.text(before, action))
            state = after
        if paragraph == "HR-1.1":
            return [*texts[: len(texts) // 3], "resign 1"]
        if game.outcome(state).paragraph == paragraph:
            found.append(texts)
        if len(found) == 6:
            break
    return min(found, key=len)


if __name__ == "__main__":
    for name in ENDINGS:
        text = json.dumps(told(name, _played(name)), indent=0)
        (GOLDEN / f"{name}.json").write_text(text + "\n", encoding="utf-8")
