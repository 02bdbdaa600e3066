"""The journal: SQLite, the only truth of a game. The state is a replay of its rows.

The head holds what a replay needs (game, rules version, set-up, a copy of the board file, the
plots that were handed over, the app's version); the rows hold what happened. A step's rows are one
transaction, and are on disk (`synchronous=FULL`) before anything is told to the players.
"""

from __future__ import annotations

import json
import sqlite3
import time
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tableref.errors import UserError
from tableref.referee.table import Row

FORMAT = "table-journal/1"

_SCHEMA = """
CREATE TABLE head (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    monotonic REAL NOT NULL,
    boot TEXT NOT NULL,
    wall TEXT NOT NULL
);
"""


class Journal:
    """One game's journal in one file. UserError says what is wrong with a file."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path, self._connection = path, connection
        self._boot = _boot_id()
        # Also where nobody closes it, as after an error on opening.
        self._close = weakref.finalize(self, connection.close)

    @classmethod
    def create(cls, path: Path, head: dict[str, Any]) -> Journal:
        """A new journal with this head. UserError where the file is there already."""
        if path.exists():
            raise UserError(
                f"{path}: there is a game in it already; go on with it by"
                f" `tableref resume {path.parent}`, or choose another folder"
            )
        journal = cls(path, _connect(path))
        with journal._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in filter(str.strip, _SCHEMA.split(";")):
                connection.execute(statement)
            connection.executemany(
                "INSERT INTO head VALUES (?, ?)",
                [(key, _json(value)) for key, value in {"format": FORMAT, **head}.items()],
            )
        return journal

    @classmethod
    def open(cls, path: Path) -> Journal:
        """A journal that is there. UserError where there is none, or it is damaged."""
        if not path.exists():
            raise UserError(f"{path}: there is no journal")
        journal = cls(path, _connect(path))
        if journal.head().get("format") != FORMAT:
            raise UserError(f"{path}: not a journal of this kind ({FORMAT})")
        return journal

    def head(self) -> dict[str, Any]:
        """What the journal says of its game."""
        rows = self._query("SELECT key, value FROM head")
        return {key: json.loads(value) for key, value in rows}

    def write(self, rows: Iterable[Row], monotonic: float) -> None:
        """Appends rows in one transaction; they are on disk when this returns. UserError"""
        wall = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        try:
            with self._connection as connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(
                    "INSERT INTO rows (kind, data, monotonic, boot, wall) VALUES (?, ?, ?, ?, ?)",
                    [(row.kind, _json(row.data), monotonic, self._boot, wall) for row in rows],
                )
        except sqlite3.Error as error:
            raise UserError(
                f"{self._path}: cannot be written ({error}); nothing of this move was told."
                " Make room or repair the disk, then `tableref resume`"
            ) from error

    def rows(self) -> Iterator[Row]:
        """All rows in order."""
        for kind, data in self._query("SELECT kind, data FROM rows ORDER BY seq"):
            yield Row(kind, json.loads(data))

    def close(self) -> None:
        """Closes the file."""
        self._close()

    def _query(self, sql: str) -> list[Any]:
        try:
            return self._connection.execute(sql).fetchall()
        except sqlite3.DatabaseError as error:
            raise UserError(f"{self._path}: damaged or no journal ({error})") from error


def _connect(path: Path) -> sqlite3.Connection:
    """An open database that syncs every commit. UserError"""
    connection = None
    try:
        # Only the one who takes the inputs uses it; anybody may close it.
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise UserError(f"{path}: cannot be opened as a journal ({error})") from error
    return connection


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _boot_id() -> str:
    """Tells one start of the machine from another; monotonic times compare only within one."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"
