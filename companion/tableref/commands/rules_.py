"""`tableref rules [GAME] [ID]`: paragraphs in the terminal, or a page to print."""

from __future__ import annotations

import argparse
import re
import shutil
from itertools import zip_longest
from pathlib import Path

from tableref.commands import words
from tableref.errors import UserError
from tableref.printing.paper import PAPERS
from tableref.referee.games import load_game, named
from tableref.referee.textboard import drawn
from tableref.rulebook import Rulebook, UnknownParagraph
from tableref.rulebook.examples import example, told
from tableref.rulebook.render import INDENT, plain
from tableref.rulebook.text import GAMES, LANGUAGES, TextError, typed_id
from tableref.rules.records import RecordError
from tableref_hardware import load_board

_ALONE = re.compile(r"([a-z]{2})[- ]?[0-9].*", re.IGNORECASE)
"""An id that stands without its game."""
_WIDEST = 80
_MOST_TOLD = 10
"""Sentences of an example that are shown."""
_THEN = "   >   "
"""Between what stood on the board before and after."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Game, paragraph, language."""
    parser.add_argument(
        "game", metavar="GAME", help=f"{', '.join(GAMES.values())}; not needed with HR-2.1"
    )
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="one paragraph, HR-2.1, 'hr 2.1', 2.1; a part: 2"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language (en)")
    parser.add_argument("--pdf", action="store_true", help="a quick reference of one page instead")
    parser.add_argument("--paper", choices=PAPERS, help="of the PDF (a4)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="the PDF; default: tableref-GAME-LANG.pdf, here"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one paragraph, or all of the game."""
    if not args.pdf and (args.out or args.paper):
        raise UserError("rules: --out and --paper are of the PDF; say --pdf too, or leave them out")
    book = Rulebook(args.lang)
    if args.id is None and (alone := _ALONE.fullmatch(args.game)):
        args.id, args.game = args.game, GAMES.get(alone[1].upper(), args.game)
    args.game = named(args.game, GAMES.values())
    if args.pdf:
        return _print(args, book)
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    try:
        ids = book.ids(args.game) if args.id is None else _ids(book, args.game, args.id)
        print("\n\n".join(_shown(book, id, width, drawing=len(ids) == 1) for id in ids))
    except (UnknownParagraph, TextError, RecordError) as error:
        raise UserError(str(error)) from error
    return 0


def _print(args: argparse.Namespace, book: Rulebook) -> int:
    """Writes the quick reference of a game."""
    from tableref.printing.quick import print_quick

    if args.id is not None:
        raise UserError("rules: --pdf prints a game, not one paragraph; leave the paragraph out")
    game = load_game(args.game)
    path, paper = args.out or Path(f"tableref-{args.game}-{args.lang}.pdf"), args.paper or "a4"
    words.writable(path)
    print_quick(load_board(args.game), game, book, paper).write(path)
    print(f"{path}: 1 page {paper}.")
    return 0


def _shown(book: Rulebook, id: str, width: int, drawing: bool) -> str:
    """A paragraph with what happens in its example, and where: the whole board if nowhere."""
    record = example(id)
    if record is None:
        return plain(book, book.paragraph(id), width)
    story = told(book, load_game(record["game"]), record)
    sentences = story.sentences
    if len(sentences) > _MOST_TOLD:
        sentences = ("...", *sentences[1 - _MOST_TOLD :])  # how it ends is what matters
    lines = [plain(book, book.paragraph(id), width, sentences)]
    if drawing:
        board = load_board(record["game"])
        before = drawn(board, story.before, story.cells)
        after = drawn(board, story.after, story.cells) if story.after != story.before else []
        lines += ["", *(f"{INDENT}{line}".rstrip() for line in _beside(before, after, width))]
    return "\n".join(lines)


def _beside(before: list[str], after: list[str], width: int) -> list[str]:
    """Two drawings, the second to the right of the first where there is room, else below it."""
    if not after:
        return before
    left, right = max(map(len, before)), max(map(len, after))
    if left + len(_THEN) + right + len(INDENT) > width:
        return [*before, "", *after]
    middle = min(len(before), len(after)) // 2
    return [
        f"{one:{left}}{_THEN if number == middle else ' ' * len(_THEN)}{other}".rstrip()
        for number, (one, other) in enumerate(zip_longest(before, after, fillvalue=""))
    ]


def _ids(book: Rulebook, game: str, typed: str) -> tuple[str, ...]:
    """One paragraph, or those of a part of the game."""
    letters = {name: key for key, name in GAMES.items()}
    if game not in letters:
        raise UnknownParagraph(f"no game {game!r}; there are {', '.join(letters)}")
    part = re.fullmatch(r"(?:[a-z]{2}[- ]?)?([0-9]+)", typed, re.IGNORECASE)
    begin = f"{letters[game]}-{part[1]}." if part else ""
    if begin and (ids := tuple(id for id in book.ids(game) if id.startswith(begin))):
        return ids
    id = typed_id(typed) or typed_id(f"{letters[game]}-{typed}")
    if id is None:
        raise UserError(f"{typed!r} is no id of a paragraph; they look like {letters[game]}-1.1")
    return (id,)
