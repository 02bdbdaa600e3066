"""The games that the referee knows: rules by name, each on its board file, imported on demand."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import Any, NamedTuple

from tableref.errors import UserError
from tableref.rulebook.naming import candidates
from tableref.rules.defaults import TableGame
from tableref.rules.surface import SetupError
from tableref_hardware import Board, BoardFileError, load_board
from tableref_hardware.files import shown


class Entry(NamedTuple):
    """Where the rules of a game are: `module.game_class(module.layout_class(board data))`."""

    module: str
    game_class: str
    layout_class: str


GAMES = {
    "autoscooter": Entry("tableref.rules.autoscooter", "Autoscooter", "Layout"),
    "scorpion": Entry("tableref.rules.scorpion", "Scorpion", "layout_from"),
    "arrows-and-stars": Entry("tableref.rules.arrows_and_stars", "ArrowsAndStars", "layout_from"),
    "squod": Entry("tableref.rules.squod", "SquodGame", "layout_from"),
    "skorpion-deep": Entry("tableref.rules.skorpion_deep", "SkorpionDeep", "layout_from"),
}

USUAL = next(iter(GAMES))
"""The game whose board is meant where nobody says which."""


def named(typed: str, games: Collection[str] = GAMES) -> str:
    """The one of these games that was typed in any of the usual ways (`Skorpion Deep`, `deep`,
    `SD`). UserError names those that it may be, or all."""
    found = (typed,) if typed in games else candidates(typed, games)
    if len(found) == 1:
        return found[0]
    if found:
        *others, last = map(str, found)
        raise UserError(
            f"{shown(typed)} may be {', '.join(others)} or {last}; write a letter or a word more"
        )
    raise UserError(f"there is no game {shown(typed)}; there are {', '.join(games)}")


def load_game(name: str, board: Board | None = None) -> TableGame[Any]:
    """The rules of a game, on this board or the one that ships. UserError says what is wrong."""
    name = named(name)
    if board is not None and board.game != name:
        raise UserError(f"{board.source}: is a board of {shown(board.game)}, not of {name}")
    entry = GAMES[name]
    module = importlib.import_module(entry.module)
    try:
        data = (board or load_board(name)).data
        game: TableGame[Any] = getattr(module, entry.game_class)(
            getattr(module, entry.layout_class)(data)
        )
    except (BoardFileError, SetupError) as error:
        raise UserError(f"board of {name}: {error}") from error
    return game
