"""A clock that stands still unless told, and a virtual table at both depths."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

import pytest
from tests.link.rigs import LockstepPico

from tableref.devices.link import LinkItem, Snapshot, SwitchEvent, VirtualLink, VirtualPico
from tableref_firmware.framing import Decoder
from tableref_hardware.board import Board


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Table:
    """A virtual board and its link, and the two things a test does: wait, and look."""

    def __init__(self, board: Board, pico: VirtualPico, **more: int) -> None:
        self.clock = Clock()
        self.board = board
        self.link = VirtualLink(board, self.clock, pico=pico, **more)
        self.faults = self.link.faults

    def wait(self, seconds: float) -> list[LinkItem]:
        """Lets time pass; what has come meanwhile."""
        self.clock.now += seconds
        return list(self.link)

    def put(self, *cells: str) -> None:
        for cell in cells:
            self.link.put(cell)

    def lift(self, *cells: str) -> None:
        for cell in cells:
            self.link.lift(cell)

    def occupancy(self) -> frozenset[str]:
        """What a snapshot asked for now says."""
        self.link.snapshot()
        (snapshot,) = [item for item in self.wait(2.0) if isinstance(item, Snapshot)]
        return snapshot.occupancy


class Wire:
    """The frames (kind, payload) that go over a table's link from now on, by who says them."""

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host: list[tuple[int, bytes]] = []
        self.board: list[tuple[int, bytes]] = []
        to_board, to_host = Decoder(), Decoder()
        pico = table.link.pico
        run = pico.run

        def listen(now: float, data: bytes) -> bytes:
            self.host += to_board.feed(data)
            said = run(now, data)
            self.board += to_host.feed(said)
            return said

        monkeypatch.setattr(pico, "run", listen)


NewTable = Callable[..., Table]


def moves(items: list[LinkItem]) -> list[tuple[str, bool]]:
    """The switch events among items, as (cell, occupied)."""
    return [(item.cell, item.occupied) for item in items if isinstance(item, SwitchEvent)]


@pytest.fixture(params=["python", "micropython"])
def firmware(request: pytest.FixtureRequest) -> type[VirtualPico]:
    """The firmware on either interpreter."""
    return LockstepPico if request.param == "micropython" else VirtualPico


@pytest.fixture
def new_table(board: Board, firmware: type[VirtualPico]) -> Iterator[NewTable]:
    """Makes a table whose board has just said hello."""
    picos = []

    def make(*standing: str, board: Board = board, **more: int) -> Table:
        picos.append(firmware(board))
        table = Table(board, picos[-1], **more)
        table.put(*standing)
        table.wait(0.5)
        return table

    yield make
    for pico in picos:
        if isinstance(pico, LockstepPico):
            pico.close()


@pytest.fixture
def table(new_table: NewTable) -> Table:
    """A table without pieces."""
    return new_table()


@pytest.fixture
def own_log() -> Iterator[None]:
    """The link's logger, as it was again afterwards."""
    log = logging.getLogger("tableref.link")
    yield
    for handler in list(log.handlers):
        log.removeHandler(handler)
        handler.close()
    log.setLevel(logging.NOTSET)
