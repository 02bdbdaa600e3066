"""What a seat writes down in secret: its own notes that are due, with what each choice leads to.

A game says which actions are secret and whose they are; nothing here is of one game. The fields of
an action's record become fields of a form, the first one names what is noted (`red`). Where pieces
lie face down their owner may tell what they are: one note about none of them, a field for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tableref.referee.supposing import Moved, moves_of, supposed
from tableref.rules.defaults import TableGame
from tableref.rules.surface import Action

NONE = ""
"""The choice to note nothing."""


class Field(NamedTuple):
    """A field: its name in the record, its values as text, in order; `leads`: value -> where the
    piece would go, as (cell, heading), for those of which that is known."""

    name: str
    values: tuple[str, ...]
    leads: Mapping[str, tuple[str, str]]


class Note(NamedTuple):
    """One thing to note: its number in the form, what it is about (`red`; "": the own pieces that
    lie face down), its fields."""

    number: int
    about: str
    fields: tuple[Field, ...]


def due_notes(game: TableGame[Any], state: Any, seat: int) -> tuple[Note, ...]:
    """What this seat has to note now; nothing where nothing is due of it."""
    if hidden := game.to_tell(state, seat):
        return (Note(0, "", tuple(Field(cell, kinds, {}) for cell, kinds in hidden.items())),)
    if seat not in game.due(state).players:
        return ()
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for action in _own(game, state, seat):
        ((kind, told),) = action.record().items()
        first = next(iter(told))
        groups.setdefault((kind, str(told[first])), []).append(told)
    return tuple(
        Note(number, about, _fields(game, state, about, told))
        for number, ((_, about), told) in enumerate(groups.items())
    )


def noted(
    game: TableGame[Any], state: Any, seat: int, chosen: Mapping[str, str]
) -> tuple[Action, ...]:
    """The actions that a form chose, one for each note that is due; field `2.letter` is that of the
    third note. LookupError where they are not all there, or not to be chosen."""
    if hidden := game.to_tell(state, seat):
        told = game.telling(seat, {cell: chosen[f"0.{cell}"] for cell in hidden})
        if any(chosen[f"0.{cell}"] not in kinds for cell, kinds in hidden.items()) or (
            game.judge(state, told, seat).broken
        ):
            raise LookupError("no such pieces")
        return (told,)
    own = _own(game, state, seat)
    found = []
    for note in due_notes(game, state, seat):
        wanted = {f.name: chosen[f"{note.number}.{f.name}"] for f in note.fields}
        fitting = [
            action
            for action in own
            for told in action.record().values()
            if str(next(iter(told.values()))) == note.about
            and {name: _text(told[name]) for name in wanted} == wanted
        ]
        found.append(fitting[0])
    return tuple(found)


def leads_of(note: Note) -> dict[tuple[str, str], str]:
    """Where its piece may come to, as (cell, heading) -> the choices that lead there."""
    found: dict[tuple[str, str], str] = {}
    for field in note.fields:
        for value, place in field.leads.items():
            found[place] = found.get(place, "") + value
    return found


def _own(game: TableGame[Any], state: Any, seat: int) -> list[Action]:
    return [
        action
        for action in game.legal(state)
        if game.secret(action) and not game.judge(state, action, seat).broken
    ]


def _fields(
    game: TableGame[Any], state: Any, about: str, told: Sequence[Mapping[str, Any]]
) -> tuple[Field, ...]:
    names = list(told[0])[1:]
    moves = _moves(game, state, about)
    return tuple(_field(name, told, moves) for name in names)


def _field(name: str, told: Sequence[Mapping[str, Any]], moves: Sequence[Moved]) -> Field:
    values = dict.fromkeys(_text(each[name]) for each in told)
    leads: dict[str, tuple[str, str]] = {}
    for moved in moves:
        for record in moved.action.record().values():
            value = _text(record.get(name)) if isinstance(record, dict) else NONE
            if value in values and value != NONE and moved.went:
                piece, _, cell = moved.went[0]
                leads.setdefault(value, (cell, piece.facing))
    # Of choices that lead somewhere only those are offered that may be made now.
    offered = [value for value in values if not leads or value in leads or value == NONE]
    return Field(name, tuple(sorted(offered, key=_order)), leads)


def _moves(game: TableGame[Any], state: Any, about: str) -> Sequence[Moved]:
    """What this piece might do were it its turn."""
    turn, _ = supposed(game, state, about)
    if turn is state:
        return ()
    return moves_of(game, game.public(turn), lambda piece: piece.called == about).told


def _text(value: object) -> str:
    return NONE if value is None else str(value)


def _order(value: str) -> tuple[int, int, str]:
    return (0, 0, "") if value == NONE else (1, int(value) if value.isdecimal() else 0, value)
