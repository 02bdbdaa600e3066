"""What hands do so that one board becomes another: lifts and puts, in an order that can be."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from tableref.rules.pieces import EMPTY, Piece, Stack


class Lift(NamedTuple):
    """A hand takes this piece off a cell."""

    cell: str
    piece: Piece


class Put(NamedTuple):
    """A hand sets this piece down on a cell; it was lifted as `was`, None where it lay beside the
    board."""

    cell: str
    piece: Piece
    was: Lift | None


Step = Lift | Put


def steps(
    before: Mapping[str, Stack], after: Mapping[str, Stack], chance: random.Random
) -> list[Step]:
    """Lifts and puts that make `after` of `before`, in a random order that hands could have: what
    leaves a cell is lifted before another piece comes there, and each before it is put."""
    lifts = [Lift(cell, piece) for cell in before for piece in _without(before, after, cell)]
    fresh = [(cell, piece) for cell in after for piece in _without(after, before, cell)]
    left = list(lifts)
    puts = []
    for cell, piece in fresh:
        # What is turned on its cell is the same piece first; then whichever looks alike.
        alike = sorted(
            (lift for lift in left if lift.piece.same(piece)),
            key=lambda lift: (lift.cell != cell, lift.piece != piece),
        )
        if alike:
            left.remove(alike[0])
        puts.append(Put(cell, piece, alike[0] if alike else None))
    waiting: list[Step] = [*lifts, *puts]
    chance.shuffle(waiting)
    done: list[Step] = []
    while waiting:
        # A piece in the hand goes down as soon as it can: people have two hands.
        ready = [step for step in waiting if _can(step, waiting)]
        held = [step for step in ready if isinstance(step, Put) and step.was is not None]
        step = (held or ready)[0]
        waiting.remove(step)
        done.append(step)
    return done


def _can(step: Step, waiting: list[Step]) -> bool:
    """Whether nothing has to be done before this step."""
    if isinstance(step, Lift):
        return True
    if step.was is not None and step.was in waiting:
        return False
    return not any(isinstance(other, Lift) and other.cell == step.cell for other in waiting)


def _without(board: Mapping[str, Stack], other: Mapping[str, Stack], cell: str) -> list[Piece]:
    """The pieces on a cell that are not there on the other board."""
    there = list(other.get(cell, EMPTY))
    rest = []
    for piece in board.get(cell, EMPTY):
        if piece in there:
            there.remove(piece)
        else:
            rest.append(piece)
    return rest
