"""Whole evenings of Scorpion by virtual players: with dice that are seen as they lie, which is
quick, and through pictures and nets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import Evening, new_evening
from tableref.referee.inputs import Input, MatSeen, Occupied
from tableref.referee.resuming import resumed_evening
from tableref.referee.table import Phase
from tableref.rules.pieces import texts
from tableref.sim.draw import Hand
from tableref.sim.mat import Die
from tableref.sim.scorpion import VirtualScorpion
from tableref_hardware import load_board
from tableref_vision.dice import mat
from tableref_vision.dice.eye import MatEye
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import MatLook

BOARD = load_board("scorpion")
SHORT = {"players": 3, "cells_per_side": 6}


def seen(die: Die, doubt: bool = False) -> SeenDie:
    """The die as a reader without faults sees it, or with `doubt` about its value."""
    tray = mat.tray_at(die.x, die.y)
    why = "unclear" if doubt else None
    if tray is None:
        why = "off-tray"
    elif die.up != mat.FLOOR or die.tilt:
        why = "rim"
    value = die.value if why in (None, "unclear") else None
    return SeenDie(value, why is None, 1.0, (0.0, 0.0, 1.0, 1.0), tray, why, (die.x, die.y))


class SeenMat:
    """A mat that is not drawn but seen as it is."""

    def __init__(self, doubts: int = 0) -> None:
        self.dice: list[Die] = []
        self._doubts = doubts  # one die in so many cannot be read; none where 0
        self._before: tuple[Die, ...] = ()
        self._hands: tuple[Hand, ...] = ()

    def picture(self, hands: Iterable[Hand] = ()) -> Any:
        self._hands = tuple(hands)
        return np.zeros((1, 1, 3), np.uint8)

    def look(self, time: float, name: str) -> MatLook:
        still = self._before == tuple(self.dice)
        self._before = tuple(self.dice)
        doubted = [bool(self._doubts) and round(d.x * 10) % self._doubts == 0 for d in self.dice]
        dice = tuple(seen(die, doubt) for die, doubt in zip(self.dice, doubted, strict=True))
        return MatLook(time, name, dice, still=still, hand=bool(self._hands))


class Watched:
    """An evening that is refereed, step by step."""

    def __init__(self, evening: Evening, game: VirtualScorpion) -> None:
        self.desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [game])
        self.evening, self.game = evening, game
        self.inputs: list[Input] = []
        game.camera(self.give, lambda: None)

    def give(self, given: Input) -> None:
        self.inputs.append(given)
        self.desk.take(given)

    def board(self) -> dict[str, str]:
        return texts(self.evening.referee.game.board(self.desk.state.table.state))

    def rows(self, *kinds: str) -> list[dict[str, Any]]:
        return [row.data for row in self.evening.journal.rows() if row.kind in kinds]


def watched(folder: Path, game: VirtualScorpion, setup: dict[str, Any] = SHORT) -> Watched:
    return Watched(new_evening(folder, "scorpion", setup, [], "virtual:0"), game)


@pytest.mark.parametrize(("seed", "doubts"), [(1, 0), (2, 0), (3, 3), (4, 3)])
def test_an_evening_is_refereed_to_its_end(tmp_path: Path, seed: int, doubts: int) -> None:
    dice = SeenMat(doubts)
    game = VirtualScorpion(BOARD, SHORT, seed, dice_mat=dice)
    table = watched(tmp_path, game)
    for frame in game.frames():
        table.give(MatSeen(dice.look(frame.time, frame.name)))
        if table.desk.state.phase is Phase.WAITING:
            # Nothing is ruled that does not stand there.
            assert game.occupied() == frozenset(table.board())
        assert len(table.inputs) < 9000
    assert table.desk.state.phase is Phase.OVER
    assert game.slips == []
    questions = Counter(row["question"] for row in table.rows("question"))
    assert (questions["die"] > 0) == bool(doubts)
    paragraphs = {p for row in table.rows("trouble") for p in row["paragraphs"]}
    assert "HR-3.2" in paragraphs
    # All of it can be played again.
    again = table.evening.referee.replayed(table.evening.state, table.evening.journal.rows())
    assert again.table == table.desk.state.table


def test_the_same_seed_plays_the_same_evening(tmp_path: Path) -> None:
    told = []
    for number in (1, 2):
        dice = SeenMat()
        game = VirtualScorpion(BOARD, SHORT, 5, dice_mat=dice)
        table = watched(tmp_path / str(number), game)
        for frame in game.frames():
            table.give(MatSeen(dice.look(frame.time, frame.name)))
        told.append(table.rows("action"))
    assert told[0] == told[1]


def test_an_evening_through_pictures_and_nets(tmp_path: Path) -> None:
    """The first turns: what the nets cannot read is asked and answered, and nothing is wrong."""
    setup = {"players": 2, "cells_per_side": 6}
    game = VirtualScorpion(BOARD, setup, 11)
    table = watched(tmp_path, game, setup)
    eye = MatEye(DiceReader())
    for number, frame in enumerate(game.frames()):
        table.give(MatSeen(eye.read(frame)))
        if number > 60:
            break
    assert game.slips == []
    assert len([row for row in table.rows("action") if "throw" in row["action"]]) >= 2


class Killed(BaseException):
    """The referee's process is gone."""


class Lifeline:
    """Hears what the players are told; now and then the process ends before they hear it."""

    def __init__(self, game: VirtualScorpion, every: int) -> None:
        self._game, self._every, self._count = game, every, 0
        self.kills = 0

    def tell(self, feedback: Feedback) -> None:
        self._count += 1
        if self._every and self._count % self._every == 0:
            self.kills += 1
            raise Killed
        self._game.tell(feedback)


@pytest.mark.parametrize("every", [7, 23])
def test_killed_between_journal_and_telling_the_players_still_hear_every_ruling(
    tmp_path: Path, every: int
) -> None:
    """They follow the game by what they hear alone, so one ruling that they miss ends it."""
    dice = SeenMat()
    game = VirtualScorpion(BOARD, SHORT, 5, dice_mat=dice)
    table = watched(tmp_path, game)
    line = Lifeline(game, every)

    def seat(evening: Evening) -> None:
        table.evening = evening
        table.desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [line])

    def give(given: Input) -> None:
        table.inputs.append(given)
        try:
            table.desk.take(given)
        except Killed:
            table.evening.journal.close()
            seat(resumed_evening(tmp_path))
            assert table.evening.before is not None
            table.desk.take_up(table.evening.before, table.evening.untold)
            table.desk.take(Occupied(given.time, game.occupied()))

    seat(table.evening)
    game.camera(give, lambda: None)
    for frame in game.frames():
        give(MatSeen(dice.look(frame.time, frame.name)))
        assert len(table.inputs) < 9000
    assert line.kills > 5
    assert table.desk.state.phase is Phase.OVER
    assert game.slips == []
