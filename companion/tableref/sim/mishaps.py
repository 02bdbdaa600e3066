"""What goes wrong at a table before it is put right: boards that no legal move leads to."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tableref.rules.defaults import TableGame
from tableref.rules.explain import Sighting, explain, sighting_of
from tableref.rules.pieces import EMPTY, Piece, Stack
from tableref_hardware import Board

Stacks = dict[str, Stack]

KINDS = (
    "wrong-cell", "turned", "swapped", "bumped", "gone", "between", "coin", "hand", "put-back",
)  # fmt: skip
"""A piece on a wrong cell, or turned; two exchanged; several bumped; one taken off; one between two
cells; a coin on the board; a hand that rests over it; a piece lifted and put back."""
TRIES = 12


def wrong_board(
    kind: str, game: TableGame[Any], state: Any, board: Board, seen: bool, chance: random.Random
) -> Stacks | None:
    """The board of `state` with a mishap, such that the senses can tell it from all that may be
    done; None where there is none. `seen`: by a camera; else only switches feel it."""
    for _ in range(TRIES):
        wrong = _made(kind, game.board(state), board, chance)
        if wrong is None:
            return None
        if wrong == game.board(state) or _may_be(game, state, board, wrong, seen):
            continue
        return wrong
    return None


def _made(kind: str, stands: Stacks, board: Board, chance: random.Random) -> Stacks | None:
    wrong, taken = dict(stands), sorted(stands)
    free = sorted(cell for cell in board.cells if cell not in stands)
    if not taken or (kind in ("wrong-cell", "bumped") and len(free) < 3):
        return None
    match kind:
        case "wrong-cell" | "bumped":
            count = 1 if kind == "wrong-cell" else min(3, len(taken))
            for cell, to in zip(
                chance.sample(taken, count), chance.sample(free, count), strict=True
            ):
                wrong[to] = wrong.pop(cell)
        case "gone":
            del wrong[chance.choice(taken)]
        case "turned":
            cell = chance.choice(taken)
            look = board.looks[wrong[cell][-1].kind]
            if not look.facings or not look.way:
                return None
            wrong[cell] = (*wrong[cell][:-1], _turned(wrong[cell][-1], look.facings, chance))
        case "swapped":
            if len(taken) < 2:
                return None
            one, other = chance.sample(taken, 2)
            wrong[one], wrong[other] = wrong[other], wrong[one]
        case _:
            return None
    return wrong


def _turned(piece: Piece, facings: tuple[str, ...], chance: random.Random) -> Piece:
    return piece._replace(facing=chance.choice([f for f in facings if f != piece.facing]))


def _may_be(
    game: TableGame[Any], state: Any, board: Board, wrong: Mapping[str, Stack], seen: bool
) -> bool:
    """Whether what the senses tell of this board may be the board as it was, or a legal way on."""
    if seen:
        sighting = sighting_of(wrong, board.cells)
    else:
        something, nothing = frozenset(game.stacks), frozenset((EMPTY,))
        sighting = Sighting({c: something if c in wrong else nothing for c in board.cells})
    if sighting.allows(game.board(state)):
        return True
    found = explain(game, state, sighting, (), True)
    return bool(found.answers) or found.cut
