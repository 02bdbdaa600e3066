"""No fault of camera, eye, link, terminal, outlet or referee ends a game; a journal's does."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tableref.devices.worker import Guard
from tableref.errors import UserError
from tableref.hosting import session as sessions
from tableref.hosting.session import Session
from tableref.referee.answers import answer, listen
from tableref.referee.desk import Desk, Feedback
from tableref.referee.evening import Evening, new_evening
from tableref.referee.games import GAMES, load_game
from tableref.referee.inputs import CameraEnded, CameraTrouble, Choose, Input, LinkGone, Seen
from tableref.referee.queue import InputQueue
from tableref.referee.step import Referee
from tableref.referee.table import TableState
from tableref.rules.log import House
from tableref.rules.surface import RulesError
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tests.referee.conftest import seen


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guard, "SHORTEST", 0.001)


class Scripted:
    """A camera that gives so many frames, or raises what it is told to instead."""

    waits = True

    def __init__(self, *steps: Exception | None) -> None:
        self._steps = iter(steps)
        self._number = 0

    def frames(self, after: str = "") -> Iterator[Frame]:
        return self  # type: ignore[return-value]

    def __next__(self) -> Frame:
        fault = next(self._steps)
        self._number += 1
        if fault is not None:
            raise fault
        return Frame(np.zeros((1, 1, 3), np.uint8), float(self._number), f"{self._number}")

    def close(self) -> None:
        pass


def run(
    folder: Path,
    camera: Scripted,
    monkeypatch: pytest.MonkeyPatch,
    eye: Any = None,
    outlets: tuple[Any, ...] = (),
    **more: Any,
) -> list[Input]:
    """Runs an evening of Scorpion; the inputs that the referee took."""

    def look(frame: Frame, lit: Collection[str]) -> Input:
        return seen({}, frame.name, frame.time)

    one = eye or look
    monkeypatch.setattr(sessions, "eye", lambda *_, **__: lambda frame, lit: (one(frame, lit),))
    evening: Evening = new_evening(folder, "scorpion", {"players": 2}, [], "folder:x")
    taken: list[Input] = []
    with contextlib.closing(evening.journal):
        cameras, queue = {"board": camera}, InputQueue(True)
        Session(evening, cameras, outlets, queue, record=taken.append, **more).run()
    return taken


def of(kind: type, taken: list[Input]) -> list[Any]:
    return [given for given in taken if isinstance(given, kind)]


def test_a_camera_that_raises_anything_is_told_once_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = Scripted(None, ValueError("odd"), None, ValueError("odd"), None)
    taken = run(tmp_path, camera, monkeypatch)
    assert [given.observation.image for given in of(Seen, taken)] == ["1", "3", "5"]
    [trouble] = of(CameraTrouble, taken)
    assert "ValueError odd" in trouble.message
    assert isinstance(taken[-1], CameraEnded)


def test_an_eye_that_fails_at_one_picture_reads_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def eye(frame: Frame, lit: Collection[str]) -> Input:
        if frame.name in ("2", "3"):
            raise np.linalg.LinAlgError("singular")
        return seen({}, frame.name, frame.time)

    taken = run(tmp_path, Scripted(*[None] * 5), monkeypatch, eye)
    assert [given.observation.image for given in of(Seen, taken)] == ["1", "4", "5"]
    assert len(of(CameraTrouble, taken)) == 1


class BrokenLink:
    """A link that raises when it is asked the first time."""

    def __init__(self) -> None:
        self.asked = 0
        self.again, self.over = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Any]:
        self.asked += 1
        if self.asked == 1:
            raise IndexError("torn")
        self.again.set()
        self.over.wait(10)
        return iter(())

    def close(self) -> None:
        self.over.set()


def test_a_link_that_fails_is_told_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = BrokenLink()

    def eye(frame: Frame, lit: Collection[str]) -> Input:
        assert link.again.wait(5)
        return seen({}, frame.name, frame.time)

    taken = run(tmp_path, Scripted(*[None] * 3), monkeypatch, eye, link=link)
    [gone] = of(LinkGone, taken)
    assert "IndexError torn" in gone.message
    assert len(of(Seen, taken)) == 3


class Raises:
    """An outlet that raises something at every step."""

    def __init__(self, fault: Exception) -> None:
        self.fault, self.told = fault, 0

    def tell(self, feedback: Feedback) -> None:
        self.told += 1
        raise self.fault


@pytest.mark.parametrize(
    "fault", [KeyError("x"), OSError(28, "No space left on device", "a.png"), RuntimeError()]
)
def test_an_outlet_that_raises_anything_is_told_once_and_the_others_go_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, heard = Raises(fault), []

    class Good:
        def tell(self, feedback: Feedback) -> None:
            heard.append(feedback)

    trouble = [OSError(f"fault {number}") for number in range(3)]
    taken = run(tmp_path, Scripted(None, *trouble, None), monkeypatch, None, (broken, Good()))
    assert broken.told == len(heard) > 1
    assert len(of(Seen, taken)) == 2
    assert len([r for r in caplog.records if r.name == "tableref.referee.desk"]) == 1


def test_a_referee_that_fails_at_one_input_takes_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    step, failed = Referee.step, []

    def fails(self: Referee, state: Any, given: Input) -> Any:
        if isinstance(given, Seen) and given.observation.image in ("2", "4"):
            failed.append(given)
            raise ZeroDivisionError("a rule")
        return step(self, state, given)

    monkeypatch.setattr(Referee, "step", fails)
    taken = run(tmp_path, Scripted(*[None] * 5), monkeypatch)
    assert (len(failed), len(of(Seen, taken))) == (2, 5)
    told = [r for r in caplog.records if "ZeroDivisionError a rule" in r.getMessage()]
    assert len(told) == 1


def test_a_journal_that_cannot_be_written_ends_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Desk, given: Input) -> None:
        raise UserError("cannot be written")

    monkeypatch.setattr(Desk, "take", full)
    with pytest.raises(UserError, match="cannot be written"):
        run(tmp_path, Scripted(None), monkeypatch)


ODD = ("²", "٣", "9" * 5000, "1e5", "-1", "0x1", "\x00", "½", "①", ">", "red>", "²>³", "a²", "1²")


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_typed_is_an_input_or_a_sentence(game: str) -> None:
    referee = Referee(load_game(game, load_board(game)), load_board(game))
    setup = {"players": 2} if game in ("autoscooter", "scorpion", "squod") else {}
    table = TableState(House(referee.game).start(setup))
    for line in ODD:
        try:
            time = answer(referee, table, line, 1.0).time
        except RulesError:
            continue
        assert time == 1.0


def test_the_terminal_goes_on_after_a_fault_and_says_it_once() -> None:
    given: list[Input] = []
    said: list[str] = []

    def read(line: str) -> Input:
        if line == "odd":
            raise TypeError("odd")
        return Choose(0.0, int(line))

    def give(given_one: Input) -> bool:
        given.append(given_one)
        return True

    listen(["1", "odd", "odd", "", "2"], read, give, lambda lines, wrong: said.extend(lines))
    assert given == [Choose(0.0, 1), Choose(0.0, 2)]
    [sentence] = said
    assert "TypeError odd" in sentence
