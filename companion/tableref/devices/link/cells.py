"""Cell names and the numbers that they have on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tableref.devices.lights import Light, Pattern
from tableref.devices.trouble import DeviceError
from tableref_firmware.lights import PATTERN_NAMES
from tableref_firmware.protocol import MAX_CELLS, MAX_PAYLOAD, NOWHERE, READS_HIGH, READS_LOW
from tableref_hardware.board import Board

_LIGHT_BYTES = 5
_LIGHTS_IN_PART = (MAX_PAYLOAD - 2) // _LIGHT_BYTES
_PATTERNS = {pattern: PATTERN_NAMES.index(pattern.value) for pattern in Pattern}


class CellTable:
    """The cells of a board that have a switch or a light, numbered in the board's order."""

    def __init__(self, board: Board) -> None:
        """Raises DeviceError where the board has more of them than one Pico can serve."""
        cells = [c for c in board.cells.values() if c.switch is not None or c.light is not None]
        places = [place for c in cells for place in (c.switch, c.light) if place is not None]
        if len(cells) > MAX_CELLS or any(place >= MAX_CELLS for place in places):
            raise DeviceError(
                f"{board.source} wires {len(cells)} cells to one Pico, which serves {MAX_CELLS}",
                "Leave switches or lights out of [wiring]",
            )
        self.names = tuple(cell.name for cell in cells)
        self.by_number = self.names + (None,) * (MAX_CELLS - len(self.names))
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.switches = frozenset(cell.name for cell in cells if cell.switch is not None)
        self.lights = frozenset(cell.name for cell in cells if cell.light is not None)
        self.magnet = READS_HIGH if board.magnet == "high" else READS_LOW
        self.packed = bytes(
            NOWHERE if place is None else place
            for cell in cells
            for place in (cell.switch, cell.light)
        )

    def from_bits(self, bits: bytes) -> frozenset[str]:
        """The cells with a switch whose bits are set, cell 0 lowest."""
        word = int.from_bytes(bits, "little")
        return frozenset(
            name
            for number, name in enumerate(self.names)
            if word >> number & 1 and name in self.switches
        )

    def picture(self, lights: Mapping[str, Light]) -> list[bytes]:
        """The parts of a SHOW message; cells without a light are left out."""
        entries = [
            bytes((self.numbers[name], *light.colour, _PATTERNS[light.pattern]))
            for name, light in lights.items()
            if name in self.lights
        ]
        parts = [b"".join(part) for part in _batches(entries, _LIGHTS_IN_PART)]
        return parts or [b""]


def _batches(entries: list[bytes], size: int) -> Iterable[list[bytes]]:
    return (entries[at : at + size] for at in range(0, len(entries), size))
