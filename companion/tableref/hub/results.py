"""What the tables told, kept in SQLite or PostgreSQL: each event once, in order.

    results = Results("sqlite:////var/lib/hub/results.db")
    results.add("corner", [event, ...])

A URL says which database, as SQLAlchemy writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from tableref.errors import UserError
from tableref.hub.database import reading, why, writing
from tableref.hub.reading import Event, State

_DATA = MetaData()
_EVENTS = Table(
    "events", _DATA,
    Column("table", String(40), primary_key=True),
    Column("game", String(12), primary_key=True),
    Column("nth", BigInteger, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("at", String(40), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("paragraphs", Text, nullable=False),
)  # fmt: skip
_GAMES = Table(
    "games", _DATA,
    Column("table", String(40), primary_key=True),
    Column("game", String(12), primary_key=True),
    Column("plays", String(40), nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("unit", String(40), nullable=False),
    Column("players", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("over", Integer, nullable=False),
)  # fmt: skip
_SHORT = 40


class Result(NamedTuple):
    """How a game stands, or ended; a score for each player where anything is counted."""

    table: str
    game: str
    plays: str
    round: int
    unit: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    text: tuple[str, ...]
    over: bool


class Results:
    """A database of what was told. Safe to call from several threads; where it does not answer that
    is an OSError."""

    def __init__(self, url: str) -> None:
        """UserError where there is no such database, or it cannot be written."""
        try:
            self.engine = create_engine(url, pool_pre_ping=True)
            if self.engine.dialect.name == "sqlite":
                event.listen(self.engine, "connect", _write_ahead)
            _DATA.create_all(self.engine)
        except (ArgumentError, NoSuchModuleError):
            raise UserError(
                f"hub: expected a database as sqlite:///results.db or postgresql+psycopg://HOST/NAME,"
                f" found {_without_password(url)!r}"
            ) from None
        except ModuleNotFoundError as error:
            raise UserError(f"hub: {error.name} is missing: pip install {error.name}") from None
        except SQLAlchemyError as error:
            raise UserError(f"hub: {_without_password(url)}: {why(error)}") from None

    def close(self) -> None:
        """Lets the database go."""
        self.engine.dispose()

    def add(self, told: Sequence[tuple[str, Event]], stand: Sequence[tuple[str, State]]) -> None:
        """Keeps events of tables, and how their games stand now, all of it or nothing. OSError"""
        events = [
            {
                "table": table, "game": one.game, "nth": one.nth, "number": one.number,
                "at": one.at[:_SHORT], "kind": one.kind[:_SHORT],
                "text": json.dumps(one.text), "paragraphs": json.dumps(one.paragraphs),
            }
            for table, one in told
        ]  # fmt: skip
        with writing(self.engine) as connection:
            if events:
                connection.execute(insert(_EVENTS), events)
            for table, state in stand:
                here = (_GAMES.c.table == table) & (_GAMES.c.game == state.game)
                connection.execute(delete(_GAMES).where(here))
                connection.execute(insert(_GAMES), [_row(table, state)])

    def counts(self) -> dict[tuple[str, str], int]:
        """How many events are kept of each game, by table and game."""
        asked = select(_EVENTS.c.table, _EVENTS.c.game, func.max(_EVENTS.c.nth)).group_by(
            _EVENTS.c.table, _EVENTS.c.game
        )
        with reading(self.engine) as connection:
            return {(table, game): count for table, game, count in connection.execute(asked)}

    def events(self, table: str, game: str) -> Iterator[Event]:
        """The events of a game, in order."""
        here = (_EVENTS.c.table == table) & (_EVENTS.c.game == game)
        asked = select(_EVENTS).where(here).order_by(_EVENTS.c.nth)
        with reading(self.engine) as connection:
            for row in connection.execute(asked).mappings():
                yield Event(
                    row["game"], row["nth"], row["number"], row["at"], row["kind"],
                    tuple(json.loads(row["text"])), tuple(json.loads(row["paragraphs"])),
                )  # fmt: skip

    def all(self) -> list[Result]:
        """How each game stands, by table."""
        with reading(self.engine) as connection:
            rows = connection.execute(select(_GAMES).order_by(_GAMES.c.table, _GAMES.c.game))
            return [
                Result(
                    row["table"], row["game"], row["plays"], row["round"], row["unit"],
                    tuple(json.loads(row["players"])), tuple(json.loads(row["scores"])),
                    tuple(json.loads(row["text"])), bool(row["over"]),
                )
                for row in rows.mappings()
            ]  # fmt: skip


def _row(table: str, state: State) -> dict[str, object]:
    return {
        "table": table, "game": state.game, "plays": state.plays[:_SHORT], "round": state.round,
        "unit": state.unit[:_SHORT], "players": json.dumps(state.players),
        "scores": json.dumps(state.scores), "text": json.dumps(state.text), "over": int(state.over),
    }  # fmt: skip


def _write_ahead(connection: object, _record: object) -> None:
    """So that pages read while events are written."""
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"{head.rpartition(':')[0]}:...@{tail}" if at and head.count(":") > 1 else url
