"""What the players of Scorpion are told: events, pages of the display, lights."""

from __future__ import annotations

import pytest

from tableref.devices.lights import Meaning
from tableref.referee.inputs import Act
from tableref.referee.telling import Teller
from tableref.rulebook.text import LANGUAGES
from tests.referee.matplay import BOARD, REFEREE, MatPlay, lies
from tests.referee.test_felt import after_throw

TELLER = Teller(REFEREE.game, BOARD)


def pages(play: MatPlay, teller: Teller = TELLER) -> list[str]:
    """Every page of the last step as one text: title, lines, paragraph, hint."""
    shown = teller.screens(play.state, play.step)
    return [" | ".join((p.title, *p.lines, p.paragraph, p.hint)) for p in shown]


def test_throw_again_leaning_is_shown_with_its_paragraph() -> None:
    play = MatPlay()
    play.throw(lies("yellow", None, (40.0, 40.0), "cocked"))
    assert pages(play)[-1].startswith("Throw again: | leaning | blue, yellow | HR-3.2")
    [trouble] = [e for e in TELLER.events(play.written) if e["event"] == "trouble"]
    assert trouble["paragraphs"] == ["HR-3.2"]
    assert trouble["text"] == [
        "Throw again, this die alone: it leans, or lies on another. (HR-3.2)"
    ]


def test_the_display_ends_on_who_throws_and_has_a_page_for_each_tray() -> None:
    play = MatPlay()
    play.throw(lies("yellow", 3))
    thrown, yellow, black, now = pages(play)
    assert thrown.startswith("Blue: 3 on yellow")
    assert "The yellow tray" in yellow
    assert "The black tray" in black
    assert now == "Throw: blue | on either tray | SC-2.2 | "


def test_a_die_that_cannot_be_read_has_a_page_for_each_number() -> None:
    play = MatPlay()
    play.throw(lies("yellow", 4, why="unclear"))
    question, *numbers = pages(play)
    assert question.startswith("Blue: die on yellow | What does it show?")
    words = [" ".join(page.split(" | ")[1:3]) for page in numbers]
    assert words == [f"Blue throws {number} on yellow." for number in range(1, 7)]


def test_an_extra_die_names_its_tray_and_paragraph() -> None:
    play = after_throw("y3", "y6", blue=["Y2"], red=["Y5"])
    play.lift("Y2").wait().choose(0)
    assert pages(play)[-1] == "Throw: blue | extra die on yellow | SC-3.4 | "


def test_a_wrong_move_is_lit_where_it_stands_and_where_it_belongs() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.move("Y3", "Y8")
    lights = TELLER.lights(play.state, play.step)
    assert lights == {"Y8": Meaning.TROUBLE.value, "Y3": Meaning.EXPECTED.value}
    [event] = [e for e in TELLER.events(play.written) if e["event"] == "trouble"]
    assert event["text"][-1] == "Put a blue scorpion on Y3."


def test_what_only_a_switch_feels_is_told_by_its_cell() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.put("Y1").wait()
    [event] = [e for e in TELLER.events(play.written) if e["event"] == "trouble"]
    assert event["text"][-1] == "Take away what stands on Y1."


def test_a_die_that_was_touched_is_told_and_nothing_else() -> None:
    play = MatPlay()
    play.throw(lies("yellow", 3))
    play.told()
    play.dice = [lies("yellow", 6)]
    play.hand().look()
    [event] = TELLER.events(play.written)
    assert event["text"] == ["A die was moved after it was read. What was read stands."]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_has_its_words(lang: str) -> None:
    teller = Teller(REFEREE.game, BOARD, lang)
    for dice in (
        (lies("yellow", 4, why="unclear"),),
        (lies("yellow", None, why="rim"), lies(None, None, why="off-tray")),
        tuple(lies("yellow", 4, (x, 0.0)) for x in (-40.0, 0.0, 40.0)),
    ):
        play = MatPlay()
        play.throw(*dice)
        assert all(pages(play, teller))
        assert all(event.get("text") for event in teller.events(play.written)[-1:])


def test_a_throw_that_is_taken_back_lies_there_and_does_not_count_again() -> None:
    play = MatPlay()
    play.throw(lies("yellow", 3))
    everybody = {"take_back": {"player": 0, "agreed": [0, 1, 2, 3]}}
    play.give(Act(play.time, everybody))
    play.look(20)
    assert play.facts["throws"] == 2
    play.pick_up()
    play.throw(lies("yellow", 5, (20.0, 0.0)))
    assert play.facts["dice"] == [{"tray": "yellow", "value": 5}]
