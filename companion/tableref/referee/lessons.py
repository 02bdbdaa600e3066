"""What people lay on the board for an eye that goes by looks to learn from."""

from __future__ import annotations

import math
from typing import Any

from tableref.rules.defaults import TableGame
from tableref.rules.pieces import HIDDEN, Piece, Stack, text_of
from tableref_hardware import Board, Cell


def lesson(board: Board, game: TableGame[Any], state: Any) -> dict[str, Stack]:
    """Cell -> a piece that people lay there because the board in this state does not show its look;
    empty where it shows them all, or an eye goes by tags."""
    stands = game.board(state)
    used = {(piece.kind, piece.side) for stack in stands.values() for piece in stack}
    shown = {_look(board, stack[0]) for stack in stands.values() if len(stack) == 1}
    missing: dict[tuple[str, str, str], Stack] = {}
    for stack in sorted(game.stacks, key=text_of):
        if len(stack) > 1 or stack[0].face == HIDDEN or not _is_in_the_set(board, stack[0], used):
            continue
        look = _look(board, stack[0])
        if board.looks[stack[0].kind].told == "side" and look not in shown:
            missing.setdefault(look, stack)
    free = [
        cell
        for cell in board.cells.values()
        if not any(board.looks[stack[0].kind].hides(cell.name) for stack in missing.values())
    ]
    return {cell.name: stack for cell, stack in zip(_spread(free), missing.values(), strict=False)}


def _look(board: Board, piece: Piece) -> tuple[str, str, str]:
    """What of a piece must have been shown: its kind, whose it is, its face. An eye turns a sign by
    itself, and pieces of one tone have the same faces."""
    side = board.looks[piece.kind].sides[piece.side].colour if piece.face else piece.side
    return piece.kind, side, piece.face


def _is_in_the_set(board: Board, piece: Piece, used: set[tuple[str, str]]) -> bool:
    """Whether people have such a piece: of those with faces, who plays has them; of others all that
    the board file lists, or that it paints."""
    if board.looks[piece.kind].faces or (piece.kind, piece.side) in used:
        return (piece.kind, piece.side) in used
    listed = {(one.kind, one.id.rpartition(" ")[0]) for one in board.pieces}
    return not listed or (piece.kind, piece.side) in listed


def _spread(cells: list[Cell]) -> list[Cell]:
    """The cells in an order in which each is as far as can be from all before it."""
    ordered, left = cells[:1], cells[1:]
    while left:
        farthest = max(left, key=lambda cell: min(_between(cell, one) for one in ordered))
        ordered.append(farthest)
        left.remove(farthest)
    return ordered


def _between(one: Cell, other: Cell) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
