"""The board of Skorpion Deep as a board file tells it, and tables made from it once.

A spot is a small int in the order of the file; a set of spots is a bit mask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from tableref.rules.plain import choice, entries, table
from tableref.rules.skorpion_deep.state import COLOURS, Place, Step
from tableref.rules.surface import SetupError

SPOT_COLOURS = (*COLOURS, "gray", "black")
MOST_SPOTS = 64
"""What the switches can tell apart, and what a position keeps of a player's beads."""
_NAME = re.compile(r"[A-Za-z0-9_]+")


@lru_cache(maxsize=4096)
def spots_in(mask: int) -> tuple[int, ...]:
    """The spots of a bit mask in the order of the board file; most masks come again."""
    spots = []
    while mask:
        lowest = mask & -mask
        spots.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(spots)


class Lead(NamedTuple):
    """A first step of the Skorpion to `spot`: the action that ends there, how many second steps
    can follow, and the actions of both, by second step and the bead paid."""

    spot: int
    single: Step
    seconds: int
    doubles: tuple[Step, ...]


class Layout:
    """Spots, lines and what follows from them for placing and stepping."""

    def __init__(
        self,
        colours: Mapping[str, str],
        lines: Sequence[tuple[str, str]],
        starts: Sequence[Sequence[str]],
        rim: Sequence[str],
        gate: str,
    ) -> None:
        self.names = tuple(colours)
        self.index = {name: spot for spot, name in enumerate(self.names)}
        self.colours = tuple(colours.values())
        self.all = (1 << len(self.names)) - 1
        self.gate = self.index[gate]
        joined = [0] * len(self.names)
        for one, other in lines:
            joined[self.index[one]] |= 1 << self.index[other]
            joined[self.index[other]] |= 1 << self.index[one]
        self.lines = tuple(joined)
        """Spot -> the spots that lines join to it."""
        self.starts = tuple(self._mask(names) for names in starts)
        """Player -> his starts (SD-1.1)."""
        coloured = [self._mask(n for n in colours if colours[n] == c) for c in COLOURS]
        self.sending = self._mask(rim) & (coloured[0] | coloured[1])
        """Rim spots that send the Skorpion to the Gate (SD-4.6)."""
        gate_bit = 1 << self.gate
        self.black = self._mask(n for n in colours if colours[n] == "black") & ~gate_bit
        gray = self._mask(n for n in colours if colours[n] == "gray")
        self.by_one = tuple(
            (coloured[player] | gray) & ~gate_bit & ~self.starts[player] for player in (0, 1)
        )
        """Player -> spots that ask for one line to a held spot (SD-3.3)."""
        self.by_two = tuple(
            coloured[1 - player] & ~gate_bit & ~self.starts[player] for player in (0, 1)
        )
        """Player -> spots of the other colour (SD-3.4)."""
        self.ways = tuple(
            tuple(
                tuple(spots_in(self.all & ~self._barred(start, tail)))
                for tail in range(len(self.names))
            )
            for start in range(len(self.names))
        )
        """Skorpion, Tail -> where it can step (SD-4.1, SD-4.3, SD-4.4)."""
        self.places = tuple(map(Place, self.names))
        self.leads = self._leads()
        """Skorpion, Tail -> its first steps, made once: listing is most of the work."""

    def _leads(self) -> tuple[tuple[tuple[Lead, ...], ...], ...]:
        double: dict[tuple[int, int], tuple[Step, ...]] = {}
        for first, name in enumerate(self.names):
            for second in spots_in(self.lines[first] | self.lines[self.gate]):
                path = name, self.names[second]
                double[first, second] = tuple(Step(path, pay) for pay in self.names)
        leads: list[tuple[tuple[Lead, ...], ...]] = []
        for start, by_tail in enumerate(self.ways):
            lead = {}
            for first in spots_in(self.lines[start]):
                sent = self.sending >> first & 1
                seconds = self.ways[self.gate][self.gate] if sent else self.ways[first][start]
                doubles = chain.from_iterable(double[first, second] for second in seconds)
                lead[first] = Lead(first, Step((self.names[first],)), len(seconds), tuple(doubles))
            leads.append(tuple(tuple(lead[first] for first in firsts) for firsts in by_tail))
        return tuple(leads)

    def _mask(self, names: Iterable[str]) -> int:
        return sum(1 << self.index[name] for name in names)

    def _barred(self, start: int, tail: int) -> int:
        barred = 0
        for _, spots in self.step_bars(start, tail):
            barred |= spots
        return barred

    def step_bars(self, start: int, tail: int) -> tuple[tuple[str, int], ...]:
        """What keeps the Skorpion from stepping: case of the fact, the spots that it bars."""
        return (
            ("into-gate", 1 << self.gate),
            ("onto-tail", 1 << tail),
            ("no-line", self.all & ~self.lines[start]),
        )


# -- reading ----------------------------------------------------------------------------------


def layout_from(data: Mapping[str, Any]) -> Layout:
    """The layout in the data of a board file: `spots`, `graph.lines`, `starts`, `rim`, `gate`.

    SetupError names the key that is missing or wrong.
    """
    colours: dict[str, str] = {}
    for name in table(data, "spots", "board"):
        if not _NAME.fullmatch(name):
            raise SetupError(f"spots.{name}: a name has letters, digits and _ only")
        spot = table(data["spots"], name, "spots")
        colours[name] = choice(spot.get("colour"), f"spots.{name}.colour", SPOT_COLOURS)
    if not 2 <= len(colours) <= MOST_SPOTS:
        raise SetupError(f"spots: expected 2 to {MOST_SPOTS} spots, found {len(colours)}")
    gate = choice(data.get("gate", "gate"), "gate", colours)
    told_starts = table(data, "starts", "board")
    starts = [_spots(told_starts.get(c), f"starts.{c}", colours) for c in COLOURS]
    if twice := sorted(set(starts[0]) & set(starts[1])):
        raise SetupError(f"starts: {twice[0]} is a start of both")
    if gate in (*starts[0], *starts[1]):
        raise SetupError("starts: the gate is no start")
    return Layout(
        colours, _lines(data, colours), starts, _spots(data.get("rim"), "rim", colours), gate
    )


def _spots(value: Any, key: str, known: Mapping[str, str]) -> tuple[str, ...]:
    names = entries(value, key, str)
    for name in names:
        choice(name, key, known)
        if names.count(name) > 1:
            raise SetupError(f"{key}: {name!r} stands there twice")
    if not names:
        raise SetupError(f"{key}: expected spots, found none")
    return names


def _lines(data: Mapping[str, Any], known: Mapping[str, str]) -> list[tuple[str, str]]:
    lines = entries(table(data, "graph", "board").get("lines"), "graph.lines", list)
    for line in lines:
        if len(_spots(line, "graph.lines", known)) != 2:
            raise SetupError(f"graph.lines: a line joins two spots, found {line!r}")
    return [(line[0], line[1]) for line in lines]
