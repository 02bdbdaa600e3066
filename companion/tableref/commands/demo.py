"""`tableref demo`: a whole game on a virtual table, refereed from what its senses tell."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import words
from tableref.commands.referee import check_outputs, output_arguments, referee
from tableref.devices.lock import FileLock, LockHeld
from tableref.errors import UserError
from tableref.hosting.opening import Game, is_demo
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.games import GAMES
from tableref.referee.journal import Journal
from tableref.rulebook.text import LANGUAGES
from tableref_hardware import Board, load_board

if TYPE_CHECKING:
    from tableref.referee.desk import Outlet
    from tableref.sim.materials import Picture
    from tableref_vision.camera import Camera as Eyes

ROUNDS = 11
SETUPS: dict[str, dict[str, Any]] = {
    "autoscooter": {
        "players": 4, "projection": True, "names": ["Ada", "Ben", "Cleo", "Dan"],
    },
    # A shorter track than the board's, for a demo of minutes: the rules are the same.
    "scorpion": {"players": 3, "cells_per_side": 8, "names": ["Ada", "Ben", "Cleo"]},
}  # fmt: skip
"""Set-ups that make a game worth looking at; without one a game has its own defaults."""
SENSES = ("camera", "switches", "both")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref demo`."""
    parser.add_argument(
        "--game",
        default="autoscooter",
        type=words.game,
        help=f"what is played: {', '.join(GAMES)}",
    )
    parser.add_argument("--out", metavar="FOLDER", default="demo-out", help="where pictures go")
    parser.add_argument("--seed", type=words.SEED, default=7, help="another game for every number")
    parser.add_argument(
        "--senses",
        choices=SENSES,
        help="what watches the board; without it all that can tell this game's pieces",
    )
    parser.add_argument(
        "--rounds", type=words.whole(1, ROUNDS), help=f"of Autoscooter, 1 to {ROUNDS}"
    )
    parser.add_argument(
        "--turns", type=words.whole(1, 10_000), help="actions after which the players resign"
    )
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Draws the table, referees what its senses tell, says where everything is."""
    from tableref.sim.camera import Camera
    from tableref.sim.people import People
    from tableref.sim.playing import Playing
    from tableref.sim.stage import Stage

    if args.rounds is not None and args.game != "autoscooter":
        raise UserError(f"demo: --rounds is of Autoscooter; say --turns for {args.game}")
    board = load_board(args.game)
    senses = _senses(board, args.senses)
    check_outputs(args)
    out = Path(args.out)
    _clear(out)
    setup = dict(SETUPS.get(args.game, {}))
    evening = new_evening(out, args.game, setup, [], f"virtual:{args.seed}", lang=args.lang)
    length = args.turns or 10_000
    people = People(evening.referee.game, setup, args.seed, 0.06, length, args.rounds)
    stage = Stage(board, args.seed, Camera.above(tilt=12.0, turn=20.0))
    playing = Playing(people, stage, senses, args.seed, _keeper(out / "camera"))
    playing.start()
    told: list[Outlet] = [people, playing]
    cameras: dict[str, Eyes] = dict(playing.cameras)
    game = Game(out, evening, cameras, playing.queue, playing.cable)
    code = referee(game, args, told)
    if playing.error is not None:
        raise playing.error
    for slip in people.slips:
        print(f"tableref: after {slip.time:.0f} s: {slip.text}", file=sys.stderr)
    if not args.json:
        seen = f"What the cameras saw: {out}/camera; what" if playing.cameras else "What"
        print(f"{seen} the display and the board's lights")
        print(f"showed: {out}/screens, {out}/lights; the journal: {out / JOURNAL}")
    return 1 if people.slips else code


def _senses(board: Board, wanted: str | None) -> frozenset[str]:
    """The senses of the demo's table. UserError where the board file does not name them."""
    has = board.senses
    camera, switches = has.board == "tags", has.switches
    if wanted in ("camera", "both") and not camera:
        why = "its pieces wear no tags" if has.board == "looks" else "its board file names none"
        raise UserError(
            f"demo: no camera over the board of {board.game}, for {why}; say --senses switches"
        )
    if wanted in ("switches", "both") and not switches:
        raise UserError(f"demo: the board file of {board.game} names no switches")
    names = {"board": camera and wanted != "switches", "switches": switches and wanted != "camera"}
    return frozenset(name for name, there in {**names, "mat": has.mat}.items() if there)


def _keeper(folder: Path) -> Callable[[str, Picture], None]:
    """Writes pictures into a folder."""

    def keep(name: str, picture: Picture) -> None:
        import cv2

        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)

    return keep


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
