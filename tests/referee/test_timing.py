"""The clock of a game: whose time runs, when it stands, what the bell leads to."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tableref.devices.sounds import Sound
from tableref.errors import UserError
from tableref.hosting.bell import Ringer
from tableref.hosting.opening import Watching, new_game, resumed_game
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import Evening, new_evening
from tableref.referee.front import SOUND
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin, Bell, CameraTrouble, Input, read_input
from tableref.referee.resuming import resumed_evening
from tableref.referee.table import Phase, TableState
from tableref.referee.timing import Clock, Timer, due, followed
from tableref.rules.defaults import TableGame
from tableref.rules.log import House

TURN = Clock(60, 10)


class Played:
    """A game in which actions are made at times, and what its clock says."""

    def __init__(self, clock: Clock, name: str = "arrows-and-stars", **setup: Any) -> None:
        self.clock, self.game = clock, load_game(name)
        self.house: House = House(self.game)
        self.state = TableState(self.house.start(setup), Phase.WAITING)
        self.timer = Timer()
        self.now = 0.0
        self.at(0.0)

    def at(self, now: float, phase: Phase | None = None, *actions: str) -> None:
        """At this time the table comes into a phase, or actions are made."""
        table = self.state.table
        for text in actions:
            action = self.game.parse(table.state, text)
            table = self.house.apply(table, action)[0]
        self.state = self.state._replace(table=table, phase=phase or self.state.phase)
        self.timer = followed(self.timer, self.clock, self.game, self.state, now)

    def rings(self, now: float) -> int | None:
        self.timer, bell, _ = due(self.timer, self.clock, now)
        return bell


def test_a_bell_rings_before_the_end_and_at_the_end_each_once() -> None:
    game = Played(TURN)
    assert game.rings(49.9) is None
    assert game.rings(50.0) == 10
    assert game.rings(55.0) is None
    assert game.rings(60.0) == 0
    assert game.rings(999.0) is None


def test_the_time_until_the_next_bell_is_told() -> None:
    game = Played(TURN)
    assert due(game.timer, TURN, 20.0)[2] == 30.0
    assert game.rings(50.0) == 10
    assert due(game.timer, TURN, 52.0)[2] == pytest.approx(8.0)


def test_both_bells_that_are_past_ring_as_one() -> None:
    game = Played(TURN)
    assert game.rings(99.0) == 0
    assert game.rings(99.0) is None


def test_without_a_bell_only_the_end_rings() -> None:
    game = Played(Clock(60))
    assert game.rings(59.0) is None
    assert game.rings(60.0) == 0


def test_a_time_shorter_than_its_bell_has_none() -> None:
    game = Played(Clock(5, 10))
    assert game.rings(0.0) is None
    assert game.rings(5.0) == 0


def test_each_turn_has_the_whole_time() -> None:
    game = Played(TURN)
    game.at(40.0, None, "a2-a3", "end")
    assert game.timer.who == (1,)
    assert game.timer.left(TURN, 40.0) == 60.0
    game.at(50.0, None, "a8-a7", "end")
    assert game.timer.left(TURN, 50.0) == 60.0
    assert game.rings(100.0) == 10


def test_halves_of_a_turn_have_one_time() -> None:
    game = Played(TURN)
    game.at(40.0, None, "a2-a3")
    assert game.timer.who == (0,)
    assert game.timer.left(TURN, 40.0) == 20.0


@pytest.mark.parametrize("phase", [Phase.ASKING, Phase.DISAGREEING, Phase.SETTING_UP])
def test_it_stands_while_the_referee_waits_for_something_else(phase: Phase) -> None:
    game = Played(TURN)
    game.at(30.0, phase)
    assert game.rings(500.0) is None
    game.at(500.0, Phase.WAITING)
    assert game.timer.left(TURN, 500.0) == 30.0
    assert game.rings(520.0) == 10


@pytest.mark.parametrize("phase", [Phase.HAND, Phase.MOVED, Phase.REFUSED])
def test_it_runs_while_he_moves_and_while_he_puts_right_what_was_refused(phase: Phase) -> None:
    game = Played(TURN)
    game.at(30.0, phase)
    assert game.rings(50.0) == 10


def test_nobodys_time_runs_once_it_is_over() -> None:
    game = Played(TURN)
    table, _ = game.house.apply(game.state.table, game.house.read({"resign": {"player": 0}}))
    game.state = game.state._replace(table=table, phase=Phase.OVER)
    game.at(10.0)
    assert game.rings(500.0) is None


def test_by_round_the_time_of_a_round_is_one() -> None:
    """All plot at once: it is everybody's time, and the next round has it whole."""
    clock = Clock(60, 10, "round")
    game = Played(clock, "autoscooter", players=2)
    assert game.timer.who == (0, 1)
    assert game.rings(50.0) == 10
    house, table = game.house, game.state.table
    number = game.game.facts(table.state)["round"]
    while game.game.facts(table.state)["round"] == number:
        action = game.game.forced(table.state) or next(iter(game.game.legal(table.state)))
        table, _ = house.apply(table, action)
    game.state = game.state._replace(table=table)
    game.at(55.0)
    assert game.timer.left(clock, 55.0) == 60.0
    assert game.rings(105.0) == 10


def test_cars_of_one_player_have_a_whole_time_each() -> None:
    """Also one after the other, and after he was the last to plot."""
    game = Played(TURN, "autoscooter", players=2)
    spent, turns, before = 0.0, 0, game.game.turn(game.state.table.state)
    while turns < 20:
        table = game.state.table
        action = game.game.forced(table.state) or next(iter(game.game.legal(table.state)))
        game.state = game.state._replace(table=game.house.apply(table, action)[0])
        game.at(spent := spent + 7.0)
        now = game.game.turn(game.state.table.state)
        if now != before:
            assert game.timer.left(TURN, spent) == 60.0
            turns, before = turns + 1, now


