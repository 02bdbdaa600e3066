"""How virtual people throw dice: mostly flat and apart, now and then cocked, off, or on another."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import cycle

from tableref.rules.defaults import TableGame
from tableref.rules.surface import Action
from tableref.sim.draw import Hand, Paint
from tableref.sim.mat import IVORY, Die
from tableref.sim.room import Room
from tableref_vision.dice import mat

PERIOD = 0.2
"""Seconds of virtual time between two pictures of dice."""
PAINTS: tuple[Paint, ...] = (IVORY, (48, 40, 205))
FLIGHT = (50.0, -50.0)  # mm east of where they land, of one die and of the next, in the air
APART = 26.0  # mm between the middles of dice that do not touch
FREE = mat.INSIDE - 14.0  # mm off a tray's middle at which a die touches no rim, however turned


class Dice:
    """The dice of a room. `pending` were thrown and not yet ruled. `each` is called with the number
    of a die in its hand before chance decides how it lands."""

    def __init__(
        self, room: Room, chance: random.Random, mishaps: float, each: Callable[[int], object]
    ) -> None:
        self.pending: list[Die] = []
        self._room, self._chance, self._mishaps, self._each = room, chance, mishaps, each

    def take_up(self, owed: int) -> list[Paint]:
        """Dice for the next throw are taken up: both, or one that is free if there is one."""
        lying = self._room.mat.dice
        if owed == 2:
            self._pick_up(PAINTS)
            return list(PAINTS) if self._chance.random() < 0.7 else [PAINTS[0]]
        free = [paint for paint in PAINTS if paint not in {die.paint for die in lying}]
        hand = free[:1] or [self._chance.choice(PAINTS)]
        self._pick_up(hand)
        return hand

    def throw(self, hand: Iterable[Paint], trays: Sequence[str], with_care: bool = False) -> None:
        """Dice fly over the mat and come to rest, each on one of these trays; `with_care` flat and
        apart."""
        for number, paint in enumerate(hand):
            self._each(number)
            self.pending.append(self._lands(paint, self._chance.choice(trays), with_care))
        lying = list(self._room.mat.dice)
        for share in (0.5, 0.15):
            self._room.mat.dice = lying + [
                replace(
                    die,
                    x=die.x + share * east,
                    y=die.y - share * 40.0,
                    tilt=share * 200.0,
                    up=mat.FLOOR + share * 40.0,
                )
                for die, east in zip(self.pending, cycle(FLIGHT), strict=False)
            ]
            self._room.passes(PERIOD)
        self._room.mat.dice = [*lying, *self.pending]

    @property
    def piled(self) -> bool:
        """Whether one that is not ruled lies on another."""
        return any(die.up > mat.FLOOR and not die.tilt for die in self.pending)

    def again(self) -> list[Paint]:
        """What was not ruled is taken up again."""
        hand = [die.paint for die in self.pending]
        self.pending = []
        self._pick_up(hand)
        return hand

    def ruled(self, game: TableGame[object], action: Action) -> bool:
        """Takes a throw that was ruled off the pending ones; False where nobody made it: one that
        leans or lies on another counts for nothing, whatever it shows."""
        for die in self.pending:
            tray = mat.tray_at(die.x, die.y)
            if die.tilt or die.up != mat.FLOOR or tray is None:
                continue
            if game.thrown(tray, die.value) == action:
                self.pending.remove(die)
                return True
        return False

    def shows(self, game: TableGame[object], at: tuple[float, float]) -> Action | None:
        """What the die lying about there shows to somebody who bends over the mat; None where it
        leans, or lies on no tray."""
        die = min(self.pending, key=lambda d: math.dist((d.x, d.y), at), default=None)
        if die is None or die.tilt or die.up != mat.FLOOR:
            return None
        tray = mat.tray_at(die.x, die.y)
        return game.thrown(tray, die.value) if tray is not None else None

    def _pick_up(self, paints: Iterable[Paint]) -> None:
        """A hand takes dice off the mat, and the mat is seen without them."""
        room, paints = self._room, list(paints)
        taken = [die for die in room.mat.dice if die.paint in paints]
        if taken:
            room.mat.dice = [die for die in room.mat.dice if die.paint not in paints]
            room.passes(PERIOD, over="mat", hands=[Hand(taken[0].x, taken[0].y - 10.0)])
            for _ in range(6):
                room.passes(PERIOD)

    def _lands(self, paint: Paint, tray: str, with_care: bool) -> Die:
        chance, (x, y) = self._chance, mat.TRAYS[tray]
        value, yaw = chance.randint(1, 6), chance.uniform(0, 360)
        lying = (*self._room.mat.dice, *self.pending)
        others = [die for die in lying if die.paint != paint and die.up == mat.FLOOR]
        if not with_care and chance.random() < self._mishaps:
            if chance.random() < 0.5:  # it leans on the eastern rim
                spot = x + mat.INSIDE - 5.0, y + chance.uniform(-40, 40)
                return Die(value, *spot, 0.0, chance.uniform(18, 30), 90.0, mat.FLOOR + 4.0, paint)
            if others and chance.random() < 0.5:  # it lies on another
                under = chance.choice(others)
                return Die(
                    value, under.x + 2.0, under.y - 2.0, yaw, up=mat.top(under.size), paint=paint
                )
            return Die(
                value, chance.uniform(-6, 6), chance.uniform(-80, 80), yaw, up=0.0, paint=paint
            )
        while True:
            spot = x + chance.uniform(-FREE, FREE), y + chance.uniform(-FREE, FREE)
            if all(math.dist(spot, (d.x, d.y)) > APART for d in lying if d.paint != paint):
                return Die(value, *spot, yaw, paint=paint)
