"""Scorpion: list and judge say the same of every conceivable action, and every fact is known."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import lru_cache
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableref.referee.games import load_game
from tableref.rules.scorpion import CASES, EndTurn, Move, Scorpion, State, Throw
from tableref.rules.scorpion.track import COLOURS, Track
from tableref.rules.surface import Fact, Refused, UnreadableAction

GAME: Scorpion = load_game("scorpion")  # type: ignore[assignment]  # the entry names this class
FULL = os.environ.get("TABLEREF_FULL") == "1"
SETUPS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "exact_exit": True},
    {"players": 4},
    {"players": 4, "teams": True},
    {"players": 4, "teams": True, "partner_throws": True, "exact_exit": True},
    {"players": 2, "cells_per_side": 6, "exact_exit": True},
    {"players": 3, "cells_per_side": 7},
]


@lru_cache(maxsize=len(SETUPS))
def conceivable(track: Track) -> list[Any]:
    """Every action that could be tried, and a few that are off the track."""
    throws = [Throw(tray, value) for tray in ("yellow", "black") for value in range(1, 7)]
    moves = [
        Move(colour, start, steps, cross)
        for colour in COLOURS
        for start in (*track.cells, f"Y{track.side + 1}")
        for steps in range(1, 14)
        for cross in (False, True)
    ]
    return [EndTurn(), *throws, *moves]


def states_of(setup: dict[str, Any], seed: int) -> Iterator[State]:
    """The states of a random game, in which somebody may give up."""
    rng = random.Random(seed)
    state = GAME.start(setup)
    while GAME.outcome(state) is None:
        yield state
        if rng.random() < 0.004:
            stays = [p for p in range(setup["players"]) if not state.resigned >> p & 1]
            state, _ = GAME.resign(state, rng.choice(stays))
        else:
            state, _ = GAME.apply(state, rng.choice(list(GAME.legal(state))))
    yield state


def states_from_anywhere(setup: dict[str, Any], seed: int) -> State:
    """A position that nobody has played, with dice thrown."""
    rng = random.Random(seed)
    track = GAME.start(setup).track
    free = list(track.cells[1:-1])
    rng.shuffle(free)
    scorpions = {
        name: [free.pop() if free and rng.random() < 0.7 else rng.choice(["hand", "out"])
               for _ in range(4)]
        for name in track.colours
    }  # fmt: skip
    return GAME.from_position(
        setup,
        {
            "scorpions": scorpions,
            "turn": rng.randrange(setup["players"]),
            "throws": 0,
            "dice": [
                {"tray": rng.choice(["yellow", "black"]), "value": rng.randint(1, 6)}
                for _ in range(2)
            ],
        },
    )


def check(state: State) -> None:
    listed = list(GAME.legal(state))
    assert len(set(listed)) == len(listed)
    allowed = [action for action in conceivable(state.track) if GAME.judge(state, action).allowed]
    assert set(listed) == set(allowed)


@settings(max_examples=100 if FULL else 10, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_what_is_listed_is_what_no_reason_speaks_against(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for state in states_of(setup, seed):
        if rng.random() < 0.02 or GAME.outcome(state):
            check(state)


@settings(max_examples=2000 if FULL else 40, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_list_and_judge_agree_on_any_position(setup: dict[str, Any], seed: int) -> None:
    check(states_from_anywhere(setup, seed))


def test_apply_refuses_what_the_judge_refuses() -> None:
    state = GAME.start({})
    action = EndTurn()
    with pytest.raises(Refused) as refused:
        GAME.apply(state, action)
    assert refused.value.ruling == GAME.judge(state, action)


def test_every_fact_stated_is_known_and_every_known_one_is_stated() -> None:
    stated: set[tuple[str, str]] = set()
    filled = {case: fields for _, case, fields in map(_fields, CASES)}

    def note(facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            stated.add((fact.paragraph, fact.case))
            for field in filled[fact.case]:
                assert getattr(fact, field) not in ("", 0), (fact, field)

    for number in range(21):
        setup = SETUPS[number % len(SETUPS)]
        rng = random.Random(number)
        state = GAME.start(setup)
        while GAME.outcome(state) is None:
            if rng.random() < 0.005:
                stays = [p for p in range(setup["players"]) if not state.resigned >> p & 1]
                state, events = GAME.resign(state, rng.choice(stays))
            else:
                if rng.random() < 0.05:
                    for action in rng.sample(conceivable(state.track), 120):
                        note(GAME.judge(state, action, rng.choice([None, 0, 1])).broken)
                state, events = GAME.apply(state, rng.choice(list(GAME.legal(state))))
            note(events)
        for action in (EndTurn(), Throw("yellow", 1), Move("blue", "hand", 1)):
            note(GAME.judge(state, action).broken)
    for facts in _rare():
        note(facts)
    assert stated == {(paragraph, case) for paragraph, case, _ in CASES}


def _fields(case: tuple[str, str, str]) -> tuple[str, str, set[str]]:
    paragraph, name, meaning = case
    return paragraph, name, {field for _, field, _, _ in Formatter().parse(meaning) if field}


def _rare() -> Iterator[tuple[Fact, ...]]:
    """Facts that random play seldom comes to."""
    threw_black = GAME.from_position({}, dice(("black", 2), ("yellow", 3)))
    yield GAME.judge(threw_black, Move("blue", "hand", 3)).broken
    yield GAME.apply(threw_black, EndTurn())[1]
    entering = dice(("yellow", 2), ("yellow", 3))
    yield GAME.judge(GAME.from_position({}, entering), EndTurn()).broken
    there = {"scorpions": {"blue": ["hand", "hand", "hand", "Y1"]}, "opened": [False, False]}
    yield GAME.judge(GAME.from_position({}, entering | there), Move("blue", "Y1", 3)).broken
    helping = {"players": 4, "teams": True, "partner_throws": True}
    red_out = dice(("yellow", 1), ("yellow", 2)) | {
        "scorpions": {"red": ["out"] * 4, "blue": ["hand"] * 3 + ["Y1"]}
    }
    yield GAME.apply(GAME.from_position(helping, red_out), EndTurn())[1]
    near_the_bend = {"scorpions": {"blue": ["hand", "hand", "hand", "Y19"]}}
    state = GAME.from_position({}, dice(("yellow", 3), ("yellow", 2)) | near_the_bend)
    state, _ = GAME.apply(state, Move("blue", "Y19", 3))
    yield GAME.judge(state, Move("blue", "K2", 2)).broken


def dice(*thrown: tuple[str, int]) -> dict[str, Any]:
    """A position in which these dice lie."""
    return {"throws": 0, "dice": [{"tray": tray, "value": value} for tray, value in thrown]}


def test_a_die_without_a_value_is_no_action() -> None:
    with pytest.raises(UnreadableAction):
        GAME.judge(GAME.start({}), Throw("yellow", 7))
