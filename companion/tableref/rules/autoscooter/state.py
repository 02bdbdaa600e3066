"""Set-up and state of Autoscooter as immutable values (AS-2)."""

from __future__ import annotations

from typing import NamedTuple

from tableref.rules.autoscooter.actions import Plot, PlotGhost
from tableref.rules.autoscooter.layout import HEADINGS
from tableref.rules.plain import choice, flag, only_known, player_names, whole
from tableref.rules.surface import Record, SetupError

BANK = -1
"""Owner of the ghost car (AS-7.1)."""
NOBODY = -2
"""Owner of a car that counts as barrier (AS-2.2, HR-1.1)."""

CARS_AND_CHIPS = {
    2: (4, 20),
    3: (2, 20),
    4: (2, 20),
    5: (1, 15),
    6: (1, 12),
    7: (1, 10),
    8: (1, 10),
}
"""Players -> cars each, chips each (AS-2.1)."""
PLAYERS = min(CARS_AND_CHIPS), max(CARS_AND_CHIPS)
ALL_CHIPS = 80
COLOUR_CHIPS = 10
SIDE_TURNS = ("pivot", "nose-away")
"""The two readings of AS-5.4."""


class Setup(NamedTuple):
    """The options of a game. `paper`: players keep their plots to themselves, on paper."""

    players: int = 2
    cars_per_player: int = 4
    projection: bool = False
    ghost: bool = False
    side_turn: str = "pivot"
    colour_scoring: bool = False
    best_car: bool = False
    paper: bool = False
    names: tuple[str, ...] = ()


def read_setup(record: Record) -> Setup:
    """Set-up from a record; what is missing has the default of AS-2 and AS-7. SetupError"""
    only_known(record, "set-up", Setup._fields)
    players = whole(record.get("players", 2), "set-up: players", *PLAYERS)
    usual = CARS_AND_CHIPS[players][0]
    cars = whole(record.get("cars_per_player", usual), "set-up: cars_per_player", 1, 4)
    if cars != usual and (players, cars) != (2, 3):
        raise SetupError(f"set-up: cars_per_player: {players} players have {usual} each (AS-2.1)")
    keys = ("projection", "ghost", "colour_scoring", "best_car", "paper")
    flags = {key: flag(record, key) for key in keys}
    if flags["ghost"] and players * cars == 8:
        raise SetupError("set-up: ghost: all cars have an owner, none is left for a ghost (AS-7.1)")
    if flags["best_car"] and not (flags["colour_scoring"] and players <= 4):
        raise SetupError(
            "set-up: best_car: only with colour_scoring and for 2 to 4 players (AS-7.5)"
        )
    side_turn = choice(record.get("side_turn", "pivot"), "set-up: side_turn", SIDE_TURNS)
    names = player_names(record, players)
    return Setup(players, cars, side_turn=side_turn, names=names, **flags)


class State(NamedTuple):
    """Everything about a game of Autoscooter at one moment. Tuples by car are in log-sheet order.

    `purses` counts chips, the bank's last; a purse belongs to a player, or to a car with AS-7.5.
    `colours` splits each purse by the chips' colours with AS-7.4, and is empty without.
    `used` is a set of bits a car, bit r for row r of its column of the log sheet.
    `dealt` are the owners at set-up: a car whose player gave up has another owner since (HR-1.1).
    `preferred` is the colour that each player gives away first among equals (AS-7.4), or None.
    `queue` are the cars still to move in this round, the next first; empty while plotting.
    `order` is the last one announced. `absent` are players who are passed over until they are back
    (HR-1.2). `ended` is the paragraph that ended the game, or empty.
    """

    setup: Setup
    owners: tuple[int, ...]
    cells: tuple[int, ...]
    headings: tuple[int, ...]
    speeds: tuple[int, ...]
    purses: tuple[int, ...]
    colours: tuple[tuple[int, ...], ...]
    used: tuple[int, ...]
    plots: tuple[Plot | None, ...]
    ghost_plots: tuple[PlotGhost | None, ...]
    dealt: tuple[int, ...]
    preferred: tuple[int | None, ...]
    round: int = 1
    queue: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()
    ended: str = ""

    def pose(self, car: int, cells: tuple[str, ...]) -> tuple[str, str]:
        """Names of a car's cell and heading."""
        return cells[self.cells[car]], HEADINGS[self.headings[car]]
