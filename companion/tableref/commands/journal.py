"""`tableref journal FOLDER`: games that were played; one of them in words, or as a file."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tableref.errors import UserError
from tableref.referee.album import Album
from tableref.referee.chronicle import Chronicle, Entry
from tableref.referee.evening import JOURNAL
from tableref.referee.exporting import record_of, score_sheet
from tableref.referee.page import Head, labels, moment, page
from tableref.referee.resuming import Readable, readable_evening
from tableref.referee.standing import StandingWords, standing
from tableref.rulebook import Rulebook
from tableref.rulebook.text import LANGUAGES

MOST = 1000
"""Games that are listed."""
DEPTH = 4
"""Folders below the one that is named in which games are looked for."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref journal`."""
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", default=".", help="of a game, or of several"
    )
    parser.add_argument("--html", metavar="FILE", help="one page with pictures and rulings")
    parser.add_argument("--record", metavar="FILE", help="the game as a record, table-record/1")
    parser.add_argument("--csv", metavar="FILE", help="the score sheet")
    parser.add_argument("--lang", choices=LANGUAGES, help="language; the game's own by default")
    parser.add_argument(
        "--delete-pictures", action="store_true", help="delete the pictures that were kept"
    )
    parser.add_argument(
        "--delete-names", action="store_true", help="call the players player 1, player 2, ..."
    )


def run(args: argparse.Namespace) -> int:
    """What was asked for; without more the game in words, or the games below the folder."""
    folder = Path(args.folder)
    deletes = args.delete_pictures or args.delete_names
    exports = args.html or args.record or args.csv
    if deletes and exports:
        raise UserError("journal: first export, then delete; say one of them at a time")
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder")
    if not (folder / JOURNAL).exists():
        if deletes or exports:
            raise UserError(f"{folder}: there is no game in it; name the folder of one")
        return _list(folder, args.lang)
    if deletes:
        return _delete(folder, args)
    found = readable_evening(folder)
    with contextlib.closing(found.evening.journal):
        lang = args.lang or found.evening.head["lang"]
        if args.record:
            record = record_of(found.evening, found.rows)
            text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
            _write(args.record, [text])
        if args.csv:
            stream = io.StringIO()
            csv.writer(stream, lineterminator="\n").writerows(
                score_sheet(found.evening, found.rows, lang)
            )
            _write(args.csv, [stream.getvalue()])
        if args.html:
            head = Head(
                found.evening.head["game"],
                found.evening.referee.game.players(found.evening.state.table.state),
                tuple(_stands(found, lang)),
                _warnings(found, folder),
            )
            _write(args.html, page(head, _entries(found, lang), Album(folder), lang))
        if not exports:
            for line in _told(found, folder, lang):
                print(line)
    return 1 if found.damage and not exports else 0


# -- one game in words ----------------------------------------------------------------------------


def _told(found: Readable, folder: Path, lang: str) -> Iterator[str]:
    words, marks = labels(lang), {"refusal": "!", "question": "?", "round": "="}
    yield from _stands(found, lang)
    day = ""
    for entry in _entries(found, lang):
        when = moment(entry.wall)
        if when is not None and (date := f"{when:%Y-%m-%d}") != day:
            day = date
            yield f"\n{day}"
        clock = f"{when:%H:%M}" if when else "     "
        for item in entry.items:
            for said in item.said:
                paragraph = f" ({said.paragraph})" if said.paragraph else ""
                mark = marks.get(item.kind, " ")
                yield f"{clock} {item.number:5} {mark} {said.text}{paragraph}"
            if item.more:
                label = words["back"] if item.kind == "refusal" else words["answers"]
                yield f"{'':13} {label}"
            yield from (f"{'':15} {line}" for line in item.more)
    for warning in _warnings(found, folder):
        yield f"\n{warning}"


