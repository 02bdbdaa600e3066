"""A fault ends no thread: it is told once, and the thread goes on or starts again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tableref.devices.oled import DisplayError, Screen, ScreenKeeper
from tableref.devices.panel import Panel
from tableref.devices.worker import Guard, Worker
from tableref.errors import UserError


def test_a_fault_is_told_once_with_its_place_and_a_pause_that_doubles() -> None:
    told: list[str] = []
    guard = Guard("the buttons", told.append)
    pauses = []
    for number in range(8):
        with guard:
            raise ValueError(f"the {number}th")
        pauses.append(guard.pause)  # type: ignore[unreachable]
    assert pauses == [0.25, 0.5, 1, 2, 4, 8, 8, 8]
    [sentence] = told
    assert sentence.startswith("the buttons: a fault of Tableref (ValueError the 0th, at ")
    assert "test_guard.py:" in sentence
    with guard:
        pass
    assert guard.pause == 0.0


def test_what_is_meant_for_people_is_told_as_it_is() -> None:
    told: list[str] = []
    guard = Guard("the lights", told.append)
    with guard:
        raise UserError("no room")
    with guard:  # type: ignore[unreachable]
        raise OSError(28, "No space left on device", "lights-0001.png")
    assert told == [
        "the lights: no room",
        "the lights: lights-0001.png: No space left on device",
    ]


def test_what_is_fatal_and_what_a_person_breaks_off_passes_through() -> None:
    guard = Guard("the referee", pytest.fail, fatal=(UserError,))
    with pytest.raises(UserError), guard:
        raise UserError("the journal cannot be written")
    with pytest.raises(KeyboardInterrupt), guard:
        raise KeyboardInterrupt


def test_a_worker_goes_on_after_each_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Guard, "SHORTEST", 0.001)
    done = threading.Event()
    left = [None, KeyError("a"), OSError("b"), RuntimeError("c"), None]

    def step(now: float) -> float | None:
        fault = left.pop(0)
        if not left:
            done.set()
            return None
        if fault is not None:
            raise fault
        return 0.0

    worker = Worker("the buzzer", step)
    worker.start()
    assert done.wait(5)
    worker.close()
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1, "all were raised at the same place"
    assert told[0].startswith("the buzzer: a fault of Tableref (KeyError")


class Broken:
    """A display that fails in ways that its driver does not promise."""

    def __init__(self, faults: Iterator[Exception | None]) -> None:
        self._faults = faults

    def show(self, screen: Screen) -> None:
        fault = next(self._faults)
        if fault is not None:
            raise fault

    def stay(self) -> None:
        raise RuntimeError("it does not stay")

    def close(self) -> None:
        raise RuntimeError("closed in vain")


def test_a_display_that_raises_anything_is_opened_anew_and_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults: Iterator[Any] = iter([ValueError("odd"), TypeError("odder"), None, None])
    opened = []

    def open_display() -> Broken:
        opened.append(1)
        return Broken(faults)

    keeper = ScreenKeeper(open_display)
    keeper.show(Screen("one"))
    now = 0.0
    for _ in range(3):
        now += keeper.step(now) or 0.0
    assert len(opened) == 3
    assert keeper.trouble is None
    [record] = caplog.records
    assert "the display failed: a fault of Tableref (ValueError odd" in record.getMessage()
    keeper.close()


def test_a_display_that_is_away_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    def open_display() -> Broken:
        raise DisplayError("no display answers", "Check its wires.")

    keeper = ScreenKeeper(open_display)
    keeper.show(Screen("one"))
    now = 0.0
    for _ in range(5):
        now += keeper.step(now) or 0.0
    assert [record.getMessage() for record in caplog.records] == [
        "no display answers. Check its wires."
    ]


def test_a_display_that_fails_at_last_keeps_nothing_else_from_being_given_back() -> None:
    keeper = ScreenKeeper(lambda: Broken(iter([None, None])))
    keeper.show(Screen("one"))
    keeper.step(0.0)
    keeper.stay()
    keeper.close()


class Part:
    """A part of a panel that is given back, or raises where it should be."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault, self.closed = fault, 0

    def close(self) -> None:
        self.closed += 1
        if self.fault is not None:
            raise self.fault


def test_a_part_that_cannot_be_given_back_keeps_no_other_from_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = Part(ValueError("odd")), Part(RuntimeError("odder"))
    lock: Any = Part()
    panel = Panel()
    panel.buttons, panel.sounds, panel.lock = *broken, lock  # type: ignore[assignment]
    panel.close()
    assert [part.closed for part in (*broken, lock)] == [1, 1, 1]
    assert "the panel: a fault of Tableref (ValueError odd" in caplog.text
