"""`tableref referee`: watches a table and referees the game on it."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import words
from tableref.commands.terminal import typed
from tableref.errors import UserError
from tableref.referee import evening as evenings
from tableref.referee.album import USUAL
from tableref.referee.desk import Outlet
from tableref.referee.evening import Evening
from tableref.referee.eyes import PLACES, place_of
from tableref.referee.games import GAMES, load_game
from tableref.referee.keeping import Keeper
from tableref.referee.outlets import EventLines, LightOutlet, ScreenOutlet
from tableref.referee.plots import PlotError, read_plots
from tableref.referee.queue import InputQueue
from tableref.referee.recording import Recorder, new_recording
from tableref.referee.table import Phase
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import LANGUAGES

if TYPE_CHECKING:
    from tableref.devices.link import Link
    from tableref_vision.calibration import Calibration
    from tableref_vision.camera import Camera

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref referee`."""
    parser.add_argument(
        "--game", required=True, type=words.game, help=f"what is played: {', '.join(GAMES)}"
    )
    parser.add_argument(
        "--board", type=words.board, help="a board file instead of the one that ships"
    )
    camera_arguments(parser)
    parser.add_argument("--plots", metavar="FILE", help="what the players wrote down")
    parser.add_argument(
        "--setup",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="an option of the game, such as players=4; plots of a file bring their own",
    )
    parser.add_argument("--out", metavar="FOLDER", required=True, help="journal and pictures")
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="en, fr or de")
    output_arguments(parser)


def camera_arguments(parser: argparse.ArgumentParser) -> None:
    """The camera to look through."""
    parser.add_argument(
        "--camera",
        action="append",
        default=[],
        metavar="SPEC",
        help="as usb:0 or folder:PATH; with what it looks at, as mat=usb:1; again for another;"
        " without: the table has its switches, or moves are entered",
    )


def output_arguments(parser: argparse.ArgumentParser) -> None:
    """How events are told, and whether inputs are recorded."""
    parser.add_argument("--json", action="store_true", help="a line of JSON an event")
    parser.add_argument("--calibration", metavar="FILE", help="of `tableref calibrate`")
    parser.add_argument(
        "--link",
        metavar="PORT",
        help="the board's Pico: auto, or a port as `tableref board` takes it; without: none",
    )
    parser.add_argument(
        "--panel",
        choices=("pictures", "pi"),
        default="pictures",
        help="where screens, status and sounds go: pictures in the folder, or this Pi's pins",
    )
    parser.add_argument("--record", metavar="FILE", help="write every input to this file")
    parser.add_argument(
        "--evidence",
        type=evidence,
        default=USUAL,
        metavar="MB",
        help=f"pictures that are kept with the rulings, {USUAL} by default; off: none",
    )


def evidence(text: str) -> int:
    """MB of pictures; `off` is 0."""
    return 0 if text.lower() == "off" else words.whole(0, 1_000_000)(text)


def check_outputs(args: argparse.Namespace) -> None:
    """What would be found out only when the game has begun: a file that is not to be written, a
    calibration that is none. UserError"""
    words.writable(args.record)
    calibrated(args.calibration)


def run(args: argparse.Namespace) -> int:
    """A new game in an empty folder."""
    plots = read_plots(args.plots) if args.plots else {"setup": {}, "rounds": []}
    if plots.get("game") not in (None, args.game):
        raise UserError(f"{args.plots}: plots of {plots['game']}, not of {args.game}")
    # Without plots the players keep them on paper, and moves are read off the board.
    unplotted = {} if args.plots else dict(load_game(args.game).unplotted)
    setup = (plots["setup"] if args.plots else unplotted) | words.options(args.setup, "--setup")
    check_outputs(args)
    handed = {key: plots[key] for key in ("throws", "said", "pictures") if plots.get(key)}
    camera = absolute(args.camera)
    try:
        evening = evenings.new_evening(
            Path(args.out), args.game, setup, plots["rounds"], camera, args.board, args.lang, handed
        )
    except PlotError as error:
        raise UserError(f"{args.plots}: {error}") from error
    try:
        sources = opened_all(camera, evening)
    except UserError:
        evening.journal.close()
        raise
    return referee(evening, sources, Path(args.out), args, queue_for(sources))


def absolute(cameras: Sequence[str]) -> str:
    """The cameras' names, a line each, with the path of a folder or film made whole: the journal
    keeps them."""
    return "\n".join(map(_absolute, cameras))


def _absolute(camera: str) -> str:
    place, name = _placed(camera)
    scheme, _, words = name.partition(":")
    if scheme in ("folder", "video"):
        name = f"{scheme}:{Path(words).resolve()}"
    return f"{place}={name}" if place else name


def _placed(camera: str) -> tuple[str, str]:
    """What a camera looks at, where its name begins with that, and its name without."""
    place, equals, name = camera.partition("=")
    return (place, name) if equals and place in PLACES else ("", camera)


