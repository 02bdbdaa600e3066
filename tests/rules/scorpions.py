"""Helpers for the tests of Scorpion and Skorpion Deep: random games."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.skorpion_deep import SkorpionDeep, layout_from
from tableref_hardware import load_board

SCORPION: Any = load_game("scorpion")
DEEP: Any = load_game("skorpion-deep")


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
