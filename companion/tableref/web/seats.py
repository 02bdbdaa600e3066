"""Who sits at which phone. A seat is taken with the table's code, and taken over only with consent.

>>> seats = Seats(("red", "blue"), code="0421", token=iter("ab").__next__)
>>> seats.enter("10.0.0.7", "0421", 0)
'a'
>>> seats.viewer("a")
Viewer(token='a', seat=0)
>>> seats.enter("10.0.0.8", "0421", 0)
Traceback (most recent call last):
tableref.web.seats.Taken: 0
>>> seats.viewer("nobody's")
Viewer(token='', seat=None)
"""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tableref.durable import write_whole

SCORER = -1
"""The seat of somebody who enters for all."""

TRIES, WITHIN = 5, 60.0
"""Wrong codes that one address may give within so many seconds, and ten times as many that all
may: four digits are guessed in a day even so, not during a game."""

DIGITS = 4
"""Digits of a code."""

MOST_TOKENS = 64
"""Phones that hold a seat or held one."""


class Viewer(NamedTuple):
    """Who looks at a page: without a seat one looks, and touches nothing."""

    token: str = ""
    seat: int | None = None

    @property
    def plays(self) -> bool:
        """Whether this is a player's seat."""
        return self.seat is not None and self.seat != SCORER


class NotEntered(Exception):
    """A seat was not taken."""


class WrongCode(NotEntered):
    """The code is not this table's."""


class TooManyTries(NotEntered):
    """Somebody guesses; the code is not looked at for a while."""


class Taken(NotEntered):
    """Somebody else has this seat."""


class Kept(NamedTuple):
    """What a file keeps: the code, and the seat of each token."""

    code: str = ""
    seats: Mapping[str, int] = MappingProxyType({})


def _kept(file: Path, players: int) -> Kept:
    """What a file says; nothing where there is none, or it is damaged."""
    try:
        told = json.loads(file.read_text(encoding="ascii"))
        code, seats = str(told["code"]), dict(told["seats"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return Kept()
    good = {
        token: seat
        for token, seat in seats.items()
        if token and type(seat) is int and (seat == SCORER or 0 <= seat < players)
    }
    return Kept(code if len(code) == DIGITS and code.isdecimal() else "", good)


def kept_code(file: Path) -> str | None:
    """The code that a table had before it was started anew; None where none is known."""
    return _kept(file, 0).code or None


def new_code() -> str:
    """Four digits by chance."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


class Seats:
    """The seats of a game. Safe to call from several threads."""

    def __init__(
        self,
        players: Sequence[str],
        code: str | None = None,
        token: Callable[[], str] = lambda: secrets.token_urlsafe(24),
        clock: Callable[[], float] = time.monotonic,
        file: Path | None = None,
    ) -> None:
        """`players` by index; `code` None: one by chance. In a `file` the seats outlive the server:
        who sat there sits there again, and without a `code` that of the file is the table's."""
        self.players, self._file = tuple(players), file
        kept = _kept(file, len(self.players)) if file is not None else Kept()
        self.code = code or kept.code or new_code()
        self._token, self._clock = token, clock
        self._seat_of: dict[str, int] = dict(kept.seats)
        self._wrong: deque[tuple[float, str]] = deque(maxlen=10 * TRIES)
        self._lock = threading.Lock()

    def viewer(self, token: str) -> Viewer:
        """Who has this token; nobody is somebody who only looks."""
        with self._lock:
            seat = self._seat_of.get(token)
        return Viewer() if seat is None else Viewer(token, seat)

    def taken(self) -> frozenset[int]:
        """Seats that somebody has."""
        with self._lock:
            return frozenset(self._seat_of.values())

    def enter(self, address: str, code: str, seat: int) -> str:
        """The token of a seat that is free. WrongCode, TooManyTries, Taken, LookupError"""
        if seat != SCORER and not 0 <= seat < len(self.players):
            raise LookupError(seat)
        with self._lock:
            self._check(address, code)
            if seat in self._seat_of.values():
                raise Taken(seat)
            return self._give(seat)

    def give(self, seat: int) -> str:
        """A new token for a seat, whoever had it before: those whom it concerns have agreed."""
        with self._lock:
            self._leave(seat)
            return self._give(seat)

    def leave(self, token: str) -> None:
        """Frees a seat."""
        with self._lock:
            self._seat_of.pop(token, None)
            self._keep()

    def _leave(self, seat: int) -> None:
        self._seat_of = {t: s for t, s in self._seat_of.items() if s != seat}

    def _give(self, seat: int) -> str:
        token = self._token()
        self._seat_of[token] = seat
        while len(self._seat_of) > MOST_TOKENS:
            self._seat_of.pop(next(iter(self._seat_of)))
        self._keep()
        return token

    def _keep(self) -> None:
        """Should it fail, phones take their seats again after a restart."""
        if self._file is None:
            return
        told = json.dumps({"code": self.code, "seats": self._seat_of})
        with contextlib.suppress(OSError):
            write_whole(self._file, told, 0o600)

    def _check(self, address: str, code: str) -> None:
        now = self._clock()
        while self._wrong and self._wrong[0][0] <= now - WITHIN:
            self._wrong.popleft()
        own = sum(one == address for _, one in self._wrong)
        if own >= TRIES or len(self._wrong) == self._wrong.maxlen:
            raise TooManyTries
        if not secrets.compare_digest(code.encode(), self.code.encode()):
            self._wrong.append((now, address))
            raise WrongCode
