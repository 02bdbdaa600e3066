"""The ring and the ramps of Squod as tables, made from the data of the board file (SQ-1).

A place is a number: the ring row by row from a1, then ramp after ramp in the order of play, each
line by line from start line 1. A piece is a number, too: 0 is none, else `piece_of(owner, kind)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple

from tableref.rules.plain import choice, entries, only_known, table, whole
from tableref.rules.squod.actions import Move, PutBack, Show, Squod
from tableref.rules.surface import SetupError

KINDS = ("paper", "rock", "scissors")
"""Each beats the next one, the last beats the first (SQ-1.4)."""

UNKNOWN = 3
"""The kind of a piece that the referee does not know (SQ-6.1)."""

KIND_NAMES = (*KINDS, "?")
ALL_KINDS = (1 << len(KINDS)) - 1
KINDS_OF = tuple(
    tuple(kind for kind in range(len(KINDS)) if bits >> kind & 1) for bits in range(ALL_KINDS + 1)
)
"""Kinds as bits -> the kinds."""
KIND_OF = tuple(kinds[0] if len(kinds) == 1 else UNKNOWN for kinds in KINDS_OF)
"""Kinds that something may be of, as bits -> its kind as far as it is known."""
OF_EACH = 2
"""Pieces of each kind that a player has (SQ-1.3)."""

PIECES = OF_EACH * len(KINDS)
CLOCKWISE = ("S", "W", "N", "E")
MOST_PLAYERS = len(CLOCKWISE)
START_1, START_2, SQUOD_LINE = 0, 1, 2
LINES = 3


def piece_of(owner: int, kind: int) -> int:
    """The number of a piece."""
    return 1 + 4 * owner + kind


OWNER = (-1, *(owner for owner in range(MOST_PLAYERS) for _ in KIND_NAMES))
KIND = (-1, *(kind for _ in range(MOST_PLAYERS) for kind in range(len(KIND_NAMES))))
TEAM = (-1, *(owner % 2 for owner in OWNER[1:]))
"""Piece -> its owner, kind, side: players who face each other are partners (SQ-1.2)."""


def beats(kind: int, other: int) -> bool:
    """Whether a kind is stronger than another (SQ-1.4)."""
    return kind < UNKNOWN and other < UNKNOWN and (other - kind) % len(KINDS) == 1


NAMES_OF = {
    kinds: tuple(KINDS[kind] for kind in sorted(set(kinds)))
    for count in range(PIECES + 1)
    for kinds in combinations_with_replacement(range(len(KINDS)), count)
}
"""Kinds, sorted, as of lost pieces -> their names, each once."""

MAY_LAND = tuple(
    tuple(
        there == 0 or (TEAM[piece] != TEAM[there] and beats(KIND[piece], KIND[there]))
        for there in range(len(OWNER))
    )
    for piece in range(len(OWNER))
)
"""Piece -> what stands on a place -> whether it may go there: free, or a weaker opposing piece
(SQ-3.2 to 3.4)."""

MADE_OF = tuple(
    tuple(1 << KIND[piece] if piece and TEAM[piece] == team else 0 for piece in range(len(OWNER)))
    for team in (0, 1)
)
"""Side -> piece -> its kind as a bit, 0 for others; a line that adds up to ALL_KINDS wins."""

ACTS = tuple(
    tuple(
        tuple(TEAM[p] == team and not gone >> OWNER[p] & 1 for p in range(len(OWNER)))
        for gone in range(1 << MOST_PLAYERS)
    )
    for team in (0, 1)
)
"""Side -> players who gave up, as bits -> piece -> whether the side may move it on the ring
(SQ-3.6, HR-1.1)."""


class Target(NamedTuple):
    """A place of an opponent's Squod line: its bit, the ring cells in its lane as a mask, and the
    attacks by what stands where (`_Attacks`)."""

    bit: int
    lane: int
    attacks: _Attacks


class Layout:
    """What lies where, for any number of players.

    `ahead`: place -> where a piece may go from there (SQ-3.1 to 3.3). `line`, `lane`, `side`: of a
    ramp place; -1 on the ring. `lines_of`: ring cell -> the row and the column through it.
    `shows`: place -> the kinds that its piece may be of, as bits -> what may be shown (SQ-6.1).
    """

    def __init__(self, size: int, seats: Mapping[int, tuple[str, ...]]) -> None:
        self.size, self.ring = size, size * size
        names = [f"{chr(ord('a') + x)}{y + 1}" for y in range(size) for x in range(size)]
        where = [(-1, -1, -1)] * self.ring
        for side, letter in enumerate(CLOCKWISE):
            for line in range(LINES):
                for lane in range(size):
                    names.append(f"{letter}{line + 1}{lane + 1}")
                    where.append((side, line, lane))
        self.names = tuple(names)
        self.index = {name: place for place, name in enumerate(names)}
        self.side = tuple(side for side, _, _ in where)
        self.line = tuple(line for _, line, _ in where)
        self.lane = tuple(lane for _, _, lane in where)
        self.lines_of = tuple(
            (
                tuple(range(cell - cell % size, cell - cell % size + size)),
                tuple(range(cell % size, self.ring, size)),
            )
            for cell in range(self.ring)
        )
        self.ahead = tuple(self._ahead(place) for place in range(len(names)))
        self.shows = tuple(
            tuple(
                tuple(Show(name, KINDS[kind]) for kind in kinds if len(kinds) > 1)
                for kinds in KINDS_OF
            )
            for name in names
        )
        self.crossing = self._crossings()
        """Two Squod-line places of neighbouring ramps -> the ring cell where their lanes cross
        (SQ-4.2)."""
        self.ring_mask = (1 << self.ring) - 1
        self.lanes_mask = (1 << size) - 1
        self.ramp_mask = (1 << LINES * size) - 1
        """The places of the first ramp; a ramp's own are as many, from its first place on."""
        self.places_of = _Places()
        self.tables = {players: Tables(self, sides) for players, sides in seats.items()}

    def _crossings(self) -> dict[tuple[int, int], int]:
        lines = [place for place, line in enumerate(self.line) if line == SQUOD_LINE]
        across = [
            (a, b) for a in lines for b in lines if not self.runs_east(a) and self.runs_east(b)
        ]
        found = {(a, b): self.lane[b] * self.size + self.lane[a] for a, b in across}
        return found | {(b, a): cell for (a, b), cell in found.items()}

    def ramp(self, side: str) -> int:
        """The first place of a ramp."""
        return self.index[f"{side}11"]

    def runs_east(self, place: int) -> bool:
        """Whether the lane of a ramp place is a row of the ring."""
        return CLOCKWISE[self.side[place]] in "WE"

    def _ahead(self, place: int) -> tuple[int, ...]:
        size, lane = self.size, self.lane[place]
        if self.side[place] < 0:
            x, y = place % size, place // size
            beside = ((x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y))
            return tuple(v * size + u for u, v in beside if 0 <= u < size and 0 <= v < size)
        if self.line[place] == SQUOD_LINE:
            last = size - 1
            edge = {"S": (lane, 0), "N": (lane, last), "W": (0, lane), "E": (last, lane)}
            x, y = edge[CLOCKWISE[self.side[place]]]
            return (y * size + x,)
        straight = place + size
        return tuple(straight + aside for aside in (-1, 0, 1) if 0 <= lane + aside < size)


