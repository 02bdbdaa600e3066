"""What the link says: typed and timed, cells by name, times in seconds of the host's clock.

`error` is the bound on `time`: the true moment lies within plus or minus so many seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from tableref.devices.link.errors import LinkError


@dataclass(slots=True)  # not frozen: to make one of these takes twice as long then
class SwitchEvent:
    """A magnet came to rest on a cell, or left it. `time` is when the switch came to rest."""

    cell: str
    occupied: bool
    time: float
    error: float


@dataclass(frozen=True, slots=True)
class CellUnsteady:
    """A cell flickers and says nothing until it is calm (`unsteady` False); look at its magnet.

    A SwitchEvent follows the calm where the cell's state is another than the last one told.
    """

    cell: str
    unsteady: bool
    time: float
    error: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole board at `time`. All events before it have been told, unless not `complete`.

    `unsteady` cells flicker, or cannot be read at all: what `occupancy` says of them is no fact.
    """

    occupancy: frozenset[str]
    unsteady: frozenset[str]
    time: float
    error: float
    complete: bool


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The board is out of reach since `time`; the link goes on trying by itself.

    Said once, and again only where a reason comes up that a person must do something about.
    """

    time: float
    reason: LinkError


@dataclass(frozen=True, slots=True)
class LinkBack:
    """The board answers, on `port`; a Snapshot follows. Also the first word of a new link."""

    time: float
    port: str


LinkItem = SwitchEvent | CellUnsteady | Snapshot | LinkLost | LinkBack
