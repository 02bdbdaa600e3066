"""`tableref play GAME`: a game in the terminal, by people, or against the program."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from tableref.commands import words
from tableref.commands.play.saved import load_saved
from tableref.commands.play.screen import Screen
from tableref.commands.play.session import COMPUTER, RANDOM, Play
from tableref.commands.terminal import typed
from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.rulebook.text import LANGUAGES
from tableref.rules.log import House
from tableref.rules.opponent import Dealt
from tableref.rules.surface import RulesError
from tableref_hardware import BoardFileError, load_board


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref play`."""
    parser.add_argument("game", metavar="GAME", type=words.game, help="which game")
    for flag, what in (
        ("computer", "the last N players are played by the program, modestly but to win"),
        ("random", "the last N players play at random"),
    ):
        parser.add_argument(f"--{flag}", type=words.whole(0, 99), default=0, metavar="N", help=what)
    parser.add_argument("--seed", type=words.SEED, help="of the program's choices and of dice")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an option of the set-up, such as players=3; may be given again",
    )
    parser.add_argument(
        "--board", type=words.board, help="a board file to play on instead of the one that ships"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language (en)")
    parser.add_argument("--load", metavar="FILE", help="a saved game to go on with")
    parser.add_argument("--save", metavar="FILE", help="where to write the record at the end")


def run(args: argparse.Namespace) -> int:
    """Plays until `quit` or the end of the input."""
    words.writable(args.save)
    try:
        board = load_board(args.board or args.game)
    except BoardFileError as error:
        raise UserError(str(error)) from error
    game = load_game(args.game, board)
    house = House(game)
    setup = words.options(args.set, "--set")
    if args.load and setup:
        raise UserError("--load: a saved game has its own set-up; leave --set out")
    rng = random.Random(args.seed)
    try:
        if isinstance(house.game, Dealt) and not args.load:
            setup = house.game.dealt(setup, rng)
        table = house.start(setup)
    except RulesError as error:
        raise UserError(str(error)) from error
    play = Play(house, setup, table, rng, Screen(board, game, args.lang))
    if args.load:
        play.take_up(load_saved(house, args.load), args.load)
    players = len(house.game.players(play.table.state))
    for flag in ("computer", "random"):
        if not 0 <= getattr(args, flag) <= players:
            raise UserError(f"--{flag}: expected 0 to {players}, found {getattr(args, flag)}")
    if args.computer + args.random > players:
        raise UserError(f"--computer, --random: together at most {players}")
    people = players - args.computer - args.random
    for player in range(people, players):
        play.machines[player] = COMPUTER if player < people + args.computer else RANDOM
    play.go(_lines(), args.save)
    return 0


def _lines() -> Iterator[str]:
    """Lines of the standard input, each asked for by a prompt."""
    lines = typed()
    while True:
        print("> ", end="", flush=True)
        line = lines.readline()
        if not line:
            print()
            return
        yield line
