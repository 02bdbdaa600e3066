"""What is fixed before a game of Scorpion begins: the board, the set-up, tables made from both.

A cell is a small int: 0 the hand, 1 to N yellow, N+1 to 2N black, 2N+1 out. Cell c lies opposite
2N+1-c (SC-1.1). A set of cells is a bit mask, bit c for cell c.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from tableref.rules.plain import flag, only_known, player_names, table, whole
from tableref.rules.scorpion.actions import Move
from tableref.rules.surface import Record, SetupError

COLOURS = ("blue", "red", "green", "white")
"""In clockwise order (SC-1.2); a colour is an index into these."""
TRAYS = ("yellow", "black")
"""A tray or a side of the track is an index into these (SC-1.3)."""
SCORPIONS = 4
"""Scorpions of one colour (SC-1.2)."""
HAND = 0
PIPS = 6
FIRST_SIX = 6
"""Yellow cells 1 to 6 have rules of their own (SC-3.3, SC-4.2)."""
CELLS_PER_SIDE = (FIRST_SIX, 99)
"""Fewest: the cells that rules name, which also lets every first entry stay on the track."""


class Layout(NamedTuple):
    """What a board file says about the track."""

    cells_per_side: int = 20


def layout_from(data: Mapping[str, Any]) -> Layout:
    """The layout in the data of a board file: `cells.cells_per_side`. SetupError names the key."""
    cells = table(data, "cells", "board")
    return Layout(whole(cells.get("cells_per_side"), "cells.cells_per_side", *CELLS_PER_SIDE))


class Setup(NamedTuple):
    """The options of a game. `teams`: four players, partners facing each other (SC-5.4)."""

    players: int = 2
    teams: bool = False
    cells_per_side: int = 20
    exact_exit: bool = False
    partner_throws: bool = False
    names: tuple[str, ...] = ()


def read_setup(record: Record, layout: Layout) -> Setup:
    """Set-up from a record; what is missing has its default. SetupError names the option."""
    only_known(record, "set-up", Setup._fields)
    players = whole(record.get("players", 2), "set-up: players", 2, 4)
    flags = {key: flag(record, key) for key in ("teams", "exact_exit", "partner_throws")}
    if flags["teams"] and players != 4:
        raise SetupError(f"set-up: teams: takes four players, not {players} (SC-5.4)")
    if flags["partner_throws"] and not flags["teams"]:
        raise SetupError("set-up: partner_throws: there are partners only in teams (SC-5.5)")
    told = record.get("cells_per_side", layout.cells_per_side)
    cells = whole(told, "set-up: cells_per_side", *CELLS_PER_SIDE)
    names = player_names(record, players)
    return Setup(players, cells_per_side=cells, names=names, **flags)


class Track:
    """The tables of one set-up. Equal set-ups have equal tracks."""

    def __init__(self, setup: Setup) -> None:
        count = setup.cells_per_side
        self.setup = setup
        self.exact_exit = setup.exact_exit
        self.side = count
        """The last yellow cell."""
        self.out = 2 * count + 1
        self.yellow = (1 << count + 1) - 2
        self.black = self.yellow << count
        """The yellow cells and the black ones, as bit masks."""
        self.cells: tuple[str, ...] = (
            "hand",
            *(f"Y{number}" for number in range(1, count + 1)),
            *(f"K{number}" for number in range(1, count + 1)),
            "out",
        )
        self.index = {name: cell for cell, name in enumerate(self.cells)}
        self.sets = _sets(setup.players)
        """Player -> the colours that are his (SC-5.3)."""
        self.owner = {colour: player for player, own in enumerate(self.sets) for colour in own}
        self.colours = {COLOURS[colour]: colour for colour in sorted(self.owner)}
        self.sides = ((0, 2), (1, 3)) if setup.teams else tuple((p,) for p in range(setup.players))
        """The players who win together (SC-5.4)."""
        self.opponents = tuple(
            tuple(
                other for other in sorted(self.owner)
                if colour in self.owner
                and self.partners(self.owner[other]) != self.partners(self.owner[colour])
            )
            for colour in range(len(COLOURS))
        )  # fmt: skip
        """Colour -> the colours that it stings across (SC-4.3)."""
        self.moves, self.crossing = (
            tuple(
                tuple(
                    tuple(Move(name, start, steps, cross) for steps in range(2 * PIPS + 1))
                    for start in self.cells[: self.out]
                )
                for name in COLOURS
            )
            for cross in (False, True)
        )
        """Colour, start, steps -> the move that lets a stung scorpion stay, the one that does not:
        made once, because listing is most of the work."""
        self.names = setup.names or tuple(
            "/".join(COLOURS[colour] for colour in own) for own in self.sets
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Track) and self.setup == other.setup

    def __hash__(self) -> int:
        return hash(self.setup)

    def __repr__(self) -> str:
        return f"Track({self.setup!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return track_of, (self.setup,)

    def partners(self, player: int) -> tuple[int, ...]:
        """The players of this player's side, himself among them."""
        return next(side for side in self.sides if player in side)

    def colour_side(self, cell: int) -> int:
        """The tray that moves a scorpion standing here: 0 yellow, the hand too, or 1 black."""
        return int(cell > self.side)


@lru_cache(maxsize=32)
def track_of(setup: Setup) -> Track:
    """The tables of this set-up, made once."""
    return Track(setup)


def _sets(players: int) -> tuple[tuple[int, ...], ...]:
    if players == 2:
        return ((0, 2), (1, 3))
    return tuple((colour,) for colour in range(players))
