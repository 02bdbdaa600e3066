"""Typed reading of plain data: board data, set-ups, positions, records of actions.

Every error is a SetupError whose text names the key and what was expected there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tableref.rules.surface import Record, SetupError, UnreadableAction


def table(data: Mapping[str, Any], key: str, where: str, optional: bool = False) -> Record:
    """The object under `key`; an empty one where it is missing and `optional`. SetupError"""
    if optional and key not in data:
        return {}
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise SetupError(f"{where}: {key}: expected a section, found {value!r}")
    return value


def whole(value: object, key: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`. SetupError"""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SetupError(f"{key}: expected a whole number, {least} to {most}, found {value!r}")
    return value


def entries(value: object, key: str, kind: type) -> tuple[Any, ...]:
    """A list whose entries are all of this kind. SetupError"""
    if not isinstance(value, list | tuple) or not all(
        isinstance(entry, kind) and not isinstance(entry, bool) for entry in value
    ):
        raise SetupError(f"{key}: expected a list of {kind.__name__}, found {value!r}")
    return tuple(value)


def choice(value: object, key: str, allowed: Collection[str]) -> str:
    """One of the allowed texts. SetupError"""
    if not isinstance(value, str) or value not in allowed:
        raise SetupError(f"{key}: expected one of {', '.join(allowed)}, found {value!r}")
    return value


def flag(data: Record, key: str, default: bool = False, where: str = "set-up") -> bool:
    """An option of a set-up that is on or off. SetupError"""
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise SetupError(f"{where}: {key}: expected true or false, found {value!r}")
    return value


def player_names(data: Record, players: int) -> tuple[str, ...]:
    """The `names` of a set-up, one for each player or none. SetupError"""
    names = entries(data.get("names", ()), "set-up: names", str)
    if len(names) not in (0, players) or len(set(names)) < len(names):
        raise SetupError(f"set-up: names: expected {players} different names")
    return names


def only_known(data: Mapping[str, Any], key: str, known: Collection[str]) -> None:
    """SetupError where `data` holds a key that nobody would read."""
    unknown = sorted(set(map(str, data)) - set(known))
    if unknown:
        raise SetupError(f"{key}: {unknown[0]!r} is not known here; known: {', '.join(known)}")


def one_action(record: Record, kinds: Collection[str]) -> tuple[str, Any]:
    """Kind and value of an action's record, which has one key. UnreadableAction"""
    if isinstance(record, Mapping) and len(record) == 1:
        kind, value = next(iter(record.items()))
        if kind in kinds:
            return kind, value
    raise UnreadableAction(f"expected an object with one of {', '.join(kinds)}, found {record!r}")


def cells_of(value: object, known: Collection[str], least: int, most: int) -> tuple[str, ...]:
    """A list of `least` to `most` cells of the board, out of a record. UnreadableAction"""
    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        raise UnreadableAction(f"expected a list of {least} or more cells, found {value!r}")
    for name in value:
        cell_of(name, known)
    return tuple(value)


def cell_of(value: object, known: Collection[str]) -> str:
    """A cell of the board, out of a record. UnreadableAction"""
    if not isinstance(value, str) or value not in known:
        raise UnreadableAction("{what!r} is not a cell of this board", what=value)
    return value
