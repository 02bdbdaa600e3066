"""`tableref check`: replays records and says where the rules disagree with them."""

from __future__ import annotations

import argparse
from typing import Any

from tableref.commands import words
from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.rules.records import as_record, replay
from tableref.rules.surface import Game, RulesError
from tableref.rules.versions import as_of, made_under
from tableref_hardware import BoardFileError, load_board
from tableref_hardware.files import FileError, read_json


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref check`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="records (table-record/1)")
    parser.add_argument(
        "--board", type=words.board, help="a board file to play on instead of the one that ships"
    )
    parser.add_argument(
        "--as-of",
        metavar="VERSION",
        help="replay by the reading of this version of the rules, where it is kept",
    )


def run(args: argparse.Namespace) -> int:
    """One line a file; exit code 1 where any differs or cannot be read."""
    wrong = 0
    for name in args.files:
        verdict = check(name, args.board, args.as_of)
        print(one_line(f"{name}: {verdict or 'ok'}"))
        wrong += bool(verdict)
    return 1 if wrong else 0


def check(name: str, board: str | None = None, version: str | None = None) -> str:
    """The first mismatch of a record, or an empty text."""
    try:
        record = load_record(name)
        game = game_of(record, board)
        wrong = mismatch(game, as_of(game, record, version) if version else record)
    except (UserError, RulesError) as error:
        return str(error)
    return wrong and wrong + ("" if version else made_under(game, record))


def mismatch(game: Game[Any], record: Any) -> str:
    """The first step that differs from what it expects or cannot be played, or an empty text."""
    try:
        for step in replay(game, record):
            if step.mismatch:
                return f"step {step.number}: {step.mismatch}"
    except RulesError as error:
        return str(error)
    return ""


def load_record(name: str) -> dict[str, Any]:
    """A record file. UserError or RulesError says what is wrong with it."""
    try:
        return as_record(read_json(name))
    except FileError as error:
        raise UserError(str(error).removeprefix(f"{name}: ")) from error


def game_of(record: dict[str, Any], board: str | None = None) -> Game[Any]:
    """The rules that a record is played by. UserError where there are none."""
    try:
        return load_game(record["game"], load_board(board) if board else None)
    except BoardFileError as error:
        raise UserError(str(error)) from error


def one_line(text: str) -> str:
    """The text on one line that every terminal can print, whatever a file has put into it."""
    return " ".join(text.split()).encode("utf-8", "backslashreplace").decode()
