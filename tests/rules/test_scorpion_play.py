"""Scorpion and Skorpion Deep: stored records, random games, golden playthroughs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.harness import ENDINGS, FULL, random_game
from tests.rules.scorpions import DEEP, SCORPION

from tableref.rules.pieces import texts
from tableref.rules.records import read_record, replay

SETUPS: list[tuple[Any, dict[str, Any]]] = [
    (SCORPION, {"players": 2}),
    (SCORPION, {"players": 3}),
    (SCORPION, {"players": 4, "exact_exit": True}),
    (SCORPION, {"players": 4, "teams": True}),
    (SCORPION, {"players": 4, "teams": True, "partner_throws": True, "cells_per_side": 9}),
    (DEEP, {}),
    (DEEP, {"repetition": False}),
]
LONGEST = 400
"""Actions after which a random game without repetition is left."""


@pytest.mark.parametrize("game", [SCORPION, DEEP], ids=["scorpion", "skorpion-deep"])
def test_stored_records_replay(game: Any, shared: Path) -> None:
    paths = sorted((shared / "records" / game.name).glob("*.json"))
    assert paths
    for path in paths:
        for step in replay(game, read_record(path.read_text(encoding="utf-8"))):
            assert not step.mismatch, f"{path.name}, step {step.number}: {step.mismatch}"


def test_stored_counts_of_legal_moves_are_ours(shared: Path) -> None:
    counted = 0
    for path in sorted((shared / "records" / "skorpion-deep").glob("*.json")):
        record = read_record(path.read_text(encoding="utf-8"))
        state = DEEP.start(record["setup"])
        if "position" in record:
            state = DEEP.from_position(record["setup"], record["position"])
        steps = zip(record["steps"], replay(DEEP, record), strict=True)
        for step, replayed in steps:
            if "legal_before" in step:
                assert len(list(DEEP.legal(state))) == step["legal_before"]
                counted += 1
            state = replayed.state
    assert counted > 1000


@settings(max_examples=2000 if FULL else 60, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_random_games_keep_what_must_hold(which: tuple[Any, dict[str, Any]], seed: int) -> None:
    game, setup = which
    for number, (state, action, _, after) in enumerate(random_game(game, setup, seed)):
        if number == LONGEST:
            break
        if number % 4 == seed % 4 or game.outcome(after):
            hold_pieces(game, after)
        assert game.parse(state, game.text(state, action)) == action
        assert game.read(json.loads(json.dumps(action.record()))) == action
        over = game.outcome(after) is not None
        assert over == (game.due(after).kind == "over")
        assert over or any(True for _ in game.legal(after))


def hold_pieces(game: Any, state: Any) -> None:
    board, facts = texts(game.board(state)), game.facts(state)
    if game is DEEP:
        pieces = list(facts["pieces"].values())
        assert pieces.count("red") <= 8
        assert pieces.count("blue") <= 8
        assert len(board) == len(pieces) + len({facts["skorpion"], facts["tail"]})
        assert facts["skorpion"] != facts["tail"] or facts["tail"] == "gate"
    else:
        assert all(len(cells) == 4 for cells in facts["scorpions"].values())
        shared = [cell for cell, seen in board.items() if " " in seen]
        attacker = facts["attacker"]
        assert shared == [] or shared == [attacker["cell"]]
        on_track = sum(cell[0] in "YK" for cells in facts["scorpions"].values() for cell in cells)
        assert on_track == len(board) + len(shared)


@settings(max_examples=400 if FULL else 12, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_a_position_is_read_back_as_it_was_written(
    which: tuple[Any, dict[str, Any]], seed: int
) -> None:
    game, setup = which
    for number, (*_, after) in enumerate(random_game(game, setup, seed)):
        if number == LONGEST:
            break
        written = json.loads(json.dumps(game.facts(after)))
        again = game.from_position(setup, written)
        assert json.loads(json.dumps(game.facts(again))) == written
        if game is SCORPION:
            assert again == after
        else:
            assert list(game.legal(again)) == list(game.legal(after))


def test_a_state_is_a_value() -> None:
    one = [step.state for step in random_game(SCORPION, {"players": 3}, 5)]
    two = [step.state for step in random_game(SCORPION, {"players": 3}, 5)]
    assert one == two
    assert len(set(one + two)) == len(set(one))


@pytest.mark.parametrize("game", [SCORPION, DEEP], ids=["scorpion", "skorpion-deep"])
def test_every_paragraph_that_can_end_a_game_wants_a_golden_playthrough(game: Any) -> None:
    import tableref.rules.scorpion as scorpion
    import tableref.rules.skorpion_deep as skorpion_deep

    cases = {"scorpion": scorpion.CASES, "skorpion-deep": skorpion_deep.CASES}[game.name]
    ending = {paragraph for paragraph, case, _ in cases if case.startswith("over")}
    assert ENDINGS[game.name] == ending
