"""`tableref see --empty`: read boards of pieces without tags off picture files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import words
from tableref.errors import UserError
from tableref.rules.pieces import texts
from tableref.rules.surface import RulesError
from tableref_hardware import Board, BoardFileError, load_board
from tableref_hardware.files import FileError, read_json

if TYPE_CHECKING:
    from tableref_vision.untagged.reader import Reading, UntaggedReader


def run(args: argparse.Namespace) -> int:
    """0 where every picture could be read, else 2. Every picture is read by itself, with what the
    set-up pictures have taught."""
    from tableref_vision.errors import PictureError, VisionError

    try:
        from tableref_vision.camera import Frame
        from tableref_vision.pictures import read_picture

        board = load_board(args.board)
        reader = _reader(args, board)
    except (VisionError, BoardFileError) as error:
        raise UserError(str(error)) from error
    code = 0
    for path in args.pictures:
        try:
            reading = reader.read(Frame(read_picture(path), 0.0, path.name))
        except PictureError as error:
            print(f"tableref: {error}", file=sys.stderr)
            code = 2
            continue
        print(json.dumps(_record(reading)) if args.json else _text(reading), flush=True)
    return code


def _reader(args: argparse.Namespace, board: Board) -> UntaggedReader:
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
    reader = UntaggedReader(board, frame(args.empty))
    for path, cells in taught:
        reader.learn(frame(path), cells)
    if not reader.texts:
        raise UserError(
            "nothing was taught: give --start for a game whose start shows its pieces, or --teach"
        )
    return reader


def starting_texts(board: Board, options: Iterable[str]) -> dict[str, str]:
    """Cell -> what stands there after set-up with these options (`KEY=VALUE`). UserError"""
    from tableref.referee.games import load_game

    game = load_game(board.game, board)
    setup = words.options(list(options), "--setup")
    try:
        return texts(game.board(game.start(setup)))
    except RulesError as error:
        raise UserError(f"--setup: {error}") from error


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


def _record(reading: Reading) -> dict[str, Any]:
    return {
        "image": reading.image,
        "pose": reading.pose,
        "cells": {cell: sorted(may) for cell, may in reading.cells.items()},
        "doubts": [doubt._asdict() for doubt in reading.doubts],
    }


def _text(reading: Reading) -> str:
    from tableref_vision.observation import POSE_WORDS

    lines = [f"{reading.image}: {POSE_WORDS[reading.pose]}"]
    doubted = {doubt.cell for doubt in reading.doubts}
    for cell, may in reading.cells.items():
        if cell not in doubted and may != {""}:
            lines.append(f"  {cell}: {' or '.join(text or 'nothing' for text in sorted(may))}")
    lines += [f"  {doubt.cell}: {doubt.words()}" for doubt in reading.doubts]
    return "\n".join(lines)
