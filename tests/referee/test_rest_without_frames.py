"""A table whose camera is gone: what the switches feel is ruled once it is at rest, though no frame
tells the time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.devices.link.items import LinkItem, Snapshot, SwitchEvent
from tableref.hosting.session import Session
from tableref.referee.evening import new_evening
from tableref.referee.inputs import Act
from tableref.referee.table import Phase
from tableref_vision.camera import Frame
from tableref_vision.errors import CameraError
from tests.referee.test_recording_link import Player


class PulledOut:
    """A camera that is gone before its first frame."""

    waits = False

    def __init__(self) -> None:
        self._told, self._closed = False, threading.Event()

    def frames(self, after: str = "") -> Iterator[Frame]:
        return self  # type: ignore[return-value]

    def __next__(self) -> Frame:
        if not self._told:
            self._told = True
            raise CameraError("It was pulled out.")
        self._closed.wait()
        raise StopIteration

    def close(self) -> None:
        self._closed.set()


class Thrower(Player):
    """Says what he threw, and enters by it."""

    def _evening(self) -> Iterator[LinkItem]:
        yield Snapshot(frozenset(), frozenset(), time.monotonic(), 0.0, True)
        self._heard("set-up")
        for value in (3, 4):
            throw = {"throw": {"tray": "yellow", "value": value}}
            self.queue.happened(Act(time.monotonic(), throw))
        self._heard("ruling", 2)
        yield SwitchEvent("Y7", True, time.monotonic(), 0.0)
        self._heard("ruling", 3)


@pytest.mark.parametrize("camera", [True, False], ids=["camera gone", "no camera"])
def test_a_move_of_scorpion_is_ruled_though_no_frame_comes(tmp_path: Path, camera: bool) -> None:
    player = Thrower()
    evening = new_evening(tmp_path, "scorpion", {"players": 4}, [], "")
    cameras = {"mat": PulledOut()} if camera else {}
    desk = Session(evening, cameras, [player], player.queue, link=player).run()  # type: ignore[arg-type]
    evening.journal.close()
    rulings = [event["action"] for event in player.events if event["event"] == "ruling"]
    assert [next(iter(action)) for action in rulings[:3]] == ["throw", "throw", "move"]
    assert desk.state.phase is not Phase.SETTING_UP
    assert any(event.get("question") == "camera" for event in player.events) == camera
