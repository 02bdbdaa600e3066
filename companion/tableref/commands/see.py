"""`tableref see`: read boards off picture files, with a drawing of what was seen where wished."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.errors import UserError
from tableref_hardware import BoardFileError, board_names, load_board

if TYPE_CHECKING:
    from tableref_vision.observation import Observation


def arguments(parser: argparse.ArgumentParser) -> None:
    """Pictures, the board, and in which form the answer comes."""
    parser.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE")
    parser.add_argument(
        "--board",
        default="autoscooter",
        help=f"a board's name ({', '.join(board_names())}) or a .toml file (default: autoscooter)",
    )
    parser.add_argument(
        "--draw", type=Path, metavar="FOLDER", help="write each picture there, with what was seen"
    )
    parser.add_argument(
        "--calibration", type=Path, metavar="FILE", help="the camera's, from tableref calibrate"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line and picture")


def run(args: argparse.Namespace) -> int:
    """0 where every picture could be read, else 2. Every picture is looked at by itself."""
    from tableref_vision.errors import PictureError, VisionError

    try:
        from tableref_vision.backends.folder import read_picture
        from tableref_vision.calibration import Calibration
        from tableref_vision.camera import Frame
        from tableref_vision.drawing import draw, write_picture
        from tableref_vision.reader import BoardReader

        board = load_board(args.board)
        calibration = Calibration.load(args.calibration) if args.calibration else None
        if args.draw:
            args.draw.mkdir(parents=True, exist_ok=True)
    except (VisionError, BoardFileError) as error:
        raise UserError(str(error)) from error
    except OSError as error:
        raise UserError(f"{args.draw}: cannot be made a folder ({error.strerror})") from error
    code = 0
    for path in args.pictures:
        try:
            frame = Frame(read_picture(path), 0.0, path.name)
            reader = BoardReader(board, calibration)
            seen = reader.read(frame)
            print(json.dumps(_record(seen)) if args.json else _text(seen), flush=True)
            if args.draw:
                drawing = draw(frame, board, seen, reader.view)
                write_picture(args.draw / f"{path.stem}.png", drawing)
        except PictureError as error:
            print(f"tableref: {error}", file=sys.stderr)
            code = 2
    return code


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
