"""Actions of Scorpion as records and in short.

A throw is `y4` or `k4`, the tray (yellow, black) and the number. A move is `bY7+4`: colour (b, r,
g, w), the cell it leaves (`H` for the hand), the steps, and `x` where the stung scorpion is sent
across: `bY7+4x`. The colour may be left out where only one of the mover's colours stands there. The
end of a turn is a full stop.
"""

from __future__ import annotations

import re

from tableref.rules.plain import one_action
from tableref.rules.scorpion.actions import EndTurn, Move, Throw
from tableref.rules.scorpion.judging import END_TURN
from tableref.rules.scorpion.state import State
from tableref.rules.scorpion.track import CELLS_PER_SIDE, COLOURS, HAND, PIPS, TRAYS
from tableref.rules.surface import Action, AmbiguousAction, Record, UnreadableAction

_TRAY_LETTERS = {"y": "yellow", "k": "black"}
_COLOUR_LETTERS = {name[0]: name for name in COLOURS}
_CELL = re.compile(r"hand|out|[YK]([1-9][0-9]?)")
_THROW = re.compile(rf"([yk])([1-{PIPS}])")
EXAMPLES = "y4, k4, bY7+4, bH+4x, ."
_MOVE = re.compile(r"([brgw]?)(H|[YK][1-9][0-9]?)\+([1-9][0-9]?)(x?)")


def read(record: Record) -> Action:
    """The action of a record. UnreadableAction"""
    kind, value = one_action(record, ("throw", "move", "end_turn"))
    if kind == "throw":
        return _read_throw(value)
    if kind == "move":
        return _read_move(value)
    if value is not True:
        raise UnreadableAction(f"end_turn: expected true, found {value!r}")
    return END_TURN


def _read_throw(value: object) -> Throw:
    if not isinstance(value, dict) or set(value) != {"tray", "value"}:
        raise UnreadableAction(f"throw: expected tray and value, found {value!r}")
    tray, pips = value["tray"], value["value"]
    if tray not in TRAYS:
        raise UnreadableAction(f"throw: tray: expected yellow or black, found {tray!r}")
    if not isinstance(pips, int) or isinstance(pips, bool) or not 1 <= pips <= PIPS:
        raise UnreadableAction(f"throw: value: expected 1 to {PIPS}, found {pips!r}")
    return Throw(tray, pips)


def _read_move(value: object) -> Move:
    if not isinstance(value, dict) or not {"colour", "from", "steps"} <= set(value) <= {
        "colour", "from", "steps", "cross",
    }:  # fmt: skip
        raise UnreadableAction(f"move: expected colour, from, steps, cross, found {value!r}")
    colour, start, steps, cross = (value.get(k) for k in ("colour", "from", "steps", "cross"))
    if colour not in COLOURS:
        raise UnreadableAction(f"move: colour: expected one of {COLOURS}, found {colour!r}")
    if not isinstance(start, str) or not _CELL.fullmatch(start):
        raise UnreadableAction(
            f"move: from: expected hand, Y1 to Y{CELLS_PER_SIDE[1]}, K1 to K{CELLS_PER_SIDE[1]} "
            f"or out, found {start!r}"
        )
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 1:
        raise UnreadableAction(f"move: steps: expected a whole number from 1, found {steps!r}")
    if cross not in (None, True, False):
        raise UnreadableAction(f"move: cross: expected true or false, found {cross!r}")
    return Move(colour, start, steps, cross is True)


def text(action: Action) -> str:
    """The action in short. UnreadableAction"""
    if isinstance(action, Throw):
        letter = next(k for k, name in _TRAY_LETTERS.items() if name == action.tray)
        return f"{letter}{action.value}"
    if isinstance(action, Move):
        start = "H" if action.start == "hand" else action.start
        return f"{action.colour[0]}{start}+{action.steps}{'x' if action.cross else ''}"
    if isinstance(action, EndTurn):
        return "."
    raise UnreadableAction(f"{action!r} is no action of Scorpion")


def parse(state: State, short: str) -> Action:
    """The action of this text. UnreadableAction, AmbiguousAction"""
    if short == ".":
        return END_TURN
    if thrown := _THROW.fullmatch(short):
        return Throw(_TRAY_LETTERS[thrown[1]], int(thrown[2]))
    moved = _MOVE.fullmatch(short)
    if not moved:
        raise UnreadableAction("{what!r} is no action; as in: {to}", what=short, to=EXAMPLES)
    letter, start, steps, cross = moved.groups()
    cell = "hand" if start == "H" else start
    colour = _COLOUR_LETTERS[letter] if letter else _colour_there(state, cell, short)
    return Move(colour, cell, int(steps), bool(cross))


def _colour_there(state: State, name: str, short: str) -> str:
    """The only colour of the mover that has a scorpion on this cell."""
    cell = state.track.index.get(name, -1)
    attack = state.attack
    there = [
        COLOURS[colour]
        for colour in state.track.sets[state.mover]
        if (cell == HAND and state.hands[colour])
        or (cell > HAND and state.masks[colour] >> cell & 1)
        or (attack is not None and (attack.colour, attack.cell) == (colour, cell))
    ]
    if len(there) > 1:
        raise AmbiguousAction(
            "{what}: several ways: {to}", what=short, to=", ".join(f"{c[0]}{short}" for c in there)
        )
    if not there:
        raise UnreadableAction("{what!r}: nobody who moves now has a scorpion there", what=short)
    return there[0]
