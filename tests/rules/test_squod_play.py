"""Squod: stored records, random games, what a player may see, other boards."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.boards import SQUOD, dealt
from tests.rules.harness import FULL, random_game

from tableref.rules.pieces import texts
from tableref.rules.records import read_record, replay
from tableref.rules.squod import SquodGame, layout_from
from tableref.rules.squod.actions import Move, PutBack, Squod
from tableref.rules.squod.layout import KINDS
from tableref.rules.surface import SetupError, UnreadableAction
from tableref_hardware import load_board

DATA = load_board("squod").data


def test_stored_records_replay_with_their_counts_of_moves(shared: Path) -> None:
    counted = 0
    for path in sorted((shared / "records" / "squod").glob("*.json")):
        record = read_record(path.read_text(encoding="utf-8"))
        state = SQUOD.start(record["setup"])
        for step, replayed in zip(record["steps"], replay(SQUOD, record), strict=True):
            assert not replayed.mismatch, f"{path.name}, step {replayed.number}"
            if "legal_before" in step:
                for action in map(SQUOD.read, step["do"]):
                    if isinstance(action, PutBack):
                        state, _ = SQUOD.apply(state, action)
                moves = [a for a in SQUOD.legal(state) if isinstance(a, Move | Squod)]
                assert len(moves) == step["legal_before"]
                counted += 1
            state = replayed.state
    assert counted > 1000


@settings(max_examples=2000 if FULL else 200, deadline=None)
@given(st.sampled_from([2, 4]), st.sampled_from([0.0, 0.0, 0.5, 1.0]), st.integers(0, 2**32))
def test_random_games_keep_what_must_hold(players: int, hidden: float, seed: int) -> None:
    for number, (state, action, _, after) in enumerate(
        random_game(SQUOD, dealt(players, seed, hidden), seed)
    ):
        assert SQUOD.parse(state, SQUOD.text(state, action)) == action
        assert SQUOD.read(json.loads(json.dumps(action.record()))) == action
        over = SQUOD.outcome(after) is not None
        assert over == (SQUOD.due(after).kind == "over")
        assert over or next(SQUOD.legal(after), None) is not None
        if number % 8 != seed % 8 and not over:
            continue
        told = SQUOD.facts(after)
        for player in range(players):
            own = [p for p in told["pieces"].values() if p.startswith(f"{player} ")]
            kinds = [p.split()[1] for p in own] + told["hands"][str(player)]
            assert len(kinds) == 6
            assert all(kinds.count(kind) <= 2 for kind in KINDS)
        assert after.occupied == sum(1 << p for p, piece in enumerate(after.cells) if piece)


@settings(max_examples=200 if FULL else 20, deadline=None)
@given(st.sampled_from([2, 4]), st.integers(0, 2**32))
def test_a_position_is_read_back_as_it_was_written(players: int, seed: int) -> None:
    setup = dealt(players, seed)
    for number, (*_, after) in enumerate(random_game(SQUOD, setup, seed)):
        if number % 8 == seed % 8:
            again = SQUOD.from_position(setup, json.loads(json.dumps(SQUOD.facts(after))))
            assert again._replace(over=None) == after._replace(over=None)
            assert (again.over is None) == (after.over is None)


@settings(max_examples=200 if FULL else 20, deadline=None)
@given(st.sampled_from([2, 4]), st.integers(0, 2**32))
def test_a_view_is_the_same_whatever_the_others_hide(players: int, seed: int) -> None:
    """Dealing anew what the others have on ramps and in hands changes nothing in a view."""
    rng, setup = random.Random(seed), dealt(players, seed)
    for *_, after in random_game(SQUOD, setup, seed):
        if rng.random() < 0.9:
            continue
        for viewer in (None, *range(players)):
            told = SQUOD.facts(after)
            for other in range(players):
                if other != viewer:
                    deal_anew(told, other, rng)
            again = SQUOD.from_position(setup, told)
            assert SQUOD.view(again, viewer) == SQUOD.view(after, viewer)
            assert texts(SQUOD.board(again)) == texts(SQUOD.board(after))


def deal_anew(told: dict[str, Any], player: int, rng: random.Random) -> None:
    """Shuffles the kinds of a player's pieces on the ramp and in the hand."""
    ramp = [
        place for place, piece in told["pieces"].items()
        if place in SQUOD.layout.names[SQUOD.layout.ring :] and piece.startswith(f"{player} ")
    ]  # fmt: skip
    kinds = [told["pieces"][place].split()[1] for place in ramp] + told["hands"][str(player)]
    rng.shuffle(kinds)
    told["pieces"] |= {p: f"{player} {kind}" for p, kind in zip(ramp, kinds, strict=False)}
    told["hands"][str(player)] = sorted(kinds[len(ramp) :])


