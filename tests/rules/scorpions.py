"""Helpers for the tests of Scorpion and Skorpion Deep: the games, a position of few lines."""

from __future__ import annotations

from typing import Any

from tableref.referee.games import load_game
from tableref.rules.skorpion_deep import SkorpionDeep, layout_from
from tableref_hardware import load_board

SCORPION: Any = load_game("scorpion")
DEEP: Any = load_game("skorpion-deep")


def stuck() -> tuple[Any, Any]:
    """Skorpion Deep with hardly a line: red, to play, can neither place nor move the Skorpion."""
    data = {**load_board("skorpion-deep").data, "graph": {"lines": [["gate", "w1"]]}}
    pieces = dict.fromkeys(("sw3", "s3", "se3"), "red") | {"n3": "blue"}
    game = SkorpionDeep(layout_from(data))
    return game, game.from_position({}, {"pieces": pieces, "skorpion": "w1", "tail": "gate"})
