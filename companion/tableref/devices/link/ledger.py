"""The events that have come, in order, each once: what outlives a conversation with the board.

The ledger knows which event must come next and what each cell is. It turns EVENTS and SNAPSHOT
into items, and says what to acknowledge; it never delivers an event early, twice or never.
"""

from __future__ import annotations

import enum
import struct

from tableref.devices.link.cells import CellTable
from tableref.devices.link.clock import BoardClock
from tableref.devices.link.items import CellUnsteady, LinkItem, Snapshot, SwitchEvent
from tableref_firmware.protocol import CELL_MASK, OCCUPIED, UNSTEADY, number_diff

_EVENT = struct.Struct("<BI")


class Reply(enum.Enum):
    """What the board must hear about a frame."""

    NOTHING = "nothing"
    TAKEN = "all before the ledger's `next` has arrived"
    MISSING = "send again from the ledger's `next` on"


class Ledger:
    """One board's events. `clock` is set anew by each conversation."""

    def __init__(self, table: CellTable) -> None:
        self.clock = BoardClock()
        self.unit = ""  # the board that this ledger is about, "" before the first hello
        self.boot = 0  # its run that the numbers belong to
        self.next: int | None = None  # the event to come; None: only a snapshot can tell
        self.occupied: set[str] = set()
        self.unsteady: set[str] = set()
        self._table = table
        self._known = False  # a snapshot has been told
        self._time = float("-inf")  # of the last item: times never go back

    def begin(self, unit: str, boot: int, resumed: bool) -> None:
        """A conversation with this run of this board starts; `resumed` if it repeats what waits."""
        self.unit, self.boot = unit, boot
        if not resumed:
            self.next = None

    def events(self, first: int, packed: bytes, room: int) -> tuple[list[LinkItem], Reply]:
        """Takes an EVENTS frame, no more than `room` of it. Clock must be known."""
        if self.next is None or len(packed) % _EVENT.size:
            return [], Reply.NOTHING
        if first != self.next:
            ahead = number_diff(first, self.next)
            if ahead > 0:
                return [], Reply.MISSING
            packed = packed[-ahead * _EVENT.size :]
        if packed and room <= 0:
            return [], Reply.NOTHING
        items: list[LinkItem] = []
        for head, ticks in _EVENT.iter_unpack(packed[: room * _EVENT.size]):
            self.next = (self.next + 1) & 0xFFFF
            cell = self._table.by_number[head & CELL_MASK]
            if cell is None:
                continue
            when, error = self._when(ticks)
            unsteady = bool(head & UNSTEADY)
            if unsteady or cell in self.unsteady:
                (self.unsteady.add if unsteady else self.unsteady.discard)(cell)
                items.append(CellUnsteady(cell, unsteady, when, error))
            occupied = head >= OCCUPIED
            if not unsteady and occupied != (cell in self.occupied):
                (self.occupied.add if occupied else self.occupied.discard)(cell)
                items.append(SwitchEvent(cell, occupied, when, error))
        return items, Reply.TAKEN

    def snapshot(
        self, number: int, ticks: int, lost: bool, occupied: bytes, unsteady: bytes, wanted: bool
    ) -> tuple[Snapshot | None, Reply]:
        """Takes a SNAPSHOT frame; tells it where something was lost, or where it is `wanted`."""
        if self.next is not None and not lost and number != self.next:
            return None, Reply.NOTHING  # an event is still to come that is in this snapshot already
        if self.next is None and not lost:
            return None, Reply.NOTHING  # of a board that does not know yet what we lack
        cells = self._table.from_bits(occupied), self._table.from_bits(unsteady)
        again = number == self.next and cells[0] == self.occupied and cells[1] == self.unsteady
        complete = self._known is False or number == self.next
        self.next = number
        if again and not wanted:
            return None, Reply.TAKEN
        self.occupied, self.unsteady = set(cells[0]), set(cells[1])
        self._known = True
        when, error = self._when(ticks)
        return Snapshot(*cells, when, error, complete), Reply.TAKEN

    def _when(self, ticks: int) -> tuple[float, float]:
        """Host time of these ticks; never before the last one told, which lies within the error."""
        when, error = self.clock.host_time(ticks)
        if when < self._time:
            error += self._time - when
            when = self._time
        self._time = when
        return when, error
