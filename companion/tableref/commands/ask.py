"""`tableref ask FOLDER WORDS`: questions about the game in a folder, or about its rules."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from tableref.errors import UserError
from tableref.referee.evening import Evening
from tableref.referee.questions import KINDS, Positions, Understood, spoken, understood
from tableref.referee.resuming import viewed_evening
from tableref.rulebook.asking import Heard
from tableref.rulebook.text import LANGUAGES
from tableref.rules.surface import RulesError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref ask`."""
    parser.add_argument("folder", metavar="FOLDER", help="the --out folder of the game")
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what if red plays K?")
    parser.add_argument("--kind", choices=KINDS, help="the kind of question, instead of words")
    parser.add_argument("--piece", default="", help="with --kind: the piece it is about")
    parser.add_argument("--cell", default="", help="with --kind: the cell it is about")
    parser.add_argument("--action", default="", help="with --kind what-if: a letter or an action")
    parser.add_argument(
        "--picture", metavar="FILE", help="the board as noted, with where may be gone (PNG)"
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: that of the words)")


_MOST = 400
"""Characters of a question; what is longer is none about the state."""


def run(args: argparse.Namespace) -> int:
    """Answers about the state of the game; what is none about it goes to the look-up."""
    words = " ".join(args.words).strip()
    if not args.kind and not words:
        raise UserError("ask something, or say --kind")
    if args.kind and words:
        raise UserError("ask: say either words or --kind")
    if not args.kind and (args.piece or args.action or args.cell):
        raise UserError("ask: --piece, --cell and --action belong to --kind; or ask it in words")
    if args.kind == "what-if" and not (args.piece or args.action):
        raise UserError("ask: --kind what-if needs the --piece or the --action that it is about")
    if args.kind == "can" and not args.cell:
        raise UserError("ask: --kind can needs the --cell that it is about")
    evening = viewed_evening(Path(args.folder))
    own = args.lang or evening.head["lang"]
    with contextlib.closing(evening.journal):
        game, rows = evening.referee.game, list(evening.journal.rows())
        people = game.players(evening.state.table.state)
        named = spoken(game, evening.board.cells, people)
        asked: Understood | None
        if args.kind:
            letter = args.action if len(args.action) == 1 else ""
            cells = (args.cell,) if args.cell else ()
            asked = Understood(Heard(args.kind, args.piece, "", 0, cells, letter), own)
        else:
            asked = understood(words[:_MOST], named, own, only=bool(args.lang))
        positions = Positions(
            game, evening.board, evening.state, rows, asked.lang if asked else own
        )
        action = args.action if len(args.action) > 1 else words
        told = positions.what_if(action) if action and (asked is None or args.action) else None
        if told is None and asked is None:
            return _look_up(words, evening.head["game"], args.lang)
        try:
            if told is None and asked is not None:
                told = positions.answer(asked.heard)
            if args.picture:
                heard = asked.heard if asked else None
                _draw(args.picture, evening, list(positions.ways(heard)) if heard else [])
        except RulesError as error:
            raise UserError(str(error)) from error
    print("\n".join(told or ()))
    return 0


def _draw(name: str, evening: Evening, ways: list[tuple[str, str]]) -> None:
    """The board with its pieces: where one may go is lit, and where it goes from. UserError"""
    from tableref.devices.lights import Meaning, draw_board

    cells = evening.board.cells
    lights = {start: Meaning.DUE.value for start, _ in ways if start in cells}
    lights |= {to: Meaning.EXPECTED.value for _, to in ways if to in cells}
    pieces = evening.teller().standing(evening.state)
    try:
        with open(name, "xb") as file:
            draw_board(evening.board, lights, pieces).save(file, "PNG")
    except FileExistsError as error:
        raise UserError(f"{name}: it is there already, and stays; name another file") from error
    except OSError as error:
        raise UserError(f"{name}: cannot be written: {error.strerror or error}") from error


def _look_up(words: str, game: str, lang: str | None) -> int:
    """The paragraphs that answer a question about the rules."""
    from tableref.commands import lookup

    parser = argparse.ArgumentParser()
    lookup.arguments(parser)
    language = ["--lang", lang] if lang else []
    return lookup.run(parser.parse_args(["--game", game, *language, "--", words]))
