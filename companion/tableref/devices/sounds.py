"""The buzzer: a few short melodies that differ in rhythm, and one that plays them.

A passive buzzer plays notes; an active one has its own note, so only the rhythm is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from tableref.devices.pins import claim
from tableref.devices.worker import Worker


class Note(NamedTuple):
    """A note of so many hertz, 0 for a rest, and how long it lasts in seconds."""

    hertz: float
    seconds: float


class Sound(Enum):
    """What a melody says."""

    ACCEPTED = (Note(1319, 0.06),)
    REFUSED = (Note(392, 0.18), Note(0, 0.08), Note(311, 0.3))
    QUESTION = (Note(659, 0.09), Note(0, 0.05), Note(880, 0.09), Note(0, 0.05), Note(1175, 0.12))
    TROUBLE = tuple(Note(hertz, 0.1) for hertz in (523, 0) * 4)
    BELL = (Note(1760, 0.08), Note(0, 0.06), Note(1760, 0.08), Note(0, 0.3)) * 2
    OVER = (Note(523, 0.12), Note(659, 0.12), Note(784, 0.12), Note(1047, 0.3))


class Sounds(Protocol):
    """Something that makes sounds."""

    def play(self, sound: Sound) -> None:
        """Begin this melody in place of the one that plays. Never waits."""
        ...

    def close(self) -> None:
        """Be quiet and give the device back."""
        ...


class GpioBuzzer:
    """A buzzer on a pin of the Pi's header."""

    def __init__(
        self,
        pin: int,
        kind: Literal["passive", "active"],
        factory: Any,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pin` is a BCM number of a gpiozero pin `factory`. PinBusy, naming the pin."""
        from gpiozero import Buzzer, TonalBuzzer

        self._clock = clock
        self._tonal = kind == "passive"
        device = TonalBuzzer if self._tonal else Buzzer
        more = {"octaves": 3} if self._tonal else {}
        self._device: Any = claim(pin, "[buzzer] pin", device, factory, **more)
        self._begun: tuple[Sound, float] | None = None
        self._note: Note | None = None
        self._worker = Worker("buzzer", self.step)

    def start(self) -> None:
        """Play from now on."""
        self._worker.start()

    def play(self, sound: Sound) -> None:
        """Begin this melody in place of the one that plays. Never waits."""
        self._begun = (sound, self._clock())
        self._worker.wake()

    def close(self) -> None:
        """Be quiet and give the pin back."""
        self._worker.close()
        self._device.close()

    def step(self, now: float) -> float | None:
        """Sound the note that is due at `now`; returns the seconds until the next one."""
        begun = self._begun
        if begun is None:
            return None
        sound, end = begun
        notes: tuple[Note, ...] = sound.value
        for note in notes:
            end += note.seconds
            if now < end:
                self._sound(note)
                return end - now
        self._sound(None)
        if self._begun is begun:
            self._begun = None
        return None

    def _sound(self, note: Note | None) -> None:
        if note is self._note:
            return
        self._note = note
        if note is None or not note.hertz:
            (self._device.stop if self._tonal else self._device.off)()
        elif self._tonal:
            self._device.play(note.hertz)
        else:
            self._device.on()


class SilentSounds:
    """A virtual buzzer: it writes what it was asked to play, a line each."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path

    def play(self, sound: Sound) -> None:
        """Write the melody's name."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{sound.name.lower()}\n")

    def close(self) -> None:
        """Nothing to give back."""
