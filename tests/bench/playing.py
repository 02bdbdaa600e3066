"""Playing against the clock, in CPU time: what the measurements of the rules engine share.

A shared machine is not always equally fast, not even for a second. So all play in turns, for short
rounds, and how many times as fast one is as another is the median of the ratios of the rounds.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, NamedTuple

ROUNDS = 31
"""Rounds of playing; the median counts."""
SECONDS = 0.06
"""CPU time that each contestant plays in a round."""
REPEATS = 7
"""How often the same actions are judged; the median counts."""
YARDSTICK = "backgammon (pyspiel)"


class Played(NamedTuple):
    """How many actions a game took, and how many of them were throws."""

    actions: int
    throws: int = 0


class Rate(NamedTuple):
    """Actions a second of CPU time, and those of them that are no throws."""

    actions: float
    moves: float


Contestant = Callable[[random.Random], Played]
"""Plays one random game."""


def play_backgammon(rng: random.Random) -> Played:
    """The yardstick: one random game of backgammon by pyspiel; both dice are one throw."""
    state = importlib.import_module("pyspiel").load_game("backgammon").new_initial_state()
    actions = throws = 0
    while not state.is_terminal():
        throws += state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
        actions += 1
    return Played(actions, throws)


def rate(one_game: Contestant, rng: random.Random, seconds: float = SECONDS) -> Rate:
    """How fast whole games are played, for at least so many seconds."""
    actions = throws = 0
    start = time.process_time()
    while (taken := time.process_time() - start) < seconds:
        more, thrown = one_game(rng)
        actions, throws = actions + more, throws + thrown
    return Rate(actions / taken, (actions - throws) / taken)


def contest(contestants: dict[str, Contestant]) -> list[str]:
    """A line for each contestant: how fast, and how many times as fast as backgammon, where that
    is installed (`open_spiel`, extra `bench`)."""
    if importlib.util.find_spec("pyspiel"):
        contestants = contestants | {YARDSTICK: play_backgammon}
    found: dict[str, list[Rate]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, one_game in contestants.items():
            found[name].append(rate(one_game, random.Random(number)))
    peer = found.get(YARDSTICK, [])
    return [
        f"{name}: {_told(rates, [] if name == YARDSTICK else peer)}"
        for name, rates in found.items()
    ]


def _told(rates: Sequence[Rate], peer: Sequence[Rate]) -> str:
    words = []
    for place, kind in enumerate(Rate._fields):
        if kind == "actions" and all(rate.actions == rate.moves for rate in rates):
            continue  # a game without throws
        word = f"{median(rate[place] for rate in rates):,.0f} {kind}/s"
        if peer:
            pairs = zip(rates, peer, strict=True)
            ratio = median(ours[place] / theirs[place] for ours, theirs in pairs)
            word += f" ({ratio:.2f} x {YARDSTICK})"
        words.append(word)
    return ", ".join(words)


def judge_time(game: Any, cases: Sequence[tuple[Any, Any]]) -> float:
    """Microseconds to judge one of these actions, each with its state."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        for state, action in cases:
            game.judge(state, action)
        times.append((time.process_time() - start) / len(cases) * 1e6)
    return median(times)
