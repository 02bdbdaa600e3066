"""What the board under the table feels while it is set up, taken beside the buttons."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tableref.appliance.steps.table import SetUp
from tableref.devices.lights import Light, Pattern
from tableref.devices.link import BoardLink
from tableref.devices.link.board_link import TO_BE_DONE
from tableref.devices.link.errors import LinkError
from tableref.devices.link.items import CellUnsteady, LinkLost, Snapshot, SwitchEvent
from tableref.errors import UserError
from tableref_hardware import Board

ANSWERS = 10.0
"""Seconds in which the board must have answered."""
HERE = Light((255, 255, 255), Pattern.PULSE)
"""The cell that waits for a magnet."""


class Feeling:
    """A board that has answered: which cells hold a magnet, by the names that the link knows."""

    def __init__(self, table: SetUp, link: BoardLink, step: str) -> None:
        self._table, self._link, self._step = table, link, step
        self.held: set[str] = set()
        self._lost: LinkError | None = None

    def await_board(self) -> None:
        """Until the board has told all its switches. UserError says what is to be done about it
        where that is more than to plug it in."""
        waited = 0.0
        self._table.now(self._step, self._table.words.text("looking"))
        while not self.take(0.25):
            waited += 0.25
            if waited >= ANSWERS:
                if isinstance(self._lost, TO_BE_DONE):
                    raise self._lost
                raise UserError(self._table.words.text("no-board"))

    def now(self, text: str, hint: str = "") -> None:
        """Shows how it goes just now; while the board does not answer, that instead."""
        if self._lost is not None:
            text, hint = self._table.words.text("no-board"), ""
        self._table.now(self._step, text, hint=hint)

    def light(self, *cells: str) -> None:
        """These cells pulse, and no others."""
        self._link.show(dict.fromkeys(cells, HERE))

    def take(self, within: float) -> bool:
        """Takes what the board has to say; whether it told all switches. UserError"""
        told = False
        while (item := self._link.next(within)) is not None:
            within = 0.0
            match item:
                case Snapshot():
                    self.held, told, self._lost = set(item.occupancy), True, None
                case SwitchEvent():
                    (self.held.add if item.occupied else self.held.discard)(item.cell)
                case LinkLost():  # it is looked for on and on
                    self._lost = item.reason
                case CellUnsteady():
                    pass
        return told


@contextlib.contextmanager
def feeling(table: SetUp, board: Board, port: str, step: str) -> Iterator[Feeling]:
    """The board at this port, once it has answered. UserError"""
    from tableref.devices import link as links

    link = BoardLink(board, links.port_named(port, board))
    try:
        board_felt = Feeling(table, link, step)
        board_felt.await_board()
        yield board_felt
    finally:
        link.close()


def with_switches(board: Board) -> list[str]:
    """The cells that have one."""
    return [cell.name for cell in board.cells.values() if cell.switch is not None]
