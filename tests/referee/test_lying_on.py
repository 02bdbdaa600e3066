"""Pieces that lie on, or close beside, others: an eye by looks tells but one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableref.referee.evidence import Evidence
from tableref.referee.games import load_game
from tableref.referee.senses import eye
from tableref.referee.verdict import Verdict, judged
from tableref.rules.defaults import TableGame
from tableref.rules.explain import Sighting
from tableref.rules.pieces import text_of
from tableref_hardware import load_board
from tableref_vision.observation import Observation
from tests.referee.test_trays import position


def look(
    name: str, state: Any, cells: Mapping[str, str], strange: tuple[str, ...] = ()
) -> tuple[TableGame[Any], eye.Seen]:
    """What an eye by looks says that reads these texts, and nothing on all other cells."""
    game, board = load_game(name), load_board(name)
    texts = {cell: frozenset({cells.get(cell, "")}) for cell in board.cells}
    seen = Observation(
        1.0, "1", "ok", (), (), frozenset(), False, True, cells=texts, strange=strange
    )
    return game, eye.seen(board, game.stacks, seen, game.board(state))


def verdict_on(name: str, state: Any, cells: Mapping[str, str]) -> Verdict:
    game, seen = look(name, state, cells)
    return judged(game, state, Evidence(Sighting(seen.cells), seen.doubts))


def played(name: str, setup: Mapping[str, Any], *records: Mapping[str, Any]) -> Any:
    game = load_game(name)
    state = game.start(setup)
    for record in records:
        action = game.read(record)
        assert not game.judge(state, action).broken, record
        state, _ = game.apply(state, action)
    return state


def throw(value: int) -> dict[str, Any]:
    return {"throw": {"tray": "yellow", "value": value}}


def enters(colour: str, steps: int, **more: Any) -> dict[str, Any]:
    return {"move": {"colour": colour, "from": "hand", "steps": steps, **more}}


SCORPION = {"players": 2, "cells_per_side": 20, "teams": False}
BLUE_ON_Y7 = (throw(2), throw(5), enters("blue", 7), {"end_turn": True})
RED_ON_Y9 = (throw(5), throw(4), enters("red", 9), {"end_turn": True})


def test_a_piece_that_lies_on_one_of_another_colour_is_ruled() -> None:
    both = (*BLUE_ON_Y7, *RED_ON_Y9, throw(4), throw(3), enters("blue", 4))
    more = (enters("green", 3), {"end_turn": True}, throw(6), throw(5), enters("red", 6))
    state = played("scorpion", SCORPION, *both, *more, {"end_turn": True}, throw(4), throw(6))
    cells = {"Y7": "blue", "Y9": "red", "Y4": "green", "Y3": "green", "Y6": "red"}
    found = verdict_on("scorpion", state, cells)
    assert found.kind == "done"


def test_a_piece_that_left_and_shows_nowhere_is_asked_about() -> None:
    """Blue goes onto blue, or is in a hand."""
    both = (*BLUE_ON_Y7, *RED_ON_Y9, throw(4), throw(1), enters("blue", 4), {"end_turn": True})
    state = played(
        "scorpion", SCORPION, *both, throw(6), throw(6), enters("red", 6), {"end_turn": True},
        throw(3), throw(6),
    )  # fmt: skip
    found = verdict_on("scorpion", state, {"Y7": "blue", "Y9": "red", "Y6": "red"})
    assert found.kind == "several"


DEEP = {"repetition": False}
OUT = ({"place": "s3"}, {"place": "nw3"}, {"skorpion": ["e1"]}, {"place": "n3"}, {"place": "s2"})
STEPPED = (*OUT, {"skorpion": ["e2", "se2"], "pay": "n3"})


def test_the_skorpion_that_is_sent_to_the_gate_takes_the_tail_along() -> None:
    state = played("skorpion-deep", DEEP, *STEPPED)
    cells = {"gate": "skorpion", "s2": "red", "nw3": "blue", "s3": "red"}
    found = verdict_on("skorpion-deep", state, cells)
    assert found.kind == "done"
    assert found.answers[0].actions == (load_game("skorpion-deep").read({"skorpion": ["se3"]}),)


def test_of_two_ways_to_the_gate_none_is_ruled() -> None:
    """Over ne2 or se2 it comes to the same, for the bead on n3."""
    state = played("skorpion-deep", DEEP, *OUT)
    cells = {"gate": "skorpion", "s2": "red", "s3": "red", "nw3": "blue"}
    found = verdict_on("skorpion-deep", state, cells)
    assert found.kind == "several"


def test_the_tail_beside_the_skorpion_is_nothing_strange() -> None:
    state = played("skorpion-deep", DEEP)
    _, seen = look("skorpion-deep", state, {"gate": "skorpion"}, ("gate",))
    assert not seen.doubts


def test_what_lies_beside_a_piece_that_stands_alone_is_strange() -> None:
    state = played("skorpion-deep", DEEP, *OUT)
    cells = {"e1": "skorpion", "gate": "tail", "s2": "red", "s3": "red", "nw3": "blue"}
    _, seen = look("skorpion-deep", state, cells | {"n3": "blue"}, ("e1",))
    assert [doubt.kind for doubt in seen.doubts] == ["strange"]


def test_a_disc_that_is_seen_nowhere_lies_under_none() -> None:
    state = played("scorpion", SCORPION, *BLUE_ON_Y7, *RED_ON_Y9, throw(2), throw(6))
    _, seen = look("scorpion", state, {"Y9": "red", "Y11": "red"})
    assert not any("blue" in text_of(stack) for stack in seen.cells["Y11"])


def test_skorpion_and_tail_together_off_the_gate_are_no_move() -> None:
    """SD-4.1, SD-4.2: only on the Gate do they share a spot."""
    state = played("skorpion-deep", DEEP, *OUT[:2])
    board = load_game("skorpion-deep").board(state)
    cells = {cell: text_of(stack) for cell, stack in board.items()}
    assert cells.pop("gate") == "skorpion tail"
    found = verdict_on("skorpion-deep", state, cells | {"e1": "skorpion tail"})
    assert found.kind not in ("done", "nothing")


def test_two_beads_on_one_spot_are_strange() -> None:
    state = played("skorpion-deep", DEEP, *OUT[:2])
    board = load_game("skorpion-deep").board(state)
    cells = {cell: text_of(stack) for cell, stack in board.items()}
    _, seen = look("skorpion-deep", state, cells | {"s3": "blue red"})
    assert [(doubt.kind, doubt.piece) for doubt in seen.doubts] == [(eye.STRANGE, "s3")]
    assert "s3" not in seen.cells


def test_a_piece_that_is_gone_while_something_unknown_lies_there_has_not_left_the_board() -> None:
    game = load_game("scorpion")
    state = game.from_position({"players": 4}, position(blue=["K18", "Y3"]))
    for tray, value in (("black", 4), ("yellow", 1)):
        state, _ = game.apply(state, game.thrown(tray, value))
    for strange, kind in (((), "done"), (("K17",), "several")):
        _, seen = look("scorpion", state, {"Y3": "blue"}, strange)
        found = judged(game, state, Evidence(Sighting(seen.cells), seen.doubts))
        assert found.kind == kind
