"""Games in which players write down beforehand what they will do, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar, runtime_checkable

from tableref.rules.surface import Record

T = TypeVar("T")


class Written(Protocol):
    """A part of a file, key by key. What is not as it must be is an error that says where."""

    def __iter__(self) -> Iterator[str]: ...

    def __contains__(self, key: str) -> bool: ...

    def section(self, key: str) -> Written:
        """The part below this key."""
        ...

    def values(self) -> dict[str, Any]:
        """All of it, as it stands there."""
        ...

    def integer(self, key: str) -> int:
        """A whole number."""
        ...

    def text(self, key: str) -> str:
        """A text."""
        ...

    def perhaps(self, read: Callable[[str], T], key: str) -> T | None:
        """What `read` makes of a key; None where it is missing or null."""
        ...

    def wrong(self, key: str, expected: str) -> Exception:
        """An error that says what is wrong with a key."""
        ...


@runtime_checkable
class PlotsAhead(Protocol):
    """A game whose plots of later rounds can be read before the first is driven."""

    def written(self, round: Written) -> Iterator[Record]:
        """The plots of one round of a file, as actions; the first field of each says whose it is.
        What is no plot by its form is an error of `round`."""
        ...

    def as_driven(self, state: Any) -> Any:
        """The state in which the next plots are awaited, with those of this round used up and
        nothing else changed: no piece has moved."""
        ...
