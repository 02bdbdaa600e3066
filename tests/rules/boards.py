"""Helpers for the tests of arrows and stars and of Squod: the games, random placements."""

from __future__ import annotations

import random
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.squod.layout import KINDS

ARROWS: Any = load_game("arrows-and-stars")
SQUOD: Any = load_game("squod")


def dealt(players: int, seed: int, hidden: float = 0.0) -> dict[str, Any]:
    """A set-up of Squod with a random placement, of which a part is not told to the referee."""
    rng = random.Random(seed)
    placement: list[list[str | None]] = []
    for _ in range(players):
        kinds = [*KINDS, *KINDS]
        rng.shuffle(kinds)
        placement.append([None if rng.random() < hidden else kind for kind in kinds])
    return {"players": players, "first": rng.randrange(players), "placement": placement}
