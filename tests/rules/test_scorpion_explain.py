"""Scorpion and Skorpion Deep: what was done, going by what is seen."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rules.harness import FULL, random_game
from tests.rules.scorpions import DEEP, SCORPION

from tableref.rules.explain import Explanation, explain, sighting_of
from tableref.rules.pieces import spelled
from tableref.rules.pieces import texts as texts_on
from tableref.rules.scorpion import Move

GAMES = settings(max_examples=200 if FULL else 12, deadline=None)
FOUR = {"players": 4}
SETUPS: list[tuple[Any, dict[str, Any]]] = [
    (SCORPION, {"players": 2}),
    (SCORPION, {"players": 4, "teams": True, "exact_exit": True}),
    (DEEP, {}),
]


def cells_of(game: Any, state: Any) -> list[str]:
    """The names of all cells."""
    return list(game.layout.names if game is DEEP else state.track.cells[1:-1])


def seen(game: Any, state: Any, board: dict[str, str], *unknown: str) -> Explanation:
    """What explains this board, seen without doubt but for the unknown cells."""
    stacks = spelled(game.stacks)
    seen = {cell: stacks[text] for cell, text in board.items()}
    return explain(game, state, sighting_of(seen, cells_of(game, state), unknown))


def texts(game: Any, state: Any, explanation: Explanation) -> list[str]:
    """Each answer in short."""
    found = []
    for answer in explanation.answers:
        now, words = state, []
        for action in answer.actions:
            words.append(game.text(now, action))
            now, _ = game.apply(now, action)
        assert now == answer.state
        found.append(" ".join(words))
    return found


def at(dice: str, setup: dict[str, Any] | None = None, **scorpions: list[str]) -> Any:
    """Four players, blue to play, with these dice thrown."""
    told: dict[str, Any] = {
        "scorpions": {c: cells + ["hand"] * (4 - len(cells)) for c, cells in scorpions.items()},
        "opened": [True] * 4,
    }
    state = SCORPION.from_position({"players": 4} | (setup or {}), told)
    for die in dice.split():
        state, _ = SCORPION.apply(state, SCORPION.parse(state, die))
    return state


def reasons(explanation: Explanation) -> list[str]:
    """Paragraph and case of what is wrong, the deciding one first."""
    assert explanation.nearest is not None
    return [f"{f.paragraph} {f.case}" for f in explanation.nearest.ruling.broken]


# -- legal moves ----------------------------------------------------------------------------------


@GAMES
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_whatever_was_played_is_among_the_answers(
    which: tuple[Any, dict[str, Any]], seed: int
) -> None:
    game, setup = which
    for state, _, _, after in random_game(game, setup, seed):
        board = texts_on(game.board(after))
        if board == texts_on(game.board(state)):
            continue
        explanation = seen(game, state, board)
        assert after in [answer.state for answer in explanation.answers]
        assert all(texts_on(game.board(answer.state)) == board for answer in explanation.answers)


@GAMES
@given(st.integers(0, 2**32))
def test_two_moves_seen_at_once_are_explained_together(seed: int) -> None:
    for first, second in pairwise(random_game(SCORPION, FOUR, seed)):
        one, two, after = first.action, second.action, second.after
        boards = [texts_on(SCORPION.board(s)) for s in (first.state, first.after, after)]
        if isinstance(one, Move) and isinstance(two, Move) and boards[2] not in boards[:2]:
            answers = [answer.state for answer in seen(SCORPION, first.state, boards[2]).answers]
            assert after in answers


def test_one_board_by_one_sum_or_two_scorpions_is_one_answer() -> None:
    state = at("y2 y4", blue=["Y1", "Y3"])
    assert len(seen(SCORPION, state, {"Y3": "blue", "Y7": "blue"}).answers) == 1


def test_who_is_sent_across_is_seen() -> None:
    state = at("y3 k1", blue=["Y5"], red=["Y8"])
    across = seen(SCORPION, state, {"Y8": "blue", "K13": "red"})
    assert texts(SCORPION, state, across) == ["bY5+3x"]
    stays = seen(SCORPION, state, {"Y8": "blue red"})
    assert texts(SCORPION, state, stays) == ["bY5+3"]


def test_two_moves_that_look_like_one_are_asked_about() -> None:
    state = at("k1 k5", blue=["K18", "K19"])
    explanation = seen(SCORPION, state, {"K19": "blue"})
    # The second answer uses up both dice, as one move by their sum and as two moves alike.
    assert texts(SCORPION, state, explanation) == ["bK18+5", "bK18+6"]
    assert explanation.question is not None


def test_two_moves_that_undo_what_one_shows_are_among_the_answers() -> None:
    # The first goes from Y19 to K2; the second, from Y20, stings it and sends it back to Y19.
    state = at("y2 y3", red=["K3"], blue=["Y19", "Y20"])
    found = texts(
        SCORPION, state, seen(SCORPION, state, {"K3": "red", "Y19": "blue", "K2": "blue"})
    )
    assert found == ["bY20+2", "bY19+3 bY20+2x"]


def test_a_scorpion_that_left_by_either_die_is_asked_about() -> None:
    state = at("k4 k5", blue=["K19"])
    explanation = seen(SCORPION, state, {})
    assert texts(SCORPION, state, explanation) == ["bK19+4", "bK19+5", "bK19+9"]
    assert explanation.question is not None


def test_what_is_hidden_is_not_guessed() -> None:
    state = at("y2 k1", blue=["Y5", "Y9"])
    explanation = seen(SCORPION, state, {"Y9": "blue"}, "Y7", "Y11")
    assert texts(SCORPION, state, explanation) == ["bY5+2"]
    explanation = seen(SCORPION, state, {"Y5": "blue"}, "Y9", "Y11", "Y2", "Y7")
    assert len(explanation.answers) > 1


def test_one_that_came_in_where_nobody_sees_counts_beside_the_move_that_is_seen() -> None:
    state = at("y5 y2", blue=["Y1"], red=["Y3"])
    explanation = seen(SCORPION, state, {"Y3": "blue red"}, "Y5")
    assert texts(SCORPION, state, explanation) == ["bY1+2", "bH+5 bY1+2"]


def test_a_turn_in_which_nothing_can_be_done_ends_by_itself() -> None:
    lost = at("k1 k2", blue=["Y5"])
    assert SCORPION.text(lost, SCORPION.unseen_move(lost)) == "."
    assert SCORPION.unseen_move(at("y1 k2", blue=["Y5"])) is None
    assert SCORPION.unseen_move(at("", blue=["Y5"])) is None


def test_whole_turns_of_the_skorpion_are_read_off_the_board() -> None:
    state = DEEP.from_position(
        {}, {"pieces": {"s3": "red", "s2": "red", "n3": "blue"}, "skorpion": "e1", "tail": "gate"}
    )
    board = {"e3": "skorpion", "e2": "tail", "s3": "red", "n3": "blue"}
    assert texts(DEEP, state, seen(DEEP, state, board)) == [">e2>e3/s2"]
    placed = texts_on(DEEP.board(state)) | {"s1": "red"}
    assert texts(DEEP, state, seen(DEEP, state, placed)) == ["s1"]
    assert DEEP.unseen_move(state) is None


# -- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ({"Y5": "blue", "K7": "blue", "Y8": "red"}, "SC-2.1 yellow-die-on-black"),
        ({"Y11": "blue", "K3": "blue", "Y8": "red"}, "SC-2.5 trays-differ"),
        ({"Y10": "blue", "K3": "blue", "Y8": "red"}, "SC-2.5 no-die"),
        ({"Y5": "blue", "K3": "blue", "Y12": "red"}, "SC-2.0 not-your-colour"),
        ({"Y5": "blue", "K3": "blue", "Y8": "red", "Y4": "green"}, "SC-2.0 not-your-colour"),
        ({"Y2": "blue", "K3": "blue", "Y8": "red"}, "HR-3.1 moved"),
    ],
)
def test_the_nearest_illegal_move_says_why(board: dict[str, str], expected: str) -> None:
    state = at("y4 k2", blue=["Y5", "K3"], red=["Y8"])
    explanation = seen(SCORPION, state, board)
    assert reasons(explanation)[0] == expected
    assert explanation.put_back


def test_nobody_may_be_sent_across_without_a_sting_or_against_the_rules() -> None:
    state = at("y3 k1", blue=["Y2", "Y5"])
    assert reasons(seen(SCORPION, state, {"Y5": "blue", "K16": "blue"})) == ["SC-3.3 own-first-six"]


def test_a_forgotten_change_of_places_is_named() -> None:
    state = at("y4 k6", blue=["Y4"], red=["K13"])
    assert reasons(seen(SCORPION, state, {"Y8": "blue", "K13": "red"})) == ["SC-4.1 changes-places"]


def test_nothing_moves_before_the_dice_are_thrown() -> None:
    state = at("y4", blue=["Y5"])
    assert reasons(seen(SCORPION, state, {"Y9": "blue"})) == ["SC-2.2 throw-first"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"nw2": "red"}, "SD-3.3 one-line"),
        ({"w1": "red"}, "SD-3.5 two-lines-black"),
        ({"w1": "blue"}, "SD-2.2 not-your-turn"),
        ({"gate": "", "e1": "tail", "w2": "skorpion"}, "SD-4.1 no-line"),
        ({"e1": "tail", "gate": "skorpion"}, "SD-4.4 into-gate"),
        ({"gate": "", "e1": "", "e2": "tail", "e3": "skorpion"}, "SD-4.7 unpaid"),
        ({"e1": "", "e2": "skorpion"}, "SD-4.1 tail-follows"),
        ({"gate": "", "e1": "tail", "se2": "skorpion", "s3": ""}, "HR-3.1 moved"),
        ({"n3": ""}, "HR-3.1 moved"),
    ],
)
def test_the_nearest_illegal_turn_says_why(changed: dict[str, str], expected: str) -> None:
    pieces = {"s3": "red", "s2": "red", "n3": "blue"}
    state = DEEP.from_position({}, {"pieces": pieces, "skorpion": "e1", "tail": "gate"})
    board = {spot: text for spot, text in (texts_on(DEEP.board(state)) | changed).items() if text}
    assert reasons(seen(DEEP, state, board))[0] == expected


def test_an_explanation_of_anything_is_given() -> None:
    rng = random.Random(4)
    for game, setup in SETUPS:
        for state, *_ in list(random_game(game, setup, 9))[::7]:
            names = cells_of(game, state)
            pieces = list(texts_on(game.board(state)).values()) or ["red"]
            board = {cell: rng.choice(pieces) for cell in rng.sample(names, 4)}
            explanation = seen(game, state, board)
            assert explanation.answers or explanation.nearest


def test_a_scorpion_on_a_part_of_the_track_that_is_not_played_on_goes_back() -> None:
    """The board has 40 cells, this game 16: no move leads to the others, nor beside one there."""
    state = SCORPION.start({"players": 2, "cells_per_side": 8})
    for value in (5, 2):
        state = SCORPION.apply(state, SCORPION.read({"throw": {"tray": "yellow", "value": value}}))[
            0
        ]
    [stack] = [stack for stack in SCORPION.stacks if texts_on({"": stack})[""] == "blue"]
    cells = [*state.track.cells[1:-1], "Y13"]
    for board in ({"Y13": stack}, {"Y7": stack, "Y13": stack}):
        explanation = explain(SCORPION, state, sighting_of(board, cells))
        assert not explanation.answers
        assert explanation.nearest is not None
        assert ("Y13", "") in [(put.start, put.to) for put in explanation.put_back]