def test_who_plots_last_has_no_second_time() -> None:
    game = Played(TURN, "autoscooter", players=2)
    while len(game.timer.who) == 2:
        table = game.state.table
        action = next(iter(game.game.legal(table.state)))
        game.state = game.state._replace(table=game.house.apply(table, action)[0])
        game.at(30.0)
    assert game.timer.who == (1,)
    assert game.timer.left(TURN, 30.0) == 30.0
    assert game.rings(50.0) == 10


def test_partners_share_a_turns_time_and_others_do_not() -> None:
    game = Played(Clock(60, 10, shared=True), "squod", players=4)
    assert game.timer.who == (0, 2)
    alone = Played(TURN, "squod", players=4)
    assert alone.timer.who == (0,)


# -- in the journal, and on the front --------------------------------------------------------------


def desk_of(evening: Evening, told: list[Feedback], *inputs: Input) -> None:
    class Outlet:
        def tell(self, feedback: Feedback) -> None:
            told.append(feedback)

    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [Outlet()])
    evening.journal.begin()
    for given in inputs:
        desk.take(given)
    evening.journal.close()


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["White: 10 seconds left.", "Time is up for white."]),
        ("fr", ["Blanc\u00a0: encore 10 secondes.", "Le temps est écoulé pour blanc."]),
        ("de", ["Weiß: noch 10 Sekunden.", "Die Zeit ist um für Weiß."]),
    ],
)
def test_bells_are_told_and_stand_in_the_journal(
    tmp_path: Path, lang: str, words: list[str]
) -> None:
    evening = new_evening(tmp_path, "arrows-and-stars", {}, [], "", lang=lang)
    told: list[Feedback] = []
    desk_of(evening, told, Begin(0.0, ()), Bell(50.0, (0,), 10), Bell(60.0, (0,), 0))
    events = [event for feedback in told for event in feedback.events if event["event"] == "bell"]
    assert [event["text"] for event in events] == [[word] for word in words]
    assert SOUND["bell"] is Sound.BELL
    assert told[-1].question == told[0].question  # what was asked stays asked
    again = resumed_evening(tmp_path)
    notices = [row.data["notice"] for row in again.journal.rows() if row.kind == "notice"]
    assert notices == ["bell", "time-over"]
    again.journal.close()


def test_a_bell_of_a_recording_is_read_again() -> None:
    bell = Bell(5.0, (0, 2), 10)
    assert read_input(json.loads(json.dumps(bell.record()))) == bell


def test_who_is_due_rings_through_the_ringer(tmp_path: Path) -> None:
    now, given = 0.0, list[Bell]()
    game: TableGame[Any] = load_game("arrows-and-stars")
    ringer = Ringer(TURN, game, given.append, lambda: now)
    told: list[Feedback] = []
    evening = new_evening(tmp_path, "arrows-and-stars", {}, [], "")
    desk_of(evening, told, Begin(0.0, ()))
    table = told[-1].table
    assert table is not None
    ringer.tell(told[-1]._replace(table=table._replace(phase=Phase.WAITING)))
    assert ringer.step(20.0) == 30.0
    assert ringer.step(50.0) == 0.0
    now = 55.0
    ringer.tell(told[-1]._replace(table=table._replace(phase=Phase.ASKING, ask=None)))
    assert ringer.step(60.0) is None
    assert given == [Bell(50.0, (0,), 10)]


def test_a_game_is_timed_again_after_it_was_left(tmp_path: Path) -> None:
    clock = Clock(30, 10, "turn")
    with new_game(tmp_path, "squod", clock=clock) as game:
        assert game.evening.clock() == clock
        game.evening.journal.begin()
        game.queue.put(CameraTrouble(0.0, "gone"))
    with resumed_game(tmp_path) as again:
        assert again.evening.clock() == clock


def test_nobody_is_timed_unless_it_was_said(tmp_path: Path) -> None:
    with new_game(tmp_path, "squod") as game:
        assert game.evening.clock() is None
        assert "clock" not in game.evening.head


@pytest.mark.parametrize(
    "clock", [7, {"seconds": -1}, {"seconds": "60"}, {"seconds": 60, "per": "move"}]
)
def test_a_clock_that_is_none_is_told(tmp_path: Path, clock: Any) -> None:
    evening = new_evening(tmp_path, "squod", {}, [], "", handed={"clock": clock})
    evening.journal.begin()
    evening.journal.close()
    with pytest.raises(UserError, match="does not replay"):
        resumed_evening(tmp_path)


def test_a_bell_rings_in_a_running_game(tmp_path: Path) -> None:
    """The real threads: nobody says anything, the time is up, and it is in the journal."""
    silence = Silence()

    class Leaves:
        def tell(self, feedback: Feedback) -> None:
            if any(event["event"] == "bell" for event in feedback.events):
                game.queue.close()

    game = new_game(tmp_path, "squod", clock=Clock(1, 0))
    game.play([Leaves()], Watching(evidence=0), typed=silence)
    silence.over.set()
    rows = [row.data for row in resumed_evening(tmp_path).journal.rows() if row.kind == "notice"]
    assert [row["notice"] for row in rows] == ["time-over"]


class Silence(io.StringIO):
    """A terminal at which nobody types."""

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def isatty(self) -> bool:
        return True

    def __next__(self) -> str:
        self.over.wait()
        raise StopIteration
