"""What is seen of one die. Needs neither OpenCV nor ONNX Runtime."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

STILL = 2.0  # mm a die may seem to move between two frames; noise alone moves it less
STILL_SHARE = 0.12  # the same without a mat, of the die's size


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die, or something like one.

    `value` is what its top face shows, None where that does not count or cannot be told; then
    `why` is a code of `WHY_WORDS`. `sure`: the value may be used. `confidence`, 0 to 1, is how
    often values read like this one are right. `box` (x, y, w, h) in px is as large as the die and
    lies around its top face. With the mat in view `tray` is the one in which the die lies, and
    `place` its middle in mm in the mat's frame.
    """

    value: int | None
    sure: bool
    confidence: float
    box: tuple[float, float, float, float]
    tray: str | None = None
    why: str | None = None
    place: tuple[float, float] | None = None

    @property
    def middle(self) -> tuple[float, float]:
        """In mm where the mat is in view, else in px."""
        x, y, w, h = self.box
        return self.place or (x + w / 2, y + h / 2)

    def where_it_lay(self, before: Iterable[SeenDie]) -> SeenDie | None:
        """The die of an earlier frame that lay where this one lies; None where this one moved."""
        slack = STILL if self.place else STILL_SHARE * self.box[2]
        near = (die for die in before if math.dist(die.middle, self.middle) <= slack)
        return next(near, None)

    def record(self) -> dict[str, Any]:
        """What `tableref see --dice --json` says of this die."""
        return {
            "value": self.value,
            "sure": self.sure,
            "confidence": round(self.confidence, 3),
            "box": [round(side, 1) for side in self.box],
            "tray": self.tray,
            "why": self.why,
        }


WHY_WORDS: Mapping[str, str] = {
    "unclear": "what it shows cannot be told for sure",
    "not-a-die": "this is no die with pips on top",
    "cocked": "it does not stand flat on the floor of a tray",
    "rim": "it leans on the rim of a tray",
    "off-tray": "it lies outside the trays",
    "cut-off": "it is not wholly in the picture",
    "moving": "it moves",
}
"""Every code of `SeenDie.why`, and what it tells a person."""
