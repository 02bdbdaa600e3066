"""The events that have come, in order, each once: what outlives a conversation with the board.

The ledger knows which event must come next and what each cell is. It turns EVENTS and SNAPSHOT
into items, and never delivers an event early, twice or never. All events before its `next` may be
acknowledged.
"""

from __future__ import annotations

from struct import Struct

from tableref.devices.link.cells import CellTable
from tableref.devices.link.clock import BoardClock
from tableref.devices.link.items import CellUnsteady, LinkItem, Snapshot, SwitchEvent
from tableref_firmware.protocol import (
    CELL_MASK,
    EVENTS,
    FORMATS,
    MAX_PAYLOAD,
    OCCUPIED,
    UNSTEADY,
    Malformed,
    number_diff,
)

# EVENTS of any length: first, then head and ticks of each. A frame is unpacked by one call.
_EVENT = "BI"
_SHAPES = [Struct(FORMATS[EVENTS] + count * _EVENT) for count in range(MAX_PAYLOAD // 5)]
_UNPACK = {shape.size: shape.unpack for shape in _SHAPES}


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

    def begin(self, unit: str, boot: int, resumed: bool) -> None:
        """A conversation with this run of this board starts; `resumed` if it repeats what waits."""
        self.unit, self.boot = unit, boot
        if not resumed:
            self.next = None

    def events(self, payload: bytes, room: int) -> list[LinkItem] | None:
        """The items in the payload of EVENTS, as many as there is room for.

        None where an event before them is missing. Clock must be known. Raises Malformed.
        """
        if self.next is None:
            return []
        if len(payload) not in _UNPACK:
            raise Malformed(f"EVENTS of {len(payload)} bytes")
        fields = _UNPACK[len(payload)](payload)
        at = 1
        if fields[0] != self.next:
            ahead = number_diff(fields[0], self.next)
            if ahead > 0:
                return None
            at -= 2 * ahead  # those have come before
        items: list[LinkItem] = []
        while at < len(fields) and len(items) < room:
            head, ticks = fields[at], fields[at + 1]
            at += 2
            self.next = (self.next + 1) & 0xFFFF
            cell = self._table.by_number[head & CELL_MASK]
            if cell is None:
                continue
            when, error = self.clock.host_time(ticks)
            if head & UNSTEADY or cell in self.unsteady:
                unsteady = bool(head & UNSTEADY)
                (self.unsteady.add if unsteady else self.unsteady.discard)(cell)
                items.append(CellUnsteady(cell, unsteady, when, error))
                if unsteady:
                    continue
            occupied = head >= OCCUPIED
            if occupied != (cell in self.occupied):
                if occupied:
                    self.occupied.add(cell)
                else:
                    self.occupied.discard(cell)
                items.append(SwitchEvent(cell, occupied, when, error))
        return items

    def snapshot(
        self, number: int, ticks: int, lost: bool, occupied: bytes, unsteady: bytes, wanted: bool
    ) -> tuple[Snapshot | None, bool]:
        """Takes a SNAPSHOT frame; tells it where something was lost, or where it is `wanted`.

        Also returns whether it was taken; otherwise it says nothing.
        """
        if self.next is not None and not lost and number != self.next:
            return None, False  # an event is still to come that is in this snapshot already
        if self.next is None and not lost:
            return None, False  # of a board that does not know yet what we lack
        cells = self._table.from_bits(occupied), self._table.from_bits(unsteady)
        again = number == self.next and cells[0] == self.occupied and cells[1] == self.unsteady
        complete = self._known is False or number == self.next
        self.next = number
        if again and not wanted:
            return None, True
        self.occupied, self.unsteady = set(cells[0]), set(cells[1])
        self._known = True
        when, error = self.clock.host_time(ticks)
        return Snapshot(*cells, when, error, complete), True
