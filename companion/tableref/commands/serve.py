"""`tableref serve`: the table as an appliance, with a menu on the display and five buttons."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.appliance.serve import Appliance, Found
from tableref.appliance.updates import Updates
from tableref.commands.phones import CasePhones
from tableref.commands.terminal import typed
from tableref.devices.buttons import Button, Press, VirtualButtons
from tableref.devices.config import config_path
from tableref.devices.lock import FileLock, LockHeld
from tableref.devices.panel import Panel, open_panel, virtual_panel
from tableref.devices.trouble import not_written
from tableref.errors import UserError
from tableref.hosting.config import Config, MqttOptions, load
from tableref.hosting.shelf import Shelf
from tableref.hosting.stopping import stopping

if TYPE_CHECKING:
    from tableref.hosting.mqtt import Publisher
    from tableref.hosting.opening import Game

KEYS = {
    "o": Button.OK, "b": Button.BACK, "u": Button.UP, "d": Button.DOWN, "w": Button.WHY,
}  # fmt: skip
"""Letters that press a button of a virtual panel; a capital holds it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of `tableref serve`."""
    state_argument(parser)
    parser.add_argument("--config", type=Path, metavar="FILE", help="in place of the usual one")
    parser.add_argument(
        "--panel",
        choices=("pi", "pictures"),
        default="pi",
        help="this Pi's pins, or pictures in the folder and buttons by letters: o, b, u, d, w;"
        " a capital holds the button",
    )


def state_argument(parser: argparse.ArgumentParser) -> None:
    """Where the games of this table are kept: as systemd says, or in the home folder."""
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FOLDER",
        default=Path(os.environ.get("STATE_DIRECTORY", "~/.local/state/tableref")).expanduser(),
        help="where games are kept",
    )


def run(args: argparse.Namespace) -> int:
    """Until it is stopped, or switched off by the menu."""
    with contextlib.ExitStack() as stack:
        trouble = ""
        try:
            stack.callback(_alone(args.state).close)
        except OSError as error:  # nor can another one play there; the menu and health can be seen
            trouble = str(not_written(args.state, error))
        return _serve(args, trouble)


def _alone(root: Path) -> FileLock:
    """Nobody else serves the table whose games lie in this folder: they would offer the game that
    is played as one that was cut off. UserError, OSError"""
    root.mkdir(parents=True, exist_ok=True)
    try:
        return FileLock(root / "serve.lock")
    except LockHeld as held:
        raise UserError(
            f"{root}: {held} serves this table already; end it first, or name another --state"
        ) from held


def _serve(args: argparse.Namespace, trouble: str) -> int:
    if args.config:
        os.environ["TABLEREF_CONFIG"] = str(args.config)
    config, publisher = Config(), None
    try:
        _begun(config_path())
        config = load()
        publisher = _publisher(config.mqtt)
    except UserError as error:  # nobody has a keyboard: the display says what is wrong
        trouble = str(error)
        print(f"tableref: {trouble}", file=sys.stderr)

    pages = CasePhones(Shelf(args.state / "games").games, _examined)

    def opened(pressed: Callable[[Press], None]) -> Panel:
        pages.begin(pressed)
        panel = on_case(pressed)
        panel.watchers.append(pages.shown)
        return panel

    def on_case(pressed: Callable[[Press], None]) -> Panel:
        if args.panel == "pi":
            return open_panel(config.devices, pressed)
        panel = virtual_panel(args.state / "panel", pressed)
        assert isinstance(panel.buttons, VirtualButtons)
        threading.Thread(target=_type, args=(panel.buttons,), daemon=True).start()
        return panel

    appliance = Appliance(
        config,
        args.state,
        opened,
        examine=_examined,
        phones=pages.beside,
        between=pages.alone,
        publisher=publisher,
        updates=Updates(args.state),
        trouble=trouble,
    )
    with stopping(appliance.stop) as stopped:
        appliance.run()
    return 128 + stopped[0] if stopped else 0


def _publisher(options: MqttOptions) -> Callable[[Game], Publisher] | None:
    """What makes the publisher of each game; None where no broker is told. UserError"""
    if not options.url:
        return None
    from tableref.hosting.home import PREFIX
    from tableref.hosting.mqtt import Broker, publishing

    home = PREFIX if options.home_assistant else ""
    return publishing(Broker.of(options.url, os.environ), os.environ, home, options.let_stand)


def _begun(path: Path | None) -> None:
    """The configuration that was named is there, be it empty: what is set up is written into it.
    DeviceError"""
    if path is not None and not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            raise not_written(path, error) from error


def _type(buttons: VirtualButtons) -> None:
    """Letters on standard input are presses."""
    for line in typed():
        for letter in line.strip():
            if letter.lower() in KEYS:
                buttons.press(KEYS[letter.lower()], letter.isupper())


def _examined() -> Iterator[Found]:
    """What `tableref doctor` finds that needs a cure."""
    from tableref.devices.config import load_config
    from tableref.doctor import Host, Level, examine

    for finding in examine(Host(), load_config()):
        if finding.result.level >= Level.WARNING:
            yield f"{finding.title}: {finding.result.what}", finding.result.cure
