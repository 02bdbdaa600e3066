"""What differs from the empty board, in this picture's light; and which of it is an arm.

Two pictures are compared in the light of the darker one. A pixel that was burnt out in the
brighter one may have been brighter than it says, so it differs only where it is too dark.
"""

from __future__ import annotations

from tableref_vision.opencv import Mask, Picture, Values, cv2, np
from tableref_vision.untagged.light import BURNT, Light

NOTICED = 22.0  # grey levels: more than noise, blur and the rest of the light leave
ARM = 2500.0  # mm2 that touch the plate's edge: no piece
ARM_GROWN = 24.0  # mm around an arm that it may cover or shade
SHADOW = 0.7  # of what an arm covers that is only darker: then it may be a shadow
EDGE = 5  # mm
SPARSE = 4  # mm between places at which the light is looked at as a whole
LOGS = np.log(np.arange(256, dtype=np.float32) + 4.0)
SHADED, BRIGHT = 0.45, 1.15  # of its light that something in a shadow may have
ALIKE = 0.12  # a shadow darkens the three colours alike to this much (log)


def difference(now: Values, then: Values, ratio: Values) -> Values:
    """How much brighter `now` is (..., 3) than `then` would be under `ratio` times its light, in
    grey levels of the darker one's light; zero where a burnt-out pixel explains it."""
    expected = np.minimum(then * ratio, 255.0)
    off = now - expected
    burnt = (then > BURNT) & (ratio < 1.0) & (off > 0.0)
    off = np.where(burnt, 0.0, off)
    return np.asarray(off / np.maximum(largest(ratio), 1.0)[..., None], np.float32)


def largest(colours: Values) -> Values:
    """The largest of the three colours (..., 3) at each pixel."""
    # numpy is many times slower along so short an axis.
    return np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])


def middle(colours: Values) -> Values:
    """The median (3,) of colours (n, 3)."""
    # As np.median, whose checks take several times as long as so few numbers do.
    half = (len(colours) - 1) // 2, len(colours) // 2
    each = np.partition(np.ascontiguousarray(colours.T), half, axis=1)
    return np.asarray(each[:, half[0]] / 2 + each[:, half[1]] / 2)


def unlike(now: Values, colours: Values) -> Values:
    """Grey levels between pixels (..., 3) and a colour, or one for each, at the
    brightness between deep shade and full light that is nearest, over that brightness: nothing
    where there is but a shadow."""
    own = product(colours, colours)
    both = now @ colours if colours.ndim == 1 else product(now, colours)
    scale = np.minimum(np.maximum(both / np.maximum(own, 1.0), SHADED), BRIGHT)
    # (now - scale colours)^2, in products that were made already.
    off = product(now, now) - scale * (2.0 * both - scale * own)
    return np.asarray(np.sqrt(np.maximum(off, 0.0) / 3.0) / np.minimum(scale, 1.0))


def product(one: Values, other: Values) -> Values:
    """The inner products (...) of colours (..., 3)."""
    # As in `largest`: a sum along so short an axis takes longer than its three terms.
    each = one * other
    return np.asarray(each[..., 0] + each[..., 1] + each[..., 2])


class Change:
    """What of a flat picture (1 px a mm) differs from the empty board's."""

    def __init__(self, now: Picture, empty: Picture, light: Light) -> None:
        expected: Picture = np.asarray(cv2.multiply(empty, light.field, dtype=cv2.CV_8U), np.uint8)
        off = cv2.absdiff(now, expected)
        burnt = empty > BURNT
        if burnt.any():
            off[burnt & (now > expected) & (light.field < 1.0)] = 0
        # Light is smooth, and the median of all its values would take longer than all else here.
        brighter = max(1.0, float(np.median(light.field[::SPARSE, ::SPARSE])))
        blue, green, red = cv2.split(off)
        self.size = cv2.blur(cv2.max(cv2.max(blue, green), red), (3, 3))
        """By how much (rows, columns), the largest of the three colours."""
        self.noticed = self.size > NOTICED * brighter
        most, least = (ratio[self.noticed] for ratio in _ratios(now, expected))
        self.shade = np.zeros_like(self.noticed)
        """Where what is noticed is only darker, as in a shadow."""
        self.shade[self.noticed] = (most < 0.0) & (most - least < ALIKE - 0.15 * least)
        self.arm = self._arm()
        """Where an arm may cover or shade."""
        hidden = self.arm[self.noticed]
        # Where the greater part of the board lies in the shadow, the rest is only brighter.
        lit = (least > 0.0) & (most - least < ALIKE + 0.5 * most)
        even = (self.shade[self.noticed] | lit)[hidden]
        self.shadow = bool(even.size) and float(np.mean(even)) > SHADOW
        """Whether what looks like an arm is only darker, or brighter: a shadow across the board."""

    def _arm(self) -> Mask:
        changed = self.noticed.astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed)
        rows, columns = changed.shape
        arm = np.zeros_like(changed)
        for blob in range(1, count):
            left, top, width, height, area = stats[blob].tolist()
            touches = (
                left <= EDGE
                or top <= EDGE
                or left + width >= columns - EDGE
                or top + height >= rows - EDGE
            )
            if touches and area > ARM:
                points = cv2.findNonZero((labels == blob).astype(np.uint8))
                cv2.fillConvexPoly(arm, cv2.convexHull(points), 1)
        if arm.any():
            reach = 2 * round(ARM_GROWN) + 1
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
            arm = np.asarray(cv2.dilate(arm, disc), np.uint8)
        return np.asarray(arm.astype(bool))


def _ratios(now: Picture, expected: Picture) -> tuple[Values, Values]:
    """The logarithms (rows, columns) of the largest and the smallest ratio of the three colours at
    each pixel; one colour after the other, for all three as numbers of 32 bits take four times a
    picture."""
    found = []
    for seen, told in zip(cv2.split(now), cv2.split(expected), strict=True):
        ratio = cv2.LUT(seen, LOGS)
        cv2.subtract(ratio, cv2.LUT(told, LOGS), dst=ratio)
        found.append(cv2.blur(ratio, (3, 3), dst=ratio))
    blue, green, red = found
    most, least = (side(side(blue, green), red) for side in (cv2.max, cv2.min))
    return np.asarray(most), np.asarray(least)
