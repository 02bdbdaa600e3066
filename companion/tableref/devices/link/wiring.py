"""A virtual board that was wired wrongly: what its chain reads where a magnet is here or there.

WIRING is the documented list; `Wiring` turns what the switches do into what the registers see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tableref.errors import UserError
from tableref_hardware.board import Board
from tableref_hardware.electronics.strip import opposite, unit_of

WIRING = {
    "swapped": "A+B: the switches of two cells are exchanged",
    "missing": "a cell whose switch is not there",
    "inverted": "a cell whose switch is of the other kind (NPN, PNP), or `all`",
    "face-down": "a cell whose switch lies on its face and heeds the other pole, or `all`",
    "grounded": "a cell whose input touches ground",
    "bridged": "A+B: the inputs of two cells touch",
    "reversed": "a unit, from 1, whose inputs are wired from H to A",
    "units": "N+M: two units are exchanged in the chain",
    "turned": "1: all switches are wired as if the board were turned by half",
    "open": "a unit, from 1, behind which the chain is open",
    "weak": "a cell whose switch feels a magnet only right over it",
}
_REACH, _WEAK_REACH = 7.0, 1.0  # mm from the middle of a switch


class Wiring:
    """The faults of WIRING that a board has. UserError where there is no such cell or unit."""

    def __init__(self, board: Board, told: Mapping[str, str]) -> None:
        self._told = dict(told)
        self._places = {c.name: c.switch for c in board.cells.values() if c.switch is not None}
        self._turned = opposite(board)
        units = max(map(unit_of, self._places.values()), default=0)
        for name, value in self._told.items():
            if name in ("reversed", "units", "open"):
                named = value.split("+")
                if not all(one.isdecimal() and 1 <= int(one) <= units for one in named):
                    raise UserError(f"{name} cannot be {value!r}; there are units 1 to {units}")
            elif name != "turned" and value != "all":
                for cell in value.split("+"):
                    if cell not in self._places:
                        raise UserError(f"there is no switch under {cell!r}")
            if ("+" in value) != (name in ("swapped", "bridged", "units")):
                raise UserError(f"{name} cannot be {value!r}; it is: {WIRING[name]}")

    def feels(self, cell: str, off: float, turned: bool) -> bool:
        """Whether a cell's switch feels a magnet so many mm off its middle, upside down where
        `turned`."""
        reach = _WEAK_REACH if self._told.get("weak") == cell else _REACH
        return off <= reach and turned == (self._told.get("face-down") in (cell, "all"))

    def read(self, felt: Sequence[bool]) -> tuple[list[bool], int | None]:
        """Place -> whether its input is as with a magnet, and how many registers can be read
        (None: the whole chain). `felt`: place -> whether the switch of its cell feels one."""
        told, places, seen = self._told, self._places, list(felt)
        if "missing" in told:
            seen[places[told["missing"]]] = False
        if "inverted" in told:
            for cell in places if told["inverted"] == "all" else (told["inverted"],):
                seen[places[cell]] = not seen[places[cell]]
        if "turned" in told:
            was = list(seen)
            for cell, there in self._turned.items():
                seen[places[there]] = was[places[cell]]
        for name in ("swapped", "bridged"):
            if name in told:
                one, other = (places[cell] for cell in told[name].split("+"))
                seen[one], seen[other] = seen[other], seen[one]
                if name == "bridged":
                    seen[one] = seen[other] = seen[one] or seen[other]
        if "grounded" in told:
            seen[places[told["grounded"]]] = True
        if "reversed" in told:
            first = 8 * (int(told["reversed"]) - 1)
            seen[first : first + 8] = seen[first : first + 8][::-1]
        if "units" in told:
            a, b = (8 * (int(unit) - 1) for unit in told["units"].split("+"))
            seen[a : a + 8], seen[b : b + 8] = seen[b : b + 8], seen[a : a + 8]
        return seen, int(told["open"]) if "open" in told else None
