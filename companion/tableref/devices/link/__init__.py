"""The link to the Pico under the board: every lift and put, in order, once, with its time.

`BoardLink` is the real one, on a serial port; `VirtualLink` runs the same firmware and the same
host code in virtual time. Both are a `Link`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from tableref.devices.lights import Light
from tableref.devices.link.board_link import AUTO, BoardLink
from tableref.devices.link.errors import LinkError
from tableref.devices.link.faults import FAULTS, Faults
from tableref.devices.link.health import keep_log
from tableref.devices.link.items import (
    CellUnsteady,
    LinkBack,
    LinkItem,
    LinkLost,
    Snapshot,
    SwitchEvent,
)
from tableref.devices.link.ports import Advice, Ports
from tableref.devices.link.virtual import VirtualPico, VirtualPort, port_named
from tableref.devices.link.virtual_link import VirtualLink

__all__ = [
    "AUTO",
    "FAULTS",
    "Advice",
    "BoardLink",
    "CellUnsteady",
    "Faults",
    "Link",
    "LinkBack",
    "LinkError",
    "LinkItem",
    "LinkLost",
    "Ports",
    "Snapshot",
    "SwitchEvent",
    "VirtualLink",
    "VirtualPico",
    "VirtualPort",
    "keep_log",
    "port_named",
]


class Link(Protocol):
    """What a referee asks of a link."""

    def next(self, timeout: float | None = None) -> LinkItem | None:
        """The next item, waiting for it so many seconds (None: for ever); None where none came."""
        ...

    def __iter__(self) -> Iterator[LinkItem]:
        """Items, as long as there are any."""
        ...

    def show(self, lights: Mapping[str, Light]) -> None:
        """Lights exactly these cells."""
        ...

    def snapshot(self) -> None:
        """Wants a Snapshot among the items."""
        ...

    def close(self) -> None:
        """Ends the link."""
        ...
