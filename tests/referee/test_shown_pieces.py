"""What people are asked to show an eye that goes by looks, before it can read a board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tableref.devices.lights import Meaning
from tableref.referee.evening import new_evening
from tableref.referee.eyes import shows_hand
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin, Choose, Learning, read_input
from tableref.referee.lessons import lesson
from tableref.referee.setting_up import ANEW
from tableref.referee.step import Referee
from tableref.referee.table import Phase, TableState
from tableref.referee.telling import Teller
from tableref.rulebook.text import LANGUAGES
from tableref.rules.pieces import text_of, texts
from tableref.sim.people import People
from tableref_hardware import load_board
from tableref_vision.wanted import AGAIN, EMPTY, LEARNT, MISFIT, START, TEACH, Wanted
from tests.referee.test_every_game import Filmed


class Asking:
    """A referee whose eye says what it wants."""

    def __init__(self, name: str, setup: dict[str, Any] | None = None) -> None:
        self.board = load_board(name)
        self.referee = Referee(load_game(name, self.board), self.board)
        self.state = TableState(self.referee.house.start(setup or {}))
        self.time = 0.0
        self.give(Begin(0.0, ("board",)))

    def give(self, given: Any) -> Any:
        self.before, self.step = self.state, self.referee.step(self.state, given)
        self.state = self.step.state
        return self.step

    def wants(self, stage: str, **more: Any) -> Any:
        self.time += 1.0
        return self.give(Learning(Wanted(self.time, f"{self.time}", "ok", stage, **more)))

    def told(self, lang: str = "en") -> list[str]:
        events = Teller(self.referee.game, self.board, lang).events(self.step.rows)
        return [line for event in events for line in event["text"]]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "wanted",
    [
        {"stage": EMPTY},
        {"stage": EMPTY, "strange": ("Y1", "K20")},
        {"stage": TEACH, "cells": {"Y1": "blue", "Y12": "red"}},
        {"stage": TEACH, "cells": {"Y1": "blue", "Y12": "red"}, "missing": ("Y12",)},
        {"stage": TEACH, "cells": {"Y1": "blue", "Y12": "red"}, "other": ("Y12",)},
        {"stage": TEACH, "cells": {"Y1": "blue"}, "strange": ("K4",)},
        {"stage": START, "uneven": True},
        {"stage": START},
        {"stage": AGAIN, "cells": {"Y1": "blue"}},
        {"stage": LEARNT},
        {"stage": LEARNT, "unsure": ("blue", "red")},
        {"stage": MISFIT},
    ],
    ids=lambda wanted: " ".join(map(str, wanted.values())),
)
def test_it_is_asked_on_terminal_and_display_in_every_language(
    lang: str, wanted: dict[str, Any]
) -> None:
    """With the cells and the pieces that it is about; once, for as long as it is the same."""
    table = Asking("scorpion")
    table.wants(**wanted)
    [text, *_] = table.told(lang)
    teller = Teller(table.referee.game, table.board, lang)
    screens = teller.screens(table.before, table.step)
    shown = " ".join(" ".join((screen.title, *screen.lines)) for screen in screens)
    about = wanted.get("missing") or wanted.get("other") or wanted.get("strange") or ()
    for cell in about or wanted.get("cells", ()):
        assert cell in text
        assert cell in shown
    assert not table.wants(**wanted).rows or wanted["stage"] in (LEARNT, MISFIT)


def test_looks_that_are_hardly_told_apart_are_named() -> None:
    table = Asking("scorpion")
    table.wants(LEARNT, unsure=("blue", "red"))
    [text] = table.told()
    assert "others: blue, red." in text


@pytest.mark.parametrize(
    ("wanted", "cells", "meaning"),
    [
        ({"stage": TEACH, "cells": {"e1": "red", "w1": "blue"}}, {"e1", "w1"}, Meaning.EXPECTED),
        ({"stage": AGAIN, "cells": {"e1": "red"}}, {"e1"}, Meaning.EXPECTED),
        ({"stage": START, "cells": {"gate": "skorpion tail"}}, {"gate"}, Meaning.EXPECTED),
        (
            {"stage": TEACH, "cells": {"e1": "red", "w1": "blue"}, "missing": ("w1",)},
            {"w1"},
            Meaning.EXPECTED,
        ),
        ({"stage": TEACH, "cells": {"e1": "red"}, "strange": ("s1",)}, {"s1"}, Meaning.TROUBLE),
        ({"stage": EMPTY}, set(), Meaning.EXPECTED),
    ],
)
def test_the_cells_on_which_something_is_to_be_laid_are_lit(
    wanted: dict[str, Any], cells: set[str], meaning: Meaning
) -> None:
    table = Asking("skorpion-deep")
    table.wants(**wanted)
    lights = Teller(table.referee.game, table.board, "en").lights(table.before, table.step)
    assert lights == dict.fromkeys(cells, meaning.value)


def test_a_hand_that_shows_something_makes_the_eye_look_again_soon() -> None:
    """While cells are lit it looks only when a hand has gone."""
    assert shows_hand(Learning(Wanted(1.0, "1", "ok", TEACH, hand=True)))
    assert not shows_hand(Learning(Wanted(1.0, "1", "ok", TEACH)))


def test_people_say_that_the_board_is_empty() -> None:
    table = Asking("scorpion")
    table.wants(EMPTY, strange=("Y1",))
    assert table.state.showing == (0, "")
    table.give(Choose(2.0, 0, table.state.open))
    assert table.state.showing == (1, EMPTY)
    table.give(Choose(3.0, 0, 1))  # pressed twice: that question is over
    assert table.state.showing == (1, EMPTY)


def test_people_say_that_they_show_it_all_again() -> None:
    table = Asking("skorpion-deep")
    table.wants(START, cells={"gate": "skorpion tail"}, strange=("e1",))
    table.give(Choose(2.0, 0, table.state.open))
    assert table.state.showing == (1, ANEW)


def test_a_game_that_is_taken_up_without_what_was_learnt_asks_for_its_position() -> None:
    """And not for the start."""
    table = Asking("skorpion-deep")
    table.state = table.state._replace(phase=Phase.WAITING)
    table.wants(START, cells={"gate": "skorpion tail", "e1": "red"})
    assert "e1" in table.told()[0]
    assert table.state.blinded


def test_what_the_eye_wants_can_be_recorded() -> None:
    told = Learning(
        Wanted(1.0, "1", "ok", TEACH, {"a1": "red"}, ("a1",), ("b1",), ("c1",), True, True)
    )
    assert read_input(json.loads(json.dumps(told.record()))) == told


@pytest.mark.parametrize(
    ("name", "setup"),
    [("scorpion", {"players": 2}), ("skorpion-deep", {}), ("squod", {"players": 4})],
)
def test_only_looks_that_the_start_does_not_show_are_laid_out(
    name: str, setup: dict[str, Any]
) -> None:
    board, game = load_board(name), load_game(name)
    state = game.start(setup)
    laid = lesson(board, game, state)
    shown = {text_of(stack) for stack in game.board(state).values()}
    assert laid
    assert not {*texts(laid).values()} & shown
    assert len({*texts(laid).values()}) == len(laid)


def test_a_start_that_shows_all_needs_no_other_lesson() -> None:
    """A sign that lies the other way round is no other look."""
    game = load_game("arrows-and-stars")
    assert lesson(load_board("arrows-and-stars"), game, game.start({})) == {}


# -- evenings -------------------------------------------------------------------------------------


def asked(table: Filmed) -> list[str]:
    rows = table.evening.journal.rows()
    return [row.data["question"] for row in rows if row.kind == "question"]


def evening(folder: Path, kept: Path, begun: TableState | None = None, seed: int = 5) -> Filmed:
    started = new_evening(folder, "skorpion-deep", {}, [], "virtual:0")
    if begun is not None:
        started = started._replace(state=begun)
    people = People(started.referee.game, {}, seed, 0.0, 3, None, begun)
    table = Filmed(folder, started, people, {"board"})
    table.kept = kept
    return table


def test_the_next_evening_and_a_game_taken_up_need_none_of_it(tmp_path: Path) -> None:
    kept = tmp_path / "looks.zip"
    first = evening(tmp_path / "1", kept)
    first.play()
    assert not first.people.slips, first.people.slips
    assert {"show-looks", "show-start"} <= {*asked(first)}

    second = evening(tmp_path / "2", kept)
    second.play()
    assert not second.people.slips, second.people.slips
    assert not [key for key in asked(second) if key.startswith("show-")]
    notices = [row.data["notice"] for row in second.evening.journal.rows() if row.kind == "notice"]
    assert "looks-known" in notices

    begun = next(
        before for done, before in second.desk.state.table.past if "resign" in done.action.record()
    )
    state = second.desk.state._replace(
        table=second.desk.state.table._replace(now=begun, past=()), phase=Phase.WAITING
    )
    again = evening(tmp_path / "3", kept, state)
    again.play()
    assert not again.people.slips, again.people.slips
    assert not [key for key in asked(again) if key.startswith("show-")]
