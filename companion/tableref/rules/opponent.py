"""A modest opponent for any game: it tries its actions by playing on at random, many times.

It knows what its player may know and no more: before each try, what is hidden from him is drawn
anew (`Guesses`). Where the random play is cut, a game may say how the players stand (`Stands`).
The same random numbers lead to the same choice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tableref.rules.surface import Action, Game, Record, RulesError

STEPS = 12_000
"""Actions that one choice may try in all."""
DEEPEST = 400
"""Actions after which random play is cut where the game cannot say how players stand."""
CUT = 40
"""Actions after which it is cut where it can."""
MOST_TRIED = 48
"""Actions that are tried; of more, so many drawn at random."""
_GUESSES = 8
"""Draws of what is hidden before an action that none of them allows is given up."""


@runtime_checkable
class Guesses(Protocol):
    """A game in which something is hidden from a player."""

    def guessed(self, state: Any, player: int, rng: random.Random) -> Any:
        """A state that agrees with all that this player may know; the rest is drawn."""
        ...


@runtime_checkable
class Stands(Protocol):
    """A game that can say, before it is over, how its players stand."""

    def standing(self, state: Any) -> tuple[float, ...]:
        """For each player how near he is to winning, in any unit of about 1."""
        ...


@runtime_checkable
class Dealt(Protocol):
    """A game that can be played without pieces once what players hold in secret is dealt."""

    def dealt(self, setup: Record, rng: random.Random) -> dict[str, Any]:
        """The set-up with that dealt at random, where it does not say."""
        ...


class _Tried(NamedTuple):
    """Actions that differ by chance alone, such as the numbers of a die, and what came of them."""

    actions: list[Action]
    values: list[float]

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else -1.0


def choose(
    game: Game[Any], state: Any, player: int, rng: random.Random, steps: int = STEPS
) -> Action:
    """An action of this player that does well. ValueError where he has none."""
    actions = [a for a in game.legal(state) if game.judge(state, a, player).allowed]
    if not actions:
        raise ValueError(f"player {player} has no action")
    arms = _arms(actions, thrown=game.due(state).kind == "throw")
    rng.shuffle(arms)
    arms = arms[:MOST_TRIED]
    left = steps
    # Sequential halving: all get the same number of tries, then the worse half goes.
    rounds = max(1, math.ceil(math.log2(len(arms))))
    while len(arms) > 1:
        share, tries = steps // rounds, 0
        while share > 0 and left > 0:
            used = _try_all(game, state, player, arms, rng)
            share, left, tries = share - used, left - used, tries + 1
        arms = sorted(arms, key=lambda arm: -arm.mean)[: max(1, len(arms) // 2)]
        if left <= 0:
            break
    return rng.choice(arms[0].actions)


def _arms(actions: Sequence[Action], thrown: bool) -> list[_Tried]:
    """Actions, each by itself; of throws those that differ by their number are one."""
    if not thrown:
        return [_Tried([action], []) for action in actions]
    found: dict[Hashable, list[Action]] = {}
    for action in actions:
        values = action if isinstance(action, tuple) else (action,)
        key = tuple(value for value in values if not isinstance(value, int))
        found.setdefault(key, []).append(action)
    return [_Tried(same, []) for same in found.values()]


def _try_all(
    game: Game[Any], state: Any, player: int, arms: list[_Tried], rng: random.Random
) -> int:
    """One try of every action, all with the same guess; how many actions that took."""
    steps = 1
    for arm in arms:
        action = rng.choice(arm.actions)
        after = _after(game, state, player, action, rng)
        if after is None:
            continue  # what was drawn does not allow it
        value, used = _played_on(game, after, player, rng)
        arm.values.append(value)
        steps += used
    return steps


def _after(
    game: Game[Any], state: Any, player: int, action: Action, rng: random.Random
) -> Any | None:
    """The state after an action in a world that is drawn, or None."""
    for _ in range(_GUESSES):
        world = game_guess(game, state, player, rng)
        if game.judge(world, action, player).allowed:
            return game.apply(world, action)[0]
    return None


def game_guess(game: Game[Any], state: Any, player: int, rng: random.Random) -> Any:
    """The state as this player may think that it is; what cannot be drawn is as it was told."""
    if not isinstance(game, Guesses):
        return state
    return game.guessed(state, player, rng)


def _played_on(game: Game[Any], state: Any, player: int, rng: random.Random) -> tuple[float, int]:
    """What random play brings this player, 0 to 1, and how many actions it took."""
    stands = isinstance(game, Stands)
    for step in range(CUT if stands else DEEPEST):
        outcome = game.outcome(state)
        if outcome is not None:
            if not outcome.winners:
                return 0.5, step + 1
            return (1.0 if player in outcome.winners else 0.0), step + 1
        action = game.forced(state, True)
        if action is None:
            actions = list(game.legal(state))
            if not actions:
                break
            action = rng.choice(actions)
        try:
            state = game.apply(state, action)[0]
        except RulesError:  # what closes a round early may not be due to anybody
            break
    if not isinstance(game, Stands):
        return 0.5, DEEPEST
    standing = game.standing(state)
    best = max(value for other, value in enumerate(standing) if other != player)
    return 0.5 + 0.5 * math.tanh(2.0 * (standing[player] - best)), CUT
