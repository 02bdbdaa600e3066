"""`tableref demo`: a whole game on a virtual table, refereed from its pictures."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import words
from tableref.commands.referee import check_outputs, is_demo, output_arguments, referee
from tableref.devices.lock import FileLock, LockHeld
from tableref.errors import UserError
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.journal import Journal
from tableref.referee.plots import read_plots
from tableref.referee.queue import InputQueue
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import load_board

if TYPE_CHECKING:
    from tableref.referee.desk import Feedback
    from tableref.sim.scorpion import VirtualScorpion
    from tableref_vision.camera import Camera, Frame

ROUNDS = 11
SETUPS: dict[str, dict[str, Any]] = {
    "autoscooter": {
        "players": 4, "projection": True, "names": ["Ada", "Ben", "Cleo", "Dan"],
    },
    # A shorter track than the board's, for a demo of minutes: the rules are the same.
    "scorpion": {"players": 3, "cells_per_side": 8, "names": ["Ada", "Ben", "Cleo"]},
}  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref demo`."""
    parser.add_argument(
        "--game",
        default="autoscooter",
        type=words.game,
        help=f"what is played: {' or '.join(SETUPS)}",
    )
    parser.add_argument("--out", metavar="FOLDER", default="demo-out", help="where pictures go")
    parser.add_argument("--seed", type=words.SEED, default=7, help="another game for every number")
    parser.add_argument(
        "--rounds", type=words.whole(1, ROUNDS), help=f"of Autoscooter, 1 to {ROUNDS}"
    )
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Draws the table, referees what the pictures show, says where everything is."""
    if args.game not in SETUPS:
        raise UserError(f"demo: there is one of {' and '.join(SETUPS)}, not of {args.game} yet")
    if args.rounds is not None and args.game != "autoscooter":
        raise UserError(f"demo: --rounds is of Autoscooter; leave it out for {args.game}")
    check_outputs(args)
    out = Path(args.out)
    _clear(out)
    code = _scorpion(args, out) if args.game == "scorpion" else _autoscooter(args, out)
    if not args.json:
        print(f"What the camera saw: {out}/camera; what the display and the board's lights")
        print(f"showed: {out}/screens, {out}/lights; the journal: {out / JOURNAL}")
    return code


def _autoscooter(args: argparse.Namespace, out: Path) -> int:
    from tableref.sim.players import VirtualGame

    game = VirtualGame(
        load_board(args.game), SETUPS[args.game], args.seed, rounds=args.rounds or ROUNDS
    )
    plots = out / "plots.json"
    try:
        with open(os.open(plots, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(game.plots, file, indent=1)
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror}") from error
    rounds = read_plots(str(plots))["rounds"]
    setup = dict(SETUPS[args.game])
    evening = new_evening(out, args.game, setup, rounds, f"virtual:{args.seed}", lang=args.lang)
    queue = InputQueue(every_frame=True)
    camera = KeepingCamera(game.camera(queue.put), out / "camera")
    return referee(evening, {"board": camera}, out, args, queue)


def _scorpion(args: argparse.Namespace, out: Path) -> int:
    from tableref.sim.scorpion import VirtualScorpion

    setup = dict(SETUPS[args.game])
    game = VirtualScorpion(load_board(args.game), setup, args.seed, lang=args.lang)
    evening = new_evening(out, args.game, setup, [], f"virtual:{args.seed}", lang=args.lang)
    queue = InputQueue(every_frame=True)
    camera = game.camera(queue.put, queue.rest)
    kept = KeptPictures(game, out / "camera")
    code = referee(evening, {"mat": camera}, out, args, queue, [kept, game])
    for slip in game.slips:
        print(f"tableref: picture {slip.frame}: {slip.text}", file=sys.stderr)
    return 1 if game.slips else code


MARK = "made-by-tableref-demo"
"""A file that says so: `tableref demo` may take away what it has written."""
WRITTEN = {"camera": r"\d+\.jpg", "screens": r"screen-\d+\.png", "lights": r"lights-\d+\.png"}
WRITTEN["evidence"] = r"\d{6,}(-(board|mat)-(before|after)\.jpg|\.json)"
"""Folder -> names of the files that a demo writes into it."""
FILES = re.compile(rf"{MARK}|plots\.json|link\.log|journal\.(sqlite3(\.new)?(-journal)?|lock|told)")


def _clear(out: Path) -> None:
    """Takes an earlier demo away, and nothing else. UserError where the folder holds anything
    else; then nothing is removed."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        written = list(_written(out))
        lock = FileLock(out / "journal.lock")
    except LockHeld as held:
        raise UserError(f"{out}: process {held} plays here; choose another --out") from held
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror}") from error
    with contextlib.closing(lock):
        for path in written:
            path.unlink(missing_ok=True)
        for name in WRITTEN:
            if (out / name).is_dir():
                (out / name).rmdir()
        (out / MARK).write_text("`tableref demo` wrote all that is in this folder.\n", "utf-8")


def _written(out: Path) -> Iterator[Path]:
    """The files of an earlier demo. UserError where there is anything else"""
    entries = sorted(out.iterdir())
    if not entries:
        return
    if (out / JOURNAL).exists():
        ours = is_demo(Journal.read(out / JOURNAL).head())
    else:
        ours = (out / MARK).is_file()
    if not ours:
        raise UserError(f"{out}: holds no demo, so nothing in it is touched; choose another --out")
    for path in entries:
        names = WRITTEN.get(path.name)
        if names is None or path.is_symlink() or not path.is_dir():
            inside = [path] if FILES.fullmatch(path.name) and path.is_file() else []
            strange = [] if inside else [path]
        else:
            inside = sorted(path.iterdir())
            strange = [p for p in inside if not (re.fullmatch(names, p.name) and p.is_file())]
        if strange:
            raise UserError(
                f"{strange[0]}: no demo wrote this, so nothing in {out} is touched; choose another"
                " --out"
            )
        yield from inside


class KeepingCamera:
    """A camera whose pictures are kept in a folder as they are looked at."""

    waits = True

    def __init__(self, camera: Camera, folder: Path) -> None:
        self._camera, self._folder = camera, folder

    def frames(self, after: str = "") -> Iterator[Frame]:
        """The camera's frames, each written before it is handed on."""
        import cv2

        self._folder.mkdir(parents=True, exist_ok=True)
        for frame in self._camera.frames(after):
            cv2.imwrite(str(self._folder / f"{frame.name}.jpg"), frame.image)
            yield frame

    def close(self) -> None:
        """Lets the camera go."""
        self._camera.close()


class KeptPictures:
    """Keeps the picture that was seen last whenever the referee says something: they are many."""

    def __init__(self, game: VirtualScorpion, folder: Path) -> None:
        self._game, self._folder = game, folder

    def tell(self, feedback: Feedback) -> None:
        """Writes the picture, named as its frame."""
        import cv2

        if feedback.events and self._game.picture is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(self._folder / f"{self._game.shown}.jpg"), self._game.picture)
