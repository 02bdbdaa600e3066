"""`tableref see`: read boards and dice off picture files or a camera, drawn where wished."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands import see_camera, see_untagged, words
from tableref.commands.see_words import SeeWords
from tableref.commands.seeing import Eye, TaggedEye, UntaggedEye
from tableref.devices.config import load_config
from tableref.errors import UserError
from tableref.referee.games import USUAL
from tableref.rulebook.faulty import in_language
from tableref.rulebook.language import system_language
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import BoardFileError, load_board

if TYPE_CHECKING:
    from tableref_vision.calibration import Calibration
    from tableref_vision.camera import Camera
    from tableref_vision.dice.reader import DiceReader


def arguments(parser: argparse.ArgumentParser) -> None:
    """Pictures, the board, and in which form the answer comes."""
    parser.add_argument("pictures", nargs="*", type=Path, metavar="PICTURE")
    parser.add_argument(
        "--camera",
        metavar="CAMERA",
        help="take a picture instead: picamera:, usb:0, folder:PATH, video:PATH",
    )
    parser.add_argument(
        "--watch", action="store_true", help="go on looking through the camera, until Ctrl-C"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write what the camera sees there, with what is recognised drawn over it; with "
        "--watch again and again",
    )
    parser.add_argument(
        "--board",
        type=words.board,
        help=words.board_help(f"{USUAL}, or none with --dice"),
    )
    parser.add_argument("--dice", action="store_true", help="read dice, on the mat or anywhere")
    words.die_argument(parser, "configured or measured")
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
    words.setup_argument(plain)
    parser.add_argument("--json", action="store_true", help="one JSON object a line and picture")
    parser.add_argument("--lang", choices=LANGUAGES, help="language (default: of LANG, else en)")


def run(args: argparse.Namespace, opener: Callable[[str], Camera] | None = None) -> int:
    """0 where every picture could be read, else 2. `opener` stands in for a camera in tests."""
    args.lang = args.lang or system_language()
    with words.told_in(args.lang):
        return _seen(args, opener)


def _seen(args: argparse.Namespace, opener: Callable[[str], Camera] | None) -> int:
    _check(args)
    from tableref_vision.errors import VisionError

    try:
        eye = _eye(args)
        if args.camera:
            from tableref_vision.camera import open_camera
            from tableref_vision.drawing import check_format

            if args.out:
                check_format(args.out)
                words.writable(args.out)
            return see_camera.run(args, eye, opener or open_camera)
    except (VisionError, BoardFileError) as error:
        raise UserError(str(error)) from error
    if args.draw:
        try:
            args.draw.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{args.draw}: cannot be made a folder ({error.strerror})") from error
    return _files(args, eye)


def _check(args: argparse.Namespace) -> None:
    """UserError where options do not go together."""
    if bool(args.pictures) == bool(args.camera):
        raise UserError("say either pictures, or a camera with --camera")
    if not args.camera and (args.watch or args.out):
        raise UserError("--watch and --out go with --camera; for pictures there is --draw FOLDER")
    if args.camera and args.draw:
        raise UserError("--draw goes with pictures; with --camera say --out FILE")
    if args.empty and args.dice:
        raise UserError("--empty is for a board, --dice for dice: read them one after the other")
    if not args.empty and (args.start or args.teach or args.setup):
        raise UserError("--start, --teach and --setup go with --empty, for pieces without tags")


def _eye(args: argparse.Namespace) -> Eye:
    """What looks at the pictures. VisionError, BoardFileError, UserError"""
    said = SeeWords(args.lang)
    if args.empty:
        return UntaggedEye(see_untagged.reader(args, load_board(args.board or USUAL)), said)
    from tableref_vision.calibration import Calibration

    board = load_board(args.board or USUAL) if args.board or not args.dice else None
    calibration = Calibration.load(args.calibration) if args.calibration else None
    dice = _dice_reader(calibration, args.die) if args.dice else None
    return TaggedEye(board, calibration, dice, said)


def _files(args: argparse.Namespace, eye: Eye) -> int:
    """Looks at every picture by itself."""
    from tableref_vision.errors import PictureError

    code = 0
    drawn = set[str]()
    for path in args.pictures:
        try:
            _file(path, args, eye, drawn)
        except PictureError as error:
            print(f"tableref: {in_language(str(error), args.lang)}", file=sys.stderr)
            code = 2
    return code


def _file(path: Path, args: argparse.Namespace, eye: Eye, drawn: set[str]) -> None:
    """Looks at one picture, which is forgotten before the next is read. PictureError"""
    from tableref_vision.camera import Frame
    from tableref_vision.drawing import write_picture
    from tableref_vision.pictures import read_picture

    sight = eye.look(Frame(read_picture(path), 0.0, path.name), alone=True)
    print(json.dumps(sight.record) if args.json else sight.text, flush=True)
    if args.draw:
        write_picture(args.draw / f"{_new_name(path.stem, drawn)}.png", sight.drawing())


def _new_name(stem: str, taken: set[str]) -> str:
    """The name, or one with a number behind it, for pictures of several folders may be alike."""
    names = chain((stem,), (f"{stem}-{number}" for number in count(2)))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _dice_reader(calibration: Calibration | None, die: float | None) -> DiceReader:
    from tableref_vision.dice.reader import DiceReader

    return DiceReader(calibration.lens if calibration else None, die=die or load_config().die)
