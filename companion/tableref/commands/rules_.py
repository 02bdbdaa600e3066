"""`tableref rules GAME [ID]`: the paragraphs of a game in the terminal."""

from __future__ import annotations

import argparse
import shutil

from tableref.errors import UserError
from tableref.referee.games import load_game
from tableref.rulebook import Rulebook, UnknownParagraph
from tableref.rulebook.examples import example, told
from tableref.rulebook.render import plain
from tableref.rulebook.text import GAMES, LANGUAGES, TextError, typed_id
from tableref.rules.records import RecordError

_WIDEST = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    """Game, paragraph, language."""
    parser.add_argument("game", metavar="GAME", help=", ".join(GAMES.values()))
    parser.add_argument("id", metavar="ID", nargs="?", help="one paragraph: AS-4.5, 'as 4.5', 4.5")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language (en)")


def run(args: argparse.Namespace) -> int:
    """Prints one paragraph, or all of the game."""
    book = Rulebook(args.lang)
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    try:
        ids = book.ids(args.game) if args.id is None else (_id(args.game, args.id),)
        print("\n\n".join(plain(book, book.paragraph(id), width, _told(book, id)) for id in ids))
    except (UnknownParagraph, TextError, RecordError) as error:
        raise UserError(str(error)) from error
    return 0


def _told(book: Rulebook, id: str) -> list[str]:
    """What happens in the example of a paragraph."""
    record = example(id)
    return [] if record is None else list(told(book, load_game(record["game"]), record))


def _id(game: str, typed: str) -> str:
    letters = {name: key for key, name in GAMES.items()}
    if game not in letters:
        raise UnknownParagraph(f"no game {game!r}; there are {', '.join(letters)}")
    id = typed_id(typed) or typed_id(f"{letters[game]}-{typed}")
    if id is None:
        raise UserError(f"{typed!r} is no id of a paragraph; they look like {letters[game]}-1.1")
    return id
