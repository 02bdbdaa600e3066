"""An evening by switches alone, recorded: played again it says the same."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tableref.cli import main
from tableref.devices.lights import Light
from tableref.devices.link.errors import LinkError
from tableref.devices.link.items import CellUnsteady, LinkItem, LinkLost, Snapshot, SwitchEvent
from tableref.hosting.opening import Game, Watching
from tableref.referee.desk import Feedback
from tableref.referee.evening import new_evening
from tableref.referee.queue import InputQueue
from tableref.referee.recording import read_recording
from tableref.referee.table import Phase

PATIENCE = 20  # seconds in which what is waited for has come, on any machine


class Player:
    """A board under the table whose player waits for each ruling before he goes on."""

    def __init__(self, *moves: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.queue = InputQueue()
        self._phase = Phase.SETTING_UP
        self._moves, self._told = moves, threading.Condition()

    def tell(self, feedback: Feedback) -> None:
        """Hears what the referee says."""
        with self._told:
            self._phase = feedback.phase
            self.events += json.loads(json.dumps(feedback.events))
            self._told.notify_all()

    def _heard(self, kind: str, count: int = 1) -> None:
        with self._told:
            heard = [event["event"] for event in self.events]
            assert self._told.wait_for(
                lambda: sum(event["event"] == kind for event in self.events) >= count, PATIENCE
            ), heard

    def __iter__(self) -> Iterator[LinkItem]:
        try:
            yield from self._evening()
        finally:  # also where he waited in vain
            self.queue.close()

    def _evening(self) -> Iterator[LinkItem]:
        yield Snapshot(frozenset({"gate"}), frozenset(), time.monotonic(), 0.0, True)
        with self._told:
            assert self._told.wait_for(lambda: self._phase is Phase.WAITING, PATIENCE)
        yield CellUnsteady("n1", True, time.monotonic(), 0.0)
        yield CellUnsteady("n1", False, time.monotonic(), 0.0)
        for number, cell in enumerate(self._moves, 1):
            yield SwitchEvent(cell, True, time.monotonic(), 0.0)
            self._heard("ruling", number)
        yield LinkLost(time.monotonic(), LinkError("It was pulled out.", "Plug it in."))
        self._heard("question")

    def next(self, timeout: float | None = None) -> LinkItem | None:
        """Nothing: it is iterated over."""
        return None

    def show(self, lights: Mapping[str, Light]) -> None:
        """Has no lights."""

    def snapshot(self) -> None:
        """Has told its first state."""

    def close(self) -> None:
        """Is pulled out."""


def test_a_recording_with_a_link_is_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player("s3", "nw3")
    evening = new_evening(tmp_path / "game", "skorpion-deep", {}, [], "")
    game = Game(tmp_path / "game", evening, {}, player.queue, player)  # type: ignore[arg-type]
    game.play([player], Watching(record=str(tmp_path / "inputs"), evidence=0))
    kinds = {type(given).__name__ for given in read_recording(tmp_path / "inputs")[1]}
    assert {"Begin", "Occupied", "Switched", "Unsteady", "LinkGone", "Tick"} <= kinds
    assert sum(event["event"] == "ruling" for event in player.events) == 2
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "inputs"), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told == player.events
