"""Tournaments as they are kept: players, pairings and results, beside what the tables told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from tableref.errors import UserError
from tableref.hub.database import reading, why, writing
from tableref.hub.pairing import (
    DRAW,
    LOSS,
    NOBODY,
    ROUND_ROBIN,
    SYSTEMS,
    WIN,
    Entrant,
    Pairing,
    Tournament,
    next_round,
)
from tableref.web.watchers import Watchers

NAME, MOST_PLAYERS, MOST_TOURNAMENTS = 40, 500, 200
"""Letters of a name; players of a tournament; tournaments."""
RESULTS = {"1-0": WIN, "½-½": DRAW, "0-1": LOSS, "0-0": (0, 0)}
"""What can be entered of a game; 0-0: it was not played."""

_DATA = MetaData()
_TOURNAMENTS = Table(
    "tournaments", _DATA,
    Column("number", Integer, primary_key=True),
    Column("name", String(NAME), nullable=False),
    Column("system", String(20), nullable=False),
)  # fmt: skip
_ENTRANTS = Table(
    "entrants", _DATA,
    Column("tournament", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", String(NAME), nullable=False),
    Column("plays", Integer, nullable=False),
)  # fmt: skip
_PAIRINGS = Table(
    "pairings", _DATA,
    Column("tournament", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("first", Integer, nullable=False),
    Column("second", Integer, nullable=False),
    Column("first_points", Integer),
    Column("second_points", Integer),
)  # fmt: skip


class NotTaken(Exception):
    """What was entered cannot be. `args[0]`: "name", "players", "begun", "changed", "result" or
    "none"."""


class Named(NamedTuple):
    """A tournament in a list of them."""

    number: int
    name: str
    rounds: int


class Rounds:
    """The tournaments of a database. Safe to call from several threads; an error of the database
    is an OSError."""

    def __init__(self, engine: Engine) -> None:
        """UserError where the database cannot be written."""
        self._engine, self._lock = engine, threading.Lock()
        self.version = 0
        self._watchers = Watchers()
        try:
            _DATA.create_all(engine)
        except SQLAlchemyError as error:
            raise UserError(f"hub: {why(error)}") from None

    def watch(self, changed: Callable[[], object]) -> Callable[[], None]:
        """Calls `changed` after each change, until what is returned is called."""
        return self._watchers.add(changed)

    def changed(self) -> None:
        """Has everybody look again."""
        self.version += 1
        self._watchers.call()

    # -- what is there ----------------------------------------------------------------------------

    def all(self) -> list[Named]:
        """All tournaments, the newest first."""
        rounds = (
            select(_PAIRINGS.c.tournament, func.max(_PAIRINGS.c.round).label("rounds"))
            .group_by(_PAIRINGS.c.tournament)
            .subquery()
        )
        asked = (
            select(_TOURNAMENTS.c.number, _TOURNAMENTS.c.name, rounds.c.rounds)
            .outerjoin(rounds, rounds.c.tournament == _TOURNAMENTS.c.number)
            .order_by(_TOURNAMENTS.c.number.desc())
        )
        with reading(self._engine) as connection:
            return [
                Named(number, name, most or 0) for number, name, most in connection.execute(asked)
            ]

    def tournament(self, number: int) -> Tournament:
        """One of them. LookupError"""
        with reading(self._engine) as connection:
            return _read(connection, number)

    # -- what is entered --------------------------------------------------------------------------

    def make(self, name: str, system: str, players: Sequence[str]) -> int:
        """A new tournament; its number. NotTaken"""
        if not 1 <= len(name) <= NAME or system not in SYSTEMS:
            raise NotTaken("name")
        with self._writing() as connection:
            most, there = connection.execute(
                select(func.max(_TOURNAMENTS.c.number), func.count(_TOURNAMENTS.c.number))
            ).one()
            if there >= MOST_TOURNAMENTS:
                raise NotTaken("name")
            number = (most or 0) + 1
            row = {"number": number, "name": name, "system": system}
            connection.execute(insert(_TOURNAMENTS), [row])
            _enter(connection, number, (), players)
        return number

    def enter(self, number: int, players: Sequence[str]) -> None:
        """More players; in a round robin before its first round only. LookupError, NotTaken"""
        with self._writing() as connection:
            before = _read(connection, number)
            if before.system == ROUND_ROBIN and before.pairings:
                raise NotTaken("begun")
            _enter(connection, number, before.entrants, players)

    def withdraw(self, number: int, player: int, plays: bool) -> None:
        """A player goes, or is back: he is not paired meanwhile. LookupError"""
        here = (_ENTRANTS.c.tournament == number) & (_ENTRANTS.c.number == player)
        with self._writing() as connection:
            done = connection.execute(update(_ENTRANTS).where(here).values(plays=int(plays)))
            if not done.rowcount:
                raise LookupError(player)

    def pair(self, number: int, after: int) -> None:
        """The round behind so many, once. LookupError, NotPaired, NotTaken"""
        before = self.tournament(number)
        if before.rounds != after:  # somebody else was faster
            return
        rows = [_row(number, one) for one in next_round(before)]  # it may take seconds
        with self._writing() as connection:
            if _read(connection, number) != before:
                raise NotTaken("changed")
            connection.execute(insert(_PAIRINGS), rows)

    def unpair(self, number: int, round_: int) -> None:
        """Takes the last round back, while no game of it has a result. LookupError, NotTaken"""
        with self._writing() as connection:
            before = _read(connection, number)
            last = [one for one in before.pairings if one.round == round_]
            if not last or round_ != before.rounds:
                raise NotTaken("none")
            if any(one.points and one.second != NOBODY for one in last):
                raise NotTaken("result")
            here = (_PAIRINGS.c.tournament == number) & (_PAIRINGS.c.round == round_)
            connection.execute(delete(_PAIRINGS).where(here))

    def result(self, number: int, round_: int, board: int, said: str) -> None:
        """How a game ended; "" takes a result back. LookupError, NotTaken"""
        if said and said not in RESULTS:
            raise NotTaken("result")
        first, second = RESULTS[said] if said else (None, None)
        here = (
            (_PAIRINGS.c.tournament == number)
            & (_PAIRINGS.c.round == round_)
            & (_PAIRINGS.c.board == board)
            & (_PAIRINGS.c.second != NOBODY)
        )
        told = {"first_points": first, "second_points": second}
        with self._writing() as connection:
            if not connection.execute(update(_PAIRINGS).where(here).values(told)).rowcount:
                raise LookupError(board)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One at a time; then everybody looks again."""
        with self._lock, writing(self._engine) as connection:
            yield connection
        self.changed()


