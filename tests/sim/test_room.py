"""What happens when in the room of virtual people."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tableref.referee.inputs import Input, Switched
from tableref.sim.room import Room
from tableref.sim.stage import Stage
from tableref_hardware import load_board


class Heard:
    """What is heard and seen, one after the other."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def give(self, given: Input) -> None:
        if isinstance(given, Switched):
            self.told.append(f"{'+' if given.occupied else '-'}{given.cell}")

    def look(self, place: str, time: float, hands: Any) -> bool:
        self.told.append(f"a picture of the {place}")
        return False


def test_a_piece_is_felt_before_it_is_seen() -> None:
    heard, stage = Heard(), Stage(load_board("autoscooter"), seed=1)
    mat: Any = SimpleNamespace(dice=[])
    room = Room(stage, mat, {"board", "switches"}, heard)
    room.passes(1.0)
    heard.told.clear()
    stage.put("red", "d4", "NE")
    room.passes(1.0)
    assert heard.told == ["+d4", "a picture of the board"]
