"""Switches and camera together: scripts of hands, and whole rounds on a virtual table."""

from __future__ import annotations

import pytest

from tableref.referee.evidence import Evidence, by_eye, by_switches
from tableref.referee.inputs import (
    CameraTrouble,
    Choose,
    Input,
    LinkGone,
    Occupied,
    Switched,
    Tick,
    Unsteady,
    read_input,
)
from tableref.referee.senses.eye import seen as seen_by
from tableref.referee.senses.switches import Switches
from tableref.referee.step import AT_REST
from tableref.referee.table import Phase
from tableref.rules.pieces import EMPTY
from tableref_vision.observation import Observation
from tests.referee.conftest import BOARD, REFEREE, Play, plots, seen
from tests.referee.test_step import RED_FIRST

STACKS = REFEREE.game.stacks
START = frozenset(piece.start for piece in BOARD.pieces)


def look(observation: Observation, switches: Switches) -> Evidence:
    """What eye and switches say together."""
    return by_eye(BOARD, seen_by(BOARD, STACKS, observation), STACKS, switches)


@pytest.fixture
def felt() -> Play:
    """Eight players, the board set up, its switches heard; red is in turn."""
    play = Play({"players": 8}, [RED_FIRST])
    play.give(Occupied(0.0, START))
    play.look()
    return play


def test_a_lifted_car_is_a_hand_at_work(felt: Play) -> None:
    felt.give(Switched(1.1, "a1", False))
    assert felt.state.phase is Phase.HAND


def test_a_picture_older_than_the_last_lift_or_put_is_not_read(felt: Play) -> None:
    # Red goes from a1 to b2; a picture from before the put comes late.
    felt.give(Switched(1.1, "a1", False))
    felt.give(Switched(1.8, "b2", True))
    late = seen(felt.cars | {"red": ("b2", "E")}, "late", 1.5)
    assert not felt.give(late).rows
    felt.put("red", "b2", "E")
    assert felt.rows("action")


def test_a_piece_that_is_seen_but_not_felt_is_a_disagreement_that_is_shown(felt: Play) -> None:
    felt.give(Switched(1.1, "a1", False))
    felt.put("red", "b2", "E")
    [question] = felt.rows("question")
    assert (question["question"], question["who"]) == ("no-magnet", "b2")
    assert felt.state.phase is Phase.DISAGREEING
    assert not felt.rows("action")
    # The players say: trust the camera there. Then the move is ruled.
    felt.give(Choose(3.0, 0))
    felt.look()
    assert felt.rows("action")


def test_a_magnet_where_no_piece_is_seen_is_a_disagreement(felt: Play) -> None:
    felt.give(Switched(1.1, "d4", True))
    felt.look()
    [question] = felt.rows("question")
    assert (question["question"], question["who"]) == ("stray-magnet", "d4")


def test_the_switches_tell_where_a_hidden_car_may_be() -> None:
    cars = {p.id: (p.start, p.heading) for p in BOARD.pieces if p.id != "red"}
    observation = seen(cars).observation
    sighting = look(observation, Switches(START)).sighting
    assert {stack[0].name for stack in sighting.cells["a1"]} == {"red"}
    assert len(sighting.cells["a1"]) == 6
    assert sighting.cells["d4"] == {EMPTY}


def test_a_flickering_switch_is_not_believed(felt: Play) -> None:
    felt.give(Unsteady(1.05, "b2", True))
    felt.give(Switched(1.1, "a1", False))
    felt.put("red", "b2", "E")
    assert felt.rows("action")


def test_a_car_off_the_middle_need_not_be_felt() -> None:
    cars = {p.id: (p.start, p.heading) for p in BOARD.pieces}
    observation = seen(cars, off=12.0).observation
    doubts = look(observation, Switches()).doubts
    assert not [doubt for doubt in doubts if doubt.kind == "no-magnet"]


def test_without_the_link_the_camera_goes_on_alone(felt: Play) -> None:
    felt.give(LinkGone(1.1, "unplugged."))
    assert felt.rows("question")[0]["question"] == "link"
    felt.put("red", "b2", "E")
    assert felt.rows("action")


