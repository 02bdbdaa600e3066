"""Old records and new rules: which version a record was made under, and how to replay it as of it.

Where a fix of a rule keeps the old reading as an option of the set-up, the game says so:

    readings = {"1": {"side_turn": "nose-away"}}

By version 1 a record that does not name this option was played by the old reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from tableref.rules.surface import Game, Record, RulesError


@runtime_checkable
class KeepsReadings(Protocol):
    """A game whose rules were mended since its first version."""

    @property
    def readings(self) -> Mapping[str, Record]:
        """Rules version -> options of the set-up that were the rule in it."""
        ...


class NoSuchVersion(RulesError):
    """No reading of this version of the rules is kept."""


def kept_versions(game: Game[Any]) -> tuple[str, ...]:
    """Versions that a record of this game can be replayed as of; the present one comes last."""
    older = game.readings if isinstance(game, KeepsReadings) else {}
    return (*(version for version in older if version != game.rules_version), game.rules_version)


def as_of(game: Game[Any], record: Record, version: str) -> Record:
    """The record with the options that hold in this version. NoSuchVersion"""
    if version not in kept_versions(game):
        raise NoSuchVersion(
            f"there is no reading of rules version {version!r} of {game.name};"
            f" there are {', '.join(kept_versions(game))}"
        )
    if version == game.rules_version or not isinstance(game, KeepsReadings):
        return record
    return {**record, "setup": {**game.readings[version], **record.get("setup", {})}}


def made_under(game: Game[Any], record: Record) -> str:
    """What a record that does not replay has to say about its version; empty where it has none."""
    made = record.get("rules_version")
    if made is None or made == game.rules_version:
        return ""
    kept = made in kept_versions(game)
    hint = f"--as-of {made} replays it by those" if kept else "those are not kept"
    return f" (made under rules version {made}, these are {game.rules_version}; {hint})"
