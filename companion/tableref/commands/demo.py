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
from tableref.hosting.opening import DEMO, Game, is_demo
from tableref.referee.evening import JOURNAL, new_evening
from tableref.referee.games import GAMES, USUAL, load_game
from tableref.referee.journal import Journal
from tableref.referee.page import labels
from tableref.rulebook.text import LANGUAGES
from tableref.rules.surface import SetupError
from tableref_hardware import Board, load_board

if TYPE_CHECKING:
    from tableref.referee.desk import Outlet
    from tableref.referee.evening import Evening
    from tableref.rules.defaults import TableGame
    from tableref.sim.materials import Picture
    from tableref_vision.camera import Camera as Eyes

MOST = 10_000
"""Actions or rounds of a demo."""
NAMES = ("Ada", "Ben", "Cleo", "Dan")
"""What the virtual players are called, where a game has names for so many."""
SENSES = ("camera", "switches", "both")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref demo`."""
    parser.add_argument(
        "--game",
        default=USUAL,
        type=words.game,
        help=f"what is played: {', '.join(GAMES)} (default: {USUAL})",
    )
    parser.add_argument("--out", metavar="FOLDER", default="demo-out", help="where pictures go")
    parser.add_argument("--seed", type=words.SEED, default=7, help="another game for every number")
    parser.add_argument(
        "--senses",
        choices=SENSES,
        help="what watches the board; without it all that its board file names, but a camera over"
        " pieces without tags only where it is asked for: it reads a drawn picture each time",
    )
    parser.add_argument(
        "--rounds", type=words.whole(1, MOST), help="of a game that has rounds: as many, at most"
    )
    parser.add_argument(
        "--turns", type=words.whole(1, MOST), help="actions after which the players resign"
    )
    words.setup_argument(parser, "; what is not said is as a demo shows it")
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")
    output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Draws the table, referees what its senses tell, says where everything is."""
    board, rules = load_board(args.game), load_game(args.game)
    if args.rounds is not None and not rules.rounds:
        raise UserError(f"demo: {args.game} has no rounds; say --turns")
    if args.rounds is not None and args.rounds > rules.rounds:
        raise UserError(f"demo: --rounds {args.rounds}: {args.game} has {rules.rounds} at most")
    senses = _senses(board, args.senses)
    # What may not be is told before anything is cleared away.
    setup = _with_names(rules, words.setup_of(args.setup, rules, rules.shown_setup))
    check_outputs(args)
    out = Path(args.out)
    _clear(out)
    handed: dict[str, Any] = {
        DEMO: {
            "seed": args.seed,
            "senses": sorted(senses),
            "turns": args.turns,
            "rounds": args.rounds,
        }
    }
    camera = f"virtual:{args.seed}"
    evening = new_evening(out, args.game, setup, [], camera, lang=args.lang, handed=handed)
    return play(evening, out, args)


def play(evening: Evening, out: Path, args: argparse.Namespace) -> int:
    """Virtual people play in front of the referee, from where the evening stands."""
    from tableref.sim.camera import Camera
    from tableref.sim.people import People
    from tableref.sim.playing import Playing
    from tableref.sim.stage import Stage

    demo, setup, board = evening.head[DEMO], evening.head["setup"], evening.board
    seed, length = demo["seed"], demo["turns"] or MOST
    people = People(evening.referee.game, setup, seed, 0.06, length, demo["rounds"], evening.state)
    # Pieces without tags are told by small signs: the plate fills the picture.
    turn = 20.0 if board.senses.board == "tags" else 0.0
    stage = Stage(board, seed, Camera.above(tilt=12.0, turn=turn))
    kept = [int(file.stem) for file in (out / "camera").glob("*.jpg") if file.stem.isdigit()]
    since = max((line.monotonic for line in evening.journal.lines()), default=0.0)
    playing = Playing(
        people, stage, demo["senses"], seed, _keeper(out / "camera"),
        first=max(kept, default=-1) + 1, since=since,
    )  # fmt: skip
    playing.start()
    told: list[Outlet] = [people, playing]
    cameras: dict[str, Eyes] = dict(playing.cameras)
    game = Game(out, evening, cameras, playing.queue, playing.cable)
    try:
        code = referee(game, args, told)
    finally:
        playing.leave()
    if playing.error is not None:
        raise playing.error
    for slip in people.slips:
        print(f"tableref: {slip.text(evening.head['lang'])}", file=sys.stderr)
    if not args.json:
        words, places = labels(evening.head["lang"]), ("camera", "screens", "lights")
        where = {place: out / place for place in places} | {"journal": out / JOURNAL}
        for key in (("demo-seen",) if playing.cameras else ()) + ("demo-shown",):
            print(words[key].format(**where))
    return 1 if people.slips else code


def _with_names(rules: TableGame[Any], setup: dict[str, Any]) -> dict[str, Any]:
    """The set-up with names of the players, where the game has names for so many."""
    named = {**setup, "names": list(NAMES[: setup.get("players", 0)])}
    with contextlib.suppress(SetupError):
        rules.start(named)
        return named
    return setup


def _senses(board: Board, wanted: str | None) -> frozenset[str]:
    """The senses of the demo's table. UserError where the board file does not name them."""
    has = board.senses
    camera, switches = has.board != "none", has.switches
    if wanted in ("camera", "both") and not camera:
        raise UserError(f"demo: the board file of {board.game} names no camera over the board")
    if wanted in ("switches", "both") and not switches:
        raise UserError(f"demo: the board file of {board.game} names no switches")
    asked = wanted is not None or has.board == "tags"
    names = {
        "board": camera and asked and wanted != "switches",
        "switches": switches and wanted != "camera",
    }
    return frozenset(name for name, there in {**names, "mat": has.mat}.items() if there)


def _keeper(folder: Path) -> Callable[[str, Picture], None]:
    """Writes pictures into a folder; one that is there is shown again, and stays."""

    def keep(name: str, picture: Picture) -> None:
        import cv2

        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{name}.jpg"
        if not file.exists():
            cv2.imwrite(str(file), picture)

    return keep


MARK = "made-by-tableref-demo"
"""A file that says so: `tableref demo` may take away what it has written."""
WRITTEN = {
    "camera": r"\d+\.jpg",
    "screens": r"screen-\d+\.png",
    "lights": r"lights-\d+\.png",
}
WRITTEN["evidence"] = r"\d{6,}(-(board|mat)-(before|after)\.jpg|\.json)"
"""Folder -> names of the files that a demo writes into it."""
FILES = re.compile(
    rf"{MARK}|plots\.json|link\.log|looks-[a-z-]+\.zip(\.new)?|journal\.(sqlite3(\.new)?(-journal)?|lock|told)"
)


def _clear(out: Path) -> None:
    """Takes an earlier demo away, and nothing else. UserError where the folder holds anything
    else; then nothing is removed."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        written = list(_written(out))
        lock = FileLock(out / "journal.lock")
    except LockHeld as held:
        raise UserError(f"{out}: {held} plays here; choose another --out") from held
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
