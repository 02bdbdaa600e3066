"""Where dice may lie: peaks in the locator net's map of middles.

The map is that of Zhou et al. 2019, "Objects as points": a heat for the middle of each die, its
size, and where in the cell the middle lies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tableref_vision.dice.chances import logistic, logit
from tableref_vision.dice.inputs import Levels, locator_input
from tableref_vision.dice.runtime import Net
from tableref_vision.opencv import cv2, np

FIRST, MOST = 60_000, 200_000  # px of the picture, whatever its shape, in a first look and at most
LIKED = 40.0  # px of a die that the net finds most surely; larger ones it finds as well
HOT = 0.3  # heat of what tells how large the dice are
WORTH = 1.35  # times the first area, that are worth a second look
STRIDE = 32  # sides that the net can halve five times
CELL = 4
HEAT = 0.2  # of a peak that is looked at by the reader
APART = 0.45  # of their size that two dice are at least from middle to middle
STEEP, SIDE = 2.5, 0.8  # slope, and part of its size, that lead from a die's side up to its top
DICE = 100  # that are read of one picture


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that may hold a die: middle and size (longer side) in px, and the heat, 0 to 1."""

    x: float
    y: float
    size: float
    heat: float


class Locator:
    """Finds dice in pictures of any size."""

    def __init__(self, net: Net) -> None:
        self._net = net

    def find(self, levels: Levels) -> list[Spot]:
        """Spots in this picture, the surest first.

        The first look tells how large the dice are; where they are small, or where there seem to be
        none, a second one is at a larger copy of the picture.
        """
        w, h = levels.size
        spots = self.look(levels, FIRST)
        area = min(_area(spots, w * h), MOST, w * h)
        return spots if area < WORTH * FIRST else self.look(levels, area)

    def look(self, levels: Levels, area: float = MOST) -> list[Spot]:
        """Spots in a copy of the picture of about this area in px, or in all of it if that is less:
        one look, for pictures whose scale is known."""
        w, h = levels.size
        scale = min(1.0, math.sqrt(area / (w * h)))
        wide, high = (max(1, round(side * scale / STRIDE)) * STRIDE for side in (w, h))
        fx, fy = w / wide, h / high
        level, _ = levels.at(min(fx, fy))
        small = cv2.resize(level, (wide, high), interpolation=cv2.INTER_LINEAR)
        inputs = locator_input(small.astype(np.uint8, copy=False))
        heat, size, across, down = self._net(inputs[None])[0]
        hot = heat > logit(HEAT)
        rows, columns = np.nonzero(hot & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))))
        order = np.argsort(-heat[rows, columns])[: 3 * DICE]
        spots: list[Spot] = []
        for row, column in zip(rows[order], columns[order], strict=True):
            at = row, column
            x = (float(column + across[at]) + 0.5) * CELL * fx - 0.5
            y = (float(row + down[at]) + 0.5) * CELL * fy - 0.5
            side = float(np.exp(min(size[at], 7.0))) * (fx * fy) ** 0.5
            spots.append(Spot(x, y, side, float(logistic(heat[at]))))
        return [spots[i] for i in apart(spots)[:DICE]]


def _area(spots: Sequence[Spot], whole: float) -> float:
    """At which area of a picture of `whole` px its dice are as large as the net likes them."""
    sizes = [spot.size for spot in spots if spot.heat > HOT]
    return whole * (LIKED / float(np.median(sizes))) ** 2 if sizes else MOST


def apart(spots: Sequence[Spot]) -> list[int]:
    """Which spots, the surest first, are no second sight of one before: of a die's side, say."""
    kept: list[int] = []
    for i, spot in enumerate(spots):
        if all(
            math.hypot(spot.x - spots[k].x, spot.y - spots[k].y)
            > APART * max(spot.size, spots[k].size)
            for k in kept
        ):
            kept.append(i)
    return kept


def is_side(spot: Spot, tops: Sequence[Spot]) -> bool:
    """Whether this is the side of one of these dice: close below its top, as cameras are held."""
    return any(STEEP * abs(spot.x - top.x) < spot.y - top.y < SIDE * top.size for top in tops)
