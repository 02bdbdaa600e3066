"""Taking back by putting pieces back: the board then is the one before the last choice (HR-2.1)."""

from __future__ import annotations

from typing import Any

from tableref.referee.table import Ask
from tableref.rules.explain import Sighting
from tableref.rules.house import TakeBack
from tableref.rules.log import House, Table

YES = "take-back-yes"
"""The one answer, as a key among the messages; who does not mean it puts the board as it was."""


def everybodys(house: House, table: Table) -> TakeBack:
    """Taking back as all at the table do it."""
    players = house.game.players(table.state)
    return TakeBack(0, tuple(range(len(players))))


def by_hand(house: House, table: Table, sighting: Sighting) -> Ask | None:
    """The question whether the last choice is taken back, where the board looks so."""
    action = everybodys(house, table)
    if house.judge(table, action).broken:
        return None
    before, facts = house.apply(table, action)
    board: Any = house.game.board(before.state)
    if board == house.game.board(table.state) or not sighting.allows(board):
        return None
    return Ask("take-back", {"done": facts[0].who}, options=(YES,))
