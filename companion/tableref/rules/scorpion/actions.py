"""Actions of Scorpion."""

from __future__ import annotations

from typing import Any, NamedTuple


class Throw(NamedTuple):
    """One die, resting on a tray (SC-2.2, SC-3.4)."""

    tray: str
    value: int

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"throw": {"tray": self.tray, "value": self.value}}


class Move(NamedTuple):
    """A scorpion goes `steps` cells on; `cross`: whom it stings is sent across (SC-3.2)."""

    colour: str
    start: str
    steps: int
    cross: bool = False

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        move = {"colour": self.colour, "from": self.start, "steps": self.steps}
        return {"move": move | ({"cross": True} if self.cross else {})}


class EndTurn(NamedTuple):
    """The turn is over; dice that are left are given up or lost (SC-2.3, SC-2.5)."""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"end_turn": True}
