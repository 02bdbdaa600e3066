"""Which move was made, going by switches that know neither colours nor how many stand on a cell.

What the rules allow is held against the cells that hold a magnet. A move is certain where just one
leads there, a piece was felt to come down, and nothing of another move looks so halfway. A piece
that left without coming down elsewhere may be in a hand, off the board, or on a cell that was
taken before: that is never certain, and the players confirm it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Literal, NamedTuple

from tableref.referee.switches import Switches
from tableref.rules.explain import Answer, Put
from tableref.rules.pieces import Stack
from tableref.rules.surface import Action, Game

Cells = frozenset[str]


class Felt(NamedTuple):
    """What the switches come to.

    "same": they feel the board as it was; `answers` are the moves that they would not feel.
    "moved": the one of `answers` was made. "several": it may be one of `answers`. "half": a piece
    is in the air. "wrong": no move looks so; `puts` leads back, and `tried` is the move that it
    was meant to be, where that is plain.
    """

    kind: Literal["same", "moved", "several", "half", "wrong"]
    answers: tuple[Answer, ...] = ()
    puts: tuple[Put, ...] = ()
    tried: tuple[str, str] = ("", "")
    """The cell that a piece left and the one that it came to; empty where that is not plain."""


def read(game: Game[Any], state: Any, switches: Switches) -> Felt:
    """What was done since the board stood as in `state`."""
    silent = switches.silent
    held = switches.occupied - silent
    board = game.board(state)
    stood = frozenset(board) - silent
    moves = [_Made(game, state, (action,)) for action in _moves(game, state)]
    fitting = [made for made in moves if made.cells - silent == held]
    if held == stood:
        return Felt("same", _answers(fitting))
    halfway = any(
        held in (frozenset(cells - silent) for cells in made.halfway())
        for made in moves
        if made not in fitting
    )
    if fitting:
        sure = len(fitting) == 1 and not halfway and held - stood
        return Felt("moved" if sure else "several", _answers(fitting))
    if halfway:
        return Felt("half")
    return _twice(game, moves, stood, held, silent) or _wrong(board, stood, held)


def feels(switches: Switches, board: Mapping[str, object]) -> bool:
    """Whether the switches feel this board."""
    return switches.occupied - switches.silent == frozenset(board) - switches.silent


def way_back(game: Game[Any], state: Any, switches: Switches) -> tuple[Put, ...]:
    """Where to put what, so that the board stands as in `state`."""
    board, silent = game.board(state), switches.silent
    return _wrong(board, frozenset(board) - silent, switches.occupied - silent).puts


class _Made:
    """Moves made one after the other, the board before the last and after it."""

    def __init__(self, game: Game[Any], state: Any, actions: tuple[Action, ...]) -> None:
        self.actions = actions
        self.state = game.apply(state, actions[-1])[0]
        self._before, self._after = game.board(state), game.board(self.state)
        self.cells: Cells = frozenset(self._after)

    def halfway(self) -> Iterator[Cells]:
        """What the switches may feel while the last move is under way."""
        before = frozenset(self._before)
        touched = [
            cell
            for cell in sorted(before | self.cells)
            if self._before.get(cell) != self._after.get(cell)
        ]
        if len(touched) <= 2:  # one piece goes, and no other stirs: it is in the air
            yield before - (before - self.cells)
            return
        still = before - set(touched)
        for count in range(len(touched) + 1):
            for held in combinations(touched, count):
                yield still.union(held)


def _moves(game: Game[Any], state: Any) -> list[Action]:
    """The legal actions by which pieces move."""
    if game.due(state).kind != "act":
        return []
    return [action for action in game.legal(state) if "move" in action.record()]


def _answers(made: list[_Made]) -> tuple[Answer, ...]:
    return tuple(Answer(each.actions, each.state) for each in made)


def _twice(
    game: Game[Any], moves: list[_Made], stood: Cells, held: Cells, silent: Cells
) -> Felt | None:
    """Two moves made in one go, or the second of them under way."""
    found: dict[Any, _Made] = {}
    half = False
    for first in moves:
        for action in _moves(game, first.state):
            second = _Made(game, first.state, (*first.actions, action))
            if second.cells - silent == held:
                found.setdefault(second.state, second)
            elif not half:
                half = held in (frozenset(cells - silent) for cells in second.halfway())
    # Two were felt to come down, so none is in the air.
    if len(found) == 1 and not half and len(held - stood) == 2:
        return Felt("moved", _answers(list(found.values())))
    if found:
        return Felt("several", _answers(list(found.values())))
    return Felt("half") if half else None


def _wrong(board: dict[str, Stack], stood: Cells, held: Cells) -> Felt:
    """No move leads there."""
    left, came = sorted(stood - held), sorted(held - stood)
    stray = came[0] if len(left) == len(came) == 1 else ""
    puts = [Put(piece, stray, cell) for cell in left for piece in board[cell]]
    if not stray:
        puts += [Put(None, cell, "") for cell in came]
    return Felt("wrong", puts=tuple(puts), tried=(left[0], stray) if stray else ("", ""))