def _entries(found: Readable, lang: str) -> Iterator[Entry]:
    evening = found.evening
    lines = list(evening.journal.lines())[: found.rows]
    names = evening.referee.game.players(evening.state.table.state)
    return Chronicle(evening.referee, lang, names).entries(lines)


def _stands(found: Readable, lang: str) -> list[str]:
    evening = found.evening
    game, rows = evening.referee.game, list(evening.journal.rows())[: found.rows]
    words = StandingWords(game, evening.board, lang)
    return words.all(standing(game, evening.state, rows))


def _warnings(found: Readable, folder: Path) -> tuple[str, ...]:
    if found.damage is None:
        return ()
    where = f"at row {found.damage.row}" if found.damage.row else "at its head"
    return (
        f"The journal is damaged {where}: {found.damage.why}. All up to row {found.rows} is told;"
        f" `tableref resume {folder} --repair` goes on from there.",
    )


# -- several games --------------------------------------------------------------------------------


def _list(folder: Path, lang: str | None) -> int:
    """A line a game."""
    count = 0
    for where in _games(folder):
        count += 1
        if count > MOST:
            print(f"... and more; name a folder below {folder}")
            break
        try:
            print(f"{where}: {_line(where, lang)}")
        except UserError as error:
            print(str(error))
    if not count:
        raise UserError(f"{folder}: there is no game in it nor in the folders below")
    return 0


def _games(folder: Path) -> Iterator[Path]:
    depth = len(folder.parts)
    for where, folders, files in os.walk(folder):
        folders.sort()
        if len(Path(where).parts) - depth >= DEPTH:
            folders.clear()
        if JOURNAL in files:
            yield Path(where)


def _line(folder: Path, lang: str | None) -> str:
    found = readable_evening(folder)
    with contextlib.closing(found.evening.journal):
        evening, lang = found.evening, lang or found.evening.head["lang"]
        game, rows = evening.referee.game, list(evening.journal.rows())[: found.rows]
        book, words = Rulebook(lang), StandingWords(game, evening.board, lang)
        stands = standing(game, evening.state, rows)
        first = next(evening.journal.lines(), None)
        when = moment(first.wall) if first else None
        told = [f"{when:%Y-%m-%d %H:%M}"] if when else []
        told.append(", ".join(book.value(name, name=True) for name in stands.players))
        told += [line.rstrip(".") for line in words.game(stands)]
        if found.damage is not None:
            told.append(f"damaged, good up to row {found.rows}")
        return "; ".join(told)


# -- files and deleting ---------------------------------------------------------------------------


def _write(name: str, pieces: Iterable[str]) -> None:
    """A file that only its owner may read, for it tells who played; `-` is the terminal. UserError
    where there is one of that name."""
    if name == "-":
        for piece in pieces:
            sys.stdout.write(piece)
        return
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o600)
    except FileExistsError as error:
        raise UserError(f"{name}: it is there already, and stays; name another file") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{name}: cannot be written: {reason}") from error
    try:
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            for piece in pieces:
                file.write(piece)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            raise UserError(f"{name}: cannot be written: {error.strerror}") from error
        raise


def _lang_of(folder: Path) -> str:
    """The game's language; of a journal that cannot be read English, for what lies beside it can
    be deleted all the same."""
    try:
        found = readable_evening(folder)
    except UserError:
        return LANGUAGES[0]
    with contextlib.closing(found.evening.journal):
        lang: str = found.evening.head["lang"]
        return lang


def _delete(folder: Path, args: argparse.Namespace) -> int:
    words = labels(args.lang or _lang_of(folder))
    if args.delete_pictures:
        try:
            count = Album(folder).delete()
        except OSError as error:
            raise UserError(f"{error.filename}: cannot be deleted: {error.strerror}") from error
        print(words["pictures-deleted"].format(folder=folder, count=count))
    if args.delete_names:
        from tableref.referee.forgetting import forget_names

        gone = forget_names(folder)
        print(words["names-deleted"].format(folder=folder, count=len(gone)))
    return 0
