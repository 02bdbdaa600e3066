"""Facts by their cases, for games in which a case belongs to one paragraph."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Protocol

from tableref.rules.surface import Fact

MOST_KEPT = 4096
"""Facts that are kept: the same ones come again and again, and making one takes longer."""


class Stating(Protocol):
    """Makes the fact of a case; the rest is as in `Fact`. KeyError where there is no such case."""

    def __call__(
        self,
        case: str,
        who: str = "",
        what: str = "",
        start: str = "",
        to: str = "",
        amount: int = 0,
        other: str = "",
    ) -> Fact:
        """The fact of this case, under its paragraph."""
        ...


def stating(cases: Iterable[tuple[str, str, str]]) -> Stating:
    """What states the facts of a game with these cases: paragraph, case, meaning."""
    paragraphs = {case: paragraph for paragraph, case, _ in cases}

    @lru_cache(MOST_KEPT)
    def fact(case: str, *told: Any, **named: Any) -> Fact:
        return Fact(paragraphs[case], case, *told, **named)

    return fact
