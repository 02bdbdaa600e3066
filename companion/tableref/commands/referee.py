"""`tableref referee`: watches a table and referees the game on it."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableref.commands import words
from tableref.commands.phones import phones
from tableref.commands.terminal import typed
from tableref.hosting.cameras import calibrated
from tableref.hosting.opening import DEMO, Game, Watching, is_demo, new_game
from tableref.hosting.stopping import stopping
from tableref.referee.album import USUAL
from tableref.referee.desk import Outlet
from tableref.referee.games import GAMES
from tableref.referee.outlets import EventLines, LightOutlet, ScreenOutlet
from tableref.referee.table import Phase
from tableref.referee.timing import Clock
from tableref.rulebook import Rulebook
from tableref.rulebook.messages import Messages
from tableref.rulebook.text import LANGUAGES
from tableref.rulebook.typed import command, say

if TYPE_CHECKING:
    from tableref.hosting.mqtt import Publisher


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
    words.setup_argument(parser, "; plots of a file bring their own")
    parser.add_argument("--out", metavar="FOLDER", required=True, help="journal and pictures")
    parser.add_argument(
        "--clock",
        metavar="SECONDS",
        type=words.whole(1, 86_400),
        help="for each turn; a bell 10 seconds before; without: nobody is timed",
    )
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
    words.die_argument(parser, "configured, or measured by the first throws")


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
        "--web",
        nargs="?",
        const=8080,
        type=words.whole(0, 65535),
        metavar="PORT",
        help="serve a page to the phones at the table (default: port 8080)",
    )
    parser.add_argument(
        "--mqtt",
        metavar="URL",
        help="tell a broker what happens: mqtt://[USER@]HOST[:PORT]/TABLE, or mqtts://",
    )
    parser.add_argument(
        "--home-assistant",
        nargs="?",
        const="homeassistant",
        metavar="PREFIX",
        help="with --mqtt: let Home Assistant find this table (default prefix: homeassistant)",
    )
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
    check_outputs(args)
    setup = words.options(args.setup, "--setup")
    game = new_game(
        Path(args.out), args.game, setup,
        cameras=args.camera, plots=args.plots, board=args.board, lang=args.lang,
        clock=Clock(args.clock, 10) if args.clock else None,
    )  # fmt: skip
    return referee(game, args)


def referee(game: Game, args: argparse.Namespace, told: Sequence[Outlet] = ()) -> int:
    """Plays a game; feedback goes to the terminal, the panel, and pictures in the game's folder,
    and to those who are `told` besides."""
    from tableref.devices.lights import PngLights
    from tableref.devices.oled import PngDisplay

    folder, head = game.folder, game.evening.head
    watching = Watching(
        args.link or "", args.calibration or "", args.record or "", args.evidence, size_of(args),
        folder if is_demo(head) else None,
    )  # fmt: skip
    terminal_lines = EventLines(sys.stdout, args.json, sys.stderr if args.json else None)
    with contextlib.ExitStack() as stack:
        stack.enter_context(game)
        outlets: list[Outlet] = [
            terminal_lines,
            LightOutlet(PngLights(folder / "lights", game.evening.board)),
            *told,
        ]
        judge = None
        if args.mqtt:
            publisher = stack.enter_context(_publisher(game, args.mqtt, args.home_assistant))
            outlets.append(publisher)
            judge = publisher.call
        if args.panel == "pi":
            outlets.append(stack.enter_context(_front(game, judge)))
        else:
            outlets.append(ScreenOutlet(PngDisplay(folder / "screens")))
        if args.web is not None:
            pages = stack.enter_context(phones(game, args.web, judge))
            terminal_lines.reply(pages.invitation)
            outlets.append(pages.outlet)
        if args.evidence:
            terminal_lines.write(_keeps(head["lang"], args.evidence))
        if not args.json:
            terminal_lines.reply([say("begin", head["lang"], to=command("help", head["lang"]))])
        stopped = stack.enter_context(stopping(game.queue.close))
        desk = game.play(
            outlets, watching, typed=typed(),
            say=terminal_lines.reply, columns=terminal_lines.columns, judge=judge,
        )  # fmt: skip
    if not (desk.left or stopped) or desk.state.phase is Phase.OVER:
        return 0
    goes_on = DEMO in head or not is_demo(head)
    again = f"tableref {'resume' if goes_on else 'demo --out'} {folder}"
    with contextlib.suppress(OSError):  # a terminal that hung up hears nothing
        line = say("left", head["lang"], what=again)
        print(line, file=sys.stderr if stopped or args.json else sys.stdout)
    return 128 + stopped[0] if stopped else 0


def size_of(args: argparse.Namespace) -> float | None:
    """Of the dice in mm, where the command has a word for it and it was said."""
    said: float | None = vars(args).get("die")
    return said


def _keeps(lang: str, most: int) -> dict[str, Any]:
    """The event that says which pictures are kept, and how to have none."""
    text = Messages(Rulebook(lang)).sentence("evidence", {"to": str(most)})
    return {"event": "evidence", "megabytes": most, "text": [text]}


def _publisher(game: Game, url: str, home: str | None) -> Publisher:
    """UserError"""
    from tableref.hosting.mqtt import Broker, publishing

    return publishing(Broker.of(url, os.environ), os.environ, home or "")(game)


@contextlib.contextmanager
def _front(game: Game, judge: Callable[[], bool] | None) -> Iterator[Outlet]:
    """The panel of this Pi as an outlet, its buttons as inputs. What is missing is told."""
    from tableref.devices.config import load_config
    from tableref.devices.panel import open_panel

    front = game.front(judge=judge)
    panel = open_panel(load_config(), front.pressed)
    front.start(panel)
    try:
        yield front
    finally:
        front.close()
        panel.close()
