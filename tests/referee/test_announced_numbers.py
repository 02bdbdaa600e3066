"""Plots on paper: numbers are told by buttons, so the order is known; so are crashes that show
nothing."""

from __future__ import annotations

from typing import Any

from tableref.devices.buttons import Button, Press
from tableref.devices.oled import Marker
from tableref.referee.desk import Feedback
from tableref.referee.front import Front
from tableref.referee.inputs import Choose, Input
from tableref.referee.pages import OK
from tableref.referee.table import Phase
from tableref.referee.telling import Teller
from tableref.rulebook import Rulebook
from tableref.rules.pieces import Stack
from tests.referee.hands import Table


def paper_table() -> Table:
    return Table("autoscooter", "board", 1)


def told(table: Table, kind: str) -> list[dict[str, Any]]:
    return [row.data for row in table.rows if row.kind == kind]


def done(table: Table) -> list[str]:
    read = table.referee.house.read
    return [table.game.text(None, read(row["action"])) for row in told(table, "action")]


def tell(table: Table, text: str) -> None:
    """Somebody chooses this action among what is offered on the display."""
    assert table.state.ask is not None
    offered = [table.game.text(None, one.actions[0]) for one in table.state.ask.answers]
    table.give(Choose(table.time, offered.index(text), table.state.ask.number))


def numbers(table: Table, *cars: str) -> None:
    """All numbers, in log-sheet order, so that the cars move in this order."""
    layout = table.game.layout
    for column, car in enumerate(layout.cars):
        tell(table, f"{car} #{layout.numbers[column][cars.index(car)]}")


def drives(table: Table, *texts: str) -> None:
    """Hands make these moves, and nobody says anything of those that show nothing."""
    state = table.inner
    for text in texts:
        before = table.game.board(state)
        state = table.game.apply(state, table.game.parse(state, text))[0]
        if table.game.board(state) != before:
            table.move(table.game.board(state))
            table.rest()


CARS = ("red", "orange", "yellow", "green", "blue", "purple", "white", "black")
RESTARTS = (
    "red>b1SE", "orange>d2NE", "yellow>e2NW", "green>e4W", "blue>e6SW", "purple>c6SW", "white>b6SE",
    "black>b4E",
)  # fmt: skip


def test_the_numbers_of_a_car_are_offered_while_its_move_is_awaited() -> None:
    table = paper_table()
    ask = table.state.ask
    assert ask is not None
    assert ask.awaited
    assert [table.game.text(None, a.actions[0]) for a in ask.answers] == [
        f"red #{number}" for number in table.game.layout.numbers[0]
    ]
    tell(table, "red #16")
    assert done(table) == ["red #16"]
    assert "orange #2" in [table.game.text(None, a.actions[0]) for a in table.state.ask.answers]
    assert not told(table, "question")


def test_once_all_numbers_are_told_the_cars_move_in_their_order() -> None:
    table = paper_table()
    numbers(table, *reversed(CARS))
    assert table.game.due(table.inner).piece == "black"
    drives(table, "black>b4E", "white>b6SE")
    assert done(table)[-2:] == ["black>b4E", "white>b6SE"]
    table.move(moved(table, "red", "b1", "SE"))
    table.rest()
    [trouble] = told(table, "trouble")
    assert [(f["paragraph"], f["case"]) for f in trouble["facts"]][:1] == [
        ("AS-4.1", "not-its-turn")
    ]


def moved(table: Table, car: str, cell: str, heading: str) -> dict[str, Stack]:
    board = {c: s for c, s in table.stands.items() if s[0].name != car}
    [piece] = [s[0] for s in table.stands.values() if s[0].name == car]
    return board | {cell: (piece._replace(facing=heading),)}


def test_with_the_order_known_a_crash_that_showed_nothing_is_ruled_with_the_next_move() -> None:
    """Red stands before the barrier: whatever it drives, it stays."""
    table = paper_table()
    drives(table, *RESTARTS)
    numbers(table, *CARS)
    before = len(done(table))
    assert table.game.board(table.inner)["b1"][0].name == "red"
    drives(table, "red!C", "orange!C")
    assert done(table)[before:] == ["red!C", "orange!C"]
    assert not told(table, "question")
    assert not told(table, "trouble")


def test_a_crash_that_shows_nothing_can_be_told_by_a_button() -> None:
    table = paper_table()
    drives(table, *RESTARTS)
    tell(table, "red!C")
    assert done(table)[-1] == "red!C"


def test_a_number_is_chosen_with_two_buttons_from_the_page_that_waits() -> None:
    table = paper_table()
    given: list[Input] = []
    front = Front(Rulebook("en"), 4, given.append, clock=lambda: 0.0)
    step = table.referee.standing(table.state)
    screens = Teller(table.game, table.board_file).screens(table.state, step)
    first = [screen.hint.startswith(OK) for screen in screens].index(True)
    assert Marker.WAIT in [screen.marker for screen in screens[:first]]
    shown: list[str] = []

    class Shows:
        def show(self, screen: Any) -> None:
            shown.append(" ".join(screen.lines))

        def status(self, status: Any) -> None:
            """A light."""

        def play(self, sound: Any) -> None:
            """A melody."""

    front._panel = Shows()  # type: ignore[assignment]
    front.tell(Feedback((), screens, {}, (), Phase.WAITING, table.state.open))
    for turned in range(first):
        stays = turned == first - 1
        assert (front.step(9.0 * turned) is None) == stays  # on what is awaited
    front.pressed(Press(Button.DOWN, False, 5.0))
    front.step(5.0)
    assert shown[-1] == "Red has number 1."
    front.pressed(Press(Button.OK, False, 6.0))
    assert given == [Choose(6.0, 0, table.state.open)]
