"""Games in which players write down beforehand what they will do, round by round."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class PlotsAhead(Protocol):
    """A game whose plots of later rounds can be read before the first is driven."""

    def as_driven(self, state: Any) -> Any:
        """The state in which the next plots are awaited, with those of this round used up and
        nothing else changed: no piece has moved."""
        ...
