"""Words of a command line, read before anything starts: games, numbers, options, files to write."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tableref.errors import UserError
from tableref.referee.games import GAMES, USUAL, named
from tableref.rulebook.faulty import in_language
from tableref.rulebook.naming import candidates
from tableref.rules.surface import RulesError
from tableref_hardware import board_names
from tableref_hardware.dice import LARGEST, SMALLEST
from tableref_hardware.files import FileError, parse_json, shown

if TYPE_CHECKING:
    from tableref.rules.defaults import TableGame


@contextlib.contextmanager
def told_in(lang: str) -> Iterator[None]:
    """What is amiss within is raised in this language. UserError"""
    try:
        yield
    except UserError as error:
        raise UserError(in_language(str(error), lang)) from error


def game(text: str, games: Collection[str] = GAMES) -> str:
    """A game, typed in any of the usual ways; for `add_argument(type=...)`."""
    try:
        return named(text, games)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def board(text: str) -> str:
    """A board: a file as it is, or the name of a game typed in any of the usual ways."""
    names = board_names()
    # What is no board at all is told by whoever loads it.
    return text if text.endswith(".toml") or not candidates(text, names) else game(text, names)


def board_help(otherwise: str = USUAL) -> str:
    """What may be said for a board, and what it is where nothing is said."""
    return f"a board's name ({', '.join(board_names())}) or a .toml file (default: {otherwise})"


def board_argument(parser: argparse.ArgumentParser) -> None:
    """`--board`, for commands that cannot do without one."""
    parser.add_argument("--board", type=board, default=USUAL, help=board_help())


def port_argument(parser: argparse.ArgumentParser) -> None:
    """`--port`, the cable to the board."""
    from tableref.devices.link import AUTO

    parser.add_argument(
        "--port", default=AUTO, help="the board's serial device, auto (default) or virtual"
    )


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from `least`, 0 or more, to `most`."""

    def read(text: str) -> int:
        plain = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
        if plain and least <= (number := int(text)) <= most:
            return number
        raise argparse.ArgumentTypeError(
            f"expected a whole number, {least} to {most}, found {shown(text)}"
        )

    return read


def number(least: float, most: float) -> Callable[[str], float]:
    """Reads a number from `least` to `most`."""

    def read(text: str) -> float:
        with contextlib.suppress(ValueError):
            if least <= (found := float(text)) <= most:
                return found
        raise argparse.ArgumentTypeError(
            f"expected a number, {least:g} to {most:g}, found {shown(text)}"
        )

    return read


def die_argument(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """`--die`, how large dice are in mm; `otherwise` says where that comes from without."""
    parser.add_argument(
        "--die",
        type=number(SMALLEST, LARGEST),
        metavar="MM",
        help=f"edge of the dice, {SMALLEST:g} to {LARGEST:g} (default: {otherwise})",
    )


def setup_argument(parser: argparse._ActionsContainer, otherwise: str = "") -> None:
    """`--setup`, an option of the game as often as wanted; `otherwise`: what holds without it."""
    parser.add_argument(
        "--setup",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help=f"an option of the game, such as players=4{otherwise}",
    )


def setup_of(
    told: Sequence[str], rules: TableGame[Any], usual: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Any]:
    """The set-up of `--setup`: the usual one, but for what was told. UserError, also where the
    rules do not let it begin so."""
    setup = {**usual, **options(told, "--setup")}
    try:
        rules.start(setup)
    except RulesError as error:
        raise UserError(f"--setup: {error}") from error
    return setup


SEED = whole(0, 2**32 - 1)


def options(words: Sequence[str], flag: str) -> dict[str, Any]:
    """Options of a game from `key=value`: numbers, true and false, JSON, else texts. UserError"""
    told: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise UserError(f"{flag} {word}: expected OPTION=VALUE, such as players=4")
        if key in told:
            raise UserError(f"{flag} {word}: {key} is said twice")
        told[key] = value
        with contextlib.suppress(FileError):  # then it is a text
            told[key] = parse_json(value, flag)
    return told


def writable(path: Path | str | None) -> None:
    """UserError where this file cannot be written later; what stands in it is left as it is."""
    if path is None:
        return
    try:
        there = os.path.lexists(path)
        with open(path, "ab"):
            pass
        if not there:
            os.unlink(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: cannot be written: {reason}; name another file") from error
