"""What an eye calls strange in every picture may be let lie: the game goes on, and nobody is asked
of it again while the same stands there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.evening import new_evening
from tableref.referee.inputs import Choose, Input, LetStand
from tableref.referee.lying import LET_LIE
from tableref.referee.table import Phase
from tableref.sim.glance import glance
from tableref.sim.people import People
from tests.referee import test_every_game
from tests.referee.test_every_game import Table
from tests.referee.test_settling import Play

FREE, START, TO = "d5", "a2", "a3"


def asked(play: Play) -> list[str]:
    """The cells of which it was asked, question by question."""
    return [row["who"] for row in play.told("question") if row["question"] == "strange"]


def said(play: Play, how: str) -> Input:
    """That it may lie there: by its number, or as a refusal is let stand, by OK or typed."""
    assert play.state.ask is not None
    if how == "number":
        return Choose(9.0, play.state.ask.options.index(LET_LIE), play.state.open)
    return LetStand(9.0, (0, 1), play.state.open if how == "ok" else None)


def let_lie(cell: str, how: str = "number") -> Play:
    """A game in which something strange on this cell was let lie."""
    play = Play("arrows-and-stars", {}, {})
    play.look(cell)
    assert play.state.phase is Phase.ASKING
    play.give(said(play, how))
    return play


@pytest.mark.parametrize("how", ["number", "ok", "typed"])
def test_the_game_goes_on_over_what_may_lie_there(how: str) -> None:
    play = let_lie(FREE, how)
    play.look(FREE)
    assert play.state.phase is Phase.WAITING
    play.look(FREE, **{START: "", TO: "white arrow up"})
    play.look(FREE, **{"a8": "", "a7": "black arrow down"})
    assert play.ruled == [{"arrow": [START, TO]}, {"arrow": ["a8", "a7"]}]
    assert asked(play) == [FREE]


def test_a_piece_that_is_never_known_for_what_it_is_may_stand_there() -> None:
    play = let_lie("g1")
    play.look("g1", **{START: "", TO: "white arrow up"})
    assert play.ruled == [{"arrow": [START, TO]}]
    assert asked(play) == ["g1"]


def test_what_lies_on_another_cell_is_told() -> None:
    play = let_lie(FREE)
    play.look(FREE)
    play.look(FREE, "c5")
    assert asked(play) == [FREE, "c5"]
    assert play.state.phase is Phase.ASKING


def test_it_is_asked_again_once_a_piece_has_come_there() -> None:
    play = let_lie(TO)
    play.look(**{START: "", TO: "white arrow up"})
    assert play.ruled == [{"arrow": [START, TO]}]
    play.look(TO)
    assert asked(play) == [TO, TO]


def test_nothing_is_ruled_by_a_cell_of_which_nothing_can_be_told() -> None:
    """A piece that has left for it may be in a hand: that is asked."""
    play = let_lie(TO)
    play.look(TO, **{START: ""})
    assert play.ruled == []
    assert play.state.phase is Phase.ASKING


def test_a_press_for_a_question_that_is_over_lets_nothing_lie() -> None:
    play = Play("arrows-and-stars", {}, {})
    play.look(FREE)
    play.give(LetStand(9.0, (0, 1), play.state.open + 1))
    assert not play.state.let_lie


def test_a_game_that_is_taken_up_again_remembers_it() -> None:
    play = let_lie(FREE)
    state = play.referee.replayed(play.begun, play.rows)
    assert state.let_lie == play.state.let_lie


def test_an_evening_is_played_to_its_end_over_a_stain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The eye insists on it in every picture, from before the first one on."""

    def stained(*args: Any) -> Any:
        seen = glance(*args)
        return replace(seen, strange=(*seen.strange, "E13"))

    monkeypatch.setattr(test_every_game, "glance", stained)
    setup = {"players": 2}
    evening = new_evening(tmp_path, "squod", setup, [], "virtual:0")
    people = People(evening.referee.game, setup, 3, 0.0, 20)
    table = Table(tmp_path, evening, people, {"board"})
    table.play()
    assert not people.slips
    assert people.made >= 20
    assert table.desk.state.phase is Phase.OVER
