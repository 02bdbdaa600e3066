"""Squod: list and judge say the same of every conceivable action, and every fact is known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.boards import SQUOD, dealt
from tests.rules.harness import FULL, random_game

from tableref.rules.squod import CASES
from tableref.rules.squod.actions import Move, Pass, PutBack, Show, Squod, Tell
from tableref.rules.squod.layout import KINDS
from tableref.rules.surface import Fact, Refused, UnreadableAction

PLACES = SQUOD.layout.names
RAMPS = PLACES[SQUOD.layout.ring :]
RING = PLACES[: SQUOD.layout.ring]
KNOWN = {(paragraph, case) for paragraph, case, _ in CASES}
NAMED = ("", *KINDS)


ALWAYS = (
    Pass(),
    *(Move(start, to) for start, to in product(PLACES, PLACES)),
    *(Move(start, to, kind) for start, to, kind in product(RAMPS, RING, KINDS)),
    *(PutBack(kind, place) for kind, place in product(NAMED, PLACES)),
    *(Show(place, kind) for place, kind in product(PLACES, KINDS)),
    *(
        Squod(start, via, target)
        for start, via, target in product(RAMPS, RAMPS, RAMPS)
        if start[0] == via[0] and (via[1] == target[1] == "3" or start == via)
    ),
)
"""Every move, put-back and show, and the attacks that are not too far off."""


def conceivable(rng: random.Random, part: int) -> Iterator[Any]:
    """So many of the actions that can be thought of; attacks with kinds or without."""
    for action in rng.sample(ALWAYS, part) if part else ALWAYS:
        yield action
        if isinstance(action, Squod):
            yield action._replace(kinds=(rng.choice(NAMED), rng.choice(NAMED)))


def tellings(state: Any, rng: random.Random) -> Iterator[Tell]:
    """What players might tell of their ramps: all of it or a part, possible or not."""
    for player in range(state.setup.players):
        places = list(SQUOD.to_tell(state, player)) or ["S11"]
        for told in (places, places[1:]):
            yield Tell(player, tuple((place, rng.choice(KINDS)) for place in told))


def listed_form(state: Any, action: Any) -> Any:
    """The action as it is listed: without kinds that are known already, with the only kind that
    could be put back."""
    facts = SQUOD.facts(state)["pieces"]

    def unsaid(place: str, kind: str) -> str:
        return "" if facts.get(place, "").endswith(f" {kind}") else kind

    if isinstance(action, Move) and action.kind:
        return action._replace(kind=unsaid(action.start, action.kind))
    if isinstance(action, Squod):
        places = (action.start, action.target)
        kinds = tuple(map(unsaid, places, action.kinds))
        return action._replace(kinds=kinds)
    if isinstance(action, PutBack) and not action.kind and state.setup.secret:
        names = {a.kind for a in SQUOD.legal(state) if isinstance(a, PutBack)}
        return action._replace(kind=names.pop()) if len(names) == 1 else action
    return action


def audit(state: Any, rng: random.Random, part: int = 0) -> None:
    listed = list(SQUOD.legal(state))
    assert len(listed) == len(set(listed))
    for action in {*listed, *conceivable(rng, part)}:
        ruling = SQUOD.judge(state, action)
        assert ruling.allowed == (listed_form(state, action) in listed), (action, ruling)
        for fact in ruling.broken:
            assert (fact.paragraph, fact.case) in KNOWN, fact


def games(players: int, hidden: float, seed: int) -> Iterator[tuple[Any, Any, Any]]:
    """A random game, in which somebody may give up."""
    rng = random.Random(seed)
    for state, action, _, after in random_game(SQUOD, dealt(players, seed, hidden), seed):
        yield state, action, after
        if rng.random() < 0.02 and not SQUOD.outcome(after):
            stays = [p for p in range(players) if not after.gone >> p & 1]
            given_up, facts = SQUOD.resign(after, rng.choice(stays))
            check_events(facts)
            yield after, None, given_up


@settings(max_examples=300 if FULL else 20, deadline=None)
@given(st.sampled_from([2, 4]), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 2**32))
def test_what_is_listed_is_what_has_no_reason_against_it(
    players: int, hidden: float, seed: int
) -> None:
    rng = random.Random(seed)
    for _, _, after in games(players, hidden, seed):
        if rng.random() < 0.004:
            audit(after, rng)
        elif rng.random() < 0.5 or SQUOD.outcome(after):
            audit(after, rng, part=40)


def check_events(facts: tuple[Fact, ...]) -> None:
    for fact in facts:
        assert (fact.paragraph, fact.case) in KNOWN, fact


@settings(max_examples=100 if FULL else 15, deadline=None)
@given(st.sampled_from([2, 4]), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 2**32))
def test_every_event_of_random_play_is_known(players: int, hidden: float, seed: int) -> None:
    for state, action, _ in games(players, hidden, seed):
        if action is not None:
            check_events(SQUOD.apply(state, action)[1])


def test_apply_refuses_with_the_ruling_of_judge_and_force_lets_stand_or_says_it_cannot() -> None:
    rng, stood = random.Random(4), 0
    for seed in range(8):
        for state, _, _ in games(2 + seed % 2 * 2, (0.0, 0.5)[seed // 2 % 2], seed):
            if rng.random() > 0.05:
                continue
            for action in conceivable(rng, 150):
                ruling = SQUOD.judge(state, action)
                if not ruling.allowed:
                    with pytest.raises(Refused) as refused:
                        SQUOD.apply(state, action)
                    assert refused.value.ruling == ruling
                try:
                    after, facts = SQUOD.force(state, action)
                except UnreadableAction:
                    assert not ruling.allowed
                    continue
                stood += 1
                check_events(facts)
                told = SQUOD.facts(after)
                before = SQUOD.facts(state)
                assert all_pieces(told) == all_pieces(before)
    assert stood > 100


def all_pieces(facts: dict[str, Any]) -> int:
    return len(facts["pieces"]) + sum(len(hand) for hand in facts["hands"].values())


def test_meanings_name_only_what_a_fact_holds() -> None:
    for _, _, meaning in CASES:
        assert {name for _, name, _, _ in Formatter().parse(meaning) if name} <= set(Fact._fields)
    assert len(CASES) == len({case[:2] for case in CASES})


RARE: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {"pieces": {"S33": "0 scissors", "c1": "1 rock"}, "hands": {"0": ["rock"]}}),
    (2, {"pieces": {"S33": "0 scissors", "c1": "1 paper"}}),
    (2, {"pieces": {"S33": "0 ?", "W32": "1 ?"}}),
    (4, {"pieces": {"S11": "0 rock", "b2": "2 rock", "W11": "1 rock"}, "resigned": [2]}),
)
"""Players and position, for what hardly happens: a put-back or a capture is all that forbids a
pass; a hidden piece before a free cell; the piece of a partner who gave up."""


def test_every_known_case_can_be_stated() -> None:
    rng, found = random.Random(3), set[tuple[str, str]]()

    def note(facts: tuple[Fact, ...]) -> None:
        found.update((fact.paragraph, fact.case) for fact in facts)

    states = []
    for players, position in RARE:
        states.append(SQUOD.from_position({"players": players}, {**position, "turn": 0}))
        given_up, facts = SQUOD.resign(states[-1], 1)
        note(facts)
        states.append(given_up)
    drawn, facts = SQUOD.apply(SQUOD.from_position({}, {"pieces": {}, "passed": [1]}), Pass())
    note(facts)
    states.append(drawn)
    for seed in range(16):
        hidden, players = seed % 3 / 2, 2 + seed % 2 * 2
        for number, (state, action, after) in enumerate(games(players, hidden, seed)):
            if action is not None:
                note(SQUOD.apply(state, action)[1])
            if number % 40 == 0 or SQUOD.outcome(after):
                states.append(after)
    for state in states:
        told = [*tellings(state, rng)] * 3
        usual = (Pass(), Move("S33", "c1"), *SQUOD.legal(state), *conceivable(rng, 900))
        for action in (*usual, *told):
            note(SQUOD.judge(state, action, rng.choice([None, None, None, 0, 1])).broken)
            with suppress(UnreadableAction):
                note(SQUOD.force(state, action)[1])
    assert found == KNOWN
