"""The power goes in the middle of a throw: no throw is lost, none counts twice, and a recording
gives the same rulings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tableref.referee.course import Step
from tableref.referee.inputs import Input, MatSeen, Occupied, Switched, read_input
from tableref.referee.table import Phase, TableState
from tests.referee.matplay import FOUR, REFEREE, MatPlay, lies
from tests.referee.test_trays import position

CAST = {"position": position(blue=["Y2", "K5"], red=["Y5"])}


class Interrupted(MatPlay):
    """A table whose referee is killed before it takes the input of number `killed`; the next
    `lost` frames go by before it is back. Nothing but the journal is left of what it knew."""

    def __init__(self, killed: int, lost: int, **more: Any) -> None:
        self._killed, self._lost = killed, lost
        self._away = False
        self.thrown = 0
        self.held: set[str] = set()
        self.rows: list[Any] = []
        self._first: TableState | None = None
        super().__init__(**more)

    def give(self, given: Input) -> Step:
        if self._first is None:
            self._first = self.state
        match given:
            case Occupied(_, cells):
                self.held = set(cells)
            case Switched(_, cell, True):
                self.held.add(cell)
            case Switched(_, cell, False):
                self.held.discard(cell)
        if len(self.inputs) == self._killed and not self._away and self._lost >= 0:
            self._away = True
        if self._away:
            if self._lost > 0 or not isinstance(given, MatSeen):
                self._lost -= isinstance(given, MatSeen)
                return self.step
            self._away, self._lost = False, -1
            self.state = REFEREE.replayed(self._first, self.rows)
            super().give(Occupied(self.time, frozenset(self.held)))
        step = super().give(given)
        self.rows += step.rows
        return step

    def answered(self) -> Interrupted:
        """The players look at the display, and say whether dice were thrown that it asks about."""
        for turn in range(8):
            if turn > 3 and self.state.phase is Phase.WAITING:
                break
            self.look()
            ask = self.state.ask
            if ask is not None and ask.key == "thrown":
                self.choose(0 if self.counted() < self.thrown else 1)
        return self

    def counted(self) -> int:
        return sum(row.kind == "action" and "throw" in row.data["action"] for row in self.rows)

    def cast(self, *dice: Any) -> Interrupted:
        self.thrown += len(dice)
        self.throw(*dice)
        return self.answered()


def evening(killed: int, lost: int) -> Interrupted:
    """Blue throws one die after the other, stings red, and throws an extra die."""
    play = Interrupted(killed, lost, **CAST)
    play.look(12)  # time for a referee that was killed before it began
    first, second = lies("yellow", 3), lies("black", 6, (20.0, 0.0))
    play.cast(first)
    play.cast(second)
    play.lift("Y2").wait().look(12)
    ask = play.state.ask
    if ask is not None and ask.key == "confirm":
        play.choose(0)
        play.look(12)
    if "Y5" in play.board and "blue" not in play.board["Y5"]:  # killed as the answer came
        play.look(12).choose(0)
    play.pick_up(first).answered()
    play.cast(lies("yellow", 4, (0.0, -30.0)))
    return play


WHOLE = evening(10**9, 0)


def test_the_evening_that_is_not_interrupted() -> None:
    assert WHOLE.counted() == WHOLE.thrown == 3
    assert WHOLE.facts["attacker"] == {"colour": "blue", "cell": "Y5", "die": 4}


@pytest.mark.parametrize("lost", [0, 4])
def test_killed_before_any_input_no_throw_is_lost_or_doubled(lost: int) -> None:
    for killed in range(1, len(WHOLE.inputs)):
        play = evening(killed, lost)
        assert play.counted() == 3, killed
        assert play.facts == WHOLE.facts, killed


def test_a_die_that_was_counted_before_the_power_went_is_not_counted_again() -> None:
    play = MatPlay(FOUR)
    play.throw(lies("yellow", 3))
    play.state = REFEREE.replayed(TableState(REFEREE.house.start(FOUR)), play.written)
    play.look(40)
    assert play.told().count("y3") == 1


def test_dice_thrown_while_the_power_was_off_are_asked_about() -> None:
    play = MatPlay(FOUR)
    play.state = REFEREE.replayed(TableState(REFEREE.house.start(FOUR)), play.written)
    play.dice = [lies("yellow", 3)]
    play.look(10)
    assert play.told()[-1] == "? thrown"


def test_a_recording_gives_the_same_rulings() -> None:
    state, rows = TableState(REFEREE.house.start(FOUR, CAST["position"]), Phase.WAITING), []
    for given in WHOLE.inputs:
        step = REFEREE.step(state, read_input(json.loads(json.dumps(given.record()))))
        state, rows = step.state, [*rows, *step.rows]
    assert rows == WHOLE.rows
    assert state.table == WHOLE.state.table


def test_the_state_is_a_replay_of_the_rows() -> None:
    first = TableState(REFEREE.house.start(FOUR, CAST["position"]), Phase.WAITING)
    again = REFEREE.replayed(first, WHOLE.rows)
    assert again.table == WHOLE.state.table
    # Places are kept to a tenth of a millimetre.
    assert [d.record() for d in again.mat.lying] == [d.record() for d in WHOLE.state.mat.lying]
    assert (again.tray, again.told) == (WHOLE.state.tray, WHOLE.state.told)
