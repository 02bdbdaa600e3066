"""Actions of Squod as records and as short texts. Kinds are p, r, s (paper, rock, scissors).

S21-S31         a move; S31-a1=r where the piece is shown by it and was not known before
S22/S32xW31     an attack: from, by way of, at; S32/S32xW31=rs with the kinds that were not known
                (attacker, attacked; `?` for one that was)
r>S12           a rock is put back; ?>S12 without a word of its kind
S31=r           a hidden piece is shown
0:S11=r,S12=p   player 0 (counted from 0) tells the referee alone what stands on his ramp
pass            no move is possible
"""

from __future__ import annotations

import re

from tableref.rules.plain import cell_of, cells_of, one_action
from tableref.rules.squod.actions import Move, Pass, PutBack, Show, Squod, SquodAction, Tell
from tableref.rules.squod.layout import KINDS, Layout
from tableref.rules.surface import Action, Record, UnreadableAction

_ACTIONS = ("put_back", "move", "squod", "show", "tell", "pass")
_LETTERS = {"": "?", **{kind: kind[0] for kind in KINDS}}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_CELL, _KIND = r"(\w+)", r"([prs?])"
EXAMPLES = "S21-S31, S32/S32xW31, pass"
_MOVE = re.compile(rf"{_CELL}-{_CELL}(?:=([prs]))?")
_SQUOD = re.compile(rf"{_CELL}/{_CELL}x{_CELL}(?:={_KIND}{_KIND})?")
_PUT_BACK = re.compile(rf"{_KIND}>{_CELL}")
_SHOW = re.compile(rf"{_CELL}=([prs])")
_TELL = re.compile(r"(\d):(\w+=[prs](?:,\w+=[prs])*)")


def read(layout: Layout, record: Record) -> SquodAction:
    """The action of a record. UnreadableAction"""
    kind, value = one_action(record, _ACTIONS)
    names = layout.index
    if kind == "pass":
        if value is not True:
            raise UnreadableAction(f"pass: expected true, found {value!r}")
        return Pass()
    if kind == "move":
        if not isinstance(value, list | tuple) or len(value) not in (2, 3):
            raise UnreadableAction(
                f"move: expected [from, to] or [from, to, kind], found {value!r}"
            )
        start, to = cells_of(value[:2], names, 2, 2)
        shown = _kind(value[2]) if len(value) == 3 else ""
        if shown and not names[to] < layout.ring <= names[start]:
            raise UnreadableAction("move: a kind is named where a piece comes onto the ring")
        return Move(start, to, shown)
    keys = {
        "put_back": ("kind", "to"),
        "squod": ("from", "via", "target"),
        "show": ("at", "kind"),
        "tell": ("player", "pieces"),
    }
    allowed = {*keys[kind], *(("kinds",) if kind == "squod" else ())}
    if not isinstance(value, dict) or not set(keys[kind]) <= set(value) <= allowed:
        raise UnreadableAction(f"{kind}: expected {', '.join(keys[kind])}, found {value!r}")
    if kind == "put_back":
        return PutBack(_kind(value["kind"]), cell_of(value["to"], names))
    if kind == "tell":
        return _told(value, layout)
    if kind == "show":
        shown = _kind(value["kind"])
        if not shown:
            raise UnreadableAction("show: expected a kind")
        return Show(cell_of(value["at"], names), shown)
    kinds = value.get("kinds", (None, None))
    if not isinstance(kinds, list | tuple) or len(kinds) != 2:
        raise UnreadableAction(f"squod: kinds: expected two, attacker first, found {kinds!r}")
    start, via, target = cells_of([value[key] for key in keys["squod"]], names, 3, 3)
    return Squod(start, via, target, (_kind(kinds[0]), _kind(kinds[1])))


def _told(value: dict[str, object], layout: Layout) -> Tell:
    player, pieces = value["player"], value["pieces"]
    if type(player) is not int or not isinstance(pieces, dict) or not all(pieces.values()):
        raise UnreadableAction(f"tell: expected a player and kinds by place, found {value!r}")
    named = ((cell_of(place, layout.index), _kind(kind)) for place, kind in pieces.items())
    return Tell(player, tuple(sorted(named)))


def _kind(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or value not in KINDS:
        raise UnreadableAction(f"kind: expected one of {', '.join(KINDS)} or null, found {value!r}")
    return value


def text(action: Action) -> str:
    """The short text of an action."""
    if isinstance(action, Move):
        return f"{action.start}-{action.to}" + (f"={action.kind[0]}" if action.kind else "")
    if isinstance(action, Squod):
        kinds = "".join(_LETTERS[kind] for kind in action.kinds)
        shown = f"={kinds}" if any(action.kinds) else ""
        return f"{action.start}/{action.via}x{action.target}{shown}"
    if isinstance(action, PutBack):
        return f"{_LETTERS[action.kind]}>{action.to}"
    if isinstance(action, Show):
        return f"{action.at}={action.kind[0]}"
    if isinstance(action, Tell):
        told = ",".join(f"{place}={kind[0]}" for place, kind in action.pieces)
        return f"{action.player}:{told}"
    if isinstance(action, Pass):
        return "pass"
    raise UnreadableAction(f"{action!r} is no action of Squod")


def public_text(action: Action) -> str:
    """As `text`, without kinds that lie face down again: what is put back, what only the referee
    is shown, and an attack, of which equal pieces are turned back (SQ-3.7, SQ-4.4, SQ-6.1)."""
    if isinstance(action, PutBack):
        return text(action._replace(kind=""))
    if isinstance(action, Squod):
        return text(action._replace(kinds=("", "")))
    if isinstance(action, Show):
        return f"{action.at}=?"
    return text(action)


def parse(layout: Layout, line: str) -> SquodAction:
    """The action of a short text. UnreadableAction"""
    line = line.strip()
    if line == "pass":
        return Pass()
    if match := _MOVE.fullmatch(line):
        shown = [_KINDS[match[3]]] if match[3] else []
        return read(layout, {"move": [match[1], match[2], *shown]})
    if match := _SQUOD.fullmatch(line):
        squod = {"from": match[1], "via": match[2], "target": match[3]}
        kinds = {"kinds": [_KINDS[match[n]] or None for n in (4, 5)]} if match[4] else {}
        return read(layout, {"squod": squod | kinds})
    if match := _PUT_BACK.fullmatch(line):
        return read(layout, {"put_back": {"kind": _KINDS[match[1]] or None, "to": match[2]}})
    if match := _SHOW.fullmatch(line):
        return read(layout, {"show": {"at": match[1], "kind": _KINDS[match[2]]}})
    if match := _TELL.fullmatch(line):
        told = (one.split("=") for one in match[2].split(","))
        pieces = {place: _KINDS[kind] for place, kind in told}
        return read(layout, {"tell": {"player": int(match[1]), "pieces": pieces}})
    raise UnreadableAction("{what!r} is no action; as in: {to}", what=line, to=EXAMPLES)
