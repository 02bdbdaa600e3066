"""`tableref ask FOLDER WORDS`: questions about the game in a folder, or about its rules."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from tableref.errors import UserError
from tableref.referee.questions import KINDS, Asked, Positions
from tableref.referee.resuming import viewed_evening
from tableref.rulebook.text import LANGUAGES
from tableref.rules.surface import RulesError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref ask`."""
    parser.add_argument("folder", metavar="FOLDER", help="the --out folder of the game")
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what if red plays K?")
    parser.add_argument("--kind", choices=KINDS, help="the kind of question, instead of words")
    parser.add_argument("--piece", default="", help="with --kind: the piece it is about")
    parser.add_argument("--action", default="", help="with --kind what-if: a letter or an action")
    parser.add_argument("--lang", choices=LANGUAGES, help="language; the game's own by default")


_MOST = 400
"""Characters of a question; what is longer is none about the position."""


def run(args: argparse.Namespace) -> int:
    """Answers about the position; what is none about it goes to the look-up."""
    words = " ".join(args.words).strip()
    if not args.kind and not words:
        raise UserError("ask something, or say --kind")
    if args.kind and words:
        raise UserError("ask: say either words or --kind")
    if not args.kind and (args.piece or args.action):
        raise UserError("ask: --piece and --action belong to --kind; or ask it in words")
    if args.kind == "what-if" and not args.piece:
        raise UserError("ask: --kind what-if needs the --piece that it is about")
    evening = viewed_evening(Path(args.folder))
    lang = args.lang or evening.head["lang"]
    with contextlib.closing(evening.journal):
        positions = Positions(
            evening.referee.game, evening.state.table.state, evening.journal.rows(), lang
        )
    if args.kind:
        asked: Asked | None = Asked(args.kind, args.piece, args.action)
    else:
        asked = positions.understand(words[:_MOST])
    if asked is None:
        return _look_up(words, evening.head["game"], lang)
    try:
        print("\n".join(positions.answer(asked)))
    except RulesError as error:
        raise UserError(str(error)) from error
    return 0


def _look_up(words: str, game: str, lang: str) -> int:
    """The paragraphs that answer a question about the rules."""
    from tableref.commands import lookup

    parser = argparse.ArgumentParser()
    lookup.arguments(parser)
    return lookup.run(parser.parse_args(["--game", game, "--lang", lang, "--", words]))
