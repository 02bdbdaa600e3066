"""What somebody wants and others have to agree to: taking back, letting stand, another's seat.

>>> consents = Consents()
>>> wish = consents.ask("take-back", by=0, needs={1, 2})
>>> consents.agree(wish.number, 1), consents.agree(wish.number, 2)
(None, Wish(number=1, kind='take-back', by=0, needs=frozenset(), what=''))
>>> consents.open()
()
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import NamedTuple

MOST = 8
"""Wishes that may be open at once; of more the oldest is dropped."""


class Wish(NamedTuple):
    """Something wanted: its number, kind, the seat that wants it (None: a phone without one), the
    seats that have not agreed yet, and what goes with it."""

    number: int
    kind: str
    by: int | None
    needs: frozenset[int]
    what: str = ""


class Consents:
    """The open wishes. Safe to call from several threads."""

    def __init__(self) -> None:
        self._open: dict[int, Wish] = {}
        self._last = 0
        self._lock = threading.Lock()

    def open(self) -> tuple[Wish, ...]:
        """Those to which somebody has still to agree, oldest first."""
        with self._lock:
            return tuple(self._open.values())

    def ask(self, kind: str, by: int | None, needs: Iterable[int], what: str = "") -> Wish:
        """A new wish, in place of the same one where it is open. Without `needs` it is granted."""
        with self._lock:
            same = [w for w in self._open.values() if (w.kind, w.by, w.what) == (kind, by, what)]
            for old in same:
                del self._open[old.number]
            self._last += 1
            wish = Wish(self._last, kind, by, frozenset(needs), what)
            if wish.needs:
                self._open[wish.number] = wish
                if len(self._open) > MOST:
                    del self._open[next(iter(self._open))]
            return wish

    def agree(self, number: int, seat: int) -> Wish | None:
        """A seat agrees; the wish where that was the last one needed."""
        with self._lock:
            wish = self._open.get(number)
            if wish is None or seat not in wish.needs:
                return None
            wish = wish._replace(needs=wish.needs - {seat})
            self._open[number] = wish
            if wish.needs:
                return None
            return self._open.pop(number)

    def refuse(self, number: int, seat: int | None) -> None:
        """One whose consent is needed says no, or the one who wanted it no longer does."""
        with self._lock:
            wish = self._open.get(number)
            if wish is not None and (seat in wish.needs or (seat == wish.by and seat is not None)):
                del self._open[number]

    def forget(self, kinds: Iterable[str]) -> None:
        """Drops wishes that what has happened meanwhile has overtaken."""
        with self._lock:
            self._open = {n: wish for n, wish in self._open.items() if wish.kind not in set(kinds)}
