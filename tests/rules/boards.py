"""Helpers for the tests of arrows and stars and of Squod: random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

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
