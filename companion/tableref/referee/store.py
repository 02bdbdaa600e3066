"""How a journal lies on disk: an SQLite file with a head, a copy of the head, rows and a tail.

There is no write-ahead log: between two transactions all is in the one file, which can be copied by
itself. Readers change nothing, so they also read where nothing may be written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tableref.errors import UserError
from tableref.referee.chain import (
    FIRST_FORMAT,
    FORMAT,
    SUM,
    Damage,
    Line,
    as_object,
    first_damage,
    head_sum,
    linked,
    text_of,
)

T = TypeVar("T")
Say = Callable[[str], object]

BUSY = 2.0
"""Seconds after which it is told that another program holds the file."""
PATIENCE = 120.0
"""Seconds that another program may hold it."""

_SCHEMA = """
CREATE TABLE head (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE head_copy (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tail (seq INTEGER NOT NULL, sum TEXT NOT NULL);
CREATE TABLE rows (
    seq INTEGER PRIMARY KEY,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    monotonic REAL NOT NULL,
    boot TEXT NOT NULL,
    wall TEXT NOT NULL,
    sum TEXT NOT NULL
);
"""
_COLUMNS = {
    FORMAT: "seq, step, kind, data, monotonic, boot, wall, sum",
    FIRST_FORMAT: "seq, seq, kind, data, monotonic, boot, wall, ''",
}


_BY_ITSELF = "SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')"


class Content(NamedTuple):
    """What a file holds: its form, its head and the head's checksum, the lines that can be read,
    and the first damage."""

    form: str
    head: dict[str, Any]
    sum: str
    lines: list[Line]
    damage: Damage | None


def connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """An open database that is there and syncs every commit. sqlite3.Error"""
    # Only the one who takes the inputs uses it; anybody may close it.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        timeout=BUSY,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    try:
        if mode == "rw":
            # A journal that is cut to nothing and synced cannot come back after a power cut.
            connection.execute("PRAGMA journal_mode=TRUNCATE")
            connection.execute("PRAGMA synchronous=FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def write_new(path: Path, head: Mapping[str, Any], lines: Sequence[Line]) -> None:
    """A file that nobody but its owner may read, in place of any other. sqlite3.Error, OSError"""
    for name in (path, path.with_name(path.name + "-journal")):
        name.unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    texts = {key: text_of(value) for key, value in {**head, "format": FORMAT}.items()}
    texts[SUM] = text_of(head_sum(texts))
    with contextlib.closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        for table in ("head", "head_copy"):
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", texts.items())
        connection.execute("INSERT INTO tail VALUES (0, ?)", (as_text(texts[SUM]),))
        connection.execute("COMMIT")
        if lines:
            append(connection, linked(as_text(texts[SUM]), 0, lines))
    path.with_name(path.name + "-journal").unlink(missing_ok=True)


def append(connection: sqlite3.Connection, lines: Sequence[Line]) -> None:
    """Adds lines in one transaction, on disk when this returns. sqlite3.Error; then nothing was."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", lines)
        connection.execute("UPDATE tail SET seq = ?, sum = ?", (lines[-1].seq, lines[-1].sum))
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # it has been rolled back already
            connection.execute("ROLLBACK")
        raise


def read(path: Path) -> Content:
    """What the file holds, without changing anything. UserError; sqlite3.OperationalError where it
    is busy."""
    try:
        with contextlib.closing(connect(path, "ro")) as connection:
            return content(path, connection)
    except sqlite3.OperationalError as error:
        if is_busy(error) or not path.exists():
            raise
    # What was cut off while it was written must be settled first, which only a copy may be.
    with tempfile.TemporaryDirectory(prefix="tableref-") as scratch:
        copy = Path(scratch) / path.name
        for end in ("", "-journal", "-wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + end), copy.with_name(copy.name + end))
        try:
            with contextlib.closing(connect(copy)) as connection:
                return content(path, connection)
        except sqlite3.Error as error:
            raise unreadable(path, error) from error


def content(path: Path, connection: sqlite3.Connection, pages: bool = False) -> Content:
    """What an open file holds; with `pages` also whether its pages fit together. UserError"""
    found, failed = None, None
    for table in ("head", "head_copy"):
        try:
            found = _head(path, connection, table)
        except sqlite3.DatabaseError as error:
            if is_busy(error) or _is_kept_out(error):
                raise
            failed = failed or error
        if found is not None:
            break
    if found is None and failed is not None:
        raise unreadable(path, failed)
    if found is None:
        raise UserError(
            f"{path}: damaged: what it says of the game (who plays, with which plots) is not to be"
            f" trusted, nor is the copy of that. It is left as it is; begin in another folder"
        )
    form, head, sum = found
    lines: list[Line] = []
    wrong = None
    if table != "head":
        wrong = Damage(0, "what it says of the game has changed, of which there is a good copy")
    tail = (0, "")
    try:
        if connection.execute(_BY_ITSELF).fetchone() is not None:
            raise unreadable(path, "it would change what is written, which no journal does")
        if form == FORMAT:
            [tail] = connection.execute("SELECT seq, sum FROM tail").fetchall() or [tail]
        for values in connection.execute(f"SELECT {_COLUMNS[form]} FROM rows ORDER BY seq"):
            lines.append(Line(*values))
        whole = first_damage(sum if form == FORMAT else None, lines, tail)
        if whole is None and pages and (said := _pages(connection)):
            whole = Damage(len(lines) + 1, f"the file's pages do not fit together: {said}")
    except (sqlite3.Error, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, sqlite3.Error) and is_busy(error):
            raise
        before = first_damage(sum if form == FORMAT else None, lines, (len(lines), _sum(lines)))
        whole = before or Damage(len(lines) + 1, str(error))
    return Content(form, head, sum, lines, whole or wrong)


def patiently(path: Path, do: Callable[[], T], say: Say) -> T:
    """Does it; while another program holds the file, says so and waits. UserError"""
    until = time.monotonic() + PATIENCE
    told = False
    while True:
        try:
            return do()
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            if time.monotonic() > until:
                raise UserError(
                    f"{path}: another program has held it for {PATIENCE:.0f} s; close that program,"
                    f" then `tableref resume {path.parent}`"
                ) from error
        if not told:
            say(f"{path}: another program holds it, such as one that makes a backup; waiting")
            told = True


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another program holds the file just now."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    )


def _is_kept_out(error: sqlite3.Error) -> bool:
    """Whether something must be written before it can be read, and may not."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    )


def unreadable(path: Path, error: Exception | str) -> UserError:
    """What to say of a file of which nothing can be read."""
    return UserError(
        f"{path}: damaged or no journal ({error}). It is left as it is: put a good copy in its"
        " place if there is one, or begin in another folder"
    )


def as_text(text: str) -> str:
    """The string that a JSON text is."""
    return str(as_object(f'{{"text": {text}}}')["text"])


def _head(
    path: Path, connection: sqlite3.Connection, table: str
) -> tuple[str, dict[str, Any], str] | None:
    """Form, head and checksum of a head; None where they do not fit. sqlite3.Error, UserError"""
    try:
        texts = dict(connection.execute(f"SELECT key, value FROM {table}").fetchall())
        head = {key: as_object(f'{{"it": {text}}}')["it"] for key, text in texts.items()}
    except (ValueError, TypeError):
        return None
    form = head.pop("format", None)
    if form == FIRST_FORMAT and table == "head":
        return FIRST_FORMAT, head, ""
    if head.get(SUM) == head_sum(texts):
        if form != FORMAT:
            raise UserError(
                f"{path}: a journal of the form {form}, which this Tableref does not know;"
                f" it was written by Tableref {head.get('app_version', 'of another version')}"
            )
        return FORMAT, head, head.pop(SUM)
    return None


def _sum(lines: Sequence[Line]) -> str:
    return lines[-1].sum if lines else ""


def _pages(connection: sqlite3.Connection) -> str:
    """What is wrong with the file's pages, on one line; empty where nothing is."""
    said: Iterator[tuple[str]] = connection.execute("PRAGMA quick_check(1)")
    text = "; ".join(line for (line,) in said)
    return "" if text == "ok" else " ".join(text.split())
