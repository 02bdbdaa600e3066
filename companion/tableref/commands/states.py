"""`tableref states`: the state after every step of a record, one line of JSON each."""

from __future__ import annotations

import argparse
import json

from tableref.commands import words
from tableref.commands.check import game_of, load_record, one_line
from tableref.errors import UserError
from tableref.rules.log import House
from tableref.rules.records import replay
from tableref.rules.surface import RulesError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref states`."""
    parser.add_argument("file", metavar="FILE", help="a record (table-record/1)")
    parser.add_argument(
        "--board", type=words.board, help="a board file to play on instead of the one that ships"
    )


def run(args: argparse.Namespace) -> int:
    """A line a step: the state in the keys of `expect`, or what refused an attempt."""
    try:
        record = load_record(args.file)
        house = House(game_of(record, args.board))
        for step in replay(house.game, record):
            told = house.facts(step.table)
            if step.refused is not None:
                told = {"refused": list(step.refused)}
            print(json.dumps(told, ensure_ascii=False))
    except (RulesError, UserError) as error:
        raise UserError(one_line(f"{args.file}: {error}")) from error
    return 0