class Tables:
    """What depends on the number of players: who sits where, and the moves by what is occupied.

    `ramps`: player -> first place of his ramp. `steps`: player -> occupied places of his ramp ->
    moves on it. `on_ring`: player -> place of his Squod line -> the move onto the ring, if it is a
    Squod-line place; ring cell -> its moves. `put_backs`: player -> what he may put back.
    `targets`: player -> what he may attack.
    """

    def __init__(self, layout: Layout, sides: tuple[str, ...]) -> None:
        self.sides = sides
        self.ramps = tuple(layout.ramp(side) for side in sides)
        self.moves = tuple(
            tuple((to, Move(layout.names[place], layout.names[to])) for to in layout.ahead[place])
            for place in range(len(layout.names))
        )
        self.steps = tuple(_Steps(layout, self.moves, ramp) for ramp in self.ramps)
        self.put_backs = tuple(
            _PutBacks(layout.names[ramp : ramp + layout.size]) for ramp in self.ramps
        )
        self.targets = tuple(
            tuple(
                Target(1 << place, sum(_in_lane(layout, place)), _Attacks(layout, own, place))
                for step in (1, len(sides) - 1)[: len(sides) // 2]
                for place in _squod_line(layout, self.ramps[(player + step) % len(sides)])
            )
            for player, own in enumerate(self.ramps)
        )


def _squod_line(layout: Layout, ramp: int) -> range:
    return range(ramp + SQUOD_LINE * layout.size, ramp + LINES * layout.size)


def _in_lane(layout: Layout, target: int) -> list[int]:
    """Bits of the ring cells in the lane of a Squod-line place."""
    across = layout.lines_of[layout.ahead[target][0]]
    return [1 << cell for cell in across[0 if layout.runs_east(target) else 1]]


class _Places(dict[int, tuple[int, ...]]):
    """Mask of places -> the places, lowest first."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        self[mask] = found = tuple(p for p in range(mask.bit_length()) if mask >> p & 1)
        return found


class _Steps(dict[int, tuple[Move, ...]]):
    """Occupied places of one ramp (bit 0: its first) -> the moves on its start lines (SQ-3.1)."""

    def __init__(
        self, layout: Layout, moves: Sequence[tuple[tuple[int, Move], ...]], ramp: int
    ) -> None:
        self._moves = moves[ramp : ramp + SQUOD_LINE * layout.size]
        self._ramp = ramp

    def __missing__(self, occupied: int) -> tuple[Move, ...]:
        self[occupied] = found = tuple(
            move
            for place, moves in enumerate(self._moves)
            if occupied >> place & 1
            for to, move in moves
            if not occupied >> (to - self._ramp) & 1
        )
        return found


class _PutBacks(dict[tuple[tuple[str, ...], int], tuple[PutBack, ...]]):
    """(names of kinds, occupied places of start line 1) -> what can be put back (SQ-3.7)."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __missing__(self, key: tuple[tuple[str, ...], int]) -> tuple[PutBack, ...]:
        kinds, occupied = key
        self[key] = found = tuple(
            PutBack(kind, name)
            for lane, name in enumerate(self._names)
            if not occupied >> lane & 1
            for kind in kinds
        )
        return found


class _Attacks(dict[tuple[int, int], tuple[Squod, ...]]):
    """(occupied places of start line 2 and the Squod line, of the ring in the target's lane) -> the
    attacks on one target (SQ-4.1, SQ-4.2)."""

    def __init__(self, layout: Layout, ramp: int, target: int) -> None:
        self._layout, self._ramp, self._target = layout, ramp, target

    def __missing__(self, key: tuple[int, int]) -> tuple[Squod, ...]:
        own, ring = key
        layout, names = self._layout, self._layout.names
        line_2 = self._ramp + START_2 * layout.size
        squod_line = _squod_line(layout, self._ramp)
        self[key] = found = tuple(
            Squod(names[start], names[via], names[self._target])
            for via in squod_line
            if not ring >> layout.crossing[via, self._target] & 1
            for start in (via, *range(line_2, squod_line.start))
            if own >> (start - line_2) & 1
            and (start == via or (via in layout.ahead[start] and not own >> (via - line_2) & 1))
        )
        return found


def layout_from(data: Mapping[str, Any]) -> Layout:
    """The board of a board file's data: `cells.size`, `cells.lines`, `ramps`. SetupError names the
    key that is wrong."""
    where = "board data"
    cells, ramps = table(data, "cells", where), table(data, "ramps", where)
    size = whole(cells.get("size"), f"{where}: cells.size", len(KINDS), 9)
    whole(cells.get("lines"), f"{where}: cells.lines", LINES, LINES)
    sides = entries(cells.get("sides"), f"{where}: cells.sides", str)
    only_known(ramps, f"{where}: ramps", ("two", "four", "confirmed"))
    seats = {}
    for players, key in ((2, "two"), (4, "four")):
        seats[players] = tuple(
            choice(side, f"{where}: ramps.{key}", sides)
            for side in entries(ramps.get(key), f"{where}: ramps.{key}", str)
        )
        at = [
            CLOCKWISE.index(choice(s, f"{where}: ramps.{key}", CLOCKWISE)) for s in seats[players]
        ]
        steps = {(b - a) % MOST_PLAYERS for a, b in pairwise(at)}
        if len(at) != players or not steps <= ({1} if players == 4 else {1, 3}):
            raise SetupError(
                f"{where}: ramps.{key}: expected {players} sides, each beside the one before it, "
                f"four of them clockwise ({', '.join(CLOCKWISE)}; SQ-1.2)"
            )
    return Layout(size, seats)
