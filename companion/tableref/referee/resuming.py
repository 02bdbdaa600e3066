"""Takes a game up again where its journal left it, or only looks at it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from tableref.errors import UserError
from tableref.referee.chain import Damage
from tableref.referee.evening import JOURNAL, Evening, first_state, referee_of
from tableref.referee.journal import Journal
from tableref.referee.step import Referee
from tableref.referee.table import TableState
from tableref.referee.timing import Clock
from tableref.rules.surface import RulesError
from tableref_hardware import Board

MISFITS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a row or a head leads to that says something else than it should."""


class Repaired(NamedTuple):
    """A game that was repaired: how many rows stayed, and the copy of the journal as it was."""

    evening: Evening
    rows: int
    copy: Path


def resumed_evening(folder: Path) -> Evening:
    """The game of a folder, where its journal left it, to go on with. UserError"""
    journal = Journal.open(folder / JOURNAL)
    try:
        return _evening(folder, journal)
    except BaseException:
        journal.close()
        raise


def viewed_evening(folder: Path) -> Evening:
    """The game of a folder to look into, also while it is played. UserError"""
    return _evening(folder, Journal.read(folder / JOURNAL))


class Readable(NamedTuple):
    """A game up to the first damage of its journal: how many rows are good, and what is wrong."""

    evening: Evening
    rows: int
    damage: Damage | None


def readable_evening(folder: Path) -> Readable:
    """As much of the game of a folder as can be read, also while it is played. UserError"""
    damage, rows, evening = _taken_up(folder, Journal.read(folder / JOURNAL))
    return Readable(evening, rows, damage)


def repaired_evening(folder: Path) -> Repaired | None:
    """The game of a folder up to the last row that fits; None where all rows do. UserError"""
    journal = Journal.open(folder / JOURNAL)
    try:
        damage, rows, _ = _taken_up(folder, journal)
        if damage is None:
            journal.close()
            return None
        copy = journal.cut(rows)
        return Repaired(_evening(folder, journal), rows, copy)
    except BaseException:
        journal.close()
        raise


def _evening(folder: Path, journal: Journal) -> Evening:
    """UserError where the journal is damaged."""
    damage, rows, evening = _taken_up(folder, journal)
    if damage is None:
        return evening
    facts = evening.referee.game.facts(evening.state.table.state)
    good = f"row {rows}" + (f", round {facts['round']}" if "round" in facts else "")
    where = f"at row {damage.row}" if damage.row else "at its head"
    raise UserError(
        f"{folder / JOURNAL}: damaged {where}: {damage.why}. It is good up to {good}: to go on from"
        f" there, `tableref resume {folder} --repair`, which keeps a copy of it as it is"
    )


def _taken_up(folder: Path, journal: Journal) -> tuple[Damage | None, int, Evening]:
    """The first damage, how many rows are good, and the game after those. UserError"""
    head, damage, rows = journal.head(), journal.damage, list(journal.rows())
    referee, board, state = _first(folder, head)
    untold = len(rows) - journal.untold()
    before = state
    for number, row in enumerate(rows):
        if number == untold:
            before = state
        try:
            state = referee.replayed(state, (row,))
        except (RulesError, *MISFITS) as error:
            text = f"it does not follow from the rows before ({error or type(error).__name__})"
            damage, rows = Damage(number + 1, text), rows[:number]
            break
    before = state if untold >= len(rows) else before
    return (
        damage,
        len(rows),
        Evening(referee, state, journal, board, head, before, tuple(rows[untold:])),
    )


def _first(folder: Path, head: dict[str, Any]) -> tuple[Referee, Board, TableState]:
    """Who judges the game of a head on which board, and its start. UserError"""
    try:
        referee, board = referee_of(head)
        if not isinstance(head["lang"], str) or not isinstance(head["camera"], str):
            raise TypeError("language and camera are texts")
        if "clock" in head:
            Clock.read(head["clock"])
        return referee, board, first_state(referee, head)
    except (UserError, *MISFITS) as error:
        text = str(error) if isinstance(error, UserError) else f"it says of the game: {error!r}"
        raise UserError(f"{folder / JOURNAL}: does not replay: {text}") from error
