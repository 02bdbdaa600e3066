"""Asking the board under the table what the doctor wants to know."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from tableref.devices.lights import Light, Pattern
from tableref.devices.link import BoardLink, LinkLost, Snapshot
from tableref.devices.link.errors import BoardSilent
from tableref_firmware import protocol as p
from tableref_hardware.board import Board

FOUND_S = 6.0
"""A board that boots when its port opens says hello in three seconds."""
SHOWN_S = 1.0
DIM = Light((20, 20, 20), Pattern.STEADY)


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """What a board says of itself. `chain`: its switches can be read; `unsteady`: cells that
    flicker; `lights`: it has some; `shown`: it took a picture of all lights."""

    firmware: str
    chain: bool
    unsteady: frozenset[str]
    lights: bool
    shown: bool


def ask(link: BoardLink, board: Board) -> BoardAnswer:
    """The board's answer; lights every cell dimly for a moment. LinkError"""
    snapshot = _found(link)
    hello = link.hello
    if hello is None:
        raise BoardSilent("the board has gone again", "Check its cable, and try again")
    ((_, chain, _, _),) = link.ask(p.CHECKED, p.SELFTEST, p.TEST_STOP)[-1:]
    lit = {cell.name: DIM for cell in board.cells.values() if cell.light is not None}
    shown = False
    if hello.lights and lit:
        shown = _shown(link, lit)
        _shown(link, {})
    return BoardAnswer(hello.firmware, chain == p.CHAIN_OK, snapshot.unsteady, hello.lights, shown)


def _found(link: BoardLink) -> Snapshot:
    end = time.monotonic() + FOUND_S
    while (left := end - time.monotonic()) > 0:
        item = link.next(left)
        if isinstance(item, Snapshot):
            return item
        if isinstance(item, LinkLost):
            raise item.reason
    raise BoardSilent("no board has answered", "Unplug it, wait 5 s and plug it in again")


def _shown(link: BoardLink, lights: Mapping[str, Light]) -> bool:
    """Whether the board has taken this picture in time. LinkError where it goes meanwhile."""
    link.show(lights)
    end = time.monotonic() + SHOWN_S
    while not link.shown and (left := end - time.monotonic()) > 0:
        item = link.next(min(left, 0.05))  # that a picture was taken is no item
        if isinstance(item, LinkLost):
            raise item.reason
    return link.shown
