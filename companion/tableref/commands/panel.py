"""`tableref panel`: try out screens, status light, buzzer and buttons, one after the other."""

from __future__ import annotations

import argparse
import queue
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.commands import words
from tableref.devices.config import DeviceConfig, load_config
from tableref.devices.oled import (
    DisplayError,
    DisplayOptions,
    Marker,
    OledDisplay,
    Screen,
    find_driver,
)

if TYPE_CHECKING:
    from tableref.devices.buttons import Button, Press
    from tableref.devices.panel import Panel

FRAMES = 10  # drawn to measure how quick a display is


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which configuration, and how long each thing is shown."""
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="instead of the one that Tableref looks for"
    )
    parser.add_argument(
        "--seconds",
        type=words.number(0, 3600),
        default=2.0,
        help="how long each is shown (default: 2)",
    )
    parser.add_argument(
        "--patience",
        type=words.number(0, 3600),
        default=30.0,
        help="how long buttons are waited for (default: 30)",
    )
    parser.add_argument(
        "--unplug",
        action="store_true",
        help="only say on every display that the plug may be pulled, and leave it so",
    )


def run(args: argparse.Namespace) -> int:
    """0 where all that is wired was seen, heard and felt; 1 where something was not."""
    from tableref.devices.panel import open_panel

    config = load_config(args.config)
    if args.unplug:
        return _unplug(config, args.config)
    presses: queue.SimpleQueue[Press] = queue.SimpleQueue()
    # First, as it sees to it that no other Tableref has this hardware.
    panel = open_panel(replace(config, displays=()), presses.put)
    try:
        seen = [_try_display(options) for options in config.displays]
        for trouble in panel.trouble:
            print(trouble)
        _show(panel, args.seconds)
        felt = panel.buttons is None or _try_buttons(config, presses, args.patience)
        for button in panel.stuck:
            print(f"button {button.name} hangs: check its wires")
        return 0 if all(seen) and felt and not panel.trouble and not panel.stuck else 1
    finally:
        panel.close()


def _unplug(config: DeviceConfig, path: Path | None) -> int:
    """The last thing that is shown before the power goes. 1 where a display did not take it."""
    from tableref.hosting.config import load
    from tableref.rulebook.menuwords import MenuWords

    text = MenuWords(load(path).game.lang).text("unplug")
    failed = 0
    for options in config.displays:
        try:
            display = OledDisplay(options)
            display.show(Screen.of("Tableref", text, Marker.OK))
            display.stay()
            display.close()
        except DisplayError as error:
            print(error)
            failed = 1
    return failed


def _try_display(options: DisplayOptions) -> bool:
    where = f"display on bus {options.bus}, 0x{options.address:02X}"
    try:
        found = find_driver(options, OledDisplay, lambda: _yes("Do you see a frame, no noise?"))
        if found is None:
            print(f"{where}: shows no frame with any driver; is it {options.height} rows high?")
            return False
        display = OledDisplay(found)
        began = time.perf_counter()
        for number in range(FRAMES):
            display.show(Screen("Tableref", (f"picture {number + 1} of {FRAMES}",)))
        rate = FRAMES / (time.perf_counter() - began)
        display.close()
    except DisplayError as error:
        print(f"{where}: {error}")
        return False
    print(f"{where}: {found.driver}, {rate:.0f} pictures a second")
    if found != options:
        print(f'  put into the configuration: [[display]] driver = "{found.driver}"')
    return True


def _yes(question: str) -> bool:
    try:
        return input(f"{question} [y/n] ").strip().lower().startswith("y")
    except EOFError:
        return False


def _show(panel: Panel, seconds: float) -> None:
    from tableref.devices.sounds import Sound
    from tableref.devices.status import Status

    for status in Status if panel.light else ():
        print(f"status light: {status.name.lower()}, {status.value.pattern.value}")
        panel.status(status)
        time.sleep(seconds)
    for sound in Sound if panel.sounds else ():
        print(f"buzzer: {sound.name.lower()}")
        panel.play(sound)
        time.sleep(seconds)


def _try_buttons(config: DeviceConfig, presses: queue.SimpleQueue[Press], patience: float) -> bool:
    """True where every button was pressed before patience ended."""
    missing: set[Button] = set(config.buttons)
    print(f"Press {', '.join(button.name for button in config.buttons)}.")
    end = time.monotonic() + patience
    while missing:
        try:
            press = presses.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            names = ", ".join(button.name for button in config.buttons if button in missing)
            print(f"not pressed: {names}")
            return False
        print(f"{press.button.name}, {'long' if press.long else 'short'}")
        missing.discard(press.button)
    return True
