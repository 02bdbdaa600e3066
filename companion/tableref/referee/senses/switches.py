"""The switches under the board: what they say now, and how it reaches the referee."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tableref.devices.link.items import (
    CellUnsteady,
    LinkBack,
    LinkItem,
    LinkLost,
    Snapshot,
    SwitchEvent,
)
from tableref.referee.inputs import Input, LinkGone, Occupied, Switched, Unsteady


class Switches(NamedTuple):
    """What is known of the magnets: cells that hold one, cells that flicker, cells whose switch
    is not listened to, and when something changed last (seconds).

    `touched`: cells whose switch has changed since the board was last accounted for. `watched`:
    since then the link was there all the time.
    """

    occupied: frozenset[str] = frozenset()
    unsteady: frozenset[str] = frozenset()
    distrusted: frozenset[str] = frozenset()
    changed: float = 0.0
    touched: frozenset[str] = frozenset()
    watched: bool = True

    @property
    def silent(self) -> frozenset[str]:
        """Cells of which the switches say nothing."""
        return self.unsteady | self.distrusted

    def moved(self, stood: Collection[str]) -> frozenset[str]:
        """Cells that a hand has changed since these held the pieces; only what was felt counts."""
        return (self.occupied ^ frozenset(stood)) & self.touched - self.silent

    def accounted(self) -> Switches:
        """The same once the board is known as it stands."""
        return self._replace(touched=frozenset(), watched=True)


def take(switches: Switches | None, given: Input) -> Switches | None:
    """What is known after an input; None while there is no link."""
    match given:
        case Occupied(time, cells, unsteady):
            if switches is None:
                return Switches(cells, unsteady, frozenset(), time, frozenset(), False)
            touched = switches.touched | (cells ^ switches.occupied)
            return Switches(cells, unsteady, switches.distrusted, time, touched, False)
        case LinkGone():
            return None
    if switches is None:  # nothing counts before the first whole word of the board
        return None
    match given:
        case Switched(time, cell, occupied):
            held = switches.occupied | {cell} if occupied else switches.occupied - {cell}
            touched = switches.touched | {cell}
            return switches._replace(occupied=held, changed=time, touched=touched)
        case Unsteady(_, cell, flickers):
            others = switches.unsteady - {cell}
            return switches._replace(unsteady=others | {cell} if flickers else others)
    return switches


def input_of(item: LinkItem) -> Input | None:
    """The input that an item of the link is; None for what the referee need not know."""
    match item:
        case SwitchEvent(cell, occupied, time, _):
            return Switched(time, cell, occupied)
        case Snapshot(occupancy, unsteady, time, _, _):
            return Occupied(time, occupancy, unsteady)
        case CellUnsteady(cell, unsteady, time, _):
            return Unsteady(time, cell, unsteady)
        case LinkLost(time, reason):
            return LinkGone(time, str(reason))
        case LinkBack():
            return None  # a snapshot follows
