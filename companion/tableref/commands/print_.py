"""`tableref print`: tags, boards, the dice mat, calibration and log sheets as PDF in true size."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from tableref.commands import words
from tableref.errors import UserError
from tableref.printing.paper import PAPERS, Document
from tableref.printing.words import Words
from tableref.referee.games import GAMES, USUAL, load_game
from tableref.rulebook.language import system_language
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import Board, BoardFileError, load_board

SHEETS = {
    "tags": "tags of pieces, pieces to fold, corner tags",
    "overlay": "the board with its cells and tags, in parts",
    "pieces": "pieces to cut out, and what else a game needs",
    "mat": "the dice mat with its trays and tags, in parts",
    "calibration": "the chessboard that a camera is calibrated with",
    "log-sheet": "what players write down, of a game in which they do",
    "chart": "what each letter does",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which sheet, of which game, on which paper, into which file."""
    parser.add_argument(
        "sheet",
        choices=SHEETS,
        metavar="SHEET",
        help="; ".join(f"{name}: {what}" for name, what in SHEETS.items()),
    )
    parser.add_argument(
        "game",
        nargs="?",
        type=words.board,
        metavar="GAME",
        help=words.board_help(),
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: of LANG, else en)")
    parser.add_argument("--paper", choices=PAPERS, default="a4", help="default: a4")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="default: tableref-SHEET-PAPER.pdf, here"
    )


def run(args: argparse.Namespace) -> int:
    """0 once the file is written."""
    args.lang = args.lang or system_language()
    with words.told_in(args.lang):
        return _printed(args)


def _printed(args: argparse.Namespace) -> int:
    alone = ("mat", "calibration")
    if args.sheet in alone and args.game is not None:
        raise UserError(f"print: the {args.sheet} is the same for every game; leave the game out")
    path = args.out or Path(f"tableref-{args.sheet}-{args.paper}.pdf")
    words.writable(path)
    # These load OpenCV, which `tableref print --help` must not wait for.
    from tableref.printing.calibration import print_calibration
    from tableref.printing.dice_mat import print_mat
    from tableref.printing.overlay import print_overlay
    from tableref.printing.pieces import print_pieces
    from tableref.printing.players import print_chart, print_log_sheet
    from tableref.printing.tags import print_tags

    if args.sheet in alone:
        sheet = print_mat if args.sheet == "mat" else print_calibration
        document = sheet(args.paper, args.lang)
    else:
        try:
            board = load_board(args.game or USUAL)
        except BoardFileError as error:
            raise UserError(str(error)) from error
        if board.game in GAMES:
            load_game(board.game, board)  # says what of the board's own sections is wrong
        draw: Callable[[Board, str, str], Document] = {
            "tags": print_tags,
            "overlay": print_overlay,
            "log-sheet": print_log_sheet,
            "chart": print_chart,
            "pieces": lambda board, *rest: print_pieces(board, load_game(board.game, board), *rest),
        }[args.sheet]
        document = draw(board, args.paper, args.lang)
    document.write(path)
    key = "written-one" if document.pages == 1 else "written-many"
    print(Words(args.lang)(key, path=path, pages=document.pages, paper=args.paper))
    return 0
