"""A question has a number, and an answer names it: presses arrive late, twice, and from two."""

from __future__ import annotations

import json

from tableref.referee.inputs import Choose, LetStand, TrayChosen, read_input
from tableref.referee.table import Phase, TableState
from tests.referee.conftest import REFEREE as REFEREE_8
from tests.referee.conftest import Play
from tests.referee.matplay import REFEREE, MatPlay, lies
from tests.referee.test_step import EIGHT, RED_FIRST
from tests.referee.test_trays import position

OVER = ["question-over"]


def unread_die() -> MatPlay:
    """Blue has thrown a die that cannot be read, so its value is asked for."""
    play = MatPlay(position=position(blue=["Y3"]))
    play.throw(lies("yellow", None, why="unclear"))
    assert play.told()[-1] == "? die"
    return play


def test_the_same_press_twice_is_one_answer() -> None:
    play = unread_die()
    question = play.state.open
    play.choose(3, question)
    assert play.told()[0] == "y4"
    before = play.state
    play.choose(3, question)
    assert play.told() == OVER
    assert play.state == before._replace(rows=before.rows + 1)


def test_of_two_people_who_answer_one_question_the_first_is_heard() -> None:
    play = unread_die()
    question = play.state.open
    play.choose(3, question).choose(5, question)
    assert play.told() == ["y4", *OVER]


def test_a_press_meant_for_a_question_does_not_answer_the_next() -> None:
    # A hand came before the dice lay still: did it touch them? The answer to that, pressed twice,
    # used to choose the tray of the next throw.
    play = MatPlay(position=position(blue=["Y3"]))
    play.hand().look(2, dice=(lies("yellow", 4),), still=False)
    play.dice = [lies("yellow", 4)]
    play.hand(dice=play.dice).look()
    assert play.told()[-1] == "? reached"
    question = play.state.open
    play.choose(0, question).choose(0, question)
    assert play.told() == ["y4", *OVER]
    assert play.state.tray == ""


def test_the_end_of_a_turn_is_chosen_for_the_turn_that_was_shown() -> None:
    play = MatPlay(position=position(blue=["Y3"]), switches=False)
    play.throw(lies("yellow", 3), lies("yellow", 4, (30.0, 0.0)))
    play.told()
    question = play.state.open
    play.choose(0, question).choose(0, question)
    assert play.told()[1:][-1:] == OVER


def test_a_tray_is_chosen_for_the_throw_that_was_awaited() -> None:
    play = MatPlay(position=position(blue=["Y3"]))
    awaited = play.state.open
    play.throw(lies("yellow", 3)).told()
    play.give(TrayChosen(play.time, "black", awaited))
    assert play.told() == OVER
    assert play.state.tray == ""


def test_what_is_asked_keeps_its_number_for_as_long_as_it_is_asked() -> None:
    play = unread_die()
    question = play.state.open
    play.choose(9, question).look(5).hand(dice=play.dice).look(5)
    assert play.state.open == question
    play.choose(3, question)
    assert "y4" in play.told()


def test_a_refusal_is_let_stand_by_its_number() -> None:
    play = Play(EIGHT, [RED_FIRST])
    play.look()
    play.put("red", "c3", "E")
    refused = play.state.open
    play.put("red", "a1", "NE")
    play.give(LetStand(9.0, tuple(range(8)), refused))
    assert [row["notice"] for row in play.rows("notice")] == OVER
    play.put("red", "c3", "E")
    play.give(LetStand(9.0, tuple(range(8)), play.state.open))
    assert play.rows("let-stand")


def test_an_answer_holds_after_the_game_is_taken_up_again() -> None:
    play = unread_die()
    question, rows = play.state.open, play.all_rows
    state = REFEREE.replayed(TableState(REFEREE.house.start({"players": 4}, position(blue=["Y3"])),
                                        Phase.WAITING), rows)  # fmt: skip
    play.state = state
    play.look(6)
    assert play.told()[-1:] == ["? thrown"]
    play.choose(0)
    assert play.state.open > question
    play.choose(3, question)
    assert play.told()[-1:] == OVER


def test_a_question_that_is_still_open_has_its_number_after_a_resume() -> None:
    eight = Play(EIGHT, [RED_FIRST])
    eight.look()
    rows = list(eight.step.rows)
    eight.put("red", None, None)
    rows += eight.step.rows
    question = eight.state.open
    assert question
    again = Play(EIGHT, [RED_FIRST])
    again.state = REFEREE_8.replayed(again.state, rows)
    again.cars = eight.cars
    again.look()
    assert again.step.rows == ()
    assert again.state.open == question


def test_an_answer_of_a_recording_without_numbers_answers_what_is_open() -> None:
    given = read_input(json.loads('{"choose": {"time": 1.0, "choice": 3}}'))
    assert given == Choose(1.0, 3)
    play = unread_die()
    play.give(given)
    assert "y4" in play.told()


def test_a_question_about_a_die_stands_beside_play_after_a_restart_too() -> None:
    play = MatPlay(position=position(blue=["Y3"]))
    begun = play.state
    play.all_rows = []
    play.throw(lies("yellow", None, why="unclear"))
    assert play.state.open_beside
    again = REFEREE.replayed(begun, play.all_rows)
    assert again.ask is not None
    assert (again.ask.key, again.open, again.open_beside) == ("die", play.state.open, True)


def test_what_was_entered_wrongly_stays_refused_beside_play_after_a_restart_too() -> None:
    play = MatPlay(position=position(blue=["Y3"]))
    begun = play.state
    play.all_rows = []
    play.enter("bY3+4")  # nothing was thrown
    assert (play.told(), play.state.open_beside) == (["! SC-2.2"], True)
    assert REFEREE.replayed(begun, play.all_rows).open_beside
