"""Skorpion Deep: list and judge say the same of every conceivable action, every fact is known."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from string import Formatter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.harness import FULL, GOLDEN, choose, random_game
from tests.rules.scorpions import DEEP, stuck

from tableref.rules.skorpion_deep import CASES, Pass, Place, State, Step
from tableref.rules.surface import Fact, UnreadableAction

NAMES = DEEP.layout.names
FEW = settings(max_examples=60 if FULL else 4, deadline=None)
MANY = settings(max_examples=2000 if FULL else 20, deadline=None)


def conceivable() -> Iterator[Any]:
    """Every action that could be tried; of third steps a few."""
    yield Pass()
    for one in NAMES:
        yield Place(one)
        yield Step((one,))
        for two in NAMES:
            yield Step((one,), two)
            yield Step((one, two))
            for pay in NAMES:
                yield Step((one, two), pay)
        yield Step((one, "e2", "e3"), "s3")


ALL = list(conceivable())


def check(state: State) -> None:
    listed = list(DEEP.legal(state))
    assert len(set(listed)) == len(listed)
    assert set(listed) == {action for action in ALL if DEEP.judge(state, action).allowed}


def anywhere(seed: int) -> State:
    """A position that nobody has played, with more beads than games usually have."""
    rng = random.Random(seed)
    spots = list(NAMES)
    rng.shuffle(spots)
    on_gate = rng.random() < 0.3
    skorpion = "gate" if on_gate else spots.pop()
    tail = "gate" if on_gate or rng.random() < 0.3 else spots.pop()
    free = [spot for spot in spots if spot not in {skorpion, tail, "gate"}]
    beads = {colour: rng.randint(0, 8) for colour in ("red", "blue")}
    pieces = {free.pop(): colour for colour, count in beads.items() for _ in range(count)}
    turn = rng.choice(["red", "blue"])
    state: State = DEEP.from_position(
        {}, {"pieces": pieces, "skorpion": skorpion, "tail": tail, "turn": turn}
    )
    return state


@FEW
@given(st.integers(0, 2**32))
def test_what_is_listed_is_what_no_reason_speaks_against(seed: int) -> None:
    rng = random.Random(seed)
    for *_, after in random_game(DEEP, {}, seed):
        if rng.random() < 0.08 or DEEP.outcome(after):
            check(after)


@MANY
@given(st.integers(0, 2**32))
def test_list_and_judge_agree_on_any_position(seed: int) -> None:
    check(anywhere(seed))


def test_what_the_table_lets_stand_is_a_position() -> None:
    """HR-2.3: whatever is let stand can be laid on the board, and play goes on from it."""
    stood = 0
    for seed in range(20):
        rng = random.Random(seed)
        for state, *_ in random_game(DEEP, {}, seed):
            for action in rng.sample(ALL, 5):
                try:
                    after, _ = DEEP.force(state, action)
                except UnreadableAction:
                    continue
                stood += 1
                told = DEEP.facts(after)
                assert DEEP.facts(DEEP.from_position({}, told)) == told, action
    assert stood > 100


def test_every_fact_stated_is_known_and_every_known_one_is_stated() -> None:
    stated: set[tuple[str, str]] = set()
    filled = {
        case: {field for _, field, _, _ in Formatter().parse(meaning) if field}
        for _, case, meaning in CASES
    }

    def note(facts: tuple[Fact, ...]) -> None:
        for fact in facts:
            stated.add((fact.paragraph, fact.case))
            for field in filled[fact.case] - {"amount"}:
                assert getattr(fact, field), (fact, field)

    for seed in range(100):
        rng, state = random.Random(seed), anywhere(seed) if seed % 2 else DEEP.start({})
        while DEEP.outcome(state) is None:
            for action in rng.sample(ALL, 20):
                note(DEEP.judge(state, action, rng.choice([None, 0, 1])).broken)
            for action in rng.sample(ALL[1 : 1 + 2 * len(NAMES)], 4):
                note(DEEP.judge(state, action).broken)
            if rng.random() < 0.01:
                state, events = DEEP.resign(state, rng.randint(0, 1))
            else:
                state, events = DEEP.apply(state, choose(rng, list(DEEP.legal(state))))
            note(events)
        note(DEEP.judge(state, Pass()).broken)
    for name in ("skorpion-deep-gate", "skorpion-deep-drawn"):
        state = DEEP.start({})
        for step in json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["steps"]:
            state, events = DEEP.apply(state, DEEP.parse(state, step[0]))
            note(events)
        note(DEEP.judge(state, Pass()).broken)
    game, state = stuck()
    note(game.apply(state, Pass())[1])
    assert stated == {(paragraph, case) for paragraph, case, _ in CASES}
