"""Everything that the rules engine can state, gathered from its modules."""

from __future__ import annotations

from typing import NamedTuple

from tableref.rules import house
from tableref.rules.arrows_and_stars import cases as arrows_and_stars
from tableref.rules.autoscooter import facts as autoscooter
from tableref.rules.scorpion import facts as scorpion
from tableref.rules.skorpion_deep import facts as skorpion_deep
from tableref.rules.squod import cases as squod

MODULES = (autoscooter, scorpion, skorpion_deep, arrows_and_stars, squod, house)


class Stated(NamedTuple):
    """A paragraph and a case of it."""

    paragraph: str
    case: str


def stated() -> dict[Stated, list[str]]:
    """Each paragraph and case -> its meanings in the games that state it."""
    found: dict[Stated, list[str]] = {}
    for module in MODULES:
        for paragraph, case, meaning in module.CASES:
            found.setdefault(Stated(paragraph, case), []).append(meaning)
    return found
