"""Set-up, state and actions of Skorpion Deep as immutable values."""

from __future__ import annotations

from typing import Any, NamedTuple

from tableref.rules.plain import flag, only_known, player_names
from tableref.rules.surface import Record

COLOURS = ("red", "blue")
"""A player is an index into these; red begins (SD-2.1)."""
BEADS = 8
"""Beads of one colour (SD-1.2)."""
NOBODY = -1


class Setup(NamedTuple):
    """The options of a game. `repetition`: a position seen for the third time draws (SD-5.3)."""

    repetition: bool = True
    names: tuple[str, ...] = ()


def read_setup(record: Record) -> Setup:
    """Set-up from a record; what is missing has its default. SetupError names the option."""
    only_known(record, "set-up", Setup._fields)
    return Setup(flag(record, "repetition", default=True), player_names(record, len(COLOURS)))


class Place(NamedTuple):
    """A bead of the player's goes on this spot (SD-3)."""

    spot: str

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"place": self.spot}


class Step(NamedTuple):
    """The Skorpion steps to these spots; `pay` is the bead that the second step costs (SD-4)."""

    path: tuple[str, ...]
    pay: str = ""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"skorpion": list(self.path)} | ({"pay": self.pay} if self.pay else {})


class Pass(NamedTuple):
    """Neither is possible (SD-2.4)."""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"pass": True}


class State(NamedTuple):
    """A position. `beads` are the spots that each player holds, as bit masks; spots are ints.

    `seen` are the positions so far, this one too, where repetition counts. `winner` is a player
    or NOBODY; `ended` the paragraph by which the game is over, or an empty text.
    """

    setup: Setup
    beads: tuple[int, int]
    skorpion: int
    tail: int
    player: int
    seen: tuple[int, ...]
    winner: int
    ended: str

    def name(self, player: int) -> str:
        """The player's name: his colour, unless the set-up names him."""
        return (self.setup.names or COLOURS)[player]


def position_key(beads: tuple[int, int], skorpion: int, tail: int, player: int) -> int:
    """A position as one number, alike for what counts as the same (SD-5.3)."""
    return (((skorpion << 8 | tail) << 1 | player) << 64 | beads[0]) << 64 | beads[1]
