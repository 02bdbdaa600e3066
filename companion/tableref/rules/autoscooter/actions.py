"""Actions of Autoscooter as immutable values (AS-3, AS-4)."""

from __future__ import annotations

from typing import Any, NamedTuple


class Plot(NamedTuple):
    """A number of the car's own column and a letter, or None for either (AS-3.1, AS-3.2)."""

    car: str
    number: int | None
    letter: str | None

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"plot": self._asdict()}


class PlotGhost(NamedTuple):
    """The letter that a player notes for the ghost car (AS-7.1)."""

    player: int
    letter: str | None

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"plot_ghost": self._asdict()}


class Prefer(NamedTuple):
    """A player tells which colour he gives away first among those he holds most of (AS-7.4)."""

    player: int
    colour: str

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"prefer": self._asdict()}


class Number(NamedTuple):
    """The number of a car as it is announced, of plots that are kept on paper (AS-4.1)."""

    car: str
    number: int

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"number": self._asdict()}


class Announce(NamedTuple):
    """Planning ends: what is still missing counts as not noted (AS-3.6, AS-3.7, AS-4.1)."""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"announce": True}


class Drive(NamedTuple):
    """A car's turn. What it does is forced by its plot; `letter` is given only on paper."""

    car: str
    letter: str | None = None

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"drive": {"car": self.car} | ({"letter": self.letter} if self.letter else {})}


class Restart(NamedTuple):
    """A car at speed 0 moves to a neighbouring hex of its player's choice (AS-4.5)."""

    car: str
    to: str
    heading: str

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"restart": self._asdict()}
