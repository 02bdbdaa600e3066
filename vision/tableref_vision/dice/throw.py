"""From frames to a throw: dice that lie still and are read alike three times, or throw again.

Time is the frames' own, so that films and tests need no waiting.

>>> judge = ThrowJudge(dice=2)
>>> judge.look(0.0, seen).state
'rolling'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tableref_vision.dice.seen import SeenDie

FRAMES = 3  # still frames that must agree
ENDLESS = 8.0  # s after which dice that still move are thrown again
REROLL = ("rim", "cocked", "off-tray", "cut-off", "moving")
"""What makes a throw void, the reason that is told first."""


@dataclass(frozen=True, slots=True)
class Throw:
    """What can be said of the throw after a frame.

    `state`: "waiting" (no dice, too few, or those of the last throw lie on), "rolling" (dice are
    there and not yet settled), "thrown" (`values` count: tray and value of each die, sorted),
    "re-roll" or "ask" (people must say), the last two with a `reason` of `REASONS`.
    """

    state: str
    values: tuple[tuple[str | None, int], ...] = ()
    reason: str | None = None

    @property
    def verdict(self) -> str:
        """In words, as "re-roll: a die leans on the rim of its tray"."""
        if self.reason is None:
            return self.state
        return f"{self.state}: {REASONS[self.reason]}"


REASONS: Mapping[str, str] = {
    "rim": "a die leans on the rim of its tray",
    "cocked": "a die does not stand flat on the floor of its tray",
    "off-tray": "a die lies outside the trays",
    "cut-off": "a die is not wholly in the picture",
    "moving": "the dice do not come to rest",
    "too-many": "more dice lie there than are thrown",
    "unclear": "a die cannot be read; please tell what it shows",
}


class ThrowJudge:
    """Follows the dice of one mat from throw to throw.

    A throw counts once: dice that lie on, and dice that are taken away, are no new throw.
    """

    def __init__(self, dice: int = 2) -> None:
        self._dice = dice
        self._last: tuple[SeenDie, ...] = ()
        self._since: float | None = None  # when the dice began to move
        self._agreed = 0
        self._told: Throw | None = None

    def look(self, time: float, seen: Sequence[SeenDie], still: bool = True) -> Throw:
        """What this frame, at `time` in seconds, adds; `still`: nothing moves on the mat."""
        dice = tuple(sorted((d for d in seen if d.why != "not-a-die"), key=lambda die: die.middle))
        lies_on = still and _same_places(self._last, dice)
        alike = lies_on and [_word(d) for d in dice] == [_word(d) for d in self._last]
        self._last = dice
        if not still or not lies_on or len(dice) < self._dice:
            self._agreed, self._told = 0, None
        if len(dice) < self._dice:
            self._since = None  # picked up, or not all thrown yet
            return Throw("waiting")
        if self._told is not None:
            return Throw("waiting") if self._told.state == "thrown" else self._told
        self._agreed = self._agreed + 1 if alike and self._agreed else int(still)
        if self._since is None:
            self._since = time
        if self._agreed < FRAMES:
            if time - self._since > ENDLESS:
                return Throw("re-roll", reason="moving")
            return Throw("rolling")
        self._told, self._since = self._judged(dice), None
        return self._told

    def _judged(self, dice: tuple[SeenDie, ...]) -> Throw:
        if len(dice) > self._dice:
            return Throw("ask", reason="too-many")
        reasons = {die.why for die in dice}
        for reason in REROLL:
            if reason in reasons:
                return Throw("re-roll", reason=reason)
        values = [(die.tray, die.value) for die in dice if die.sure and die.value is not None]
        if len(values) < len(dice):
            return Throw("ask", reason="unclear")
        return Throw("thrown", tuple(sorted(values, key=lambda v: (v[0] or "", v[1]))))


def _word(die: SeenDie) -> tuple[int | None, bool, str | None, str | None]:
    return die.value, die.sure, die.why, die.tray


def _same_places(before: tuple[SeenDie, ...], now: tuple[SeenDie, ...]) -> bool:
    """Whether every die lies where one lay before, and none is gone."""
    if len(before) != len(now):
        return False
    left = list(before)
    for die in now:
        lay = die.where_it_lay(left)
        if lay is None:
            return False
        left.remove(lay)
    return True
