"""What a judge says changes nothing before all agree; then the journal has the judge's name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableref.referee.desk import Desk
from tableref.referee.evening import Evening, new_evening
from tableref.referee.inputs import Act, Advised, Begin, LetStand, read_input

BACK = {"move": ["a2", "a1"]}


class Told:
    """An outlet that keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tell(self, feedback: Any) -> None:
        self.lines += [line for event in feedback.events for line in event.get("text", ())]


@pytest.fixture(params=["en", "fr", "de"])
def evening(request: Any, tmp_path: Path) -> Iterator[Evening]:
    made = new_evening(tmp_path / "game", "arrows-and-stars", {}, [], "", lang=request.param)
    made.journal.begin()
    yield made
    made.journal.close()


def refused(evening: Evening) -> tuple[Desk, Told]:
    """White wants to jump over nothing."""
    told = Told()
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [told])
    desk.take(Begin(0.0, ()))
    game = evening.referee.game
    desk.take(Act(1.0, game.parse(desk.state.table.state, "a2-a5").record()))
    assert desk.state.trouble is not None
    return desk, told


def rulings(evening: Evening) -> list[Any]:
    return [row.data for row in evening.journal.rows() if "house_ruling" in str(row.data)]


def judges(evening: Evening) -> list[str]:
    return [
        row.data["values"]["who"]
        for row in evening.journal.rows()
        if row.kind == "notice" and row.data["notice"] == "judge-ruled"
    ]


def test_a_ruling_waits_for_all_to_agree_and_then_bears_the_judge_s_name(evening: Evening) -> None:
    desk, told = refused(evening)
    number = desk.state.open
    before = desk.state.table
    desk.take(Advised(2.0, "Ada", "It was agreed before.", True, number))
    assert desk.state.table == before
    assert rulings(evening) == []
    assert any("Ada" in line and "It was agreed before." in line for line in told.lines)
    desk.take(LetStand(3.0, (0,), number))  # not all
    assert rulings(evening) == []
    desk.take(LetStand(4.0, (0, 1), desk.state.open))
    assert len(rulings(evening)) == 1


def test_all_agree_with_the_judge(evening: Evening) -> None:
    desk, _ = refused(evening)
    number = desk.state.open
    desk.take(Advised(2.0, "Ada", "", True, number))
    desk.take(LetStand(3.0, (0, 1), number))
    assert len(rulings(evening)) == 1
    assert judges(evening) == ["Ada"]


@pytest.mark.parametrize("stands", [True, False])
def test_a_judge_who_is_late_or_refuses_has_ruled_nothing(evening: Evening, stands: bool) -> None:
    desk, told = refused(evening)
    number = desk.state.open
    desk.take(Advised(2.0, "Eve", "No.", stands, number + stands))
    assert any("Eve" in line for line in told.lines)
    desk.take(LetStand(3.0, (0, 1), number))
    assert len(rulings(evening)) == 1
    assert judges(evening) == []


def test_advice_is_recorded_and_read_again() -> None:
    given = Advised(2.0, "Ada", "So.", True, 7)
    assert read_input(given.record()) == given
