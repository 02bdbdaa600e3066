"""Actions of arrows and stars as records and as short texts.

d3-e5-g5    the arrow on d3 goes to e5 and on to g5
d3..g5      the same, where only one legal chain leads from d3 to g5
*c8-d9      the star on c8 goes to d9
end         the turn ends
pass        nothing can move
"""

from __future__ import annotations

from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Move, Pass, Star
from tableref.rules.arrows_and_stars.judging import arrow_moves
from tableref.rules.arrows_and_stars.layout import Layout
from tableref.rules.arrows_and_stars.state import State
from tableref.rules.plain import cells_of, one_action
from tableref.rules.surface import Action, AmbiguousAction, Record, UnreadableAction

LONGEST_CHAIN = 200
"""Cells in one path; more than the pieces on a board leave room for."""

EXAMPLES = "d3-e5-g5, d3..g5, *c8-d9, end, pass"

KINDS = ("arrow", "star", "end_turn", "pass")


def read(layout: Layout, record: Record) -> Move:
    """The action of a record. UnreadableAction"""
    kind, value = one_action(record, KINDS)
    if kind == "arrow":
        return Arrow(cells_of(value, layout.masks, 2, LONGEST_CHAIN))
    if kind == "star":
        return Star(*cells_of(value, layout.masks, 2, 2))
    if value is not True:
        raise UnreadableAction(f"{kind}: expected true, found {value!r}")
    return EndTurn() if kind == "end_turn" else Pass()


def text(action: Action) -> str:
    """The short text of an action."""
    match action:
        case Arrow(path):
            return "-".join(path)
        case Star(start, to):
            return f"*{start}-{to}"
        case EndTurn():
            return "end"
        case Pass():
            return "pass"
    raise UnreadableAction(f"{action!r} is no action of arrows and stars")


def parse(layout: Layout, state: State, line: str) -> Move:
    """The action of a short text. UnreadableAction, AmbiguousAction"""
    line = line.strip()
    if line in ("end", "pass"):
        return EndTurn() if line == "end" else Pass()
    start, shortened, to = line.partition("..")
    cells = [start, to] if shortened else line.removeprefix("*").split("-")
    if len(cells) < 2 or not layout.masks.keys() >= set(cells):
        raise UnreadableAction("{what!r} is no action; as in: {to}", what=line, to=EXAMPLES)
    if not shortened:
        return read(layout, {"star" if line.startswith("*") else "arrow": cells})
    ways = [a for a in arrow_moves(layout, state) if (a.path[0], a.path[-1]) == (start, to)]
    if not ways:
        raise UnreadableAction(
            "{what}: no legal arrow move leads from {start} to {to}", what=line, start=start, to=to
        )
    if len(ways) > 1:
        raise AmbiguousAction(
            "{what}: several ways: {to}", what=line, to=", ".join(map(text, ways[:9]))
        )
    return ways[0]
