"""How large the dice of a table are: told, or measured by the first that are thrown.

Where the mat's scale is known the reader net says of a flat die by how much it is off the size that
it was cut for. That is right to a few hundredths, and dice of one table are alike, so throws that
agree settle it. A die on another, or one that leans, seems larger: so the size that is settled also
tells these.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tableref_hardware.dice import LARGEST, SMALLEST, USUAL
from tableref_vision.dice.seen import SeenDie

SAYS_FLAT = 0.013  # what the net says of a flat die that was cut for its size
GAIN = 2.0  # of the logarithm of a size, for one of what the net says
CLOSE = 0.05  # of the logarithm, within which a size is measured well enough
AGREE = 0.1  # of it, within which throws agree
KEPT = 100  # dice that were checked and lie there
THROWS = 3  # that must agree before a size is settled


def corrected(edge: float, says: Iterable[float]) -> float:
    """The edge in mm of dice that were cut for `edge`, by what the net says of each."""
    off = statistics.median(says) - SAYS_FLAT
    return min(max(edge * math.exp(-GAIN * off), SMALLEST), LARGEST)


class DieSize:
    """The size that dice of one camera's pictures are taken to have."""

    def __init__(self, told: float | None = None) -> None:
        """`told` in mm is not measured."""
        self.edge = told or USUAL
        """In mm, as far as it is known."""
        self.settled = told is not None
        """Whether it was told, or throws have agreed."""
        self._throws: list[float] = []
        self._measured: tuple[SeenDie, ...] = ()
        self._checked: tuple[SeenDie, ...] = ()
        self._doubted: tuple[SeenDie, ...] = ()

    def is_new(self, dice: Iterable[SeenDie]) -> bool:
        """Whether one of these lies where none lay when the size was measured last."""
        return any(die.where_it_lay(self._measured) is None for die in dice)

    def unchecked(self, dice: Sequence[SeenDie]) -> list[int]:
        """Which of these are sure and lie where none was checked."""
        known = self._checked + self._doubted
        return [i for i, d in enumerate(dice) if d.sure and d.where_it_lay(known) is None]

    def checked(self, right: Iterable[SeenDie], doubted: Iterable[SeenDie]) -> None:
        """What was found of dice where they lie; these are tried but once."""
        self._checked = (*self._checked, *right)[-KEPT:]
        self._doubted = (*self._doubted, *doubted)[-KEPT:]

    def as_checked(self, die: SeenDie) -> SeenDie:
        """The die, not sure where it was found to stand on another or to lean."""
        if die.sure and die.where_it_lay(self._doubted) is not None:
            return replace(die, sure=False, why="unclear")
        return die

    def gone(self, dice: Sequence[SeenDie]) -> None:
        """Forget what was found where nothing lies any more."""
        self._checked = tuple(d for d in self._checked if d.where_it_lay(dice) is not None)
        self._doubted = tuple(d for d in self._doubted if d.where_it_lay(dice) is not None)

    def measured(self, edge: float, dice: tuple[SeenDie, ...]) -> None:
        """These dice, of a throw that was not measured before, are so large."""
        self._measured = dice
        self._throws.append(edge)
        self.edge = statistics.median(self._throws)
        near = [one for one in self._throws if abs(math.log(one / self.edge)) < AGREE]
        if len(near) >= THROWS:
            self.edge, self.settled = float(round(statistics.fmean(near))), True  # as they are sold
