"""Questions about the position, typed in three languages or asked as commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.cli import main
from tableref.referee.evening import JOURNAL, new_evening_of
from tableref.referee.questions import Asked, Positions
from tests.referee.conftest import REFEREE, Play, SceneGame
from tests.referee.test_step import RED_FIRST


@pytest.fixture
def play() -> Play:
    """Red is in turn; orange has just been refused."""
    game = Play({"players": 8}, [RED_FIRST])
    game.look()
    game.put("orange", "d2", "NE")
    return game


def positions(play: Play, lang: str = "en") -> Positions:
    return Positions(REFEREE.game, play.state.table.state, play.step.rows, lang)


@pytest.mark.parametrize(
    ("lang", "question", "asked"),
    [
        ("en", "Why was that refused?", Asked("why")),
        ("en", "what may red do?", Asked("what-may", "red")),
        ("en", "What if red plays K?", Asked("what-if", "red", "K")),
        ("en", "What happens if red>b2E?", Asked("what-if", "red", "red>b2E")),
        ("en", "who pays whom?", Asked("who-pays")),
        ("fr", "Pourquoi est-ce refusé ?", Asked("why")),
        ("fr", "Que peut faire rouge ?", Asked("what-may", "red")),
        ("fr", "Que se passe-t-il si rouge joue K ?", Asked("what-if", "red", "K")),
        ("fr", "Qui paie qui ?", Asked("who-pays")),
        ("de", "Warum wurde das abgelehnt?", Asked("why")),
        ("de", "Was darf Grün?", Asked("what-may", "green")),
        ("de", "Was passiert, wenn Rot K spielt?", Asked("what-if", "red", "K")),
        ("de", "Wer zahlt wem?", Asked("who-pays")),
    ],
)
def test_a_typed_question_is_recognised(play: Play, lang: str, question: str, asked: Asked) -> None:
    assert positions(play, lang).understand(question) == asked


@pytest.mark.parametrize("question", ["may I drive into a wall?", "how many rounds are there"])
def test_a_question_about_the_rules_is_none_about_the_position(play: Play, question: str) -> None:
    assert positions(play).understand(question) is None


def test_why_tells_the_last_refusal_and_its_paragraph(play: Play) -> None:
    told = positions(play).answer(Asked("why"))
    assert "(AS-4.1)" in told[0]
    assert told[-1].startswith("AS-4.1: ")


def test_what_may_lists_the_restarts_of_the_car_in_turn(play: Play) -> None:
    told = positions(play).answer(Asked("what-may", "red"))
    assert told[0].startswith("red>")
    assert told[-1].endswith("more.")


def test_what_may_says_so_where_there_is_nothing_to_list(play: Play) -> None:
    table = positions(play)
    table._actions = lambda state, piece: iter(())
    assert table.answer(Asked("what-may")) == ["There is nothing to list now."]
    assert table.answer(Asked("what-may", "red"))[-1].endswith(" may do nothing now.")


def test_what_if_tells_the_outcome_with_paragraphs(play: Play) -> None:
    told = positions(play).answer(Asked("what-if", "red", "red>b2E"))
    assert "(AS-4.5)" in told[0]


def test_what_if_of_an_illegal_action_tells_why_not(play: Play) -> None:
    told = positions(play).answer(Asked("what-if", "red", "red>c3E"))
    assert "(AS-4.5)" in told[0]


def test_what_if_a_car_that_is_not_in_turn_played_a_letter(play: Play) -> None:
    told = positions(play).answer(Asked("what-if", "orange", "K"))
    assert "not the turn of orange" in told[0]


def test_who_pays_whom_before_anybody_did(play: Play) -> None:
    assert positions(play).answer(Asked("who-pays")) == ["Nobody has paid anything yet."]


def test_a_games_folder_can_be_asked(
    game_4p: SceneGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = new_evening_of(tmp_path, game_4p.head)
    state = evening.state
    for given in game_4p.inputs[:30]:
        step = evening.referee.step(state, given)
        state = step.state
        evening.journal.write(step.rows, given.time)
    evening.journal.close()
    assert (tmp_path / JOURNAL).exists()
    assert main(["ask", str(tmp_path), "who pays whom?"]) == 0
    assert "pays" in capsys.readouterr().out
    assert main(["ask", "--kind", "what-may", "--piece", "red", str(tmp_path)]) == 0
    assert "red" in capsys.readouterr().out
    assert main(["ask", str(tmp_path), "may I stop on purpose?"]) == 0
    assert "AS-3.5" in capsys.readouterr().out
