"""An eye without faults over a virtual table: what stands there, without a picture.

It says what the eyes of `tableref_vision` say of a clear picture, in no time, so that whole
evenings can be tried.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from tableref.rules.pieces import Stack, text_of
from tableref.sim.mat import Die
from tableref.sim.stage import Placed, Stage
from tableref_hardware import Board
from tableref_vision.dice import mat
from tableref_vision.dice.seen import SeenDie
from tableref_vision.observation import Observation, SeenPiece


def glance(stage: Stage, time: float, name: str, hand: bool = False) -> Observation:
    """The board as it stands, by tags or by looks, as its board file says."""
    board = stage.board
    if board.senses.board == "looks":
        return _by_looks(stage, time, name, hand)
    seen = tuple(_seen(board, placed) for placed in stage.pieces.values())
    missing = tuple(piece.id for piece in board.pieces if piece.id not in stage.pieces)
    return Observation(time, name, "ok", seen, missing, frozenset(), hand=hand, still=True)


def dice(lying: Collection[Die]) -> tuple[SeenDie, ...]:
    """The dice of a mat as they lie."""
    return tuple(_die(die) for die in lying)


def _seen(board: Board, placed: Placed) -> SeenPiece:
    cell = _cell_of(board, placed.x, placed.y)
    turns = {
        name: abs((placed.yaw - yaw + 180.0) % 360.0 - 180.0)
        for name, yaw in board.headings.items()
    }
    heading = min(turns, key=lambda name: turns[name])
    return SeenPiece(
        placed.piece.called,
        placed.piece.kind,
        placed.piece.side,
        cell,
        heading if turns[heading] <= board.askew else None,
        placed.x,
        placed.y,
        placed.yaw,
        1.0,
    )


def _by_looks(stage: Stage, time: float, name: str, hand: bool) -> Observation:
    board = stage.board
    stacks: dict[str, Stack] = {}
    strange = [_nearest(board, x, y) for x, y in stage.coins]
    for placed in stage.pieces.values():
        cell = _cell_of(board, placed.x, placed.y)
        if cell is None:
            strange.append(_nearest(board, placed.x, placed.y))
        else:
            stacks[cell] = (*stacks.get(cell, ()), placed.piece)
    cells = {
        cell: frozenset((text_of(stacks.get(cell, ())),))
        for cell in board.cells
        if cell not in strange
    }
    return Observation(
        time, name, "ok", (), (), frozenset(), hand, True, cells=cells, strange=tuple(strange)
    )


def _cell_of(board: Board, x: float, y: float) -> str | None:
    cell = _nearest(board, x, y)
    near = math.hypot(board.cells[cell].x - x, board.cells[cell].y - y) <= board.near
    return cell if near else None


def _nearest(board: Board, x: float, y: float) -> str:
    return min(
        board.cells, key=lambda name: math.hypot(board.cells[name].x - x, board.cells[name].y - y)
    )


def _die(die: Die) -> SeenDie:
    tray = mat.tray_at(die.x, die.y)
    why = None
    if tray is None:
        why = "off-tray"
    elif die.up != mat.FLOOR or die.tilt:
        why = "rim"
    value = die.value if why is None else None
    return SeenDie(value, why is None, 1.0, (0.0, 0.0, 1.0, 1.0), tray, why, (die.x, die.y))
