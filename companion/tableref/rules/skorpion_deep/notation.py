"""Actions of Skorpion Deep as records and in short.

Placing is the spot: `s2`. The Skorpion's steps follow `>`, and the bead paid for the second step
follows a slash: `>n2`, `>n2>ne2/s2`. Passing is `-`.
"""

from __future__ import annotations

import re

from tableref.rules.plain import cell_of, cells_of
from tableref.rules.skorpion_deep.judging import PASS, spot_of
from tableref.rules.skorpion_deep.layout import Layout
from tableref.rules.skorpion_deep.state import Pass, Place, Step
from tableref.rules.surface import Action, Record, UnreadableAction

EXAMPLES = "s3, >e1, >e1>ne2/ne3, -"
_STEPS = re.compile(r"((?:>\w+)+)(?:/(\w+))?")


def read(layout: Layout, record: Record) -> Action:
    """The action of a record. UnreadableAction"""
    kinds = set(record) if isinstance(record, dict) else set()
    if kinds == {"place"}:
        return Place(cell_of(record["place"], layout.index))
    if kinds in ({"skorpion"}, {"skorpion", "pay"}):
        path = cells_of(record["skorpion"], layout.index, 1, len(layout.names))
        pay = record.get("pay")
        return Step(path, "" if pay is None else cell_of(pay, layout.index))
    if kinds == {"pass"} and record["pass"] is True:
        return PASS
    raise UnreadableAction(f"expected place, skorpion with or without pay, or pass: {record!r}")


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
        raise UnreadableAction("{what!r} is no action; as in: {to}", what=short, to=EXAMPLES)
    path, pay = tuple(steps[1].split(">")[1:]), steps[2] or ""
    for name in (*path, *filter(None, [pay])):
        spot_of(layout, name)
    return Step(path, pay)