def players_of(text: str) -> list[str]:
    """Names as they are typed, one a line."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _enter(
    connection: Connection, number: int, before: Sequence[Entrant], players: Sequence[str]
) -> None:
    names = [one.name for one in before] + list(players)
    good = all(1 <= len(name) <= NAME and name.isprintable() for name in players)
    if not good or len(set(names)) < len(names) or len(names) > MOST_PLAYERS:
        raise NotTaken("players")
    rows = [
        {"tournament": number, "number": own, "name": name, "plays": 1}
        for own, name in enumerate(players, len(before) + 1)
    ]
    if rows:
        connection.execute(insert(_ENTRANTS), rows)


def _read(connection: Connection, number: int) -> Tournament:
    asked = select(_TOURNAMENTS).where(_TOURNAMENTS.c.number == number)
    found = connection.execute(asked).mappings().one_or_none()
    if found is None:
        raise LookupError(number)
    entrants = connection.execute(
        select(_ENTRANTS).where(_ENTRANTS.c.tournament == number).order_by(_ENTRANTS.c.number)
    ).mappings()
    pairings = connection.execute(
        select(_PAIRINGS)
        .where(_PAIRINGS.c.tournament == number)
        .order_by(_PAIRINGS.c.round, _PAIRINGS.c.board)
    ).mappings()
    return Tournament(
        found["name"],
        found["system"],
        tuple(Entrant(row["number"], row["name"], bool(row["plays"])) for row in entrants),
        tuple(
            Pairing(
                row["round"], row["board"], row["first"], row["second"],
                _both(row["first_points"], row["second_points"]),
            )
            for row in pairings
        ),
    )  # fmt: skip


def _both(first: int | None, second: int | None) -> tuple[int, int] | None:
    return None if first is None or second is None else (first, second)


def _row(number: int, one: Pairing) -> dict[str, object]:
    first, second = one.points or (None, None)
    return {
        "tournament": number, "round": one.round, "board": one.board, "first": one.first,
        "second": one.second, "first_points": first, "second_points": second,
    }  # fmt: skip