def test_switches_alone_know_no_colours() -> None:
    sighting = by_switches(BOARD, STACKS, {}, Switches(frozenset({"a1"}))).sighting
    assert len(sighting.cells["a1"]) == 8 * 6
    assert sighting.cells["b1"] == {EMPTY}


@pytest.fixture
def black() -> Play:
    """The camera is dark; black, at speed 1 on b4, is in turn and has to drive C to c4."""
    second = plots(
        "red 16K", "orange 15C", "yellow 14C", "green 13C", "blue 12C", "purple 11C",
        "white 10C", "black 9C",
    )  # fmt: skip
    play = Play({"players": 8}, [RED_FIRST, second])
    play.give(Occupied(0.0, START))
    play.look()
    held = set(START)
    for car, cell, heading in (
        ("red", "b2", "E"), ("orange", "d2", "NE"), ("yellow", "e2", "NW"), ("green", "e4", "W"),
        ("blue", "e6", "SW"), ("purple", "c6", "SW"), ("white", "b6", "SE"), ("black", "b4", "E"),
    ):  # fmt: skip
        old = play.cars[car][0]
        assert old is not None
        now = play._frame + 1.0
        play.give(Switched(now - 0.5, old, False))
        play.give(Switched(now - 0.2, cell, True))
        held = held - {old} | {cell}
        play.put(car, cell, heading)
    play.give(CameraTrouble(50.0, "unplugged."))
    return play


def test_a_drive_that_leaves_no_choice_is_ruled_as_soon_as_it_is_felt(black: Play) -> None:
    black.give(Switched(51.0, "b4", False))
    assert not black.rows("action")
    black.give(Switched(51.5, "c4", True))
    assert black.rows("action")[0]["action"] == {"drive": {"car": "black"}}


def test_cells_that_a_forced_drive_is_pushed_over_are_not_ruled(black: Play) -> None:
    # Around by b3 and c3, and for a moment on d4.
    black.give(Switched(51.0, "b4", False))
    for time, cell in ((51.2, "b3"), (51.8, "c3"), (52.4, "d4")):
        black.give(Switched(time, cell, True))
        black.give(Tick(time + 0.3))
        black.give(Switched(time + 0.4, cell, False))
    assert not any(black.rows(kind) for kind in ("action", "trouble"))
    black.give(Switched(53.0, "c4", True))
    assert black.rows("action")[0]["action"] == {"drive": {"car": "black"}}


def test_a_forced_drive_to_another_cell_is_refused_once_it_is_at_rest(black: Play) -> None:
    black.give(Switched(51.0, "b4", False))
    black.give(Switched(51.5, "d4", True))
    assert not black.rows("trouble")
    black.give(Tick(51.6 + AT_REST))
    assert black.rows("trouble")
    assert not black.rows("action")


def test_what_a_hand_changes_is_known_until_it_is_ruled(black: Play) -> None:
    moving = REFEREE.moving
    assert not moving(black.state)
    black.give(Switched(51.0, "b4", False))
    assert moving(black.state) == {"b4"}
    black.give(Switched(51.2, "d4", True))
    assert moving(black.state) == {"b4", "d4"}
    black.give(Switched(51.4, "d4", False))
    black.give(Switched(51.5, "c4", True))
    assert not moving(black.state)


def test_with_the_camera_dark_a_restart_waits_for_its_heading(felt: Play) -> None:
    felt.give(CameraTrouble(1.1, "unplugged."))
    felt.give(Switched(1.2, "a1", False))
    felt.give(Switched(1.8, "b2", True))
    felt.give(Tick(1.9 + AT_REST))
    assert [row["question"] for row in felt.rows("question")] == ["what-stands"]
    felt.put("red", "b2", "E")
    assert felt.rows("action")


def actions(round_: dict[str, dict[str, dict[str, object]]]) -> list[dict[str, object]]:
    return [{"plot": {"car": car, **plot}} for car, plot in round_["plots"].items()]


@pytest.mark.parametrize(
    "given",
    [
        Switched(1.0, "a1", True),
        Occupied(2.0, frozenset({"a1", "b2"}), frozenset({"c3"})),
        Unsteady(3.0, "a1", False),
        LinkGone(4.0, "gone"),
    ],
)
def test_what_the_switches_say_can_be_recorded(given: Input) -> None:
    assert read_input(given.record()) == given
