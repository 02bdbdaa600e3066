"""What the eye over the board says of the cells: by tags, or by what pieces look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from tableref.rules.pieces import EMPTY, Piece, Stack, spelled
from tableref_hardware import Board, shown
from tableref_vision.observation import Observation

STRANGE = "strange"
"""Of a cell on which something lies that is no piece: no piece is doubted."""


class Doubt(NamedTuple):
    """What is not clear, and of which piece or cell: `between` cells, `askew`, `twice` in view,
    `unseen`, `strange`, `no-magnet`, `stray-magnet`."""

    kind: str
    piece: str


class Seen(NamedTuple):
    """Cell -> what may stand there; of a cell that is missing nothing is known. `middles`: cells
    on whose middle a piece stands. `elsewhere`: pieces that were not seen may be anywhere else."""

    cells: Mapping[str, frozenset[Stack]]
    doubts: tuple[Doubt, ...] = ()
    middles: frozenset[str] = frozenset()
    elsewhere: frozenset[Stack] = frozenset()


FELT = 8.0
"""mm off the middle of a cell within which every magnet is felt; farther off it may not be."""


def seen(
    board: Board,
    stacks: Iterable[Stack],
    observation: Observation,
    before: Mapping[str, Stack] | None = None,
) -> Seen:
    """What an observation says. `stacks` are all that may stand on a cell, `before` what stood
    there: of pieces that lie on each other, or close together, an eye by looks may tell but one."""
    if observation.cells is not None:
        return _by_looks(board, stacks, observation, before or {})
    return _by_tags(board, stacks, observation)


def _by_looks(
    board: Board,
    stacks: Iterable[Stack],
    observation: Observation,
    before: Mapping[str, Stack],
) -> Seen:
    known = spelled(stacks)
    told = observation.cells or {}
    everywhere = Counter(piece for stack in before.values() for piece in stack)
    # A piece of which there is but one, and that is surely seen on a cell, is on no other.
    alone = {
        piece.text: cell
        for cell, texts in told.items()
        if len(texts) == 1
        for piece in known.get(next(iter(texts)), EMPTY)
    }
    gone = {
        cell: [
            piece
            for piece in stack
            if everywhere[piece] == 1 and alone.get(piece.text, cell) != cell
        ]
        for cell, stack in before.items()
    }
    # One that is seen nowhere, and surely not where it stood, lies beside another. One of which
    # there may be two would lie on it, and be seen.
    many = {piece for stack in known.values() for piece in stack if stack.count(piece) > 1}
    missing = frozenset(
        piece
        for cell, stack in before.items()
        for piece in stack
        if everywhere[piece] == 1
        and piece not in many
        and piece.text not in alone
        and cell in told
        and cell not in observation.covered
        and told[cell] == {""}
    )
    cells = {
        cell: _on(known, texts, observation.beneath[cell])
        if cell in observation.beneath
        else frozenset(known[text] for text in texts if text in known)
        | _under(known, texts, before.get(cell, EMPTY), gone.get(cell, ()), missing)
        for cell, texts in told.items()
        if cell in board.cells and cell not in observation.covered
    }
    # On a cell that holds but one, another under it or beside it is none that may lie there.
    odd = {
        cell
        for cell, may in cells.items()
        if not may and (cell in observation.beneath or _are_several(board, told[cell]))
    }
    # Where nothing that may stand there was named, nothing is known.
    cells = {cell: may for cell, may in cells.items() if may}
    certain = frozenset(cell for cell, may in cells.items() if EMPTY not in may)
    # Where two unique pieces stand and one is seen, what lies beside it is the other.
    pairs = {
        cell
        for cell, may in cells.items()
        if len(told[cell]) == 1
        and any(
            len(stack) > 1
            and all(
                everywhere[piece] == 1
                and alone.get(piece.text, cell) == cell
                and (piece in (*before.get(cell, EMPTY), *missing) or piece.text in alone)
                for piece in stack
            )
            for stack in may
        )
    }
    told_odd = sorted(odd.union(observation.strange) - pairs)
    strange = tuple(Doubt(STRANGE, cell) for cell in told_odd)
    return Seen(cells, strange, certain)


def _are_several(board: Board, texts: Collection[str]) -> bool:
    """Whether each of these texts names several pieces."""
    return all(len(shown(board.looks, text)) > 1 for text in texts)


def _on(known: Mapping[str, Stack], texts: Iterable[str], beneath: str) -> frozenset[Stack]:
    """The stacks in which one of these texts lies on what sticks out from under it."""
    pairs = [sorted((text, beneath)) for text in texts]
    return frozenset(
        stack for stack in known.values() if sorted(piece.text for piece in stack) in pairs
    )


def _under(
    known: Mapping[str, Stack],
    texts: Iterable[str],
    before: Stack,
    gone: Collection[Piece],
    missing: Collection[Piece],
) -> frozenset[Stack]:
    """The stacks of several pieces in which one of these texts lies on or beside what was there,
    or beside one that is `missing`, but for what is `gone` from there."""
    names = {*texts}
    return frozenset(
        stack
        for stack in known.values()
        if len(stack) > 1 and any(piece.text in names for piece in stack)
        if any(piece in stack for piece in (*before, *missing))
        if not any(piece in stack for piece in gone)
    )


def _by_tags(board: Board, stacks: Iterable[Stack], observation: Observation) -> Seen:
    tagged: dict[str, dict[str, Stack]] = {}
    for stack in stacks:
        if len(stack) == 1:
            tagged.setdefault(stack[0].called, {})[stack[0].facing] = stack
    doubts = [Doubt("twice", piece) for piece in observation.twice]
    doubts += [
        Doubt("unseen", piece) for piece in observation.not_seen if piece not in observation.twice
    ]
    cells: dict[str, frozenset[Stack]] = {}
    middles = []
    for piece in observation.pieces:
        if piece.id is None:
            continue
        if piece.cell is None:
            doubts.append(Doubt("between", piece.id))
            continue
        middle = board.cells[piece.cell]
        if abs(complex(piece.x - middle.x, piece.y - middle.y)) <= FELT:
            middles.append(piece.cell)
        if piece.heading is None:
            doubts.append(Doubt("askew", piece.id))
            cells[piece.cell] = frozenset(tagged[piece.id].values())
        else:
            cells[piece.cell] = frozenset((tagged[piece.id][piece.heading],))
    lost = [doubt.piece for doubt in doubts if doubt.kind in ("unseen", "twice", "between")]
    elsewhere = frozenset(stack for piece in lost for stack in tagged[piece].values())
    for cell in board.cells:
        cells.setdefault(cell, elsewhere | {EMPTY})
    return Seen(cells, tuple(doubts), frozenset(middles), elsewhere)
