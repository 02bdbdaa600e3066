"""The five buttons: short and long presses out of contacts that bounce and sometimes stick.

All timing is in `Presses`, which knows neither pins nor threads. It trusts no edge: an edge only
says that a contact has to be read again once it has been quiet, so it does not matter whether the
library below reports every bounce, only the first, or late ones.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from tableref.devices.pins import claim
from tableref.devices.worker import Worker

QUIET = 0.025  # seconds that a contact rests before it is believed
LONG = 0.8  # seconds after which a press is a long one
STUCK = 20.0  # seconds after which nobody is pressing


class Button(Enum):
    """The buttons, as they are labelled."""

    OK = "ok"
    BACK = "back"
    UP = "up"
    DOWN = "down"
    WHY = "why"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed: `time` in monotonic seconds is when the finger came down."""

    button: Button
    long: bool
    time: float


class Buttons(Protocol):
    """Something with buttons. Each press is handed over as soon as it is known."""

    @property
    def stuck(self) -> tuple[Button, ...]:
        """Buttons that hang: down since the start, or for longer than anybody presses."""
        ...

    def close(self) -> None:
        """Give the pins back."""
        ...


@dataclass(slots=True)
class _Contact:
    read: Callable[[], bool]
    down: bool = False
    since: float = 0.0  # when the finger came down
    settles: float | None = None
    first_edge: float = 0.0
    told: bool = False  # this press has been told, or is none
    hangs: bool = False


@dataclass(slots=True)
class Presses:
    """From contacts to presses.

    `contacts`: button -> a function that reads whether it is down. A button that is down at the
    start hangs, and is not listened to until it has been up. While one button is down the others
    are not listened to: a hand that leans on two means neither, or the first.
    """

    contacts: Mapping[Button, Callable[[], bool]]
    now: float = 0.0
    _all: dict[Button, _Contact] = field(init=False)

    def __post_init__(self) -> None:
        self._all = {button: _Contact(read) for button, read in self.contacts.items()}
        for contact in self._all.values():
            if contact.read():
                contact.down = contact.told = contact.hangs = True
                contact.since = self.now

    @property
    def stuck(self) -> tuple[Button, ...]:
        """Buttons that hang."""
        return tuple(button for button, contact in self._all.items() if contact.hangs)

    def edge(self, button: Button, now: float) -> None:
        """This contact has changed, or bounced, at `now`."""
        contact = self._all[button]
        if contact.settles is None:
            contact.first_edge = now
        contact.settles = now + QUIET

    def due(self) -> float | None:
        """When `advance` has something to do, if no edge comes before."""
        times = [contact.settles for contact in self._all.values() if contact.settles is not None]
        for contact in self._all.values():
            if contact.down and not contact.hangs:
                times.append(contact.since + (STUCK if contact.told else LONG))
        return min(times, default=None)

    def advance(self, now: float) -> list[Press]:
        """The presses that are certain by `now`, in order."""
        presses: list[Press] = []
        for button, contact in self._all.items():
            if contact.settles is not None and contact.settles <= now:
                contact.settles = None
                presses += self._settled(button, contact)
            if contact.down and not contact.told and now >= contact.since + LONG:
                contact.told = True
                presses.append(Press(button, True, contact.since))
            if contact.down and now >= contact.since + STUCK:
                contact.hangs = True
        return sorted(presses, key=lambda press: press.time)

    def _settled(self, button: Button, contact: _Contact) -> list[Press]:
        down = contact.read()
        if down == contact.down:
            return []
        contact.down = down
        if down:
            contact.since = contact.first_edge
            contact.told = any(
                other.down and not other.hangs
                for other in self._all.values()
                if other is not contact
            )
            return []
        told, contact.told, contact.hangs = contact.told, False, False
        if told:
            return []
        return [Press(button, contact.first_edge - contact.since >= LONG, contact.since)]


class GpioButtons:
    """Buttons between a pin and ground, on a Pi's header.

    >>> buttons = open_with_pins(lambda pins: GpioButtons({Button.OK: 5}, inbox.put, pins))
    >>> buttons.start()
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        pressed: Callable[[Press], None],
        factory: Any,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pins` are BCM numbers of a gpiozero pin `factory` (see `pins.open_with_pins`).

        `pressed` gets each press, from a thread of its own. PinBusy, naming the pin.
        """
        from gpiozero import Button as Device

        self._pressed, self._clock = pressed, clock
        self._devices: dict[Button, Any] = {
            button: claim(pin, f"[buttons] {button.value}", Device, factory)
            for button, pin in pins.items()
        }
        self._presses = Presses(
            {button: _reader(device) for button, device in self._devices.items()}, clock()
        )
        # Edges come from the library's threads; only the newest matter when a contact goes wild.
        self._edges: deque[tuple[Button, float]] = deque(maxlen=256)
        self._worker = Worker("buttons", self.step)
        for button, device in self._devices.items():
            device.when_pressed = device.when_released = self._watcher(button)

    def start(self) -> None:
        """Hand presses over from now on."""
        self._worker.start()

    @property
    def stuck(self) -> tuple[Button, ...]:
        """Buttons that hang."""
        return self._presses.stuck

    def close(self) -> None:
        """Give the pins back."""
        self._worker.close()
        for device in self._devices.values():
            device.close()

    def step(self, now: float) -> float | None:
        """Hand over what is certain by `now`; returns the seconds until it is needed again."""
        while self._edges:
            self._presses.edge(*self._edges.popleft())
        for press in self._presses.advance(now):
            self._pressed(press)
        due = self._presses.due()
        return None if due is None else max(0.0, due - now)

    def _watcher(self, button: Button) -> Callable[[], None]:
        def changed() -> None:
            self._edges.append((button, self._clock()))
            self._worker.wake()

        return changed


def _reader(device: Any) -> Callable[[], bool]:
    return lambda: bool(device.is_pressed)


class VirtualButtons:
    """Buttons that a program presses: `press(Button.OK)`."""

    stuck: tuple[Button, ...] = ()

    def __init__(
        self, pressed: Callable[[Press], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pressed, self._clock = pressed, clock

    def press(self, button: Button, long: bool = False) -> None:
        """Press and let go."""
        self._pressed(Press(button, long, self._clock()))

    def close(self) -> None:
        """Nothing to give back."""
