"""`tableref see`: read boards and dice off picture files, with a drawing where wished."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import see_untagged, words
from tableref.devices.config import load_config
from tableref.errors import UserError
from tableref_hardware import BoardFileError, board_names, load_board
from tableref_hardware.dice import LARGEST, SMALLEST

if TYPE_CHECKING:
    from tableref_vision.calibration import Calibration
    from tableref_vision.dice.reader import DiceReader
    from tableref_vision.observation import Observation


def arguments(parser: argparse.ArgumentParser) -> None:
    """Pictures, the board, and in which form the answer comes."""
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE")
    parser.add_argument(
        "--board",
        type=words.board,
        help=f"a board's name ({', '.join(board_names())}) or a .toml file "
        "(default: autoscooter, or none with --dice)",
    )
    parser.add_argument("--dice", action="store_true", help="read dice, on the mat or anywhere")
    parser.add_argument(
        "--die",
        type=words.number(SMALLEST, LARGEST),
        metavar="MM",
        help=f"edge of the dice, {SMALLEST:g} to {LARGEST:g} (default: configured or measured)",
    )
    parser.add_argument(
        "--draw", type=Path, metavar="FOLDER", help="write each picture there, with what was seen"
    )
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="the camera's, from tableref calibrate"
    )
    plain = parser.add_argument_group("pieces without tags")
    plain.add_argument("--empty", type=Path, metavar="PICTURE", help="the board before the pieces")
    plain.add_argument("--start", type=Path, metavar="PICTURE", help="the board after set-up")
    plain.add_argument(
        "--teach",
        type=Path,
        metavar="FILE",
        help='where pieces of each look lay before play: {"image": NAME, "cells": {CELL: TEXT}}',
    )
    plain.add_argument(
        "--setup",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an option of the game's set-up, as players=4; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line and picture")


def run(args: argparse.Namespace) -> int:
    """0 where every picture could be read, else 2. Every picture is looked at by itself."""
    if args.empty:
        return see_untagged.run(args)
    if args.start or args.teach or args.setup:
        raise UserError("--start, --teach and --setup go with --empty, for pieces without tags")
    from tableref_vision.errors import PictureError, VisionError

    try:
        from tableref_vision.calibration import Calibration
        from tableref_vision.camera import Frame
        from tableref_vision.dice.showing import draw as draw_dice
        from tableref_vision.dice.showing import text as dice_text
        from tableref_vision.drawing import draw, write_picture
        from tableref_vision.pictures import read_picture
        from tableref_vision.reader import BoardReader

        board = None
        if args.board or not args.dice:
            board = load_board(args.board or "autoscooter")
        calibration = Calibration.load(args.calibration) if args.calibration else None
        dice = _dice_reader(calibration, args.die) if args.dice else None
        if args.draw:
            args.draw.mkdir(parents=True, exist_ok=True)
    except (VisionError, BoardFileError) as error:
        raise UserError(str(error)) from error
    except OSError as error:
        raise UserError(f"{args.draw}: cannot be made a folder ({error.strerror})") from error
    code = 0
    drawn = set[str]()
    for path in args.pictures:
        try:
            frame = Frame(read_picture(path), 0.0, path.name)
            record: dict[str, Any] = {"image": frame.name}
            words, drawing = frame.name, frame.image
            if board is not None:
                reader = BoardReader(board, calibration)
                seen = reader.read(frame)
                record, words = _record(seen), _text(seen)
                if args.draw:
                    drawing = draw(frame, board, seen, reader.view)
            if dice is not None:
                found = dice.read(frame.image, alone=True)
                record["dice"] = [die.record() for die in found]
                words = "\n".join([words, *(map(dice_text, found) if found else ["  no dice"])])
                if args.draw:
                    draw_dice(drawing, found)
            print(json.dumps(record) if args.json else words, flush=True)
            if args.draw:
                write_picture(args.draw / f"{_new_name(path.stem, drawn)}.png", drawing)
        except PictureError as error:
            print(f"tableref: {error}", file=sys.stderr)
            code = 2
    return code


def _new_name(stem: str, taken: set[str]) -> str:
    """The name, or one with a number behind it, for pictures of several folders may be alike."""
    names = chain((stem,), (f"{stem}-{number}" for number in count(2)))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _dice_reader(calibration: Calibration | None, die: float | None) -> DiceReader:
    from tableref_vision.dice.reader import DiceReader

    return DiceReader(calibration.lens if calibration else None, die=die or load_config().die)


def _record(seen: Observation) -> dict[str, Any]:
    keys = ("id", "kind", "colour", "cell", "heading", "x", "y", "confidence")
    return {
        "image": seen.image,
        "pieces": [{key: getattr(piece, key) for key in keys} for piece in seen.pieces],
        "not_seen": list(seen.not_seen),
        "pose": seen.pose,
    }


def _text(seen: Observation) -> str:
    from tableref_vision.observation import POSE_WORDS

    lines = [f"{seen.image}: {POSE_WORDS[seen.pose]}"]
    for piece in seen.pieces:
        where = piece.cell or f"between cells, at {round(piece.x)}, {round(piece.y)} mm"
        lines.append(
            f"  {piece.id}: {where}, {piece.heading or f'askew ({round(piece.yaw)} degrees)'}"
        )
    for name in seen.not_seen:
        more = " (its tag is in view twice)" if name in seen.twice else ""
        lines.append(f"  {name}: not seen{more}")
    return "\n".join(lines)