def opened_all(cameras: str, evening: Evening) -> dict[str, Camera]:
    """What each camera looks at -> the camera. UserError"""
    found: dict[str, Camera] = {}
    usual = place_of(evening.board, evening.head.get("pictures", {}))
    try:
        for camera in filter(None, cameras.split("\n")):
            place, name = _placed(camera)
            if (place or usual) in found:
                raise UserError(
                    f"camera {name}: another one looks at the {place or usual} already; say what"
                    f" each looks at, as mat={name}"
                )
            found[place or usual] = opened(name)
    except UserError:
        for source in found.values():
            source.close()
        raise
    return found


def queue_for(cameras: Mapping[str, Camera]) -> InputQueue:
    """The queue of an evening: sources that can wait do."""
    return InputQueue(any(camera.waits for camera in cameras.values()))


def opened(camera: str) -> Camera:
    """The camera of this name. UserError"""
    from tableref_vision.camera import CameraError, open_camera

    try:
        return open_camera(camera)
    except CameraError as error:
        raise UserError(f"camera {camera}: {error}") from error


def calibrated(path: str | None) -> Calibration | None:
    """The calibration in this file; None where none is named. UserError"""
    from tableref_vision.calibration import Calibration
    from tableref_vision.errors import CalibrationError

    if path is None:
        return None
    try:
        return Calibration.load(Path(path))
    except CalibrationError as error:
        raise UserError(str(error)) from error


def referee(
    evening: Evening,
    cameras: Mapping[str, Camera],
    out: Path,
    args: argparse.Namespace,
    queue: InputQueue,
    told: Sequence[Outlet] = (),
    link: Link | None = None,
) -> int:
    """Runs a game on cameras and a link, where one is open or named; feedback goes to the terminal,
    the panel, and pictures in `out`, and to those who are `told` besides."""
    from tableref.devices.lights import PngLights
    from tableref.devices.oled import PngDisplay

    with contextlib.ExitStack() as stack:
        stack.callback(evening.journal.close)
        # All that may be missing is opened before the journal begins.
        calibration = calibrated(args.calibration)
        terminal_lines = EventLines(sys.stdout, args.json)
        outlets: list[Outlet] = [
            terminal_lines,
            LightOutlet(PngLights(out / "lights", evening.board)),
            *told,
        ]
        if args.panel == "pi":
            outlets.append(stack.enter_context(_front(evening, queue)))
        else:
            outlets.append(ScreenOutlet(PngDisplay(out / "screens")))
        if args.link:
            from tableref.devices.link import BoardLink, keep_log, port_named

            keep_log(out / "link.log")
            link = BoardLink(evening.board, port_named(args.link, evening.board))
            outlets.append(LightOutlet(link))
        pictures = None
        if args.evidence:
            keeper = Keeper(out, evening.board, args.evidence, queue.every_frame)
            stack.callback(keeper.close)
            outlets.append(keeper)
            pictures = keeper.pictures
            terminal_lines.write(_keeps(evening.head["lang"], args.evidence))
        recorder = None
        if args.record:
            stream = stack.enter_context(new_recording(Path(args.record)))
            recorder = Recorder(stream, evening.head)
        lines = typed()
        # Without a camera or a board that feels nothing asks before it has heard.
        script = not lines.isatty() and bool(cameras or link)
        with stopping(queue.close) as stopped:
            desk = evenings.run(
                evening, cameras, outlets, queue, recorder, link, calibration, lines, pictures,
                script, partial(print, file=sys.stderr if args.json else sys.stdout, flush=True),
            )  # fmt: skip
    if not stopped or desk.state.phase is Phase.OVER:
        return 0
    again = f"begin it anew with `tableref demo --out {out}`"
    if not is_demo(evening.head):
        again = f"go on with `tableref resume {out}`"
    with contextlib.suppress(OSError):  # a terminal that hung up hears nothing
        print(f"tableref: ended; all that was ruled is kept: {again}", file=sys.stderr)
    return 128 + stopped[0]


def _keeps(lang: str, most: int) -> dict[str, Any]:
    """The event that says which pictures are kept, and how to have none."""
    text = Messages(Rulebook(lang)).sentence("evidence", {"to": str(most)})
    return {"event": "evidence", "megabytes": most, "text": [text]}


def is_demo(head: Mapping[str, Any]) -> bool:
    """Whether virtual players play this game: they are gone with their process."""
    return str(head.get("camera")).startswith("virtual:")


@contextlib.contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C, `kill` and a terminal that hangs up end a game between two steps: they call `stop`.
    Yields the signals that came; a second one ends at once."""
    came: list[int] = []

    def heard(number: int, _: object) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)
        stop()

    # What the caller has us ignore (nohup, a job in the background) stays ignored.
    ours = [s for s in SIGNALS if signal.getsignal(s) not in (signal.SIG_IGN, None)]
    before = {number: signal.signal(number, heard) for number in ours}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _front(evening: Evening, queue: InputQueue) -> Iterator[Outlet]:
    """The panel of this Pi as an outlet, its buttons as inputs. What is missing is told."""
    from tableref.devices.config import load_config
    from tableref.devices.panel import open_panel
    from tableref.referee.front import Front

    players = len(evening.referee.game.players(evening.state.table.state))
    front = Front(Rulebook(evening.head["lang"]), players, queue.happened)
    panel = open_panel(load_config(), front.pressed)
    front.start(panel)
    try:
        yield front
    finally:
        front.close()
        panel.close()
