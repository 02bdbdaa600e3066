"""Autoscooter: list and judge are one source, and chips and cars are kept, in random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rules import harness
from tests.rules.harness import count
from tests.rules.scooter import CARS, GAME

from tableref.rules.autoscooter.actions import (
    Announce,
    Drive,
    Number,
    Plot,
    PlotGhost,
    Prefer,
    Restart,
)
from tableref.rules.autoscooter.layout import HEADINGS
from tableref.rules.autoscooter.state import State
from tableref.rules.surface import Action, Refused

LETTERS = (*map(chr, range(ord("A"), ord("P") + 1)), None)
NUMBERS = (*range(90), None)


def random_state(seed: int) -> State:
    """Cars anywhere with any speed, some numbers used, somewhere in a round."""
    rng = random.Random(seed)
    setup = harness.SETUPS["autoscooter"](rng)
    cells = rng.sample(GAME.layout.cells, len(CARS))
    if rng.random() < 0.3:  # a throng, in which cars are stuck
        cells = rng.sample(GAME.layout.cells[:12], len(CARS))
    position: dict[str, Any] = {
        "cars": {
            car: {"cell": cell, "heading": rng.choice(HEADINGS), "speed": rng.randrange(4)}
            for car, cell in zip(CARS, cells, strict=True)
        },
        "round": rng.randrange(1, 12),
    }
    position["used"] = {
        car: rng.sample(GAME.layout.numbers[index], position["round"] - 1)
        for index, car in enumerate(CARS)
    }
    state = GAME.from_position(setup, position)
    if rng.random() < 0.2:
        state, _ = GAME.resign(state, rng.randrange(setup["players"]))
    elif rng.random() < 0.2:
        state, _ = GAME.passed_over(state, frozenset((rng.randrange(setup["players"]),)))
    for _ in range(rng.randrange(14)):
        if GAME.outcome(state):
            break
        state, _ = GAME.apply(state, harness.choose(rng, list(GAME.legal(state))))
    return state


def conceivable(state: State) -> Iterator[Action]:
    """Every action that could be tried; of plots every number and every letter, not all pairs."""
    for car in CARS:
        own = GAME.layout.numbers[CARS.index(car)]
        yield from (Plot(car, number, letter) for number in NUMBERS for letter in ("K", None))
        yield from (Plot(car, n, letter) for n in (own[0], own[10], None) for letter in LETTERS)
        yield from (Number(car, number) for number in range(90))
        yield from (Drive(car, letter) for letter in LETTERS)
        for cell in GAME.layout.cells:
            yield from (Restart(car, cell, heading) for heading in HEADINGS)
    for player in range(state.setup.players):
        yield from (PlotGhost(player, letter) for letter in LETTERS)
        yield from (Prefer(player, colour) for colour in CARS)
    yield Announce()


def test_an_action_is_listed_exactly_where_nothing_speaks_against_it() -> None:
    known = harness.cases("autoscooter")
    for seed in range(count(35, 3000)):
        state = random_state(seed)
        listed = set(GAME.legal(state))
        tried = set(conceivable(state))
        for action in tried:
            ruling = GAME.judge(state, action)
            assert ruling.allowed == (action in listed), (seed, action, ruling)
            assert {fact[:2] for fact in ruling.broken} <= known, (seed, action, ruling)
        assert {a for a in listed if not isinstance(a, Plot)} <= tried


def test_an_action_is_refused_with_its_ruling_exactly_where_it_is_not_listed() -> None:
    for seed in range(count(8, 600)):
        state = random_state(seed)
        for action in set(conceivable(state)):
            ruling = GAME.judge(state, action)
            if ruling.allowed:
                GAME.apply(state, action)
                continue
            with pytest.raises(Refused) as refusal:
                GAME.apply(state, action)
            assert refusal.value.ruling == ruling


def test_a_refusal_can_be_let_stand_or_says_that_the_table_cannot_show_it() -> None:
    for seed in range(count(3, 300)):
        state = random_state(seed)
        for action in set(conceivable(state)):
            assert harness.refused_safely(GAME, state, action)


def test_who_it_is_never_makes_an_illegal_action_legal() -> None:
    for seed in range(count(10, 300)):
        state = random_state(seed)
        for action in random.Random(seed).sample(sorted(set(conceivable(state)), key=repr), 200):
            for player in range(state.setup.players):
                if GAME.judge(state, action, player).allowed:
                    assert GAME.judge(state, action).allowed


def test_a_due_action_is_legal_for_a_due_player() -> None:
    for seed in range(count(60, 2000)):
        state = random_state(seed)
        due = GAME.due(state)
        if due.kind in ("over", "announce"):
            continue
        for player in due.players:
            actions = (a for a in GAME.legal(state) if not isinstance(a, Announce | Prefer))
            assert any(GAME.judge(state, action, player).allowed for action in actions)


def test_chips_and_cars_are_neither_made_nor_lost() -> None:
    for seed in range(count(8)):
        game, setup = harness.seeded("autoscooter", seed)
        for *_, after in harness.random_game(game, setup, seed):
            assert len(set(after.cells)) == len(CARS)
            assert sum(after.purses) == 80
            assert min(after.purses) >= 0
            if setup["colour_scoring"]:
                assert [sum(column) for column in zip(*after.colours, strict=True)] == [10] * 8
                assert tuple(map(sum, after.colours)) == after.purses
                assert min(map(min, after.colours)) >= 0


def test_every_number_is_used_once() -> None:
    for seed in range(count(8)):
        game, setup = harness.seeded("autoscooter", seed)
        plotted: dict[str, list[int]] = {}
        for step in harness.random_game(game, setup, seed):
            if isinstance(step.action, Plot) and step.action.number is not None:
                plotted.setdefault(step.action.car, []).append(step.action.number)
        assert all(len(set(numbers)) == len(numbers) for numbers in plotted.values())
