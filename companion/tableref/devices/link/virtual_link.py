"""A link to a virtual board without threads: time passes only when the clock says so.

For simulations and tests: everything that happens follows from the calls, in the same order each
time, and a simulated hour takes a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from tableref.devices.lights import Light
from tableref.devices.link.board_link import FIRST_WAIT_S, QUEUE
from tableref.devices.link.cells import CellTable
from tableref.devices.link.faults import Wire
from tableref.devices.link.health import Health
from tableref.devices.link.items import LinkItem, LinkLost
from tableref.devices.link.ledger import Ledger
from tableref.devices.link.session import Session, Settings
from tableref.devices.link.virtual import NAME, VirtualPico
from tableref_hardware.board import Board


class VirtualLink:
    """What `BoardLink` is, with hands: `lift(cell)` and `put(cell)`.

    `clock` gives seconds and never goes back; each call catches up with it. Its `faults` (those
    of its `pico`) may be changed at any time.
    """

    def __init__(
        self,
        board: Board,
        clock: Callable[[], float],
        *,
        pico: VirtualPico | None = None,
        seed: int = 1,
        debounce_ms: int = 5,
        limit_ma: int = 500,
    ) -> None:
        table = CellTable(board)
        self.pico = pico or VirtualPico(board, seed=seed)
        self.faults = self.pico.faults
        self._settings = Settings(table, debounce_ms, limit_ma)
        self.ledger = Ledger(table)
        self._clock = clock
        self._now = clock()
        self._to_board, self._to_host = Wire(self.faults, seed + 1), Wire(self.faults, seed + 2)
        self._lights: dict[str, Light] = {}
        self._items: deque[LinkItem] = deque()
        self._retry_at = self._now
        self._lost = False
        self.queue = QUEUE
        self.paused = False  # the host does nothing, as when its computer is busy
        self.health = Health(self._now)
        self.session = Session(self._settings, self.ledger, self.health, self._now, NAME)

    def lift(self, cell: str) -> None:
        """Takes the magnet off a cell, now. UserError where the cell has no switch."""
        self._catch_up()
        self.pico.lift(cell, self._now)

    def put(self, cell: str) -> None:
        """Sets a magnet on a cell, now. UserError where the cell has no switch."""
        self._catch_up()
        self.pico.put(cell, self._now)

    def next(self, timeout: float | None = 0.0) -> LinkItem | None:
        """The next item that has come by now; it never waits, whatever `timeout` says."""
        self._catch_up()
        return self._items.popleft() if self._items else None

    def __iter__(self) -> Iterator[LinkItem]:
        """The items that have come by now."""
        while (item := self.next()) is not None:
            yield item

    def show(self, lights: Mapping[str, Light]) -> None:
        """Lights exactly these cells."""
        self._catch_up()
        self._lights = dict(lights)
        self.session.show(self._lights, self._now)

    def snapshot(self) -> None:
        """Wants a Snapshot among the items."""
        self._catch_up()
        self.session.ask_snapshot(self._now)

    def close(self) -> None:
        """There is nothing to give back."""

    def _catch_up(self) -> None:
        end = self._clock()
        while self._now < end:
            moments = [self.pico.next_turn(), self._to_board.next_at()]
            if not self.paused:
                moments.append(self._to_host.next_at())
                moments.append(self._retry_at if self.session.failed else self.session.deadline)
            due = min(moment for moment in moments if moment is not None)
            self._now = min(end, max(due, self._now + 1e-4))
            self._step(self._now)

    def _step(self, now: float) -> None:
        self._to_host.put(self.pico.run(now, self._to_board.take(now)), now)
        if self.paused:
            return
        session = self.session
        if session.failed:
            if now < self._retry_at:
                return
            self.session = session = Session(
                self._settings, self.ledger, self.health, now, NAME, self._lights
            )
        output, items = session.turn(self._to_host.take(now), now, self.queue - len(self._items))
        self._to_board.put(output, now)
        if items:
            self._lost = False
            self._items.extend(items)
        if session.failed:
            if not self._lost:
                self.health.dump(session.failed.what)
                self._items.append(LinkLost(now, session.failed))
            self._lost = True
            self._retry_at = now + FIRST_WAIT_S
