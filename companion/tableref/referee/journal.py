"""The journal: the only truth of a game. The state is a replay of its rows.

The head holds what a replay needs (game, rules version, set-up, a copy of the board file, the
plots that were handed over, the app's version); the rows hold what happened. A step's rows are one
transaction, and are on disk before anything is told to the players.

Two files stand beside it: `journal.lock` says which process writes it, `journal.told` up to which
row the players were told.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import sys
import time
import weakref
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tableref.devices.lock import FileLock, LockHeld
from tableref.durable import sync_folder
from tableref.errors import UserError
from tableref.referee.chain import FIRST_FORMAT, FORMAT, Damage, Line, linked, text_of
from tableref.referee.store import (
    Content,
    Say,
    append,
    connect,
    content,
    patiently,
    read,
    unreadable,
    write_new,
)
from tableref.referee.table import ROW_KINDS, Row


class Journal:
    """One game's journal in one file. UserError says what is wrong with a file.

    Only who made it by `create` or `open` may write, and no other process can meanwhile; `read`
    takes it as it is.
    """

    def __init__(
        self, path: Path, found: Content, lock: FileLock | None = None, say: Say | None = None
    ) -> None:
        self._path, self._found, self._say = path, found, say or _to_terminal
        self._lines = found.lines
        self._sum = found.lines[-1].sum if found.lines else found.sum
        self._boot = _boot_id()
        self._connection: sqlite3.Connection | None = None
        self._told = -1
        self._held = contextlib.ExitStack()
        if lock is not None:
            self._held.callback(lock.close)
        # Also where nobody closes it, as after an error on opening.
        self._close = weakref.finalize(self, self._held.close)

    @classmethod
    def create(cls, path: Path, head: dict[str, Any]) -> Journal:
        """A new journal with this head, under another name until it is begun. UserError where the
        file is there already, or another process uses the folder."""
        lock = _locked(path)
        try:
            if path.exists():
                _must_hold_something(path)
                raise UserError(
                    f"{path}: there is a game in it already; go on with it by"
                    f" `tableref resume {path.parent}`, or choose another folder"
                )
            write_new(_new(path), head, ())
            return cls(path, read(_new(path)), lock)
        except BaseException as error:
            lock.close()
            if isinstance(error, (sqlite3.Error, OSError)):
                raise UserError(f"{path}: cannot be written ({error})") from error
            raise

    @classmethod
    def open(cls, path: Path, say: Say | None = None) -> Journal:
        """A journal to go on with. UserError where there is none, nothing of it can be read, or
        another process has it."""
        _must_hold_something(path)
        lock = _locked(path)
        try:
            journal = cls(path, patiently(path, lambda: _checked(path), say or _to_terminal), lock)
        except BaseException as error:
            lock.close()
            if isinstance(error, sqlite3.Error):
                raise unreadable(path, error) from error
            raise
        journal._say = say or _to_terminal
        return journal

    @classmethod
    def read(cls, path: Path, say: Say | None = None) -> Journal:
        """A journal to look into, also while another process writes it, or where nothing may be
        written. UserError"""
        _must_hold_something(path)
        try:
            return cls(path, patiently(path, lambda: read(path), say or _to_terminal))
        except (sqlite3.Error, OSError) as error:
            raise unreadable(path, error) from error

    # -- what it holds ----------------------------------------------------------------------------

    @property
    def damage(self) -> Damage | None:
        """The first thing that is wrong with it; None where nothing is."""
        return self._found.damage

    def head(self) -> dict[str, Any]:
        """What the journal says of its game."""
        return self._found.head

    def rows(self) -> Iterator[Row]:
        """All rows in order, up to the first that is damaged."""
        return (line.row() for line in self.lines())

    def lines(self, after: int = 0) -> Iterator[Line]:
        """The same with their numbers and times; only those behind the row numbered `after`."""
        whole = self.damage.row - 1 if self.damage and self.damage.row else None
        return iter(self._lines[after:whole])

    def untold(self) -> int:
        """How many rows at the end may not have been told to the players: those after the last that
        is noted as told, or where nothing is noted those of the last step."""
        if not self._lines or self._found.form != FORMAT or self.damage is not None:
            return 0
        with contextlib.suppress(OSError, ValueError, IndexError):  # then nothing is noted
            seq, sum = _told(self._path).read_text(encoding="ascii").split()
            if int(seq) > 0 and self._lines[int(seq) - 1].sum == sum:
                return len(self._lines) - int(seq)
        return len(self._lines) - self._lines[-1].step + 1

    # -- writing ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """From here on it is written: a new one gets its name; one of the first form becomes one of
        today's, and a copy of it as it was is kept. UserError"""
        if self._connection is not None:
            return
        try:
            if self._found.form == FIRST_FORMAT:
                self._renew(len(self._lines), "first-form")
            elif _new(self._path).exists() and not self._path.exists():
                self._rename()
            self._connection = self._held.enter_context(contextlib.closing(connect(self._path)))
        except (sqlite3.Error, OSError) as error:
            raise UserError(f"{self._path}: cannot be written ({error})") from error

    def cut(self, rows: int) -> Path:
        """Only the first `rows` rows stay. Returns the copy of how it was. UserError"""
        try:
            return self._renew(rows, "damaged")
        except (sqlite3.Error, OSError) as error:
            raise UserError(f"{self._path}: cannot be repaired ({error})") from error

    def rewrite(self, head: dict[str, Any], lines: list[Line]) -> None:
        """Another head and other lines take the place of all that it holds; nothing is kept of how
        it was. UserError"""
        told = len(self._lines) - self.untold()
        try:
            write_new(_new(self._path), head, lines)
            self._rename()
            self._found = read(self._path)
        except (sqlite3.Error, OSError) as error:
            raise UserError(f"{self._path}: cannot be written anew ({error})") from error
        self._lines = self._found.lines
        self._sum = self._lines[-1].sum if self._lines else self._found.sum
        if told:
            self._note(told, self._lines[told - 1].sum)

    def write(self, rows: Iterable[Row], monotonic: float) -> None:
        """Appends rows in one transaction; they are on disk when this returns. UserError"""
        self.begin()
        connection = self._connection
        assert connection is not None
        wall = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        last = len(self._lines)
        lines: list[Line] = []
        for row in rows:
            assert row.kind in ROW_KINDS, row.kind
            data, step = text_of(row.data), last + 1
            lines.append(
                Line(step + len(lines), step, row.kind, data, monotonic, self._boot, wall, "")
            )
        if not lines:
            return
        lines = linked(self._sum, last, lines)
        try:
            patiently(self._path, lambda: append(connection, lines), self._say)
        except sqlite3.IntegrityError as error:
            raise UserError(
                f"{self._path}: something else has written in it since; nothing of this move was"
                f" told. Go on with `tableref resume {self._path.parent}`"
            ) from error
        except sqlite3.Error as error:
            raise UserError(
                f"{self._path}: cannot be written ({error}); nothing of this move was told."
                " Make room or repair the disk, then `tableref resume`"
            ) from error
        self._sum = lines[-1].sum
        self._lines.extend(lines)

    def note_told(self) -> None:
        """Notes that the players were told all rows. It is not synced, which outlives the process;
        after a power cut the last step may be told once more. OSError"""
        self._note(len(self._lines), self._sum)

    def _note(self, seq: int, sum: str) -> None:
        if self._told < 0:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            self._told = os.open(_told(self._path), flags, 0o600)
            self._held.callback(os.close, self._told)
        os.pwrite(self._told, f"{seq:12d} {sum}\n".encode("ascii"), 0)

    def close(self) -> None:
        """Closes the file; one that was never begun leaves nothing behind."""
        never = self._connection is None and self._found.form == FORMAT and not self._lines
        if never and self._close.alive and not self._path.exists():
            _new(self._path).unlink(missing_ok=True)
            _lock(self._path).unlink(missing_ok=True)
        self._close()

    def _renew(self, rows: int, name: str) -> Path:
        """Writes the first rows into a new file, which takes the place of the one there is; that is
        kept under a name of its own. sqlite3.Error, OSError"""
        assert self._connection is None
        number, kept = 1, self._path
        while kept.exists():
            kept = self._path.with_name(f"{self._path.stem}.{name}-{number}{self._path.suffix}")
            number += 1
        write_new(_new(self._path), self._found.head, self._lines[:rows])
        shutil.copy2(self._path, kept)
        self._rename()
        self._found = read(self._path)
        self._lines = self._found.lines
        self._sum = self._lines[-1].sum if self._lines else self._found.sum
        return kept

    def _rename(self) -> None:
        os.rename(_new(self._path), self._path)
        sync_folder(self._path.parent)


