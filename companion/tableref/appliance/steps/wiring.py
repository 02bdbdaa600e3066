"""Which switch is under which cell, where a board is wired in another order than the drawings have
it: what `tableref teach` does, by display and buttons."""

from __future__ import annotations

from tableref.appliance.steps.feeling import Feeling, feeling, with_switches
from tableref.appliance.steps.table import SetUp
from tableref.devices.buttons import Button
from tableref.devices.taught import Flaw, Lesson, order_of, taught
from tableref_hardware import Board

VERSION = 1
STEP = "step-wiring"
SETTLED = 0.3
"""Seconds after the first switch in which a second one closes, if one does."""


def run(table: SetUp) -> bool:
    """Whether every cell was learnt; where one was not, nothing is changed. UserError where the
    board does not answer"""
    board = table.board()
    if board is None or not table.agree(STEP, "teach-clear"):
        return False
    port = table.config.link.port or "auto"
    with feeling(table, board, port, STEP) as felt:
        lesson = _lesson(table, felt, board)
    if lesson is None:
        return False
    words = table.words
    if lesson.flaws:
        table.say(STEP, words.text("teach-unchanged", ", ".join(lesson.flaws)))
        return False
    order = lesson.order()
    known = order == order_of(taught(board, table.config.devices))
    if not known:
        table.remember("wiring", {board.game: order})
    table.remember("link", {"port": port})
    table.say(STEP, words.text("teach-known" if known else "teach-learnt"))
    return True


def _lesson(table: SetUp, felt: Feeling, board: Board) -> Lesson | None:
    """A walk from cell to cell; None where it was left."""
    places = {c.name: c.switch for c in board.cells.values() if c.switch is not None}
    cells = with_switches(board)
    stuck = frozenset(felt.held)
    lesson = Lesson(frozenset(places[cell] for cell in stuck))
    for number, cell in enumerate(cells, 1):
        felt.light(cell)
        asked = table.words.text("put-magnet", cell, number, len(cells))
        text = asked
        while True:
            closed = _awaited(table, felt, text, stuck)
            if closed is None:
                return None
            lesson.learn(cell, frozenset(places[one] for one in closed))
            flaw = lesson.flaws.get(cell)
            if not _lifted(table, felt, table.words.text("teach-lift", cell), stuck):
                return None
            if flaw is None or not closed:
                break
            text = _said(table, flaw)
    felt.light()
    return lesson


def _awaited(table: SetUp, felt: Feeling, text: str, stuck: frozenset[str]) -> set[str] | None:
    """The cells that feel a magnet by the names they have now, none where DOWN says that nothing
    comes of it; None where BACK was pressed."""
    while not felt.held - stuck:
        felt.now(text, "▼")
        match table.pressed():
            case Button.DOWN:
                return set()
            case Button.BACK:
                return None
        felt.take(0.1)
    felt.take(SETTLED)
    return felt.held - stuck


def _lifted(table: SetUp, felt: Feeling, text: str, stuck: frozenset[str]) -> bool:
    """Whether the magnet was taken off again, and BACK not pressed."""
    while felt.held - stuck:
        felt.now(text)
        if table.pressed() is Button.BACK:
            return False
        felt.take(0.1)
    return True


def _said(table: SetUp, flaw: Flaw) -> str:
    """What is wrong with a cell, to be tried once more."""
    if flaw.other:
        return table.words.text("teach-taken", flaw.cell, flaw.other)
    return table.words.text("teach-several", flaw.cell)
