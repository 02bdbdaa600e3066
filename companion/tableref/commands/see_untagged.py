"""`tableref see --empty`: teaches the eye what pieces without tags look like."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands import words
from tableref.errors import UserError
from tableref.rules.pieces import texts
from tableref_hardware import Board
from tableref_hardware.files import FileError, read_json

if TYPE_CHECKING:
    from tableref_vision.untagged.reader import UntaggedReader


def reader(args: argparse.Namespace, board: Board) -> UntaggedReader:
    """The eye for this board, with what the set-up pictures have taught. VisionError, UserError"""
    from tableref_vision.camera import Frame
    from tableref_vision.pictures import read_picture
    from tableref_vision.untagged.reader import UntaggedReader

    def frame(path: Path) -> Frame:
        return Frame(read_picture(path), 0.0, path.name)

    start = starting_texts(board, args.setup)
    taught: list[tuple[Path, Mapping[str, str]]] = []
    if args.teach:
        taught.append(_teaching(args.teach, board))
    if args.start:
        taught.append((args.start, start))
    eye = UntaggedReader(board, frame(args.empty))
    for path, cells in taught:
        eye.learn(frame(path), cells)
    if not eye.texts:
        raise UserError(
            "nothing was taught: give --start for a game whose start shows its pieces, or --teach"
        )
    return eye


def starting_texts(board: Board, options: Sequence[str]) -> dict[str, str]:
    """Cell -> what stands there after set-up with these options (`KEY=VALUE`). UserError"""
    from tableref.referee.games import load_game

    game = load_game(board.game, board)
    return texts(game.board(game.start(words.setup_of(options, game))))


def _teaching(path: Path, board: Board) -> tuple[Path, dict[str, str]]:
    """The picture that a teaching file names, beside it, and what lies where in it."""
    try:
        said = read_json(path)
        image, cells = path.parent / str(said["image"]), dict(said["cells"])
    except FileError as error:
        raise UserError(str(error)) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f'{path}: expected {{"image": NAME, "cells": {{CELL: TEXT}}}} ({error})'
        ) from error
    for cell, text in cells.items():
        if cell not in board.cells:
            raise UserError(f"{path}: {cell!r} is not a cell of this board")
        if not isinstance(text, str):
            raise UserError(f"{path}: {cell}: expected a text, found {text!r}")
    return image, cells