def test_a_player_sees_his_own_pieces_and_the_ring() -> None:
    state = SQUOD.start(dealt(2, 1))
    assert SQUOD.view(state, 0)["pieces"]["S11"] == SQUOD.facts(state)["pieces"]["S11"]
    assert set(SQUOD.view(state, None)["pieces"].values()) == {"0 ?", "1 ?"}


def test_the_places_of_the_rules_are_those_of_the_board() -> None:
    assert tuple(load_board("squod").cells) == SQUOD.layout.names


def changed(section: str, key: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(dict(DATA))
    data[section][key] = value
    return data


def test_a_larger_ring_is_played_by_its_own_lanes() -> None:
    game: Any = SquodGame(layout_from(changed("cells", "size", 4)))
    kinds: list[str | None] = [*KINDS, *KINDS, "", ""]
    setup = {"placement": [kinds, kinds]}
    assert game.parse(game.start(setup), "S31-a1") == Move("S31", "a1")
    for seed in range(3):
        for *_, after in random_game(game, setup, seed):
            told = game.facts(after)
            assert len(told["pieces"]) + sum(map(len, told["hands"].values())) == 12


@pytest.mark.parametrize(
    ("section", "key", "value", "said"),
    [
        ("cells", "size", 2, "cells.size"),
        ("cells", "lines", 4, "cells.lines"),
        ("cells", "sides", "S", "cells.sides"),
        ("ramps", "two", ["S", "N"], "ramps.two"),
        ("ramps", "four", ["S", "N", "W", "E"], "ramps.four"),
        ("ramps", "four", ["S", "W"], "ramps.four"),
        ("ramps", "two", ["S", "X"], "ramps.two"),
        ("ramps", "three", ["S", "W", "N"], "three"),
    ],
)
def test_a_board_file_that_cannot_be_played_names_the_key(
    section: str, key: str, value: Any, said: str
) -> None:
    with pytest.raises(SetupError, match=said):
        layout_from(changed(section, key, value))


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"pieces": {"d4": "0 rock"}}, "d4"),
        ({"pieces": {"a1": "rock"}}, "a1"),
        ({"pieces": {"a1": "0 ?"}}, "SQ-1.5"),
        ({"pieces": {"S11": "1 rock"}}, "S11"),
        ({"pieces": {"a1": "0 rock", "b1": "0 paper", "c1": "0 scissors", "a2": "1 rock",
                     "b2": "1 paper", "c2": "1 scissors"}}, "SQ-5.1"),
        ({"hands": {"2": []}}, "hands"),
        ({"hands": {"0": ["stone"]}}, "hands"),
        ({"turn": 2}, "turn"),
        ({"board": {}}, "board"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_says_why(position: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        SQUOD.from_position({}, position)


@pytest.mark.parametrize(
    "setup",
    [
        {"players": 3}, {"first": 2}, {"placement": [None]}, {"names": ["Eva"]}, {"secret": 1},
        {"placement": ["rock", None]}, {"colour": "red"}, {"names": ["Eva", "Eva"]},
    ],
)  # fmt: skip
def test_an_option_that_is_unknown_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="set-up"):
        SQUOD.start(setup)


@pytest.mark.parametrize(
    "record",
    [
        {}, {"move": ["S11"]}, {"move": ["S11", "S44"]}, {"move": ["S11", "S21", "rock"]},
        {"move": ["S31", "a1", "stone"]}, {"squod": {"from": "S31"}}, {"pass": 1}, {"show": {}},
        {"squod": {"from": "S31", "via": "S31", "target": "W31", "kinds": ["rock"]}},
        {"put_back": {"to": "S11"}}, {"show": {"at": "S11", "kind": None}}, {"put_back": "rock"},
    ],
)  # fmt: skip
def test_a_record_that_is_no_action_is_unreadable(record: Any) -> None:
    with pytest.raises(UnreadableAction):
        SQUOD.read(record)


@pytest.mark.parametrize("text", ["S11", "S11-S99", "S11-S21=r", "S1>r", "x>S11", ""])
def test_a_text_that_is_no_action_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableAction):
        SQUOD.parse(SQUOD.start({}), text)
