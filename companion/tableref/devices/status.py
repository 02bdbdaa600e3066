"""The status light beside the screen: how the referee is, to be seen from across the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Protocol

from tableref.devices.lights import Light, Pattern
from tableref.devices.pins import claim


class Status(Enum):
    """How the referee is. As with the cells, the pattern says it and the colour refines it."""

    WAITING = Light((0, 160, 0), Pattern.STEADY)  # all is well, it is somebody's turn
    WATCHING = Light((60, 60, 255), Pattern.PULSE)  # a hand or something moving is over the board
    ASKING = Light((255, 140, 0), Pattern.SLOW_BLINK)  # a question is on the screen
    TROUBLE = Light((255, 0, 0), Pattern.FAST_BLINK)  # refused, or a device is gone
    OFF = Light((0, 0, 0), Pattern.STEADY)


class StatusLight(Protocol):
    """Something that shows a status."""

    def show(self, status: Status) -> None:
        """Show this status from now on. Never waits."""
        ...

    def close(self) -> None:
        """Go dark and give the device back."""
        ...


@dataclass(frozen=True, slots=True)
class StatusPins:
    """BCM numbers of the three pins, and which side the three lights have in common."""

    red: int = 17
    green: int = 27
    blue: int = 22
    common: Literal["cathode", "anode"] = "cathode"

    def numbers(self) -> dict[str, int]:
        """Colour -> pin, in the order red, green, blue."""
        return {"red": self.red, "green": self.green, "blue": self.blue}


SLOW, FAST, BREATH = 0.5, 0.1, 0.8  # seconds on and off; seconds of fading in and out


class GpioStatusLight:
    """A red-green-blue light on three pins of the Pi's header, dimmed by the pin library."""

    def __init__(self, pins: StatusPins, factory: Any) -> None:
        """`pins` of a gpiozero pin `factory`. PinBusy, naming the pin."""
        from gpiozero import LED, RGBLED

        for name, pin in pins.numbers().items():
            # The three-pin device would not say which of its pins is taken.
            claim(pin, f"[status] {name}", LED, factory).close()
        self._led: Any = RGBLED(
            *pins.numbers().values(), active_high=pins.common == "cathode", pin_factory=factory
        )
        self._shown = Status.OFF

    def show(self, status: Status) -> None:
        """Show this status from now on. Never waits."""
        if status is self._shown:
            return
        self._shown = status
        colour = tuple(part / 255 for part in status.value.colour)
        match status.value.pattern:
            case Pattern.STEADY:
                self._led.color = colour
            case Pattern.PULSE:
                self._led.pulse(BREATH, BREATH, on_color=colour)
            case Pattern.SLOW_BLINK:
                self._led.blink(SLOW, SLOW, on_color=colour)
            case Pattern.FAST_BLINK:
                self._led.blink(FAST, FAST, on_color=colour)

    def close(self) -> None:
        """Go dark and give the pins back."""
        self._led.close()


class FileStatusLight:
    """A virtual status light: it writes what it shows, a line for each change."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._shown = Status.OFF

    def show(self, status: Status) -> None:
        """Write the status' name where it is another than before."""
        if status is self._shown:
            return
        self._shown = status
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{status.name.lower()}\n")

    def close(self) -> None:
        """Nothing to give back."""
