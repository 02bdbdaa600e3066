"""What is typed at the terminal becomes an input; what cannot be understood is said."""

from __future__ import annotations

from io import StringIO

import pytest

from tableref.referee.answers import answer, help_of, listen, replied
from tableref.referee.inputs import Act, Choose, Input, LetStand
from tableref.referee.outlets import EventLines
from tableref.referee.table import Row
from tableref.referee.telling import Teller
from tableref.rulebook.asking import asking
from tableref.rules.surface import RulesError
from tableref_hardware import load_board
from tests.referee.conftest import REFEREE, Play
from tests.referee.test_step import RED_FIRST

PLAY = Play({"players": 8}, [RED_FIRST])


def read(line: str) -> Input:
    return answer(REFEREE, PLAY.state, line, 5.0)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("2", Choose(5.0, 1, 0)),
        ("Undo", Act(5.0, {"take_back": {"player": 0, "agreed": list(range(8))}})),
        ("let stand", LetStand(5.0, tuple(range(8)), 0)),
        (
            "red>b2E",
            Act(5.0, {"restart": {"car": "red", "to": "b2", "heading": "E"}}),
        ),
    ],
)
def test_a_line_is_an_input(line: str, given: Input) -> None:
    assert read(line) == given


@pytest.mark.parametrize(
    ("line", "lang", "record"),
    [
        ("resign player 2", "en", {"resign": {"player": 1}}),
        ("aufgeben 2", "de", {"resign": {"player": 1}}),
        ("partir 1", "fr", {"leave": {"player": 0, "agreed": [1, 2, 3, 4, 5, 6, 7]}}),
        ("back 1", "de", {"return": {"player": 0}}),
        ("remis", "de", {"draw": {"agreed": list(range(8))}}),
        ("break  off", "en", {"break_off": True}),
        ("fortsetzen", "de", {"take_up": True}),
        ("refaire", "fr", {"redo": {"agreed": list(range(8))}}),
    ],
)
def test_every_action_of_the_house_can_be_typed(
    line: str, lang: str, record: dict[str, object]
) -> None:
    assert answer(REFEREE, PLAY.state, line, 5.0, lang) == Act(5.0, record)


def test_who_resigns_must_be_said() -> None:
    with pytest.raises(RulesError, match="say who"):
        read("resign")


def test_a_question_is_answered_and_is_no_input() -> None:
    board = load_board("autoscooter")
    told = replied(REFEREE, board, PLAY.state, PLAY.step.rows, "wer ist dran", "en")
    assert told is not None
    assert "player" in " ".join(told).lower() or "Spieler" in " ".join(told)
    assert replied(REFEREE, board, PLAY.state, PLAY.step.rows, "red>q", "en") is None


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_help_shows_moves_of_this_position_that_can_be_typed(lang: str) -> None:
    game = Play({"players": 8}, [RED_FIRST])
    game.look()
    [told] = help_of(REFEREE, game.state, lang)
    state = game.state.table.state
    legal = [REFEREE.game.text(state, action) for action in REFEREE.game.legal(state)]
    assert legal[0] in told
    said: list[str] = []
    listen([f"{asking(lang)['typed']['help']}\n"], lambda _: [told], lambda _: True, said.append)
    assert said == [told]


def test_a_line_that_is_none_is_answered_with_what_can_be_typed() -> None:
    said: list[str] = []
    given: list[Input] = []

    def give(one: Input) -> bool:
        given.append(one)
        return True

    listen(["what?\n", "\n", "1\n"], read, give, said.append)
    assert given == [Choose(5.0, 0, 0)]
    assert len(said) == 1


@pytest.mark.parametrize(("lang", "said"), [("fr", "= La manche 1"), ("de", "= Runde 1")])
def test_the_end_of_a_round_is_told_in_the_games_language(lang: str, said: str) -> None:
    stream = StringIO()
    teller = Teller(REFEREE.game, load_board("autoscooter"), lang)
    [event] = teller.events([Row("round", {"round": 1, "cars": {}, "chips": [20, 20]})])
    EventLines(stream, as_json=False).write(event)
    assert stream.getvalue().startswith(said)
