"""What the senses say together of the board. Nothing is guessed.

Where eye and switches both speak of a cell, they are held against each other:

| the eye | the switch | what it comes to |
| --- | --- | --- |
| sees a piece on the cell | magnet | the piece stands there |
| sees a piece on the cell | no magnet | doubt `no-magnet`, unless the piece stands off the middle |
| sees no piece there, misses some | magnet | one of the missing pieces stands there |
| sees no piece there, misses none | magnet | doubt `stray-magnet` |
| sees no piece there | no magnet | the cell is empty, whatever may be hidden elsewhere |
| cannot tell what is there | magnet | something stands there |
| cannot tell what is there | no magnet | the cell is empty |
| anything | flickers, or is not trusted | the eye alone |
| cannot see | anything | the switches alone: something stands there, or nothing does |
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tableref.referee.senses.eye import Doubt, Seen
from tableref.referee.senses.switches import Switches
from tableref.rules.explain import Sighting
from tableref.rules.pieces import EMPTY, Stack
from tableref_hardware import Board

SENSOR_DOUBTS = ("no-magnet", "stray-magnet")
NOTHING = frozenset((EMPTY,))
FELT_TWICE = 25.0
"""Between the middles of two cells, in mm: nearer ones may both feel a piece that lies between."""


class Evidence(NamedTuple):
    """A sighting, and the doubts that the players should clear up. `blind`: by switches alone,
    which know neither kinds nor headings. `twice`: one piece may be felt on two cells."""

    sighting: Sighting
    doubts: tuple[Doubt, ...] = ()
    blind: bool = False
    twice: bool = False


def by_eye(
    board: Board, seen: Seen, stacks: Iterable[Stack], switches: Switches | None
) -> Evidence:
    """What the eye says, and the switches where there are any."""
    if switches is None:
        return Evidence(Sighting(seen.cells), seen.doubts)
    cells, doubts = dict(seen.cells), list(seen.doubts)
    anything = frozenset((EMPTY, *stacks))
    for cell in sorted(board.cells.keys() - switches.silent):
        may = cells.get(cell, anything)
        magnet = cell in switches.occupied
        if magnet and may == NOTHING:
            doubts.append(Doubt("stray-magnet", cell))
        elif magnet:
            cells[cell] = may - NOTHING
        elif EMPTY in may:
            cells[cell] = NOTHING
        elif cell in seen.middles:
            doubts.append(Doubt("no-magnet", cell))
    return Evidence(Sighting(cells), tuple(doubts))


def by_switches(
    board: Board, stacks: Iterable[Stack], before: Mapping[str, Stack], switches: Switches
) -> Evidence:
    """What the switches say alone. On a cell that was not touched still stands what stood there,
    unless pieces of its kind share cells: then one may have come or gone unfelt."""
    something = frozenset(stacks)
    sharing = {piece for stack in something if len(stack) > 1 for piece in stack}
    cells: dict[str, frozenset[Stack]] = {}
    for cell in board.cells.keys() - switches.silent:
        stack = before.get(cell, EMPTY)
        if cell not in switches.occupied:
            cells[cell] = NOTHING
        elif not stack or cell in switches.touched or sharing.intersection(stack):
            cells[cell] = something
        else:
            cells[cell] = frozenset((stack,))
    return Evidence(Sighting(cells), blind=True, twice=_twice(board, before, switches))


def _twice(board: Board, before: Mapping[str, Stack], switches: Switches) -> bool:
    """Whether more is felt than stood on the board, beside a cell from which nothing was felt to
    leave: the piece from there may have been pushed between the two."""
    held, stood = switches.occupied - switches.silent, before.keys() - switches.silent
    came, stay = held - stood, held & stood
    if len(came) <= len(stood - held):
        return False
    cells = board.cells
    return any(
        math.dist((cells[c].x, cells[c].y), (cells[s].x, cells[s].y)) < FELT_TWICE
        for c in came
        for s in stay
    )


def feels(switches: Switches, board: Mapping[str, Stack]) -> bool:
    """Whether the switches feel this board."""
    return switches.occupied - switches.silent == board.keys() - switches.silent
