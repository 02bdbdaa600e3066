"""Arrows and stars: stored records, random games, golden playthroughs, other lattices."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.boards import ARROWS
from tests.rules.harness import FULL, random_game

from tableref.rules.arrows_and_stars import ArrowsAndStars, layout_from
from tableref.rules.pieces import texts
from tableref.rules.records import read_record, replay
from tableref.rules.surface import AmbiguousAction, SetupError, UnreadableAction
from tableref_hardware import load_board

SETUPS: list[dict[str, Any]] = [{}, {"star_control": "own"}, {"repetition": 2}, {"repetition": 0}]
DATA = load_board("arrows-and-stars").data


def test_stored_records_replay_with_their_counts_of_arrow_moves(shared: Path) -> None:
    counted = 0
    for path in sorted((shared / "records" / "arrows-and-stars").glob("*.json")):
        record = read_record(path.read_text(encoding="utf-8"))
        state = ARROWS.start(record["setup"])
        for step, replayed in zip(record["steps"], replay(ARROWS, record), strict=True):
            assert not replayed.mismatch, f"{path.name}, step {replayed.number}"
            if "legal_before" in step:
                assert len(list(ARROWS.legal(state))) == step["legal_before"]
                counted += 1
            state = replayed.state
    assert counted > 1000


@settings(max_examples=2000 if FULL else 150, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_random_games_keep_what_must_hold(setup: dict[str, Any], seed: int) -> None:
    for number, (state, action, _, after) in enumerate(random_game(ARROWS, setup, seed)):
        assert ARROWS.parse(state, ARROWS.text(state, action)) == action
        assert ARROWS.read(json.loads(json.dumps(action.record()))) == action
        over = ARROWS.outcome(after) is not None
        assert over == (ARROWS.due(after).kind == "over")
        assert over or next(ARROWS.legal(after), None) is not None
        if number % 16 != seed % 16 and not over:
            continue
        told = ARROWS.facts(after)
        pieces = list(told["pieces"].values())
        for colour in ("white", "black"):
            assert sum(p.startswith(f"{colour} arrow") for p in pieces) == 10
            stars = sum(p.startswith(f"{colour} star") for p in pieces)
            assert stars + told["stars_out"][colour] == 3


@settings(max_examples=200 if FULL else 10, deadline=None)
@given(st.integers(0, 2**32))
def test_a_position_is_read_back_as_it_was_written(seed: int) -> None:
    for number, (*_, after) in enumerate(random_game(ARROWS, {}, seed)):
        if number % 16 == seed % 16 and ARROWS.outcome(after) is None:
            again = ARROWS.from_position({}, json.loads(json.dumps(ARROWS.facts(after))))
            assert again._replace(seen=()) == after._replace(seen=())


def test_the_cells_of_the_rules_are_those_of_the_board() -> None:
    assert list(load_board("arrows-and-stars").cells) == list(ARROWS.layout.masks)


def changed(section: str, key: str, value: Any) -> dict[str, Any]:
    data = copy.deepcopy(dict(DATA))
    data[section][key] = value
    return data


def test_another_lattice_is_played_by_its_own_steps() -> None:
    """Nine straight rows of seven, steps straight ahead and to both sides."""
    data = copy.deepcopy(dict(DATA))
    data["cells"]["rows"] = [7] * 9
    data["steps"] = {"forward": [[0, 1]], "side": [[-2, 0], [2, 0]]}
    data["starts"]["black_arrows"] = ["a9", "c9", "e9", "g9", "a8", "b8", "c8", "d8", "e8", "f8"]
    game: Any = ArrowsAndStars(layout_from(data))
    listed = [game.text(game.start({}), action) for action in game.legal(game.start({}))]
    steps = {"a2-a3", "b2-b3", "c2-c3", "d2-d3", "e2-e3", "f2-f3", "g1-g2", "f2-g2"}
    assert {text for text in listed if text.count("-") == 1} == steps | {
        "a1-a3", "c1-c3", "e1-e3",
    }  # fmt: skip
    for seed in range(3):
        for *_, after in random_game(game, {}, seed):
            assert len(texts(game.board(after))) + sum(after.out) == 26


@pytest.mark.parametrize(
    ("section", "key", "value", "said"),
    [
        ("cells", "rows", [7], "cells.rows"),
        ("cells", "rows", "many", "cells.rows"),
        ("steps", "forward", [], "steps.forward"),
        ("steps", "forward", [[0, -1]], "steps.forward"),
        ("steps", "forward", [[1, 1], [2, 2]], "the same cell"),
        ("steps", "side", [[-2, 1]], "steps.side"),
        ("steps", "side", [[-2]], "steps.side"),
        ("starts", "white_stars", ["b1", "d1"], "starts.white_stars"),
        ("starts", "white_stars", ["b1", "d1", "d1"], "starts.white_stars"),
        ("starts", "black_stars", ["b1", "d1", "f1"], "starts.black_stars"),
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
        ({"pieces": {"z9": "white arrow up"}}, "z9"),
        ({"pieces": {"a1": "white"}}, "a1"),
        ({"pieces": {"a2": "white star down"}}, "AE-3.3"),
        ({"pieces": {"a9": "white star up"}}, "AE-3.4"),
        ({"turn": "green"}, "turn"),
        ({"stars_out": {"white": 1}}, "3 stars"),
        ({"pieces": dict.fromkeys(("b3", "c3", "d3", "e3"), "white star up")}, "found 4"),
        ({"star_moves": -1}, "star_moves"),
        ({"order": []}, "order"),
    ],
)
def test_a_position_that_cannot_be_says_why(position: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        ARROWS.from_position({}, position)


@pytest.mark.parametrize(
    "setup", [{"star_control": "both"}, {"repetition": 1}, {"repetition": "x"}, {"stars": 3}]
)
def test_an_option_that_is_unknown_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match="set-up"):
        ARROWS.start(setup)


@pytest.mark.parametrize(
    "record",
    [
        {}, {"arrow": ["d5"]}, {"arrow": ["d5", "z5"]}, {"arrow": "d5"}, {"end_turn": False},
        {"star": ["d5", "d6", "d7"]}, {"fly": True}, {"arrow": [1, 2]},
        {"arrow": ["a1", "a2"], "pass": True},
    ],
)  # fmt: skip
def test_a_record_that_is_no_action_is_unreadable(record: Any) -> None:
    with pytest.raises(UnreadableAction):
        ARROWS.read(record)


@pytest.mark.parametrize(
    "text", ["", "-1", "a2", "a2-", "a2-z9", "*", "*a1", "a2..", "fly", "a2..a3-a4"]
)
def test_a_text_that_is_no_action_is_answered_with_examples(text: str) -> None:
    with pytest.raises(UnreadableAction, match="as in: d3-e5-g5"):
        ARROWS.parse(ARROWS.start({}), text)


def test_a_short_text_that_fits_several_chains_is_ambiguous() -> None:
    pieces = {
        "d3": "white arrow up", "c4": "black arrow down", "d4": "black arrow down",
        "c6": "black arrow down", "d6": "black arrow down", "a1": "white star up",
        "a8": "black star down",
    }  # fmt: skip
    state = ARROWS.from_position({}, {"pieces": pieces})
    assert ARROWS.text(state, ARROWS.parse(state, "d3..c5")) == "d3-c5"
    with pytest.raises(AmbiguousAction, match="d3-c5-d7"):
        ARROWS.parse(state, "d3..d7")
    with pytest.raises(UnreadableAction):
        ARROWS.parse(state, "d3..a1")
