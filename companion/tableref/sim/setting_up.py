"""How people set up: which pieces they have on the board and beside it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tableref.printing.pieces import cuts
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import Piece
from tableref_hardware import Board


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
