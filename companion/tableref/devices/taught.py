"""The order of switches that a table was taught, where it is another than the board file's.

Whoever wires a board as it comes sets a magnet on one cell after the other; `Lesson` makes an order
of what closes then, and refuses one in which a cell would feel nothing or another's magnet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tableref.devices.config import ConfigError, DeviceConfig, load_config
from tableref_firmware.protocol import MAX_CELLS
from tableref_hardware.board import Board
from tableref_hardware.electronics.strip import where


def order_of(board: Board) -> tuple[str, ...]:
    """Along the chain the name of the cell whose switch is there, "" where none is."""
    places = {cell.switch: cell.name for cell in board.cells.values() if cell.switch is not None}
    return tuple(places.get(place, "") for place in range(max(places, default=-1) + 1))


def taught(board: Board, config: DeviceConfig | None = None) -> Board:
    """The board with its switches in the order that this table was taught, if any. ConfigError"""
    order = (config or load_config()).wiring.get(board.game)
    if order is None:
        return board
    places = {name: place for place, name in enumerate(order) if name}
    wired = {cell.name for cell in board.cells.values() if cell.switch is not None}
    if places.keys() != wired or len(order) > MAX_CELLS:
        strange = ", ".join(sorted(wired ^ places.keys())[:5]) or f"{len(order)} places"
        raise ConfigError(
            f"wiring.{board.game}: does not go with {board.source} ({strange}): teach it again"
            f" (tableref teach --board {board.game}), or take that line away"
        )
    cells = {name: replace(cell, switch=places.get(name)) for name, cell in board.cells.items()}
    return replace(board, cells=cells)


class Flaw(NamedTuple):
    """What is wrong with a cell: the places that read as with a magnet while one lay on it, and the
    cell of which that is known already."""

    cell: str
    places: frozenset[int]
    other: str = ""

    @property
    def text(self) -> str:
        """It in words."""
        if self.other:
            return (
                f"{self.cell} closes {_all(self.places)}, as {self.other} does: did the magnet stay"
                " there, or do their wires touch?"
            )
        if self.places:
            return f"{self.cell} closes {_all(self.places)}: is a second magnet on the board?"
        return f"{self.cell} closes no switch: is one there, and does it feel this magnet?"


class Lesson:
    """Learns the place of each cell's switch. `rest`: places that read as with a magnet while the
    board is empty; nothing can be learnt of those."""

    def __init__(self, rest: frozenset[int]) -> None:
        self.rest = rest
        self._cells: dict[int, str] = {}
        self.flaws: dict[str, Flaw] = {}
        """Cells that could not be learnt."""

    def learn(self, cell: str, closed: frozenset[int] | None) -> str:
        """Takes which places read as with a magnet while one lies on this cell, None where nothing
        came of it; what is wrong with that, "" where nothing is. May be tried again."""
        for place in [place for place, name in self._cells.items() if name == cell]:
            del self._cells[place]
        felt = (closed or frozenset()) - self.rest
        other = self._cells.get(min(felt), "") if len(felt) == 1 else ""
        if len(felt) == 1 and not other:
            self.flaws.pop(cell, None)
            self._cells[min(felt)] = cell
            return ""
        self.flaws[cell] = Flaw(cell, felt, other)
        return self.flaws[cell].text

    @property
    def troubles(self) -> list[str]:
        """What stands in the way of an order: cells that could not be learnt, and then places that
        are stuck, for their switches may be among those."""
        found = [flaw.text for flaw in self.flaws.values()]
        if found and self.rest:
            found.append(f"{_all(self.rest)} closed though the board was empty: stuck, or unused")
        return found

    def order(self) -> tuple[str, ...]:
        """Along the chain the cells that were learnt, "" for a place of none."""
        last = max(self._cells, default=-1)
        return tuple(self._cells.get(place, "") for place in range(last + 1))


def _all(places: Sequence[int] | frozenset[int]) -> str:
    return "; ".join(where(place) for place in sorted(places))
