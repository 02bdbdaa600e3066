"""Files of plots, `table-plots/1`: what the players wrote down, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tableref.errors import UserError
from tableref.rulebook import Rulebook
from tableref.rulebook.naming import candidates
from tableref.rules.defaults import TableGame
from tableref.rules.house import HouseAction
from tableref.rules.log import House, Moment, Table
from tableref.rules.plotting import PlotsAhead
from tableref.rules.surface import RulesError
from tableref_hardware.files import FileError, read_json, shown
from tableref_hardware.reading import Section

FORMAT = "table-plots/1"


class PlotError(UserError):
    """Plots that the rules refuse; the message names round, whose plot it is, and the field."""


def read_plots(path: str, game: TableGame[Any]) -> dict[str, Any]:
    """Set-up and rounds of a file for this game: `rounds` is a list of lists of actions as records.
    What a camera cannot know may stand there too: `throws` in their order, `said`, `pictures`.

    Anything else in the file is left aside. UserError says what is wrong and where.
    """
    try:
        data = read_json(path)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise FileError(f"{path}: expected an object with format {FORMAT!r}")
        told = Section(path, "", data)
        name = told.perhaps(told.text, "game")
        if name is not None and game.name not in candidates(name, (game.name,)):
            raise UserError(f"{path}: plots of {shown(name)}, not of {game.name}")
        rounds = told.sections("rounds") if "rounds" in told else []
        return {
            "setup": told.section("setup", optional=True).values(),
            "rounds": list(_rounds(path, game, rounds)),
            "throws": list(map(_throw, told.sections("throws") if "throws" in told else ())),
            "said": list(map(_said, told.sections("said") if "said" in told else ())),
            "pictures": _pictures(told, Path(path).resolve().parent),
        }
    except FileError as error:
        raise UserError(str(error)) from error


def _rounds(
    path: str, game: TableGame[Any], rounds: Sequence[Section]
) -> Iterator[list[dict[str, Any]]]:
    """The plots of each round, as actions."""
    for round in rounds:
        if not isinstance(game, PlotsAhead):
            raise UserError(f"{path}: rounds: in {game.name} nothing is plotted beforehand")
        yield [dict(record) for record in game.written(round)]


def _throw(told: Section) -> dict[str, Any]:
    return {"throw": {"tray": told.text("tray"), "value": told.integer("value")}}


def _said(told: Section) -> dict[str, Any]:
    """An action that leaves no trace, and the picture before which it is said."""
    return {"before": told.text("before"), "action": told.section("action").values()}


def _pictures(told: Section, folder: Path) -> dict[str, Any]:
    """Pictures for setting up: `empty` and `start` are names in the camera's folder; the teaching
    picture is one, too (`frame`), or lies beside this file (`image`)."""
    if "pictures" not in told:
        return {}
    section = told.section("pictures")
    found: dict[str, Any] = {key: section.text(key) for key in ("empty", "start") if key in section}
    if "teach" in section:
        teach = section.section("teach")
        cells = teach.section("cells")
        name = (
            {"frame": teach.text("frame")}
            if "frame" in teach
            else {"image": str(folder / teach.text("image"))}
        )
        found["teach"] = {**name, "cells": {cell: cells.text(cell) for cell in cells}}
    return found


def check_plots(
    house: House, table: Table, rounds: Sequence[Sequence[Mapping[str, Any]]], book: Rulebook
) -> None:
    """Reads every round by the rules before the game starts: a number that is used twice in round
    9 is found now, and not in round 9. PlotError"""
    game = house.game
    for number, records in enumerate(rounds, 1):
        where = f"round {number}"
        if house.outcome(table):
            raise PlotError(f"{where}: the game is over before; it has {number - 1} rounds")
        if not isinstance(game, PlotsAhead) or house.due(table).kind != "plot":
            raise PlotError(
                f"{where}: with this set-up nothing is plotted beforehand;"
                " leave the rounds out, or what keeps the plots on paper"
            )
        for record in records:
            table = _noted(house, table, record, where, book)
        table = Table(Moment(game.as_driven(table.state)))


def _noted(
    house: House, table: Table, record: Mapping[str, Any], where: str, book: Rulebook
) -> Table:
    """The table after one plot. PlotError"""
    place = f"{where}: {_owner(record)}"
    try:
        action = house.read(record)
    except RulesError as error:
        raise PlotError(f"{place}: {error}") from error
    if isinstance(action, HouseAction):
        raise PlotError(f"{place}: expected a plot")
    ruling = house.judge(table, action)
    if ruling.broken:
        why = ruling.broken[0]
        fields = next(iter(record.values()))
        note = ", ".join(f"{key} {fields[key]}" for key in list(fields)[1:])
        raise PlotError(f"{place}: {note}: {book.sentence(why)} ({why.paragraph})")
    return house.apply(table, action)[0]


def _owner(record: Mapping[str, Any]) -> str:
    """Whose plot it is, for a message: what its first field says."""
    kind, fields = next(iter(record.items()), ("nothing", None))
    if not isinstance(fields, Mapping) or not fields:
        return kind
    key, value = next(iter(fields.items()))
    return f"{key} {value}" if isinstance(value, int) else str(value)
