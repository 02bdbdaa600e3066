"""What a check says: how bad it is, what was found, and the cure."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Level(enum.IntEnum):
    """How bad it is; the larger, the worse."""

    OK = 0
    INFO = 1
    """Nothing is wrong; it is left out here, or good to know."""
    WARNING = 2
    """Works, but will give trouble."""
    ISSUE = 3
    """Something does not work."""


@dataclass(frozen=True, slots=True)
class Result:
    """`what` was found, and the `cure`, which is empty where none is needed."""

    level: Level
    what: str
    cure: str = ""


def ok(what: str) -> Result:
    """All is well."""
    return Result(Level.OK, what)


def info(what: str, cure: str = "") -> Result:
    """Good to know."""
    return Result(Level.INFO, what, cure)


def warning(what: str, cure: str) -> Result:
    """It will give trouble."""
    return Result(Level.WARNING, what, cure)


def issue(what: str, cure: str) -> Result:
    """It does not work."""
    return Result(Level.ISSUE, what, cure)


def worst(results: list[Result]) -> Result:
    """Several results of one check as one, as bad as the worst of them; there is at least one."""
    level = max(result.level for result in results)
    of_note = [result for result in results if result.level == level]
    cures = dict.fromkeys(result.cure for result in of_note if result.cure)
    return Result(level, "; ".join(result.what for result in of_note), " ".join(cures))


NOT_A_PI = info("not a Pi: left out")
