"""What is offered before it is done tells nothing that lies face down."""

from __future__ import annotations

import random
from typing import Any

from tableref.referee.asking import Choice, choices, entered
from tableref.referee.games import load_game
from tableref.referee.wording import Wording
from tableref.rules.squod.actions import Squod
from tableref_hardware import load_board

BOARD = load_board("squod")
GAME = load_game("squod", BOARD)


def offered(state: Any) -> list[Choice]:
    """All moves of who is due, as they are offered: those from each piece, one after the other."""
    ask = entered(GAME, state, "South")
    found: list[Choice] = []
    for choice in choices(GAME, state, ask):
        if not choice.start:
            found.append(choice)
            continue
        found += choices(GAME, state, ask._replace(answers=choice.answers, about=""))
    return found


def test_an_attack_is_offered_alike_whatever_the_pieces_are() -> None:
    """SQ-3.7, SQ-4.4: what comes of an attack would tell what lies there."""
    rng, words = random.Random(7), Wording(GAME, BOARD, "en", ("S", "W"))
    setup = GAME.dealt({"players": 2}, rng)  # type: ignore[attr-defined]
    other = {**setup, "placement": [row[::-1] for row in setup["placement"]]}
    one, two = GAME.start(setup), GAME.start(other)
    attacks = 0
    for _ in range(40):
        legal = list(GAME.legal(one))
        attacks += sum(isinstance(action, Squod) for action in legal)
        told = [[words.choice(choice) for choice in offered(state)] for state in (one, two)]
        assert told[0] == told[1]
        quiet = [action for action in legal if not GAME.reveals(one, action)]
        if not quiet:
            break
        action = rng.choice(quiet)
        one, two = GAME.apply(one, action)[0], GAME.apply(two, action)[0]
    assert attacks
