"""How fast Autoscooter is played, judged and explained from Python, in CPU time.

A car-move is one car's letters (or restarts) listed and one of them run, through the public list
and `apply`. Beside it, where it is installed, the backgammon of `open_spiel`, played in the same
way.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from itertools import count
from statistics import median, quantiles
from typing import Any

from tableref.referee.games import load_game
from tableref.rules.autoscooter.actions import Drive, Plot, Restart
from tableref.rules.explain import explain, sighting_of
from tests.bench.playing import Contestant, Played, contest, judge_time
from tests.rules.test_autoscooter_audit import conceivable, random_state

GAME: Any = load_game("autoscooter")
EXPLAINED = 400
"""Boards that are explained for each figure."""


def run() -> list[str]:
    """Lines with figures."""
    contestants: dict[str, Contestant] = {
        "car-moves, 8 players": lambda rng: play({"players": 8, "paper": True}, rng),
        "car-moves, 2 players, projection": lambda rng: play(
            {"players": 2, "paper": True, "projection": True}, rng
        ),
        "car-moves, all cars listed each time": play_from_the_whole_list,
        "whole games with plots noted (plots and car-moves)": play_with_plots,
    }
    lines = contest(contestants)
    lines += [f"judge: {line}" for line in _judge_times()]
    for missed, unknown in ((1, 0), (1, 1), (3, 0), (3, 1)):
        p50, p99 = _explain_times(missed, unknown)
        lines.append(
            f"explain, {missed} car-moves back, {unknown} cells unknown: {p50:.2f} ms in the"
            f" middle, p99 {p99:.2f} ms (wanted: under 5)"
        )
    for missed, unknown in ((1, 0), (1, 1), (3, 0), (3, 1)):
        p50, p99 = _times(near_the_end(missed, unknown, EXPLAINED))
        lines.append(
            f"explain near a round's end, next plots at hand, {missed} car-moves back, {unknown}"
            f" cells unknown: {p50:.2f} ms in the middle, p99 {p99:.2f} ms (wanted: under 5)"
        )
    return lines


def play(setup: dict[str, Any], rng: random.Random) -> Played:
    """One game with plots on paper."""
    state, moves = GAME.start(setup), 0
    while not state.ended:
        car = GAME.layout.cars[rng.choice(state.queue)]
        state, _ = GAME.apply(state, rng.choice(GAME.car_actions(state, car)))
        moves += 1
    return Played(moves)


def play_from_the_whole_list(rng: random.Random) -> Played:
    """As `play`, with the letters of all cars listed before each move."""
    state, moves = GAME.start({"players": 8, "paper": True}), 0
    while not state.ended:
        state, _ = GAME.apply(state, rng.choice(list(GAME.legal(state))))
        moves += 1
    return Played(moves)


def play_with_plots(rng: random.Random) -> Played:
    """One game of eight in which each car's plot is noted, all from the public list."""
    state, moves = GAME.start({"players": 8}), 0
    while not state.ended:
        state, _ = GAME.apply(state, rng.choice(list(GAME.legal(state))))
        moves += 1
    return Played(moves)


def _judge_times() -> list[str]:
    """Microseconds to judge one action, allowed or refused."""
    legal, refused = [], []
    for seed in range(40):
        state = random_state(seed)
        for action in conceivable(state):
            (legal if GAME.judge(state, action).allowed else refused).append((state, action))
    lines = []
    for name, cases in (("allowed", legal), ("refused", random.Random(1).sample(refused, 20000))):
        lines.append(f"{judge_time(GAME, cases):.2f} us an action that is {name} (wanted: under 5)")
    return lines


Case = tuple[Any, Any, list[Any]]
"""A state, a sighting of what it led to, and the next round's plots at hand."""


def near_the_end(missed: int, unknown: int, number: int) -> Iterator[Case]:
    """So many boards seen when at most three cars are left in a round; the moves may go on into
    the next one."""
    for seed in count(1):
        rng, before = random.Random(seed), GAME.settled(random_state(seed), ())
        while len(before.queue) > 3:
            before = GAME.settled(_moved(before, rng), ())
        if before.setup.paper or not before.queue:
            continue
        coming, after = _plots(before, rng), before
        for _ in range(missed):
            after = _moved(GAME.settled(after, coming), rng)
        if GAME.board(after) == GAME.board(before):
            continue
        cells = GAME.layout.cells
        yield before, sighting_of(GAME.board(after), cells, rng.sample(cells, unknown)), coming
        number -= 1
        if not number:
            return


def _moved(state: Any, rng: random.Random) -> Any:
    moves = [a for a in GAME.legal(state) if isinstance(a, Drive | Restart)]
    return GAME.apply(state, rng.choice(moves))[0] if moves else state


def _plots(state: Any, rng: random.Random) -> list[Any]:
    """A plot of every car that is driven, with a number that it has not used."""
    layout, found = GAME.layout, list[Any]()
    for index, car in enumerate(layout.cars):
        free = [n for r, n in enumerate(layout.numbers[index]) if not state.used[index] >> r & 1]
        if state.owners[index] >= 0 and free:
            found.append(Plot(car, rng.choice(free), rng.choice(layout.letters)))
    return found


def _times(cases: Iterable[Case]) -> tuple[float, float]:
    """Milliseconds of CPU to explain these: the median, and p99."""
    times = []
    for state, sighting, coming in cases:
        start = time.process_time()
        explain(GAME, state, sighting, coming)
        times.append((time.process_time() - start) * 1000)
    return median(times), quantiles(times, n=100)[-1]


def _explain_times(missed: int, unknown: int) -> tuple[float, float]:
    """Milliseconds to explain a board: the median, and p99."""
    times: list[float] = []
    seed = 0
    while len(times) < EXPLAINED:
        seed += 1
        before = after = random_state(seed)
        rng = random.Random(seed)
        if before.setup.paper and missed > 1:
            continue
        for _ in range(missed):
            moves = [a for a in GAME.legal(after) if isinstance(a, Drive | Restart)]
            if moves:
                after, _ = GAME.apply(after, rng.choice(moves))
        if GAME.board(after) == GAME.board(before):
            continue
        cells = GAME.layout.cells
        sighting = sighting_of(GAME.board(after), cells, rng.sample(cells, unknown))
        start = time.process_time()
        explain(GAME, before, sighting)
        times.append((time.process_time() - start) * 1000)
    return median(times), quantiles(times, n=100)[-1]


if __name__ == "__main__":
    print("\n".join(run()))
