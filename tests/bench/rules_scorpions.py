"""How fast Scorpion and Skorpion Deep are played and judged from Python, in CPU time.

Beside them, where `open_spiel` is installed (extra `bench`), its backgammon, played in the same way
and in turns with ours, because a shared machine is not always equally fast: a ratio is the median
of the ratios of the rounds.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.explain import explain, sighting_of
from tableref.rules.scorpion import Throw
from tableref_hardware import load_board

ROUNDS = 7
"""Rounds of measuring; the median counts."""
SECONDS = 0.25
"""CPU time that each contestant plays in a round."""
YARDSTICK = "backgammon (pyspiel)"
COUNTED = (
    "counted: every action that is listed whole, picked at random and applied. A throw is one die "
    "in Scorpion, both dice in backgammon; a move is one scorpion's, the end of a turn, a whole "
    "turn of Skorpion Deep, or both dice of backgammon. The time of throws counts in both figures."
)


def run() -> list[str]:
    """Lines with figures."""
    scorpion, deep = load_game("scorpion"), load_game("skorpion-deep")
    contestants: dict[str, Callable[[random.Random], tuple[int, int]]] = {
        "Scorpion, 2 players": lambda rng: play(scorpion, {"players": 2}, rng),
        "Scorpion, 4 players": lambda rng: play(scorpion, {"players": 4}, rng),
        "Skorpion Deep": lambda rng: play(deep, {}, rng),
    }
    if importlib.util.find_spec("pyspiel"):
        contestants[YARDSTICK] = play_backgammon
    lines = [COUNTED, *_told(_rates(contestants))]
    for name, game, setup in (
        ("Scorpion", scorpion, {"players": 2}),
        ("Skorpion Deep", deep, {}),
    ):
        legal, refused = _judge_times(game, setup)
        lines.append(f"{name}: judge {legal:.1f} us a legal action, {refused:.1f} us a refused one")
        lines.append(f"{name}: {_explain_times(game, setup)}")
    return lines


def play(game: Any, setup: dict[str, Any], rng: random.Random) -> tuple[int, int]:
    """One random game; how many actions, how many of them throws."""
    state, actions, throws = game.start(setup), 0, 0
    while game.outcome(state) is None:
        action = rng.choice(list(game.legal(state)))
        state, _ = game.apply(state, action)
        actions += 1
        throws += isinstance(action, Throw)
    return actions, throws


def play_backgammon(rng: random.Random) -> tuple[int, int]:
    """As `play`, of pyspiel's backgammon."""
    state = importlib.import_module("pyspiel").load_game("backgammon").new_initial_state()
    actions = throws = 0
    while not state.is_terminal():
        throws += state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
        actions += 1
    return actions, throws


def _rates(
    contestants: dict[str, Callable[[random.Random], tuple[int, int]]],
) -> dict[str, list[tuple[float, float]]]:
    """Contestant -> for each round actions a second, and those of them that are no throws."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, play_one in contestants.items():
            rng, actions, throws = random.Random(number), 0, 0
            start = time.process_time()
            while time.process_time() - start < SECONDS:
                more, thrown = play_one(rng)
                actions, throws = actions + more, throws + thrown
            taken = time.process_time() - start
            found[name].append((actions / taken, (actions - throws) / taken))
    return found


def _told(found: dict[str, list[tuple[float, float]]]) -> list[str]:
    lines = []
    for name, rates in found.items():
        words = []
        for place, kind in enumerate(("actions", "moves")):
            words.append(f"{median(rate[place] for rate in rates):,.0f} {kind}/s")
            if name != YARDSTICK and YARDSTICK in found:
                pairs = zip(rates, found[YARDSTICK], strict=True)
                ratio = median(ours[place] / theirs[place] for ours, theirs in pairs)
                words[-1] += f" ({ratio:.2f} x backgammon)"
        lines.append(f"{name}: {', '.join(words)}")
    return lines


def _judge_times(game: Any, setup: dict[str, Any]) -> tuple[float, float]:
    """Microseconds to judge a legal action, and one that was legal two actions earlier."""
    rng, state = random.Random(1), game.start(setup)
    legal: list[tuple[Any, Any]] = []
    refused: list[tuple[Any, Any]] = []
    while game.outcome(state) is None:
        actions = list(game.legal(state))
        legal.extend((state, action) for action in actions)
        refused.extend(
            (state, action) for _, action in legal[-60:] if not game.judge(state, action).allowed
        )
        state, _ = game.apply(state, rng.choice(actions))
    return _microseconds(game, legal), _microseconds(game, refused)


def _explain_times(game: Any, setup: dict[str, Any]) -> str:
    """CPU time to explain a board on which one action, or two, were done since the last look."""
    times: list[float] = []
    cells = load_board(game.name).cells
    for seed in range(ROUNDS):
        rng, states = random.Random(seed), [game.start(setup)]
        while game.outcome(states[-1]) is None:
            action = rng.choice(list(game.legal(states[-1])))
            states.append(game.apply(states[-1], action)[0])
        for number in range(len(states) - 1):
            for after in states[number + 1 : number + 3]:
                if game.board(after) != game.board(states[number]):
                    sighting = sighting_of(game.board(after), cells)
                    start = time.process_time()
                    explain(game, states[number], sighting)
                    times.append((time.process_time() - start) * 1e6)
    steps = quantiles(times, n=100)
    return f"explain {steps[49]:.0f} us median, {steps[98]:.0f} us p99 of {len(times)} boards"


def _microseconds(game: Any, cases: list[tuple[Any, Any]]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for state, action in cases:
            game.judge(state, action)
        times.append((time.process_time() - start) / len(cases) * 1e6)
    return median(times)


if __name__ == "__main__":
    print("\n".join(run()))
