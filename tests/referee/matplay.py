"""Scorpion played by hand in a test: dice on the mat, scorpions on switches, in virtual time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tableref.referee.course import Step
from tableref.referee.games import load_game
from tableref.referee.inputs import Act, Choose, Input, MatSeen, Occupied, Switched
from tableref.referee.step import AT_REST, Referee
from tableref.referee.table import Phase, Row, TableState
from tableref.rules.pieces import texts
from tableref_hardware import load_board
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import FRAMES, MatLook

PERIOD = 0.1  # s between two frames
BOARD = load_board("scorpion")
REFEREE = Referee(load_game("scorpion"), BOARD)
FOUR = {"players": 4}

Place = tuple[float, float]


def lies(
    tray: str | None, value: int | None, at: Place = (0.0, 0.0), why: str | None = None
) -> SeenDie:
    """A die as the reader sees it, `at` mm from the middle of its tray."""
    middle = {"yellow": -80.0, "black": 80.0}.get(tray or "", 0.0)
    place = (middle + at[0], at[1])
    shown = value if why in (None, "unclear") else None
    return SeenDie(shown, why is None, 0.99, (*place, 20.0, 20.0), tray, why, place)


class MatPlay:
    """A table. `dice` lie on the mat; `throw` and `hand` are what people do; `rows` what was
    written since the last look at them."""

    def __init__(
        self,
        setup: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
        switches: bool = True,
    ) -> None:
        table = REFEREE.house.start(setup or FOUR, position)
        self.state = TableState(table, Phase.SETTING_UP if position is None else Phase.WAITING)
        self.step = Step(self.state)
        self.time, self.frame = 0.0, 0
        self.dice: list[SeenDie] = []
        self.inputs: list[Input] = []
        self.written: list[Row] = []
        self.all_rows: list[Row] = []
        if switches:
            self.give(Occupied(self.time, frozenset(self.board)))
        self.look(20)

    # -- what happens -----------------------------------------------------------------------------

    def give(self, given: Input) -> Step:
        """Any input."""
        self.inputs.append(given)
        self.step = REFEREE.step(self.state, given)
        self.state = self.step.state
        self.written += self.step.rows
        self.all_rows += self.step.rows
        return self.step

    def look(self, frames: int = FRAMES, **more: Any) -> MatPlay:
        """The camera looks at the dice as they lie."""
        for _ in range(frames):
            self.time, self.frame = self.time + PERIOD, self.frame + 1
            shown = tuple(more.get("dice", self.dice))
            told = {key: value for key, value in more.items() if key != "dice"}
            self.give(MatSeen(MatLook(self.time, f"{self.frame:04d}", shown, **told)))
        return self

    def hand(self, frames: int = 2, dice: Iterable[SeenDie] = ()) -> MatPlay:
        """A hand over the mat; only these dice show beside it."""
        return self.look(frames, dice=tuple(dice), hand=True, still=False)

    def pick_up(self, *dice: SeenDie) -> MatPlay:
        """A hand takes these dice, or all, and the mat is seen without them."""
        taken = dice or tuple(self.dice)
        self.dice = [die for die in self.dice if die not in taken]
        return self.hand(dice=self.dice).look()

    def throw(self, *dice: SeenDie) -> MatPlay:
        """These dice are thrown from the hand: they roll, and come to rest."""
        self.hand(dice=self.dice)
        self.look(2, dice=self.dice, still=False)
        self.dice += dice
        return self.look()

    def lift(self, cell: str) -> MatPlay:
        """A scorpion is lifted off a cell."""
        self.give(Switched(self.time, cell, False))
        return self

    def put(self, cell: str) -> MatPlay:
        """A scorpion is set down on a cell."""
        self.give(Switched(self.time, cell, True))
        return self

    def wait(self) -> MatPlay:
        """Nothing more happens until the pieces count as at rest."""
        return self.look(int(AT_REST / PERIOD) + 1)

    def move(self, start: str, to: str) -> MatPlay:
        """A scorpion goes from a cell, or the hand, to a free cell."""
        if start:
            self.lift(start).look(2)
        return self.put(to).wait()

    def choose(self, choice: int, question: int | None = None) -> MatPlay:
        """OK on a page: the answer of this number, from 0, to the question that is open or to the
        one of this number."""
        self.give(Choose(self.time, choice, self.state.open if question is None else question))
        return self

    def enter(self, text: str) -> MatPlay:
        """Somebody enters an action at the table."""
        action = REFEREE.game.parse(self.state.table.state, text)
        self.give(Act(self.time, action.record()))
        return self

    # -- what came of it --------------------------------------------------------------------------

    @property
    def facts(self) -> dict[str, Any]:
        """The state by the rules."""
        return REFEREE.game.facts(self.state.table.state)

    @property
    def board(self) -> dict[str, str]:
        """The board by the rules."""
        return texts(REFEREE.game.board(self.state.table.state))

    def told(self) -> list[str]:
        """What was written since the last call, in short: actions, paragraphs, questions."""
        words = []
        for row in self.written:
            match row.kind:
                case "action":
                    action = REFEREE.house.read(row.data["action"])
                    words.append(REFEREE.game.text(self.state.table.state, action))
                case "trouble":
                    words.append("! " + " ".join(row.data["paragraphs"]))
                case "question":
                    words.append("? " + row.data["question"])
                case "notice":
                    words.append(row.data["notice"])
        self.written = []
        return words
