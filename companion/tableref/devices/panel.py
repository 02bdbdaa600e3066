"""Everything on the front of the case as one: screens, buttons, status light, buzzer.

What cannot be opened is missing and named in `trouble`; the table goes on without it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tableref.devices.buttons import Button, Buttons, GpioButtons, Press, VirtualButtons
from tableref.devices.config import DeviceConfig
from tableref.devices.oled import DisplayOptions, OledDisplay, PngDisplay, Screen, ScreenKeeper
from tableref.devices.pins import HardwareLock, open_with_pins
from tableref.devices.sounds import GpioBuzzer, SilentSounds, Sound, Sounds
from tableref.devices.status import FileStatusLight, GpioStatusLight, Status, StatusLight
from tableref.devices.trouble import DeviceError
from tableref.devices.worker import Guard

T = TypeVar("T")
log = logging.getLogger(__name__)


class Panel:
    """What the referee shows and sounds, and where presses come from. No call waits or fails."""

    def __init__(self) -> None:
        self.screens: list[ScreenKeeper] = []
        self.buttons: Buttons | None = None
        self.light: StatusLight | None = None
        self.sounds: Sounds | None = None
        self.lock: HardwareLock | None = None
        self.watchers: list[Callable[[Screen], None]] = []
        """Told of every screen that is shown."""
        self._missing: list[DeviceError] = []

    def show(self, screen: Screen) -> None:
        """Show this on every screen."""
        for watcher in self.watchers:
            watcher(screen)
        for keeper in self.screens:
            keeper.show(screen)

    def status(self, status: Status) -> None:
        """Show this status."""
        if self.light is not None:
            self.light.show(status)

    def play(self, sound: Sound) -> None:
        """Begin this melody."""
        if self.sounds is not None:
            self.sounds.play(sound)

    @property
    def stuck(self) -> tuple[Button, ...]:
        """Buttons that hang."""
        return self.buttons.stuck if self.buttons is not None else ()

    @property
    def trouble(self) -> tuple[DeviceError, ...]:
        """What is missing since the start, and what does not answer just now."""
        silent = [keeper.trouble for keeper in self.screens if keeper.trouble is not None]
        return (*self._missing, *silent)

    def attempt(self, device: Callable[[], T]) -> T | None:
        """The device, or None where it cannot be opened; `trouble` then says why."""
        try:
            return device()
        except DeviceError as error:
            log.warning("%s", error)
            self._missing.append(error)
            return None

    def drive(self, displays: Sequence[DisplayOptions]) -> None:
        """Show on these displays from now on, and on no others."""
        for keeper in self.screens:
            keeper.close()
        self.screens = []
        for options in displays:
            keeper = ScreenKeeper(partial(OledDisplay, options))
            keeper.start()
            self.screens.append(keeper)

    def close(self, dark: bool = True) -> None:
        """Go dark and quiet, and give everything back. Not `dark`: what is shown stays."""
        guard = Guard("the panel")
        if not dark:
            for keeper in self.screens:
                keeper.stay()
        for part in (self.buttons, self.sounds, self.light, *self.screens, self.lock):
            if part is not None:
                with guard:
                    part.close()


def open_panel(config: DeviceConfig, pressed: Callable[[Press], None]) -> Panel:
    """The real panel, as it is wired; `pressed` gets each press from a thread of its own.

    PinBusy where another Tableref has this hardware; whatever else is wrong is in `trouble`.
    """
    panel = Panel()
    panel.lock = HardwareLock()
    panel.drive(config.displays)
    if config.buttons or config.status or config.buzzer:
        panel.attempt(lambda: open_with_pins(partial(_on_pins, panel, config, pressed)))
    return panel


def _on_pins(
    panel: Panel, config: DeviceConfig, pressed: Callable[[Press], None], factory: Any
) -> None:
    """Open what hangs on pins, each by itself: one taken pin does not cost the others."""
    status, buzzer = config.status, config.buzzer
    if config.buttons:
        buttons = panel.attempt(lambda: GpioButtons(config.buttons, pressed, factory))
        if buttons is not None:
            buttons.start()
            panel.buttons = buttons
    if status is not None:
        panel.light = panel.attempt(lambda: GpioStatusLight(status, factory))
    if buzzer is not None:
        sounds = panel.attempt(lambda: GpioBuzzer(buzzer.pin, buzzer.kind, factory))
        if sounds is not None:
            sounds.start()
            panel.sounds = sounds


def virtual_panel(folder: Path, pressed: Callable[[Press], None]) -> Panel:
    """A panel on a laptop: screens as pictures, light and sounds as lists, buttons to call."""
    panel = Panel()
    keeper = ScreenKeeper(partial(PngDisplay, folder / "screens"))
    keeper.start()
    panel.screens.append(keeper)
    panel.buttons = VirtualButtons(pressed)
    panel.light = FileStatusLight(folder / "status.txt")
    panel.sounds = SilentSounds(folder / "sounds.txt")
    return panel
