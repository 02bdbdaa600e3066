"""`tableref demo`: a whole game of Autoscooter on a virtual table, refereed from its pictures."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands.referee import output_arguments, referee
from tableref.errors import UserError
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.plots import read_plots
from tableref.referee.queue import InputQueue
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import load_board

if TYPE_CHECKING:
    from tableref_vision.camera import Camera, Frame

SETUP = {"players": 4, "projection": True, "names": ["Ada", "Ben", "Cleo", "Dan"]}
GAME = "autoscooter"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref demo`."""
    parser.add_argument("--out", metavar="FOLDER", default="demo-out", help="where pictures go")
    parser.add_argument("--seed", type=int, default=7, help="another game for every number")
    parser.add_argument("--rounds", type=int, default=11, help="how many are played, 1 to 11")
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Draws the table, referees what the pictures show, says where everything is."""
    from tableref.sim.players import VirtualGame

    out = Path(args.out)
    _clear(out)
    game = VirtualGame(load_board(GAME), SETUP, args.seed, rounds=args.rounds)
    plots = out / "plots.json"
    try:
        out.mkdir(parents=True, exist_ok=True)
        plots.write_text(json.dumps(game.plots, indent=1), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror}") from error
    rounds = read_plots(str(plots))["rounds"]
    evening = new_evening(out, GAME, dict(SETUP), rounds, f"virtual:{args.seed}", lang=args.lang)
    queue = InputQueue(every_frame=True)
    camera = KeepingCamera(game.camera(queue.put), out / "camera")
    code = referee(evening, camera, out, args, queue)
    if not args.json:
        print(f"What the camera saw: {out}/camera; what the display and the board's lights")
        print(f"showed: {out}/screens, {out}/lights; the journal: {out / JOURNAL}")
    return code


def _clear(out: Path) -> None:
    """Takes an earlier demo away, and nothing else."""
    if not out.exists():
        return
    if any(out.iterdir()) and not (out / JOURNAL).exists():
        raise UserError(f"{out}: is no folder of an earlier demo; choose another with --out")
    shutil.rmtree(out)


class KeepingCamera:
    """A camera whose pictures are kept in a folder as they are looked at."""

    def __init__(self, camera: Camera, folder: Path) -> None:
        self._camera, self._folder = camera, folder

    def frames(self) -> Iterator[Frame]:
        """The camera's frames, each written before it is handed on."""
        import cv2

        self._folder.mkdir(parents=True, exist_ok=True)
        for frame in self._camera.frames():
            cv2.imwrite(str(self._folder / f"{frame.name}.jpg"), frame.image)
            yield frame

    def close(self) -> None:
        """Lets the camera go."""
        self._camera.close()
