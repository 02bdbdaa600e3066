"""Where virtual people play: a stage, a dice mat, switches under the board, cameras, one clock.

What looks at the stage and the mat, and who takes what is given, is for whoever opens the room: a
test that steps a referee, or an evening with its threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tableref.devices.link import VirtualLink
from tableref.referee.inputs import CameraTrouble, Input, LinkGone, Tick
from tableref.referee.senses.switches import input_of
from tableref.sim.draw import Hand
from tableref.sim.mat import Die
from tableref.sim.materials import Picture
from tableref.sim.stage import Stage

NEXT = 0.3
"""Seconds until a camera's next picture that is looked at."""
UNPLUGGED = "the virtual camera was unplugged."
CUT = "the virtual cable was cut."


class DiceMat(Protocol):
    """A mat on which dice are laid, and the picture of it."""

    dice: list[Die]

    def picture(self, *, hands: Iterable[Hand] = ()) -> Picture:
        """What the camera sees now."""
        ...


class Ears(Protocol):
    """Who takes what happens in a room."""

    def give(self, given: Input) -> None:
        """Takes an input, and has told what comes of it when it returns."""
        ...

    def look(self, place: str, time: float, hands: tuple[Hand, ...]) -> bool:
        """The camera over the "board" or the "mat" takes a picture, and it is read. Whether it
        looks again at once, for the lights have gone out for it."""
        ...


class Room:
    """A table with its senses: any of "board", "switches", "mat". `dark`: the camera over the board
    is away; `cut`: the board under the table does not answer."""

    def __init__(self, stage: Stage, mat: DiceMat, senses: Iterable[str], ears: Ears) -> None:
        self.stage, self.mat, self.senses = stage, mat, frozenset(senses)
        self.now = 0.0
        self.dark = self.cut = False
        self._ears = ears
        self._held: frozenset[str] = frozenset()
        self._link = self._plugged()

    def give(self, given: Input) -> None:
        """Somebody says something."""
        self._ears.give(given)

    def feel(self) -> None:
        """The switches take the board as it stands, and tell what they have told by now."""
        if self._link is None:
            return
        held = self.stage.occupied()
        for cell in sorted(self._held - held):
            self._link.lift(cell)
        for cell in sorted(held - self._held):
            self._link.put(cell)
        self._held = held
        for item in self._link:
            given = input_of(item)
            if given is not None:
                self._ears.give(given)

    def passes(self, seconds: float, *, over: str = "board", hands: Iterable[Hand] = ()) -> None:
        """Time passes: switches tell, cameras look; `hands` are over the board, or over the mat."""
        self.feel()  # what hands have just put down lies there since then, not since the picture
        self.now = round(self.now + seconds, 3)
        self.feel()
        for place in ("board", "mat"):
            if place in self.senses and not (place == "board" and self.dark):
                there = tuple(hands) if over == place else ()
                while self._ears.look(place, self.now, there):
                    self.now = round(self.now + NEXT, 3)
        self._ears.give(Tick(self.now))

    def camera(self, there: bool) -> None:
        """The camera over the board goes, or comes again."""
        if not there and not self.dark and "board" in self.senses:
            self._ears.give(CameraTrouble(self.now, UNPLUGGED))
        self.dark = not there

    def switches(self, there: bool) -> None:
        """The switches go, or come again."""
        if not there and self._link is not None:
            self._ears.give(LinkGone(self.now, CUT))
            self._link, self._held = None, frozenset()
        elif there and self._link is None:
            self._link = self._plugged()
        self.cut = not there

    def _plugged(self) -> VirtualLink | None:
        if "switches" not in self.senses:
            return None
        return VirtualLink(self.stage.board, lambda: self.now)
