"""Whether what seems to show a value is one die with that many pips: there are dice with eight,
dominoes, coins with dots and cubes with numbers.

The nets that read know no number above six, and read such a thing as what it is likest. So what is
to be sure is looked at by a third, small net, that has learnt from what is no die as much as from
dice. It begins with the reader's own first layers, and sees more of what lies around: a domino's
other half, too. It only doubts: no value comes from it.
"""

from __future__ import annotations

from pathlib import Path

from tableref_vision.dice.inputs import Floats, Levels, reader_input
from tableref_vision.dice.runtime import WEIGHTS, Net
from tableref_vision.opencv import Picture, np

SIDE = 64  # px of a crop
PX = 36.0  # of it, that a die's size takes
KINDS = ("more pips", "mark", "domino", "coin")
"""What the net tells from dice that show one to six: its numbers after the first six."""
LIMITS = (5.0, 4.3, 4.0, 1.4)
"""How much more each of these may be said than the value, where that is to be sure: logits. Of dice
of photographs that are right and sure without it, each costs less than 0.1 % (`training.doubt`)."""
ON_MAT = (3.5, 2.0, 4.0, 0.0)
"""The same on the mat, where dice are seen larger and more alike: of 333 dice on drawn and
path-traced mats it costs none."""


class Doubter:
    """The net that doubts."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Of this folder, or where it has none, the one that ships. MissingRuntime, WeightsError"""
        own = weights / "doubter.onnx"
        self._net = Net(own if own.exists() else WEIGHTS / "doubter.onnx")

    def doubts(
        self, levels: Levels, x: float, y: float, size: float, value: int, on_mat: bool = False
    ) -> bool:
        """Whether this is hardly one die that shows this value, at this place, of this size in
        px."""
        [row] = self._net(reader_input(crop(levels, x, y, size))[None])
        return bool((kinds(row, value) > (ON_MAT if on_mat else LIMITS)).any())


def crop(levels: Levels, x: float, y: float, size: float, side: int = SIDE) -> Picture:
    """What the net sees (side, side, 3) of a die at this place, of this size in px."""
    step = size / PX
    middle = (side - 1) / 2 * step
    back = np.array([[step, 0.0, x - middle], [0.0, step, y - middle], [0.0, 0.0, 1.0]])
    return levels.warped(back, step, (side, side))


def kinds(row: Floats, value: int) -> Floats:
    """How much more each of the kinds is said in what the net says (10,) than this value."""
    return np.asarray(row[-len(KINDS) :] - row[value - 1], np.float32)
