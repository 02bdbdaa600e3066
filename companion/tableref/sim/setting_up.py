"""How people set up: which pieces they have, and what they show to an eye before they play."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from tableref.printing.pieces import cuts
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import HIDDEN, Piece, Stack, text_of, texts
from tableref_hardware import Board, Cell

EMPTY_BOARD, TEACHING, START = "empty", "teach", "start"
SHOWN = (EMPTY_BOARD, TEACHING, START)
"""What the board is shown for before play, which is what those pictures are called."""


def every_piece(board: Board, game: TableGame[Any], state: Any) -> Counter[Piece]:
    """The pieces of the game at its start, `state`: those on the board, and those beside it. Faces
    are theirs who place them, so such pieces all stand."""
    standing = [piece for stack in game.board(state).values() for piece in stack]
    every = Counter((cut.look.kind, cut.side) for cut in cuts(board, game) if not cut.look.faces)
    every.subtract((piece.kind, piece.side) for piece in standing)
    alike: dict[tuple[str, str], Piece] = {}
    for piece in (*(piece for stack in game.stacks for piece in stack), *standing):
        alike.setdefault((piece.kind, piece.side), piece)
    beside = {
        alike[kind, side]: count
        for (kind, side), count in every.items()
        if count > 0 and (kind, side) in alike and board.looks[kind].told != "tag"
    }
    return Counter(beside) + Counter(standing)


def lesson(board: Board, game: TableGame[Any], state: Any) -> dict[str, Stack]:
    """Cell -> a piece that people lay there because the start, `state`, does not show its look by
    itself; empty where it shows them all, or an eye goes by tags."""
    start = game.board(state)
    there = {(piece.kind, piece.side) for piece in every_piece(board, game, state)}
    shown = {text_of(stack) for stack in start.values()}
    looks = {
        stack[0].text: stack
        for stack in game.stacks
        if len(stack) == 1
        and stack[0].face != HIDDEN
        and (stack[0].kind, stack[0].side) in there
        and board.looks[stack[0].kind].told == "side"
    }
    missing = [stack for text, stack in sorted(looks.items()) if text not in shown]
    free = [
        cell
        for cell in board.cells.values()
        if not any(board.looks[stack[0].kind].hides(cell.name) for stack in missing)
    ]
    return {cell.name: stack for cell, stack in zip(_apart(free), missing, strict=False)}


def pictures(board: Board, game: TableGame[Any], state: Any) -> dict[str, Any]:
    """What of the camera's pictures is for setting up, as a file of plots says it; empty where no
    eye has to learn."""
    if board.senses.board != "looks":
        return {}
    taught = lesson(board, game, state)
    teach = {"teach": {"frame": TEACHING, "cells": texts(taught)}} if taught else {}
    return {"empty": EMPTY_BOARD, "start": START, **teach}


def _apart(cells: list[Cell]) -> list[Cell]:
    """The cells in an order in which each is as far as can be from all before it."""
    ordered, left = cells[:1], cells[1:]
    while left:
        farthest = max(left, key=lambda cell: min(_between(cell, one) for one in ordered))
        ordered.append(farthest)
        left.remove(farthest)
    return ordered


def _between(one: Cell, other: Cell) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
