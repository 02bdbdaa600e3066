"""How fast arrows and stars and Squod are played, judged and explained from Python, in CPU time.

Beside them, where they are installed (extra `bench`), the backgammon of `open_spiel` and
python-chess, played in the same way; python-chess runs in a process of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import subprocess
import sys
import time
from statistics import median, quantiles
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.explain import explain, sighting_of
from tableref.rules.squod.layout import KINDS
from tests.bench.playing import Contestant, Played, contest, judge_time, rate

CHESS_ROUNDS = 7
CHESS_SECONDS = 0.25
"""python-chess is played for fewer and longer rounds: each is a process to be started."""
LONGEST = 500
"""Actions after which a game is left: some positions of Squod go on for ever."""
EXPLAINED = 1000
"""Turns that are explained."""
LOOKS = 0.3
"""How often the board is looked at in the middle of a turn."""


def run() -> list[str]:
    """Lines with figures."""
    arrows, squod = load_game("arrows-and-stars"), load_game("squod")
    contestants: dict[str, Contestant] = {
        "Arrows and stars": lambda rng: play(arrows, {}, rng),
        "Squod, 2 players": lambda rng: play(squod, dealt(2, rng), rng),
        "Squod, 4 players": lambda rng: play(squod, dealt(4, rng), rng),
        "Squod, 2 players, nothing known": lambda rng: play(squod, {}, rng),
    }
    lines = contest(contestants)
    if importlib.util.find_spec("chess"):
        chess = median(chess_rate(number) for number in range(CHESS_ROUNDS))
        lines.append(f"chess (python-chess): {chess:,.0f} moves/s")
    for name, game, setup in (
        ("Arrows and stars", arrows, {}),
        ("Squod", squod, dealt(2, random.Random(1))),
    ):
        lines.append(f"{name}: judge {judge_time(game, _cases(game, setup)):.1f} us a legal action")
        p50, p99 = _explain_times(game, setup)
        lines.append(f"{name}: explain {p50:.2f} ms a turn in the middle, p99 {p99:.2f} ms")
    return lines


def dealt(players: int, rng: random.Random) -> dict[str, Any]:
    """A set-up of Squod in which the referee knows all pieces."""
    placement = [rng.sample((*KINDS, *KINDS), 6) for _ in range(players)]
    return {"players": players, "placement": placement}


def play(game: Any, setup: dict[str, Any], rng: random.Random) -> Played:
    """One random game, or the first part of a long one."""
    state = game.start(setup)
    moves = 0
    while game.outcome(state) is None and moves < LONGEST:
        state, _ = game.apply(state, rng.choice(list(game.legal(state))))
        moves += 1
    return Played(moves)


def play_chess(rng: random.Random) -> Played:
    """As `play`, of python-chess."""
    board: Any = importlib.import_module("chess").Board()
    moves = 0
    while moves < LONGEST and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        moves += 1
    return Played(moves)


def chess_rate(seed: int) -> float:
    """What this module prints when it is run with `chess` and a seed."""
    ran = subprocess.run(
        [sys.executable, "-m", __spec__.name if __spec__ else __name__, "chess", str(seed)],
        capture_output=True,
        check=True,
        text=True,
    )
    return float(ran.stdout)


def _cases(game: Any, setup: dict[str, Any]) -> list[tuple[Any, Any]]:
    """All legal actions of a random game, each with its state."""
    rng, state = random.Random(1), game.start(setup)
    cases = []
    while game.outcome(state) is None and len(cases) < 5000:
        actions = list(game.legal(state))
        cases.extend((state, action) for action in actions)
        state, _ = game.apply(state, rng.choice(actions))
    return cases


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
        print(rate(play_chess, random.Random(int(sys.argv[2])), CHESS_SECONDS).moves)
    else:
        print("\n".join(run()))
