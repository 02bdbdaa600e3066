"""The program plays to win, and knows no more than its player may know."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tableref.referee.games import GAMES, load_game
from tableref.rules.autoscooter.actions import Plot
from tableref.rules.opponent import Dealt, choose, game_guess
from tableref.rules.surface import Game

PLACEMENT = ["paper", "paper", "rock", "rock", "scissors", "scissors"]
FEW = 300
"""Actions tried a choice, enough to see that it chooses."""


def states(name: str, setup: dict[str, Any], seed: int, most: int = 60) -> Iterator[Any]:
    """Positions of a game at random in which somebody has a choice."""
    game, rng = load_game(name), random.Random(seed)
    state = game.start(setup)
    for _ in range(most):
        if game.outcome(state):
            return
        forced = game.forced(state)
        if forced is None:
            yield state
        state, _ = game.apply(state, forced or rng.choice(list(game.legal(state))))


def squod(*orders: list[str]) -> Any:
    return load_game("squod").start({"placement": list(orders), "secret": False})


@pytest.mark.parametrize("name", GAMES)
def test_what_it_chooses_is_legal_and_the_same_for_the_same_numbers(name: str) -> None:
    game = load_game(name)
    for number, state in enumerate(states(name, {}, seed=4)):
        if number % 20:
            continue
        player = game.due(state).players[0]
        action = choose(game, state, player, random.Random(number), FEW)
        assert game.judge(state, action, player).allowed
        assert action == choose(game, state, player, random.Random(number), FEW)


def played(game: Game[Any], clever: int, seed: int, steps: int) -> float:
    """What a clever player wins against one at random."""
    rng = random.Random(seed)
    state = game.start(game.dealt({}, rng) if isinstance(game, Dealt) else {})
    while (outcome := game.outcome(state)) is None:
        action = game.forced(state)
        if action is None:
            due = game.due(state).players
            if clever in due:
                action = choose(game, state, clever, rng, steps)
            else:
                actions = list(game.legal(state))
                rng.shuffle(actions)
                action = next(a for a in actions if game.judge(state, a, due[0]).allowed)
        state, _ = game.apply(state, action)
    return 1.0 if outcome.winners == (clever,) else 0.5 if not outcome.winners else 0.0


full = pytest.mark.skipif(not os.environ.get("TABLEREF_FULL"), reason="takes minutes")


@pytest.mark.parametrize(
    ("name", "steps", "games"),
    [
        ("skorpion-deep", 1500, 8),
        pytest.param("squod", 3000, 10, marks=full),
        pytest.param("arrows-and-stars", 3000, 10, marks=full),
        pytest.param("scorpion", 3000, 4, marks=full),
        pytest.param("autoscooter", 3000, 4, marks=full),
    ],
)
def test_it_beats_chance(name: str, steps: int, games: int) -> None:
    game = load_game(name)
    won = sum(played(game, number % 2, number, steps) for number in range(games))
    assert won >= 0.75 * games


def test_it_takes_a_win_that_lies_open() -> None:
    game = load_game("skorpion-deep")
    position = {
        "pieces": {"e1": "red", "n1": "red", "w1": "blue"},
        "skorpion": "e3", "tail": "e2", "turn": "red",
    }  # fmt: skip
    state = game.from_position({}, position)
    wins = [a for a in game.legal(state) if game.outcome(game.apply(state, a)[0])]
    assert wins
    for seed in range(5):
        assert choose(game, state, 0, random.Random(seed), 3000) in wins


def test_squod_is_played_the_same_whatever_the_others_hide() -> None:
    game = load_game("squod")
    orders = [PLACEMENT, PLACEMENT[::-1], [*PLACEMENT[1:], PLACEMENT[0]]]
    for seed in range(3):
        chosen = {
            choose(game, squod(PLACEMENT, order), 0, random.Random(seed), FEW) for order in orders
        }
        assert len(chosen) == 1


def test_what_squod_guesses_agrees_with_what_lies_open() -> None:
    game, rng = load_game("squod"), random.Random(1)
    start = {"placement": [PLACEMENT, PLACEMENT[::-1]]}
    for state in states("squod", start, seed=2):
        for player in (0, 1):
            world = game_guess(game, state, player, rng)
            assert game.view(world, player) == game.view(state, player)
            assert "?" not in str(game.facts(world)["pieces"])


def test_autoscooter_is_plotted_the_same_whatever_the_others_wrote() -> None:
    game = load_game("autoscooter")
    chosen = set()
    for row in (0, 3, 7):
        state = game.start({})
        for car in ("orange", "green", "purple", "black"):
            number = game.layout.numbers[game.layout.car_index[car]][row]
            state, _ = game.apply(state, Plot(car, number, None))
        chosen.add(choose(game, state, 0, random.Random(3), FEW))
    assert len(chosen) == 1


def test_letters_that_others_noted_are_drawn_anew_until_they_are_driven() -> None:
    game, rng = load_game("autoscooter"), random.Random(0)
    seen = set()
    for state in states("autoscooter", {}, seed=6, most=120):
        if not state.queue:
            continue
        for _ in range(4):
            world = game_guess(game, state, 0, rng)
            assert game.view(world, 0) == game.view(state, 0)
            seen |= {
                mine != other
                for mine, other in zip(world.plots, state.plots, strict=True)
                if other is not None
            }
    assert seen == {True, False}
