"""Actions of Autoscooter as records and as short texts.

red 15K     plot: number 15, letter K; `-` stands for none: `red 15-`, `red --`
ghost 1K    player 1 (counted from 0) notes K for the ghost car
announce    planning ends
red #15     red announces 15 (plots on paper)
red!        red drives as noted; `red!K` drives K (plots on paper)
red>b1NE    red restarts to b1, pointing NE
prefer 1blue   player 1 gives blue chips away first among equals
"""

from __future__ import annotations

import re
from typing import Any

from tableref.rules.autoscooter.actions import (
    Announce,
    Drive,
    Number,
    Plot,
    PlotGhost,
    Prefer,
    Restart,
)
from tableref.rules.autoscooter.layout import HEADINGS, Layout
from tableref.rules.plain import cell_of
from tableref.rules.surface import Action, Record, UnreadableAction

EXAMPLES = "red 15K, red>b1NE, red!, announce"
_PLOT = re.compile(r"(\w+) (\d{1,3}|-)([A-Z]|-)")
_NUMBER = re.compile(r"(\w+) ?#(\d{1,3})")
_GHOST = re.compile(r"ghost (\d{1,3})([A-Z]|-)")
_DRIVE = re.compile(r"(\w+)!([A-Z]?)")
_RESTART = re.compile(r"(\w+)>([a-z]\d+)([A-Z]+)")
_PREFER = re.compile(r"prefer (\d{1,3})([^\W\d]\w*)")


def text(action: Action) -> str:
    """The short text of an action."""
    match action:
        case Plot(car, number, letter):
            return f"{car} {'-' if number is None else number}{letter or '-'}"
        case PlotGhost(player, letter):
            return f"ghost {player}{letter or '-'}"
        case Announce():
            return "announce"
        case Number(car, number):
            return f"{car} #{number}"
        case Drive(car, letter):
            return f"{car}!{letter or ''}"
        case Restart(car, to, heading):
            return f"{car}>{to}{heading}"
        case Prefer(player, colour):
            return f"prefer {player}{colour}"
    raise UnreadableAction(f"{action!r} is no action of Autoscooter")


def parse(layout: Layout, line: str) -> Action:
    """The action of a short text. UnreadableAction"""
    line = line.strip()
    if line == "announce":
        return read(layout, {"announce": True})
    if match := _GHOST.fullmatch(line):
        return read(layout, {"plot_ghost": {"player": int(match[1]), "letter": _none(match[2])}})
    if match := _PREFER.fullmatch(line):
        return read(layout, {"prefer": {"player": int(match[1]), "colour": match[2]}})
    if match := _PLOT.fullmatch(line):
        number = None if match[2] == "-" else int(match[2])
        plot = {"car": match[1], "number": number, "letter": _none(match[3])}
        return read(layout, {"plot": plot})
    if match := _NUMBER.fullmatch(line):
        return read(layout, {"number": {"car": match[1], "number": int(match[2])}})
    if match := _DRIVE.fullmatch(line):
        return read(layout, {"drive": {"car": match[1], "letter": match[2] or None}})
    if match := _RESTART.fullmatch(line):
        return read(layout, {"restart": dict(zip(Restart._fields, match.groups(), strict=True))})
    raise UnreadableAction("{what!r} is no action; as in: {to}", what=line, to=EXAMPLES)


def _none(letter: str) -> str | None:
    return None if letter == "-" else letter


def read(layout: Layout, record: Record) -> Action:
    """The action of a record with one key, its kind. UnreadableAction names what is wrong."""
    if not isinstance(record, dict) or len(record) != 1:
        raise UnreadableAction(f"expected one action like {{'restart': ...}}, found {record!r}")
    [(kind, value)] = record.items()
    if kind == "announce":
        return Announce()
    if not isinstance(value, dict):
        raise UnreadableAction(f"{kind}: expected an object, found {value!r}")
    field = _Fields(layout, kind, value)
    match kind:
        case "plot":
            action: Action = Plot(field.car(), field.number("number"), field.letter())
        case "plot_ghost":
            action = PlotGhost(field.player(), field.letter())
        case "number":
            action = Number(field.car(), field.some_number("number"))
        case "drive":
            action = Drive(field.car(), field.letter())
        case "restart":
            action = Restart(field.car(), field.cell("to"), field.heading())
        case "prefer":
            action = Prefer(field.player(), field.name("colour", layout.cars))
        case _:
            raise UnreadableAction(f"{kind!r} is no action of Autoscooter")
    field.nothing_else()
    return action


class _Fields:
    """Fields of an action's record, each checked as it is read."""

    def __init__(self, layout: Layout, kind: str, values: dict[str, Any]) -> None:
        self._layout, self._kind, self._values, self._read = layout, kind, values, {""}

    def _get(self, key: str) -> Any:
        self._read.add(key)
        return self._values.get(key)

    def name(self, key: str, names: tuple[str, ...]) -> str:
        value = self._get(key)
        if value not in names:
            raise UnreadableAction(
                "{field}: {what!r} is none of {to}",
                field=f"{self._kind}: {key}", what=value, to=", ".join(names),
            )  # fmt: skip
        return str(value)

    def cell(self, key: str) -> str:
        return cell_of(self._get(key), self._layout.cells)

    def car(self) -> str:
        return self.name("car", self._layout.cars)

    def heading(self) -> str:
        return self.name("heading", HEADINGS)

    def letter(self) -> str | None:
        value = self._get("letter")
        return None if value is None else self.name("letter", self._layout.writable)

    def number(self, key: str) -> int | None:
        value = self._get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise UnreadableAction(f"{self._kind}: {key}: {value!r} is no number")
        return value

    def some_number(self, key: str) -> int:
        value = self.number(key)
        if value is None:
            raise UnreadableAction(f"{self._kind}: {key} is missing")
        return value

    def player(self) -> int:
        value = self.number("player")
        if value is None or not 0 <= value < len(self._layout.cars):
            raise UnreadableAction(f"{self._kind}: player: {value!r} is no player")
        return value

    def nothing_else(self) -> None:
        for key in self._values:
            if key not in self._read:
                raise UnreadableAction(f"{self._kind}: {key!r} is none of its fields")