def _checked(path: Path) -> Content:
    """What a file holds that is to be written, its pages checked. UserError, sqlite3.Error"""
    with contextlib.closing(connect(path)) as connection:
        return content(path, connection, pages=True)


def _must_hold_something(path: Path) -> None:
    """UserError where there is no journal, or something that would never end when it is read."""
    if not path.exists():
        raise UserError(f"{path}: there is no journal, so no game was begun in {path.parent}")
    beside = (path.with_name(path.name + end) for end in ("-journal", "-wal"))
    for one in (path, *beside, _told(path)):
        if one.exists() and not one.is_file():
            raise UserError(
                f"{one}: it is no regular file, so none that belongs to a game; take it away, or"
                " put a good copy in its place"
            )
    if not path.stat().st_size:
        raise UserError(
            f"{path}: it is empty, no game was begun in it; remove it (rm {path}), then begin anew"
        )


def _locked(path: Path) -> FileLock:
    """The lock of a journal. UserError, naming the process that has it"""
    try:
        return FileLock(_lock(path))
    except LockHeld as held:
        raise UserError(
            f"{path.parent}: process {held.process} ({held.command}) plays this game already; end"
            f" it first. Questions may be asked meanwhile: tableref ask {path.parent} WORDS"
        ) from held
    except OSError as error:
        raise UserError(f"{_lock(path)}: cannot be written ({error.strerror})") from error


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _lock(path: Path) -> Path:
    return path.with_suffix(".lock")


def _told(path: Path) -> Path:
    return path.with_suffix(".told")


def _to_terminal(text: str) -> None:
    print(f"tableref: {text}", file=sys.stderr, flush=True)


def _boot_id() -> str:
    """Tells one start of the machine from another; monotonic times compare only within one."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return "unknown"
