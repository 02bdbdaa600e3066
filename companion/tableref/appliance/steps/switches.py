"""A walk over the cells: each lights up in turn and waits for a magnet."""

from __future__ import annotations

from tableref.appliance.steps.feeling import Feeling, feeling, with_switches
from tableref.appliance.steps.table import SetUp
from tableref.devices.buttons import Button
from tableref.devices.taught import taught

VERSION = 1
STEP = "step-switches"


def run(table: SetUp) -> bool:
    """Whether all cells were walked over; those that felt nothing are told. UserError where the
    board does not answer"""
    board = table.board()
    if board is None:
        return False
    port = table.config.link.port or "auto"
    with feeling(table, taught(board, table.config.devices), port, STEP) as felt:
        silent = _silent(table, felt, with_switches(board))
    if silent is None:
        return False
    table.remember("link", {"port": port})
    text = table.words.text("all-felt")
    if silent:
        text = table.words.text("silent", ", ".join(silent))
    table.say(STEP, text)
    return True


def _silent(table: SetUp, felt: Feeling, cells: list[str]) -> list[str] | None:
    """Cells on which no magnet was felt; None where the walk was left. UserError"""
    found = []
    for number, cell in enumerate(cells, 1):
        felt.light(cell)
        text = table.words.text("put-magnet", cell, number, len(cells))
        while cell not in felt.held:
            felt.now(text, "▼")
            match table.pressed():
                case Button.DOWN:  # nothing comes of it
                    found.append(cell)
                    break
                case Button.BACK:
                    return None
            felt.take(0.1)
    felt.light()
    return found
