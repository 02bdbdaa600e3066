"""Dice that were misread make a table ask about more of them, never about fewer."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from tableref.devices.config import load_config
from tableref.hosting.doubts import DiceDoubts
from tableref.referee.answers import answer
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Act, Begin, MatSeen, TrustDice, read_input
from tableref.sim.mat import Die, VirtualMat
from tableref_vision.camera import Frame
from tableref_vision.dice.eye import MatEye
from tableref_vision.dice.reader import DiceReader
from tableref_vision.dice.throw import FRAMES, MOST_ASKED, Mat
from tests.referee.matplay import PERIOD, REFEREE, MatPlay, lies

BACK = {"take_back": {"player": 0, "agreed": [0, 1, 2, 3]}}


class VirtualPlay(MatPlay):
    """A table whose dice are seen by the real eye in pictures of the virtual mat."""

    def __init__(self) -> None:
        self._scene = VirtualMat(2)
        self._eye = MatEye(DiceReader(die=16.0))
        super().__init__()

    def lay(self, dice: Iterable[Die]) -> VirtualPlay:
        """These dice come to lie on the mat, and are looked at."""
        self._scene.dice = list(dice)
        picture = self._scene.picture()
        for _ in range(4 * FRAMES):
            self.time, self.frame = self.time + PERIOD, self.frame + 1
            self.give(MatSeen(self._eye.read(Frame(picture, self.time, f"{self.frame:04d}"))))
        return self


def test_on_the_virtual_mat_a_value_that_people_correct_makes_the_table_ask() -> None:
    play = VirtualPlay()
    three = Die(3, -100.0, 0.0, 20.0)
    play.lay([]).told()
    play.lay([three])
    assert play.told() == ["y3"]
    play.give(Act(play.time, BACK))
    play.written = []
    play.enter("y4")
    assert play.told() == ["y4", "asks-more"]
    # What is read no more surely is not sure any more: people are asked.
    play.lay([]).lay([Die(3, -60.0, 20.0, 50.0)])
    assert play.told()[-1] == "? die"
    # To agree with what was read does not make it ask less.
    asks = play.state.mat.asks
    play.choose(2)
    assert play.told()[0] == "y3"
    assert play.state.mat.asks == asks > 0.9


@pytest.fixture
def fresh() -> MatPlay:
    play = MatPlay()
    play.told()
    return play


def test_a_question_that_is_answered_otherwise_than_read_makes_the_table_ask(
    fresh: MatPlay,
) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    fresh.choose(2)
    assert fresh.told() == ["? die", "y3", "asks-more"]
    fresh.throw(lies("yellow", 6, (30.0, 0.0)))
    assert fresh.told() == ["? die"]


def test_ok_presses_leave_the_threshold_where_it_is(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    fresh.choose(3)
    assert fresh.told() == ["? die", "y4"]
    assert fresh.state.mat.asks == 0.0
    fresh.state = fresh.state._replace(mat=fresh.state.mat._replace(asks=0.99))
    fresh.throw(lies("yellow", 6, (30.0, 0.0)))
    fresh.choose(5)
    assert fresh.told() == ["? die", "y6"]
    assert fresh.state.mat.asks == 0.99


def test_a_throw_that_is_taken_back_and_entered_as_it_was_teaches_nothing(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    fresh.give(Act(fresh.time, BACK))
    fresh.written = []
    fresh.enter("y3")
    assert fresh.told() == ["y3"]
    assert fresh.state.mat.asks == 0.0


def test_a_throw_on_the_other_tray_corrects_nothing(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    fresh.give(Act(fresh.time, BACK))
    fresh.enter("k4")
    assert fresh.state.mat.asks == 0.0


def test_what_is_read_most_surely_is_never_asked_about() -> None:
    mat = Mat()
    for confidence in (0.97, 0.5, 1.0):
        before, mat = mat, mat.misread(confidence)
        assert before.asks <= mat.asks <= MOST_ASKED
    die = lies("yellow", 3)
    assert not mat.is_sure(die)
    assert mat.is_sure(replace(die, confidence=1.0))


def test_one_word_has_the_table_forget_it(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    fresh.choose(2)
    fresh.told()
    given = answer(REFEREE, fresh.state, "trust", fresh.time)
    assert read_input(json.loads(json.dumps(given.record()))) == given
    fresh.give(given)
    assert fresh.told() == ["asks-as-usual"]
    fresh.throw(lies("yellow", 6, (30.0, 0.0)))
    assert fresh.told() == ["y6"]


def test_a_journal_and_the_next_game_know_it(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    fresh.choose(2)
    again = REFEREE.replayed(MatPlay().state, fresh.all_rows)
    assert again.mat.asks == fresh.state.mat.asks > 0
    begin = Begin(0.0, ("mat",), again.mat.asks)
    assert read_input(json.loads(json.dumps(begin.record()))) == begin
    assert REFEREE.step(MatPlay().state, begin).state.mat.asks == again.mat.asks


def test_the_configuration_keeps_it_beside_the_size(
    fresh: MatPlay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tableref.toml"
    path.write_text("[dice]\nsize = 18 # bought in spring\n", encoding="utf-8")
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    outlet = DiceDoubts(load_config().asks)
    fresh.throw(lies("yellow", 4, why="unclear"))
    for given in (lambda: fresh.choose(2), lambda: fresh.give(TrustDice(fresh.time))):
        given()
        outlet.tell(Feedback((), (), {}, (), fresh.state.phase, table=fresh.state))
        assert load_config().asks == fresh.state.mat.asks
        assert load_config().die == 18.0
    assert load_config().asks == 0.0
    assert "bought in spring" in path.read_text(encoding="utf-8")
