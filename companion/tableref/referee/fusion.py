"""From what the eye and the switches say to what the rules ask: a Sighting.

Nothing is guessed. A piece that was not seen may stand on any cell where none was seen; what
cannot be said of a piece that was seen (between cells, askew, in view twice) is a doubt of its own.

Where both speak of a cell, they are held against each other:

| the eye | the switch | what it comes to |
| --- | --- | --- |
| sees a piece on the cell | magnet | the piece stands there |
| sees a piece on the cell | no magnet | doubt `no-magnet`, unless the piece stands off the middle |
| sees no piece there, misses some | magnet | one of the missing pieces stands there |
| sees no piece there, misses none | magnet | doubt `stray-magnet` |
| sees no piece there | no magnet | the cell is empty, whatever may be hidden elsewhere |
| anything | flickers, or is not trusted | the eye alone |
| cannot see | anything | the switches alone: something stands there, or nothing does |
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tableref.referee.switches import Switches
from tableref.rules.explain import Sighting
from tableref.rules.pieces import EMPTY, Stack
from tableref_hardware import Board
from tableref_vision.observation import Observation, SeenPiece

FELT = 8.0
"""mm off the middle of a cell within which every magnet is felt; farther off it may not be."""


class Doubt(NamedTuple):
    """What is not clear, and of which piece or cell: `between` cells, `askew`, `twice` in view,
    `unseen`, `no-magnet`, `stray-magnet`."""

    kind: str
    piece: str


SENSOR_DOUBTS = ("no-magnet", "stray-magnet")


class Look(NamedTuple):
    """A sighting, and the doubts that the players should clear up. `blind`: by switches alone,
    which know neither colours nor headings."""

    sighting: Sighting
    doubts: tuple[Doubt, ...] = ()
    blind: bool = False


def look(
    board: Board,
    stacks: Iterable[Stack],
    observation: Observation,
    switches: Switches | None = None,
) -> Look:
    """What an observation tells about the board's pieces with tags. `stacks` are all that may
    stand on a cell."""
    tagged = _by_name(stacks)
    doubts = [Doubt("twice", piece) for piece in observation.twice]
    doubts += [
        Doubt("unseen", piece) for piece in observation.not_seen if piece not in observation.twice
    ]
    cells: dict[str, frozenset[Stack]] = {}
    for piece in observation.pieces:
        if piece.id is None:
            continue
        if piece.cell is None:
            doubts.append(Doubt("between", piece.id))
        elif piece.heading is None:
            doubts.append(Doubt("askew", piece.id))
            cells[piece.cell] = frozenset(tagged[piece.id].values())
        else:
            cells[piece.cell] = frozenset((tagged[piece.id][piece.heading],))
    lost = [d.piece for d in doubts if d.kind in ("unseen", "twice", "between")]
    elsewhere = _anything_of(tagged, lost)
    if switches is not None:
        doubts += _disagreements(board, observation.pieces, cells, switches, bool(lost))
        for cell in board.cells:
            if cell not in cells and cell not in switches.silent:
                held = cell in switches.occupied
                cells[cell] = elsewhere - {EMPTY} if held and lost else frozenset((EMPTY,))
    for cell in board.cells:
        cells.setdefault(cell, elsewhere)
    return Look(Sighting(cells), tuple(doubts))


def look_blind(board: Board, stacks: Iterable[Stack], switches: Switches) -> Look:
    """What the switches tell alone, while the camera is away."""
    something, nothing = frozenset(stacks), frozenset((EMPTY,))
    cells = {
        cell: something if cell in switches.occupied else nothing
        for cell in board.cells
        if cell not in switches.silent
    }
    return Look(Sighting(cells), blind=True)


def _disagreements(
    board: Board,
    pieces: Iterable[SeenPiece],
    seen: dict[str, frozenset[Stack]],
    switches: Switches,
    some_lost: bool,
) -> list[Doubt]:
    """Cells of which eye and switch tell different things."""
    doubts = []
    for piece in pieces:
        if piece.cell is None or piece.cell in switches.occupied | switches.silent:
            continue
        middle = board.cells[piece.cell]
        if math.hypot(piece.x - middle.x, piece.y - middle.y) <= FELT:
            doubts.append(Doubt("no-magnet", piece.cell))
    if not some_lost:
        strays = switches.occupied - switches.silent - seen.keys()
        doubts += [Doubt("stray-magnet", cell) for cell in sorted(strays)]
    return doubts


def _by_name(stacks: Iterable[Stack]) -> dict[str, dict[str, Stack]]:
    """Name of a piece -> where it points -> the piece, alone on its cell."""
    names: dict[str, dict[str, Stack]] = {}
    for stack in stacks:
        if len(stack) == 1:
            names.setdefault(stack[0].called, {})[stack[0].facing] = stack
    return names


def _anything_of(
    tagged: Mapping[str, Mapping[str, Stack]], pieces: Iterable[str]
) -> frozenset[Stack]:
    """What may stand where nothing was seen: nothing, or one of these pieces, any way round."""
    return frozenset((EMPTY, *(stack for piece in pieces for stack in tagged[piece].values())))
