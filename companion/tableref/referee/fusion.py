"""From what the eye says to what the rules ask: Observation -> Sighting.

Nothing is guessed. A piece that was not seen may stand on any cell where none was seen; what
cannot be said of a piece that was seen (between cells, askew, in view twice) is a doubt of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tableref.rules.explain import EMPTY, Sighting
from tableref_hardware import Board
from tableref_vision.observation import Observation


class Doubt(NamedTuple):
    """What is not clear about a piece: `between` cells, `askew`, `twice` in view, `unseen`."""

    kind: str
    piece: str


class Look(NamedTuple):
    """A sighting, and the doubts that the players should clear up."""

    sighting: Sighting
    doubts: tuple[Doubt, ...]

    def unseen(self) -> frozenset[str]:
        """Pieces that were not seen."""
        return frozenset(doubt.piece for doubt in self.doubts if doubt.kind == "unseen")


def look(board: Board, observation: Observation) -> Look:
    """What an observation tells about the board's pieces with headings (cars)."""
    doubts = [Doubt("twice", piece) for piece in observation.twice]
    doubts += [
        Doubt("unseen", piece) for piece in observation.not_seen if piece not in observation.twice
    ]
    cells: dict[str, frozenset[str]] = {}
    for piece in observation.pieces:
        if piece.id is None:
            continue
        if piece.cell is None:
            doubts.append(Doubt("between", piece.id))
        elif piece.heading is None:
            doubts.append(Doubt("askew", piece.id))
            cells[piece.cell] = frozenset(f"{piece.id} {name}" for name in board.headings)
        else:
            cells[piece.cell] = frozenset((f"{piece.id} {piece.heading}",))
    lost = [d.piece for d in doubts if d.kind in ("unseen", "twice", "between")]
    elsewhere = _anything_of(board, lost)
    for cell in board.cells:
        cells.setdefault(cell, elsewhere)
    return Look(Sighting(cells), tuple(doubts))


def _anything_of(board: Board, pieces: Iterable[str]) -> frozenset[str]:
    """What may stand where nothing was seen: nothing, or one of these pieces, any way round."""
    return frozenset(
        (EMPTY, *(f"{piece} {heading}" for piece in pieces for heading in board.headings))
    )
