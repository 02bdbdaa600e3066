"""What is typed at the terminal becomes an input; what cannot be understood is said."""

from __future__ import annotations

import pytest

from tableref.referee.answers import answer, listen
from tableref.referee.inputs import Act, Choose, Input, LetStand
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


def test_a_line_that_is_none_is_answered_with_what_can_be_typed() -> None:
    said: list[str] = []
    given: list[Input] = []

    def give(one: Input) -> bool:
        given.append(one)
        return True

    listen(["what?\n", "\n", "1\n"], read, give, said.append)
    assert given == [Choose(5.0, 0, 0)]
    assert len(said) == 1
    assert "let stand" in said[0]
