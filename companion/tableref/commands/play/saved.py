"""Saved games of `tableref play`: records that are taken up where they end."""

from __future__ import annotations

from typing import Any, NamedTuple

from tableref.commands.check import load_record
from tableref.errors import UserError
from tableref.rules.log import House, Table
from tableref.rules.records import Logged, replay
from tableref.rules.surface import RulesError


class Saved(NamedTuple):
    """A game as its record tells it: set-up, position it began from (or None), table, log."""

    setup: dict[str, Any]
    position: dict[str, Any] | None
    table: Table
    log: list[Logged]


def load_saved(house: House, name: str) -> Saved:
    """The game of a record. UserError says what is wrong with the file."""
    try:
        record = load_record(name)
    except (UserError, RulesError) as error:
        raise UserError(f"{name}: {error}") from error
    try:
        if record["game"] != house.game.name:
            raise UserError(f"{name}: a game of {record['game']}, not of {house.game.name}")
        setup, position = dict(record.get("setup", {})), record.get("position")
        table = house.start(setup, position)
        for step in replay(house.game, record):
            if step.mismatch:
                raise UserError(f"{name}: step {step.number}: {step.mismatch}")
            table = step.table
    except RulesError as error:
        raise UserError(f"{name}: {error}") from error
    log = [Logged(done.action, done.followed) for done, _ in table.past]
    return Saved(setup, position, table, log)
