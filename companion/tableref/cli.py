"""The `tableref` command: a table of subcommands, each module imported only when it is called.

Exit codes: 0 done; 1 the thing checked is not right; 2 the command or a file cannot be used; 70 a
fault of Tableref itself, with a report in a file.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from tableref import __version__
from tableref.errors import UserError
from tableref.faults import EXIT_CODE, open_streams, report


class Command(NamedTuple):
    """One subcommand: `tableref.commands.<module>` has `arguments(parser)` and `run(args)`."""

    name: str
    help: str
    module: str


COMMANDS = (
    Command("see", "read boards off pictures", "see"),
    Command("dice", "whether this table reads its own dice", "dice"),
    Command("check", "replay records and compare with what they expect", "check"),
    Command("demo", "a whole game on a virtual table, refereed", "demo"),
    Command("referee", "watch a table and referee the game on it", "referee"),
    Command("serve", "the table as an appliance: a menu on the display, five buttons", "serve"),
    Command("hub", "many tables at one desk: a scoreboard, calls for a judge, results", "hub"),
    Command("resume", "go on with a game after the power went", "resume"),
    Command("record", "referee, and write every input to a file", "record"),
    Command("replay", "play a recording of inputs again", "replay"),
    Command("print", "tags, boards and sheets to print in true size", "print_"),
    Command("calibrate", "measure a camera's lens with the printed sheet", "calibrate"),
    Command("board", "the board under the table: its switches, lights and link", "board"),
    Command("teach", "which switch is under which cell, on a board wired another way", "teach"),
    Command("backup", "games, configuration and calibration of this table in one file", "backup"),
    Command("restore", "bring back what a backup holds", "restore"),
    Command("update", "another version of Tableref on this table, and back again", "update"),
    Command("doctor", "what is wrong with this computer and its devices, and the cure", "doctor"),
    Command("parts", "what to buy for a table, counted", "parts"),
    Command("panel", "try out screen, buttons, status light and buzzer", "panel"),
    Command("journal", "games that were played: in words, as a page, a record, a sheet", "journal"),
    Command("ask", "a question about the game on the table", "ask"),
    Command("states", "the state after every step of a record, as JSON", "states"),
    Command("play", "a game in the terminal, with or against random players", "play"),
    Command("rules", "the paragraphs of a game", "rules_"),
    Command("lookup", "which paragraph answers a question in your own words", "lookup"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. Trouble with input is one line, no traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tableref_vision says why
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without all letters still gets words
            stream.reconfigure(errors="replace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except UserError as error:
        return _told(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is left to say it to.
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        return _told(f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception as error:
        _drop_output()
        return _told(report(error, arguments), EXIT_CODE)
    return code


def _told(text: str, code: int = 2) -> int:
    """Says what is wrong on one line, whatever names and values have put into it; the code."""
    with contextlib.suppress(OSError):  # nobody may be there to hear it
        print(f"tableref: {' '.join(text.split())}", file=sys.stderr, flush=True)
    return code


class Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong with a command line.

    What stands behind `--` is taken as it is, also where it begins with a dash, whatever stands
    before it: such words carry a mark through argparse, one that no word can begin with.
    """

    mark = "\0"

    def error(self, message: str) -> NoReturn:
        """UserError"""
        text = message.replace(self.mark, "").replace("\\x00", "")
        raise UserError(f"{text} (`{self.prog} --help` says more)")

    def read(self, words: list[str], intermixed: bool) -> argparse.Namespace:
        """The arguments in these words; with `intermixed` options may stand between others."""
        at = words.index("--") if "--" in words else len(words)
        protected = [self.mark + word if word.startswith("-") else word for word in words[at + 1 :]]
        parse = self.parse_intermixed_args if intermixed else self.parse_args
        found = parse([*words[:at], *protected])
        for name, value in vars(found).items():
            setattr(found, name, self._bare(value))
        return found

    def _bare(self, value: object) -> object:
        if isinstance(value, list):
            return [self._bare(each) for each in value]
        if isinstance(value, str):
            return value.removeprefix(self.mark)
        return Path(str(value).removeprefix(self.mark)) if isinstance(value, Path) else value


def _run(arguments: list[str]) -> int:
    parser = Parser(
        prog="tableref",
        description="Referees physical table games: watches the board, judges every move.",
    )
    parser.add_argument("--version", action="version", version=f"tableref {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in COMMANDS:
        subparsers.add_parser(command.name, help=command.help, add_help=False)
    # All that follows the command's name is its own.
    at = next((i for i, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    called = parser.parse_args(arguments[: at + 1]).command
    if called is None:
        parser.print_help()
        return 0
    command = next(command for command in COMMANDS if command.name == called)
    module = importlib.import_module(f"tableref.commands.{command.module}")
    own = Parser(prog=f"tableref {called}", description=command.help)
    module.arguments(own)
    # Options may stand between words, where the command has no subcommands of its own.
    tasks = getattr(module, "HAS_TASKS", False)
    return int(module.run(own.read(arguments[at + 1 :], intermixed=not tasks)))


def _drop_output() -> None:
    """Let the interpreter's last flush at exit go nowhere: it would fail once more."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
