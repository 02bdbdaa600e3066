"""What is seen of one die. Needs neither OpenCV nor ONNX Runtime."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

STILL = 2.0  # mm a die may seem to move between two frames; noise alone moves it less
STILL_SHARE = 0.12  # the same without a mat, of the die's size
LIKELY = 0.5  # confidence from which a value may be that of another die, however close
ASIDE = 1.6  # sizes from the middle of a die's top to that of its side, at most: it may be steep


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

    def is_side_of(self, die: SeenDie) -> bool:
        """Whether this is but the side of a die that was read for sure: below its top in the
        picture, as cameras are held, and itself hardly read."""
        if self.sure or (self.value is not None and self.confidence >= LIKELY):
            return False
        across, down = (a - b for a, b in zip(self.middle, die.middle, strict=True))
        far = ASIDE * max(self.box[2], die.box[2])
        return down > abs(across) / 2 and math.hypot(across, down) < far

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
