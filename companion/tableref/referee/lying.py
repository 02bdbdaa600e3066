"""What an eye takes for something strange, and people let lie: a stain, or a piece that it does not
know for what it is. It says so of every picture, so they would be asked for ever."""

from __future__ import annotations

from collections.abc import Iterable

from tableref.referee.course import Clerk, Course, Step
from tableref.referee.senses.eye import STRANGE, Doubt
from tableref.referee.table import Ask, Finding, LetLie, Row, TableState
from tableref.rules.defaults import TableGame
from tableref.rules.pieces import EMPTY, text_of

LET_LIE = "let-lie"
"""What people may say of it, as a key among the messages."""


def still_lying(game: TableGame[object], state: TableState) -> TableState:
    """The state in which only what may lie there still does: on cells whose pieces are the same."""
    board = game.board(state.table.state)
    still = (one for one in state.let_lie if text_of(board.get(one.cell, EMPTY)) == one.stands)
    return state._replace(let_lie=frozenset(still))


def open_doubts(state: TableState, doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """The doubts but for those of what people let lie."""
    cells = {one.cell for one in state.let_lie}
    return tuple(doubt for doubt in doubts if doubt.kind != STRANGE or doubt.piece not in cells)


def may_lie(ask: Ask | None) -> bool:
    """Whether this asks of something strange, which may be let lie."""
    return ask is not None and LET_LIE in ask.options


def let_lie(clerk: Clerk, state: TableState) -> Step:
    """Nobody is asked of these cells again until a piece comes there or leaves."""
    assert state.ask is not None
    cells = state.ask.values["who"].split(", ")
    row = Row("answered", {"answer": LET_LIE, "cells": cells})
    return clerk.found(clerk.note(Course(lain(clerk.game, state, cells)), row), Finding.UNCLEAR)


def lain(game: TableGame[object], state: TableState, cells: Iterable[str]) -> TableState:
    """The state once people have said so of these cells."""
    board = game.board(state.table.state)
    more = {LetLie(cell, text_of(board.get(cell, EMPTY))) for cell in cells}
    return state._replace(let_lie=state.let_lie | more, ask=None, told="")
