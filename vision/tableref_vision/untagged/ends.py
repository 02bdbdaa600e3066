"""The ends of tokens: round or hollow, and which way they point.

Outlines are drawn as the board file says them, and learnt from the tokens of the start; a token is
told by the sum of both leads, for a dark token's own shadow spoils a drawn outline, and a few
examples do not show every place on the board.
"""

from __future__ import annotations

from tableref_hardware import Look
from tableref_vision.opencv import Mask, Values, np
from tableref_vision.untagged.ground import FINE

MARGIN = 2.0  # mm around a token that take part
NOTCH = 5.0, 5.0  # mm along and across, of a hollow end
DISCS = 15.0, 17.0, 19.0, 21.0, 23.0, 25.0  # mm across: coins, which are no tokens
ROUND, ROUNDER = 0.82, 0.05  # of correlation with a disc, at least, and more than with a token
LEAD = 0.14  # of the sum of correlations before the next side


Ways = set[tuple[str, bool]]
"""Sides of tokens, each with whether the end points east as the token is laid."""


class Ends:
    """The ends of one tone's tokens, all looks of which lie alike."""

    def __init__(self, look: Look) -> None:
        self.reach = round((look.length / 2 + MARGIN) * FINE)
        axis = np.arange(-self.reach, self.reach + 1) / FINE
        x, y = np.meshgrid(axis, -axis)
        box = (np.abs(x) <= look.length / 2) & (np.abs(y) <= look.width / 2)
        self._part = (np.abs(x) <= look.length / 2 + MARGIN) & (
            np.abs(y) <= look.width / 2 + MARGIN
        )
        half = look.width / 2
        bow = (x > look.length / 2 - half) & (np.hypot(x - (look.length / 2 - half), y) > half)
        notch = (x > look.length / 2 - NOTCH[0]) & (np.abs(y) < NOTCH[1] / 2)
        forms = {"round": box & ~bow, "hollow": box & ~notch, "": box}
        self._outlines = {form: mask.astype(float) for form, mask in forms.items()}
        self._discs = [
            _even((np.hypot(x - along, y) <= wide / 2).astype(float), self._part)
            for wide in DISCS
            for along in (-2.0, 0.0, 2.0)
        ]
        self._forms: dict[str, str] = {}
        self._learnt: dict[str, list[Values]] = {}

    def drawn(self, side: str, smear: tuple[float, float]) -> list[Values]:
        """The outline of this side's tokens, as it is and with the wall that the camera sees below
        its edge: the outline drawn out by `smear` (px to the east and to the south)."""
        outline = self._outlines[self._forms[side]]
        wall = outline
        for part in (1 / 3, 2 / 3, 1.0):
            moved = np.roll(outline, (round(smear[1] * part), round(smear[0] * part)), (0, 1))
            wall = np.maximum(wall, moved)
        return [_even(one, self._part) for one in (outline, wall)]

    def learn(self, side: str, form: str, close: Values, smear: tuple[float, float]) -> None:
        """Take this for a token of that side, whose end has this form. `close` is what speaks for
        it (size, size), the token lying east and west."""
        self._forms[side] = form
        ways = self._ways(close, smear)
        best = max(ways, key=lambda way: self._outlined(side, *way))
        self._learnt.setdefault(side, []).append(best[0])

    def _ways(
        self, close: Values, smear: tuple[float, float]
    ) -> list[tuple[Values, tuple[float, float]]]:
        """What lies there with its one end to the east, and with the other, each with its smear."""
        back = -smear[0], -smear[1]
        return [
            (_even(close, self._part), smear),
            (_even(close[::-1, ::-1], self._part), back),
        ]

    def _outlined(self, side: str, lying: Values, smear: tuple[float, float]) -> float:
        return max(float(one @ lying) for one in self.drawn(side, smear))

    def is_round(self, close: Values, smear: tuple[float, float]) -> bool:
        """Whether what lies there is more like a disc than like any of these tokens."""
        ways = self._ways(close, smear)
        token = max(self._outlined(side, *way) for side in self._forms for way in ways)
        disc = max(float(disc @ ways[0][0]) for disc in self._discs)
        return disc > max(token + ROUNDER, ROUND)

    def likeness(self, close: Values, smear: tuple[float, float]) -> float:
        """How much like a token of any side what lies there is, of 2."""
        ways = self._ways(close, smear)
        return max(self._likeness(side, *way) for side in self._forms for way in ways)

    def read(self, close: Values, smear: tuple[float, float]) -> Ways:
        """The sides that a token may be of, each with whether its end points east (True)."""
        likeness = {
            (side, east): self._likeness(side, *way)
            for side in self._forms
            for east, way in zip((True, False), self._ways(close, smear), strict=True)
        }
        best = max(likeness.values())
        return {way for way, one in likeness.items() if one > best - LEAD}

    def points_east(self, side: str, close: Values, smear: tuple[float, float]) -> bool:
        """Whether the end of a token of this side points east rather than west."""
        east, west = (self._likeness(side, *way) for way in self._ways(close, smear))
        return east >= west

    def _likeness(self, side: str, lying: Values, smear: tuple[float, float]) -> float:
        learnt = max(float(one @ lying) for one in self._learnt[side])
        return self._outlined(side, lying, smear) + learnt


def _even(flat: Values | Mask, part: Mask) -> Values:
    """The pixels that take part, less their mean, of length 1: for correlations."""
    inside = flat[part].astype(np.float32)
    inside = inside - inside.mean()
    return np.asarray(inside / max(float(np.linalg.norm(inside)), 1e-6))
