"""Pieces put back to where they stood before the last choice: asked once, and OK takes it back."""

from __future__ import annotations

import pytest

from tableref.referee.inputs import Choose
from tableref.referee.table import Phase
from tests.referee.hands import Table

SENSES = ("board", "switches", "board+switches")


def goes(table: Table, start: str, to: str) -> None:
    """A hand moves what stands on one cell to another, and goes away."""
    stack = table.stands[start]
    table.lift(start)
    table.put(to, stack)
    table.rest()


def moved(senses: str) -> Table:
    """White has moved an arrow from a2 to a3."""
    table = Table("arrows-and-stars", senses, 1)
    goes(table, "a2", "a3")
    assert "a3" in table.game.board(table.inner)
    return table


@pytest.mark.parametrize("senses", SENSES)
def test_it_is_asked_once_and_ok_takes_it_back(senses: str) -> None:
    table = moved(senses)
    goes(table, "a3", "a2")
    assert table.state.phase is Phase.ASKING
    assert table.state.ask is not None
    assert table.state.ask.key == "take-back"
    assert "a2-a3" in table.state.ask.values["done"]
    table.rest()
    table.rest()
    asked = [row for row in table.rows if row.kind == "question"]
    assert len(asked) == 1
    table.give(Choose(table.time, 0, table.state.open))
    assert table.state.phase is Phase.WAITING
    assert "a2" in table.game.board(table.inner)
    table.rest()
    assert table.state.phase is Phase.WAITING
    assert table.state.left_over is None


@pytest.mark.parametrize("senses", SENSES)
def test_who_does_not_mean_it_puts_the_board_as_it_was(senses: str) -> None:
    table = moved(senses)
    goes(table, "a3", "a2")
    goes(table, "a2", "a3")
    assert table.state.phase is Phase.WAITING
    assert "a3" in table.game.board(table.inner)
    assert not [r for r in table.rows if r.kind == "action" and "take_back" in r.data["action"]]


def test_nothing_is_taken_back_where_nothing_was_chosen() -> None:
    table = Table("arrows-and-stars", "board", 1)
    goes(table, "a2", "a5")
    assert table.state.phase is Phase.REFUSED


def test_a_question_that_is_open_survives_a_resume() -> None:
    table = moved("board")
    goes(table, "a3", "a2")
    again = table.referee.replayed(table.state.__class__(table.referee.house.start({})), table.rows)
    assert again.ask is not None
    assert (again.ask.key, again.ask.options) == ("take-back", ("take-back-yes",))
