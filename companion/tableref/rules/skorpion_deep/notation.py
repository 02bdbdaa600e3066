"""Actions of Skorpion Deep as records and in short.

Placing is the spot: `s2`. The Skorpion's steps follow `>`, and the bead paid for the second step
follows a slash: `>n2`, `>n2>ne2/s2`. Passing is `-`.
"""

from __future__ import annotations

import re

from tableref.rules.skorpion_deep.judging import PASS, spot_of
from tableref.rules.skorpion_deep.layout import Layout
from tableref.rules.skorpion_deep.state import Pass, Place, Step
from tableref.rules.surface import Action, Record, UnreadableAction

_STEPS = re.compile(r"((?:>\w+)+)(?:/(\w+))?")


def read(layout: Layout, record: Record) -> Action:
    """The action of a record. UnreadableAction"""
    kinds = set(record) if isinstance(record, dict) else set()
    if kinds == {"place"}:
        return Place(_spot(layout, record["place"], "place"))
    if kinds in ({"skorpion"}, {"skorpion", "pay"}):
        path = record["skorpion"]
        if not isinstance(path, list | tuple) or not path:
            raise UnreadableAction(f"skorpion: expected a list of spots, found {path!r}")
        pay = record.get("pay")
        return Step(
            tuple(_spot(layout, name, "skorpion") for name in path),
            "" if pay is None else _spot(layout, pay, "pay"),
        )
    if kinds == {"pass"} and record["pass"] is True:
        return PASS
    raise UnreadableAction(f"expected place, skorpion with or without pay, or pass: {record!r}")


def _spot(layout: Layout, name: object, key: str) -> str:
    if not isinstance(name, str) or name not in layout.index:
        raise UnreadableAction(f"{key}: {name!r} is no spot of this board")
    return name


def text(action: Action) -> str:
    """The action in short. UnreadableAction"""
    if isinstance(action, Place):
        return action.spot
    if isinstance(action, Step):
        return "".join(f">{name}" for name in action.path) + (f"/{action.pay}" * bool(action.pay))
    if isinstance(action, Pass):
        return "-"
    raise UnreadableAction(f"{action!r} is no action of Skorpion Deep")


def parse(layout: Layout, short: str) -> Action:
    """The action of this text. UnreadableAction"""
    if short == "-":
        return PASS
    if short in layout.index:
        return Place(short)
    steps = _STEPS.fullmatch(short)
    if not steps:
        raise UnreadableAction(f"{short!r}: expected a spot, >spot, >spot>spot/spot or -")
    path, pay = tuple(steps[1].split(">")[1:]), steps[2] or ""
    for name in (*path, *filter(None, [pay])):
        spot_of(layout, name)
    return Step(path, pay)
