"""`tableref rules GAME [ID]`: the paragraphs of a game in the terminal, or on one page to print."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from tableref.errors import UserError
from tableref.printing.paper import PAPERS
from tableref.referee.games import load_game
from tableref.rulebook import Rulebook, UnknownParagraph
from tableref.rulebook.examples import example, told
from tableref.rulebook.render import plain
from tableref.rulebook.text import GAMES, LANGUAGES, TextError, typed_id
from tableref.rules.records import RecordError
from tableref_hardware import load_board

_WIDEST = 80


def arguments(parser: argparse.ArgumentParser) -> None:
    """Game, paragraph, language."""
    parser.add_argument("game", metavar="GAME", help=", ".join(GAMES.values()))
    parser.add_argument("id", metavar="ID", nargs="?", help="one paragraph: AS-4.5, 'as 4.5', 4.5")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language (en)")
    parser.add_argument("--pdf", action="store_true", help="a quick reference of one page instead")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="of the PDF (a4)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the PDF; default: tableref-GAME-LANG.pdf, here"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one paragraph, or all of the game."""
    book = Rulebook(args.lang)
    if args.pdf:
        return _print(args, book)
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    try:
        ids = book.ids(args.game) if args.id is None else (_id(args.game, args.id),)
        print("\n\n".join(plain(book, book.paragraph(id), width, _told(book, id)) for id in ids))
    except (UnknownParagraph, TextError, RecordError) as error:
        raise UserError(str(error)) from error
    return 0


def _print(args: argparse.Namespace, book: Rulebook) -> int:
    """Writes the quick reference of a game."""
    from tableref.printing.quick import print_quick

    if args.id is not None:
        raise UserError("rules: --pdf prints a game, not one paragraph; leave the paragraph out")
    game = load_game(args.game)
    path = args.out or Path(f"tableref-{args.game}-{args.lang}.pdf")
    print_quick(load_board(args.game), game, book, args.paper).write(path)
    print(f"{path}: 1 page {args.paper}.")
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
