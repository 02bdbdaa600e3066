"""A walk over the cells: each lights up in turn and waits for a magnet."""

from __future__ import annotations

from tableref.appliance.steps.table import SetUp
from tableref.devices.buttons import Button
from tableref.devices.lights import Light, Pattern
from tableref.devices.link import BoardLink
from tableref.devices.link.items import CellUnsteady, LinkLost, Snapshot, SwitchEvent
from tableref.devices.taught import taught
from tableref.errors import UserError
from tableref_hardware import Board

VERSION = 1
ANSWERS = 10.0
"""Seconds in which the board must have answered."""
_HERE = Light((255, 255, 255), Pattern.PULSE)


def run(table: SetUp) -> bool:
    """Whether all cells were walked over; those that felt nothing are told. UserError where the
    board does not answer"""
    from tableref.devices import link as links

    board = table.board()
    if board is None:
        return False
    port = table.config.link.port or "auto"
    link = BoardLink(taught(board, table.config.devices), links.port_named(port, board))
    try:
        silent = Walk(table, board, link).silent()
    finally:
        link.close()
    if silent is None:
        return False
    table.remember("link", {"port": port})
    text = table.words.text("all-felt")
    if silent:
        text = table.words.text("silent", ", ".join(silent))
    table.say("step-switches", text)
    return True


class Walk:
    """A walk over the cells that have a switch."""

    def __init__(self, table: SetUp, board: Board, link: BoardLink) -> None:
        self._table, self._link = table, link
        self._cells = [cell.name for cell in board.cells.values() if cell.switch is not None]
        self._held: set[str] = set()

    def silent(self) -> list[str] | None:
        """Cells on which no magnet was felt; None where the walk was left. UserError"""
        self._await_board()
        found = []
        for number, cell in enumerate(self._cells, 1):
            self._link.show({cell: _HERE})
            text = self._table.words.text("put-magnet", cell, number, len(self._cells))
            while cell not in self._held:
                self._table.now("step-switches", text, hint="▼")
                match self._table.pressed():
                    case Button.DOWN:  # nothing comes of it
                        found.append(cell)
                        break
                    case Button.BACK:
                        return None
                self._take(0.1)
        self._link.show({})
        return found

    def _await_board(self) -> None:
        waited = 0.0
        self._table.now("step-switches", self._table.words.text("looking"))
        while not self._take(0.25):
            waited += 0.25
            if waited >= ANSWERS:
                raise UserError(self._table.words.text("no-board"))

    def _take(self, within: float) -> bool:
        """Takes what the board has to say; whether it told all switches. UserError"""
        told = False
        while (item := self._link.next(within)) is not None:
            within = 0.0
            match item:
                case Snapshot():
                    self._held, told = set(item.occupancy), True
                case SwitchEvent():
                    (self._held.add if item.occupied else self._held.discard)(item.cell)
                case CellUnsteady() | LinkLost():
                    pass
        return told
