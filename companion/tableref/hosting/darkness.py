"""Lights that go out for a moment whenever an eye looks that they would dazzle.

Pieces without tags are told by their colours, and a light under a cell shines on whatever stands
there. So while any light is on, such an eye is given frames only to notice hands by; every now and
then all lights go out, a frame is read that shows the board in the room's light alone, and they
come on again. A camera tells late what it saw, so the first frames of the dark still count as lit.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping

from tableref.devices.lights import Light, Lights

LATE = 0.25
"""Seconds after which frames show that the lights went out: the cable, the exposure, and pictures
that wait in the camera."""
SHINE = 0.8
"""Seconds that lights are on, at least, between two looks."""
CALM = 0.4
"""Seconds without a hand before the lights go out for a look."""
AGAIN = 3.0
"""Seconds after which it is looked again though nothing seems to have changed."""


class Darkness:
    """Stands before the lights of a board; from any thread. `now`: the evening's time, in which
    frames are dated."""

    def __init__(self, lights: Lights, now: Callable[[], float]) -> None:
        self._lights, self._now = lights, now
        self._lock = threading.Lock()
        self._wanted: dict[str, Light] = {}
        self._out: dict[str, float] = {}
        """Cell -> when its light went out; it has not where it shines."""
        self._dark = False  # whether lights are out that are wanted
        self._looked = self._stirred = -math.inf  # when the dark was last seen, and a hand
        self._changed = False  # whether anything was noticed or told since

    def show(self, lights: Mapping[str, Light]) -> None:
        """Light exactly these cells, at once or when the look is over. DeviceError"""
        with self._lock:
            self._changed = self._changed or lights != self._wanted
            self._wanted = dict(lights)
            if not self._dark:
                self._shine(self._wanted)

    def lit(self, time: float) -> frozenset[str]:
        """Cells whose light may show in a frame of this time; none where it shows the dark."""
        with self._lock:
            return self._lit(time)

    def seen(self, time: float, hand: bool) -> None:
        """A frame of this time has been read, and whether a hand was noticed in it: the lights go
        out where a look is due, and come on when it is over. DeviceError"""
        with self._lock:
            if hand:
                self._stirred, self._changed = time, True
            if not self._lit(time):
                self._looked, self._changed = time, hand
                self._lighten()
            elif not self._dark and self._is_due(time):
                self._dark = True
                self._shine({})

    def over(self) -> None:
        """Nobody looks any more: the lights that are wanted are on. DeviceError"""
        with self._lock:
            self._lighten()

    def _lit(self, time: float) -> frozenset[str]:
        return frozenset(cell for cell, out in self._out.items() if time < out + LATE)

    def _is_due(self, time: float) -> bool:
        waited = time - self._looked
        calm = time - self._stirred >= CALM
        return waited >= AGAIN or (self._changed and calm and waited >= SHINE)

    def _lighten(self) -> None:
        if self._dark:
            self._dark = False
            self._shine(self._wanted)

    def _shine(self, lights: Mapping[str, Light]) -> None:
        now = self._now()
        for cell in self._out:
            self._out[cell] = min(self._out[cell], now)
        self._out |= dict.fromkeys(lights, math.inf)
        self._lights.show(lights)
