"""What the switches feel is shown at once, by lights and at the foot, before it is ruled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.devices.lights import Meaning
from tableref.devices.oled import Screen
from tableref.devices.panel import Panel
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import new_evening
from tableref.referee.front import PAGE, Front
from tableref.referee.inputs import Begin, Occupied, Switched, Tick
from tableref.referee.step import AT_REST
from tableref.referee.table import Phase
from tableref.rulebook import Rulebook

FELT = Meaning.FELT.value


class Told:
    """An outlet that keeps what it is told."""

    def __init__(self) -> None:
        self.all: list[Feedback] = []

    def tell(self, feedback: Feedback) -> None:
        self.all.append(feedback)


class Felt:
    """A table of arrows and stars that feels by switches alone."""

    def __init__(self, folder: Path, lang: str = "en") -> None:
        evening = new_evening(folder, "arrows-and-stars", {}, [], "", lang=lang)
        self.told = Told()
        self.desk = Desk(
            evening.referee, evening.state, evening.journal, evening.teller(), [self.told]
        )
        evening.journal.begin()
        self.journal = evening.journal
        start = frozenset(evening.referee.game.board(evening.state.table.state))
        for given in (Begin(0.0, ("switches",)), Occupied(0.0, start), Tick(AT_REST + 0.1)):
            self.desk.take(given)
        assert self.desk.state.phase is Phase.WAITING
        self.told.all.clear()

    def switch(self, time: float, cell: str, held: bool) -> Feedback:
        """A switch changes, and what is told at once."""
        before = len(self.told.all)
        self.desk.take(Switched(time, cell, held))
        [new] = self.told.all[before:]
        return new


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Felt]:
    made = Felt(tmp_path / "evening")
    yield made
    made.journal.close()


def felt(feedback: Feedback) -> set[str]:
    return {cell for cell, light in feedback.lights.items() if light == FELT}


def test_every_change_of_a_switch_is_shown_at_once_and_nothing_is_claimed(table: Felt) -> None:
    lifted = table.switch(2.0, "a2", False)
    assert (lifted.felt, felt(lifted)) == ("Felt -a2", {"a2"})
    down = table.switch(2.2, "a3", True)
    assert (down.felt, felt(down)) == ("Felt -a2 +a3", {"a2", "a3"})
    on = table.switch(2.4, "a3", False)
    assert (on.felt, felt(on)) == ("Felt -a2", {"a2"})
    assert not any(feedback.events for feedback in table.told.all)
    assert not list(table.journal.rows())[2:]


def test_the_mark_is_gone_once_the_move_is_ruled(table: Felt) -> None:
    table.switch(2.0, "a2", False)
    table.switch(2.2, "a3", True)
    table.desk.take(Tick(2.3 + AT_REST))
    ruled = table.told.all[-1]
    assert [event["event"] for event in ruled.events][:1] == ["ruling"]
    assert (ruled.felt, felt(ruled)) == ("", set())
    assert ruled.lights["a3"] == Meaning.LAST_MOVE.value


def test_the_mark_is_gone_once_the_piece_is_put_back(table: Felt) -> None:
    table.switch(2.0, "a2", False)
    assert table.switch(2.2, "a2", True).felt == ""


@pytest.mark.parametrize(("lang", "word"), [("fr", "Senti -a2"), ("de", "Spürt -a2")])
def test_the_word_is_of_the_game_s_language(tmp_path: Path, lang: str, word: str) -> None:
    table = Felt(tmp_path / "evening", lang)
    assert table.switch(2.0, "a2", False).felt == word
    table.journal.close()


class FootPanel(Panel):
    """A panel of which title and foot are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[str, str]] = []

    def show(self, screen: Screen) -> None:
        self.shown.append((screen.title, screen.hint))


def test_marks_leave_the_pages_as_they_are_turned() -> None:
    panel = FootPanel()
    front = Front(Rulebook("en"), 2, lambda given: None, clock=lambda: 0.0)
    front._panel = panel
    pages = (Screen("one"), Screen("two"), Screen("three", hint="OK 1/1"))
    front.tell(Feedback((), pages, {}, (), Phase.HAND))
    assert front.step(0.0) == PAGE
    front.tell(Feedback((), pages, {}, (), Phase.HAND, felt="Felt -a2", news=False))
    # What is left of the page's time stays.
    assert front.step(1.0) == PAGE - 1.0
    front.step(PAGE)
    front.step(2 * PAGE)
    assert panel.shown == [
        ("one", ""),
        ("one", "Felt -a2"),
        ("two", "Felt -a2"),
        ("three", "OK 1/1"),
    ]
