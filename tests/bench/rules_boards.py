"""How fast arrows and stars and Squod are played, judged and explained from Python, in CPU time.

Beside them, where they are installed (extra `bench`), python-chess and the backgammon of pyspiel,
played in the same way and in turns with ours, because a shared machine is not always equally fast.
python-chess runs in a process of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.explain import explain, sighting_of
from tableref.rules.squod.layout import KINDS

ROUNDS = 7
"""Rounds of measuring; the median counts."""
SECONDS = 0.25
"""CPU time that each contestant plays in a round."""
LONGEST = 500
"""Actions after which a game is left: some positions of Squod go on for ever."""
EXPLAINED = 1000
"""Turns that are explained."""
LOOKS = 0.3
"""How often the board is looked at in the middle of a turn."""

Contestant = Callable[[random.Random], int]


def run() -> list[str]:
    """Lines with figures."""
    arrows, squod = load_game("arrows-and-stars"), load_game("squod")
    contestants: dict[str, Contestant] = {
        "Arrows and stars": lambda rng: play(arrows, {}, rng),
        "Squod, 2 players": lambda rng: play(squod, dealt(2, rng), rng),
        "Squod, 4 players": lambda rng: play(squod, dealt(4, rng), rng),
        "Squod, 2 players, nothing known": lambda rng: play(squod, {}, rng),
    }
    if importlib.util.find_spec("pyspiel"):
        contestants["backgammon (pyspiel)"] = play_backgammon
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, one_game in contestants.items():
            found[name].append(rate(one_game, random.Random(number)))
        if importlib.util.find_spec("chess"):
            found.setdefault("chess (python-chess)", []).append(chess_rate(number))
    lines = [f"{name}: {median(rates):,.0f} moves/s" for name, rates in found.items()]
    for name, game, setup in (
        ("Arrows and stars", arrows, {}),
        ("Squod", squod, dealt(2, random.Random(1))),
    ):
        lines.append(f"{name}: judge {_judge_time(game, setup):.1f} us a legal action")
        p50, p99 = _explain_times(game, setup)
        lines.append(f"{name}: explain {p50:.2f} ms a turn in the middle, p99 {p99:.2f} ms")
    return lines


def dealt(players: int, rng: random.Random) -> dict[str, Any]:
    """A set-up of Squod in which the referee knows all pieces."""
    placement = [rng.sample((*KINDS, *KINDS), 6) for _ in range(players)]
    return {"players": players, "placement": placement}


def rate(one_game: Contestant, rng: random.Random) -> float:
    """Moves a second of CPU time."""
    moves, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        moves += one_game(rng)
    return moves / (time.process_time() - start)


def play(game: Any, setup: dict[str, Any], rng: random.Random) -> int:
    """One random game; how many actions."""
    state = game.start(setup)
    moves = 0
    while game.outcome(state) is None and moves < LONGEST:
        state, _ = game.apply(state, rng.choice(list(game.legal(state))))
        moves += 1
    return moves


def play_backgammon(rng: random.Random) -> int:
    """As `play`, of pyspiel's backgammon; throws are not counted."""
    state = importlib.import_module("pyspiel").load_game("backgammon").new_initial_state()
    moves = 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return moves


def play_chess(rng: random.Random) -> int:
    """As `play`, of python-chess."""
    board: Any = importlib.import_module("chess").Board()
    moves = 0
    while moves < LONGEST and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        moves += 1
    return moves


def chess_rate(seed: int) -> float:
    """What this module prints when it is run with `chess` and a seed."""
    ran = subprocess.run(
        [sys.executable, "-m", __spec__.name if __spec__ else __name__, "chess", str(seed)],
        capture_output=True,
        check=True,
        text=True,
    )
    return float(ran.stdout)


def _judge_time(game: Any, setup: dict[str, Any]) -> float:
    """Microseconds to judge a legal action, over all of a random game."""
    rng, state = random.Random(1), game.start(setup)
    cases = []
    while game.outcome(state) is None and len(cases) < 5000:
        actions = list(game.legal(state))
        cases.extend((state, action) for action in actions)
        state, _ = game.apply(state, rng.choice(actions))
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for state, action in cases:
            game.judge(state, action)
        times.append((time.process_time() - start) / len(cases) * 1e6)
    return median(times)


def _explain_times(game: Any, setup: dict[str, Any]) -> tuple[float, float]:
    """Milliseconds to explain a turn, or the part of one that was made before somebody looked, by
    the board after it: the median, and p99."""
    rng, times = random.Random(1), []
    cells = list(getattr(game.layout, "masks", None) or game.layout.names)
    while len(times) < EXPLAINED:
        seen = state = game.start(setup)
        for _ in range(LONGEST):
            state, _ = game.apply(state, rng.choice(list(game.legal(state))))
            over = game.outcome(state) is not None
            if over or state.turn != seen.turn or rng.random() < LOOKS:
                if game.board(state) != game.board(seen):
                    sighting = sighting_of(game.board(state), cells)
                    start = time.process_time()
                    explain(game, seen, sighting)
                    times.append((time.process_time() - start) * 1e3)
                seen = state
            if over:
                break
    return median(times), quantiles(times, n=100)[98]


if __name__ == "__main__":
    if sys.argv[1:2] == ["chess"]:
        print(rate(play_chess, random.Random(int(sys.argv[2]))))
    else:
        print("\n".join(run()))
