"""A camera over the board sees nothing of dice, nor of what is typed: what is open of it stays."""

from __future__ import annotations

from typing import Any

import pytest

from tableref.referee.games import load_game
from tableref.referee.inputs import Act, LetStand, MatSeen, Seen
from tableref.referee.step import Referee
from tableref.referee.table import Phase, TableState
from tableref.sim.glance import glance
from tableref.sim.stage import Stage
from tableref_hardware import load_board
from tableref_vision.dice.throw import BLIND, FRAMES, MatLook
from tests.referee.matplay import BOARD, PERIOD, REFEREE, MatPlay, lies

WHITE_ARROW = ("white", "arrow")


class Both(MatPlay):
    """Each look at the mat is followed by one at the board, on which all stands as it was."""

    def __init__(self) -> None:
        self.stage = Stage(BOARD, 1)
        super().__init__(switches=False)

    def look(self, frames: int = FRAMES, **more: Any) -> MatPlay:
        for _ in range(frames):
            super().look(1, **more)
            self.see_board()
        return self

    def see_board(self) -> None:
        self.stage.show(REFEREE.game.board(self.state.table.state))
        self.give(Seen(glance(self.stage, self.time, f"board-{self.frame}", False)))


@pytest.fixture
def both() -> Both:
    play = Both()
    play.told()
    return play


def rows(play: MatPlay) -> list[str]:
    return [row.kind for row in play.written]


def test_a_question_about_a_die_is_asked_once_and_stays_until_it_is_answered(both: Both) -> None:
    both.throw(lies("yellow", 3, why="unclear"))
    both.look(20)
    assert both.state.phase is Phase.ASKING
    assert rows(both).count("question") == 1
    assert "cleared" not in rows(both)
    asked = both.state.open
    both.look(20)
    assert both.state.open == asked
    both.choose(2, asked)
    assert "y3" in both.told()


def test_a_die_that_does_not_count_is_told_for_as_long_as_it_lies_there(both: Both) -> None:
    both.throw(lies("yellow", None, (50.0, 0.0), why="rim"))
    both.look(20)
    assert both.state.phase is Phase.REFUSED
    assert both.told() == ["! HR-3.2"]
    both.pick_up()
    both.throw(lies("yellow", 5))
    assert both.told() == ["y5"]
    assert both.state.trouble is None


def test_a_hand_over_the_board_leaves_it_open(both: Both) -> None:
    both.throw(lies("yellow", 3, why="unclear"))
    asked = both.state.open
    seen = glance(both.stage, both.time + PERIOD, "hand", True)
    both.give(Seen(seen))
    both.look(4)
    assert both.state.open == asked
    assert both.state.phase is Phase.ASKING


def test_a_mat_that_is_out_of_view_is_told_once_until_it_is_back(both: Both) -> None:
    for _ in range(int(BLIND / PERIOD) + 20):
        both.time += PERIOD
        both.give(MatSeen(MatLook(both.time, "none", (), in_view=False)))
        both.see_board()
    assert both.told() == ["? no-mat"]
    assert both.state.ask is not None
    assert both.state.ask.key == "no-mat"
    both.look(8)
    assert both.state.ask is not None
    assert both.state.ask.key == "throw"
    assert both.told() == []


def test_what_was_entered_and_refused_can_be_let_stand_under_a_camera() -> None:
    """HR-2.3: the camera goes on seeing the board as it was, which is no answer."""
    board = load_board("arrows-and-stars")
    referee, stage = Referee(load_game(board.game), board), Stage(board, 1)
    state = TableState(referee.house.start({}))
    stage.show(referee.game.board(state.table.state))

    def look(state: TableState, time: float, hand: bool = False) -> TableState:
        return referee.step(state, Seen(glance(stage, time, f"{time}", hand))).state

    state = look(look(state, 1.0), 2.0)
    stands = referee.game.board(state.table.state)
    start = next(c for c, (piece, *_) in stands.items() if (piece.side, piece.kind) == WHITE_ARROW)
    refused = referee.step(state, Act(3.0, {"arrow": [start, "d5"]})).state
    assert refused.phase is Phase.REFUSED
    for time in range(4, 9):
        refused = look(refused, time)
    assert refused.trouble is not None
    step = referee.step(refused, LetStand(9.0, (0, 1), refused.open))
    assert "action" in [row.kind for row in step.rows]
    # Somebody who reaches over the board, and leaves it as it was, has heard it.
    assert look(look(refused, 9.0, hand=True), 10.0).trouble is None
