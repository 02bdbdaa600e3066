"""How fast Scorpion and Skorpion Deep are played and judged from Python, in CPU time.

Beside them, where it is installed, the backgammon of `open_spiel`, played in the same way.
"""

from __future__ import annotations

import random
import time
from statistics import quantiles
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.explain import explain, sighting_of
from tableref.rules.scorpion import Throw
from tableref_hardware import load_board
from tests.bench.playing import Contestant, Played, contest, judge_time

GAMES = 7
"""Games of which every board is explained."""
COUNTED = (
    "counted: every action that is listed whole, picked at random and applied. A throw is one die "
    "in Scorpion, both dice in backgammon; a move is one scorpion's, the end of a turn, a whole "
    "turn of Skorpion Deep, or both dice of backgammon. The time of throws counts in both figures."
)


def run() -> list[str]:
    """Lines with figures."""
    scorpion, deep = load_game("scorpion"), load_game("skorpion-deep")
    contestants: dict[str, Contestant] = {
        "Scorpion, 2 players": lambda rng: play(scorpion, {"players": 2}, rng),
        "Scorpion, 4 players": lambda rng: play(scorpion, {"players": 4}, rng),
        "Skorpion Deep": lambda rng: play(deep, {}, rng),
    }
    lines = [COUNTED, *contest(contestants)]
    for name, game, setup in (
        ("Scorpion", scorpion, {"players": 2}),
        ("Skorpion Deep", deep, {}),
    ):
        legal, refused = _judge_times(game, setup)
        lines.append(f"{name}: judge {legal:.1f} us a legal action, {refused:.1f} us a refused one")
        lines.append(f"{name}: {_explain_times(game, setup)}")
    return lines


def play(game: Any, setup: dict[str, Any], rng: random.Random) -> Played:
    """One random game."""
    state, actions, throws = game.start(setup), 0, 0
    while game.outcome(state) is None:
        action = rng.choice(list(game.legal(state)))
        state, _ = game.apply(state, action)
        actions += 1
        throws += isinstance(action, Throw)
    return Played(actions, throws)


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
    return judge_time(game, legal), judge_time(game, refused)


def _explain_times(game: Any, setup: dict[str, Any]) -> str:
    """CPU time to explain a board on which one action, or two, were done since the last look."""
    times: list[float] = []
    cells = load_board(game.name).cells
    for seed in range(GAMES):
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


if __name__ == "__main__":
    print("\n".join(run()))
