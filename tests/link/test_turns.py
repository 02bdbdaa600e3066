"""A turn of the firmware's loop: what takes long waits while the host is heard or told."""

from __future__ import annotations

from array import array

import pytest
from tests.link.conftest import Table

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import VirtualPico
from tableref.devices.link.virtual import TURN_S
from tableref_firmware import protocol as p
from tableref_firmware.framing import encode
from tableref_hardware.board import Board


class Works(VirtualPico):
    """A virtual board that keeps what each turn of its firmware did."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.turns: list[str] = []
        self.hardware.collect = lambda: self._did("collect")  # type: ignore[method-assign]
        self.hardware.show = self._show  # type: ignore[method-assign]

    def run(self, now: float, data: bytes = b"") -> bytes:
        self.turns.append("hear " if data else "")
        said = super().run(now, data)
        if said:
            self._did("tell")
        return said

    def _show(self, words: array[int]) -> None:
        self._did("show")

    def _did(self, what: str) -> None:
        self.turns[-1] += what + " "


@pytest.fixture
def works(board: Board) -> tuple[Table, Works]:
    pico = Works(board)
    table = Table(board, pico)
    table.wait(1.0)
    pico.turns.clear()
    return table, pico


def run(pico: Works, turns: int, pause_each: int | None = None) -> None:
    """So many turns in each of which the host says something, or with a pause each so many."""
    now = pico.hardware.now
    for turn in range(turns):
        paused = pause_each is not None and turn % pause_each == 0
        ping = b"" if paused else encode(p.PING, turn & 0xFF, bytes((turn & 0xFF,)))
        pico.run(now + (turn + 1) * TURN_S, ping)


def test_a_picture_is_shown_in_the_turn_in_which_it_is_heard(works: tuple[Table, Works]) -> None:
    table, pico = works
    for shade in range(20):
        table.link.show({"c4": Light((shade + 1, 0, 0), Pattern.STEADY)})
        table.wait(0.0173)
    table.wait(0.1)
    assert [turn for turn in pico.turns if "show" in turn] == 20 * ["hear show tell "]


def test_garbage_is_collected_in_a_turn_without_the_host(works: tuple[Table, Works]) -> None:
    _table, pico = works
    run(pico, 640, pause_each=6)
    assert {turn for turn in pico.turns if "collect" in turn} == {"collect "}


def test_a_host_that_never_pauses_delays_it_for_some_turns_only(works: tuple[Table, Works]) -> None:
    _table, pico = works
    run(pico, 640)
    assert sum("collect" in turn for turn in pico.turns) == 640 // 64
