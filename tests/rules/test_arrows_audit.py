"""Arrows and stars: list and judge agree on every conceivable action; every fact is known."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.boards import ARROWS
from tests.rules.harness import FULL, GOLDEN, random_game

from tableref.rules.arrows_and_stars import CASES
from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Pass, Star
from tableref.rules.pieces import texts
from tableref.rules.surface import Fact, Refused, UnreadableAction

CELLS = tuple(ARROWS.layout.masks)
LEGS = tuple(ARROWS.layout.legs)
KNOWN = {(paragraph, case) for paragraph, case, _ in CASES}
SETUPS: list[dict[str, Any]] = [{}, {"star_control": "own"}, {"repetition": 2}]


AHEAD: dict[str, list[str]] = {}
for _start, _to in LEGS:
    AHEAD.setdefault(_start, []).append(_to)
ALWAYS = (
    EndTurn(),
    Pass(),
    *(Arrow(pair) for pair in product(CELLS, CELLS)),
    *(Star(*pair) for pair in product(CELLS, CELLS)),
    *(Arrow((start, via, to)) for start, via in LEGS for to in AHEAD[via]),
)
"""Every step and star move between two cells, and chains of two legs."""


def conceivable(state: Any, rng: random.Random, part: int) -> Iterator[Any]:
    """So many of the actions that can be thought of, and each chain of the list made longer."""
    yield from rng.sample(ALWAYS, part) if part else ALWAYS
    for action in ARROWS.legal(state):
        if isinstance(action, Arrow):
            for to in AHEAD[action.path[-1]] if not part else [rng.choice(CELLS)]:
                yield Arrow((*action.path, to))


def audit(state: Any, rng: random.Random, part: int = 0) -> None:
    listed = list(ARROWS.legal(state))
    assert len(listed) == len(set(listed))
    for action in {*listed, *conceivable(state, rng, part)}:
        ruling = ARROWS.judge(state, action)
        assert ruling.allowed == (action in listed), (action, ruling)
        for fact in ruling.broken:
            assert (fact.paragraph, fact.case) in KNOWN, fact


@settings(max_examples=300 if FULL else 15, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_what_is_listed_is_what_has_no_reason_against_it(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for *_, after in random_game(ARROWS, setup, seed):
        if rng.random() < 0.002:
            audit(after, rng)
        elif rng.random() < 0.3 or ARROWS.outcome(after):
            audit(after, rng, part=40)


@settings(max_examples=300 if FULL else 10, deadline=None)
@given(st.integers(0, 2**32))
def test_positions_that_nobody_has_played_are_audited_too(seed: int) -> None:
    rng = random.Random(seed)
    audit(anywhere(rng), rng)


def anywhere(rng: random.Random) -> Any:
    """Arrows of both headings and stars, strewn over the board."""
    cells = [c for c in CELLS if c[1:] not in ("1", "9")]
    rng.shuffle(cells)
    pieces = {}
    for colour, star in (("white", "star up"), ("black", "star down")):
        for _ in range(rng.randint(0, 10)):
            pieces[cells.pop()] = f"{colour} arrow {rng.choice(['up', 'down'])}"
        for _ in range(rng.randint(1, 3)):
            pieces[cells.pop()] = f"{colour} {star}"
    position = {
        "pieces": pieces,
        "turn": rng.choice(["white", "black"]),
        "star_moves": rng.choice([None, None, 0, 1, 3]),
    }
    return ARROWS.from_position({"star_control": rng.choice(["any", "own"])}, position)


def test_apply_refuses_with_the_ruling_of_judge_and_force_lets_stand_or_says_it_cannot() -> None:
    rng, stood = random.Random(4), 0
    for _ in range(12):
        state = anywhere(rng)
        for action in conceivable(state, rng, 400):
            ruling = ARROWS.judge(state, action)
            if not ruling.allowed:
                with pytest.raises(Refused) as refused:
                    ARROWS.apply(state, action)
                assert refused.value.ruling == ruling
            try:
                after, facts = ARROWS.force(state, action)
            except UnreadableAction:
                assert not ruling.allowed
                continue
            stood += 1
            check_events(facts)
            assert len(texts(ARROWS.board(after))) in (
                len(texts(ARROWS.board(state))),
                len(texts(ARROWS.board(state))) - 1,
            )
    assert stood > 100


def check_events(facts: tuple[Fact, ...]) -> None:
    for fact in facts:
        assert (fact.paragraph, fact.case) in KNOWN, fact


@settings(max_examples=60 if FULL else 8, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_every_event_of_random_play_is_known(setup: dict[str, Any], seed: int) -> None:
    for state, action, _, _ in random_game(ARROWS, setup, seed):
        check_events(ARROWS.apply(state, action)[1])


def test_meanings_name_only_what_a_fact_holds() -> None:
    for _, _, meaning in CASES:
        assert {name for _, name, _, _ in Formatter().parse(meaning) if name} <= set(Fact._fields)
    assert len(CASES) == len({case[:2] for case in CASES})


def test_a_player_who_is_not_on_turn_is_told_so() -> None:
    state = ARROWS.start({})
    action = next(ARROWS.legal(state))
    assert ARROWS.judge(state, action, 0).allowed
    assert ARROWS.judge(state, action, 1).broken == (
        Fact("AE-2.0", "not-your-turn", "black", other="white"),
    )


def test_every_known_case_can_be_stated() -> None:
    rng, found = random.Random(3), set[tuple[str, str]]()

    def note(facts: tuple[Fact, ...]) -> None:
        found.update((fact.paragraph, fact.case) for fact in facts)

    given_up, facts = ARROWS.resign(ARROWS.start({}), 0)
    note(facts)
    states = [given_up, *(anywhere(rng) for _ in range(12))]
    for name in ("arrows-and-stars-won", "arrows-and-stars-drawn"):
        golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        state = ARROWS.start(golden["setup"])
        for text, *_ in golden["steps"]:
            state, facts = ARROWS.apply(state, ARROWS.parse(state, text))
            note(facts)
        states.append(state)
    for state in states:
        for action in (*ALWAYS[:2], *ARROWS.legal(state), *conceivable(state, rng, 3000)):
            note(ARROWS.judge(state, action, rng.choice([None, None, None, 0, 1])).broken)
            with suppress(UnreadableAction):
                note(ARROWS.force(state, action)[1])
    assert found == KNOWN
