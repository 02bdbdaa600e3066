"""The ends of tokens: round or hollow, and which way they point.

Outlines are drawn as the board file says them, and learnt from the tokens of the start; a token is
told by the sum of both leads, for a dark token's own shadow spoils a drawn outline, and a few
examples do not show every place on the board.
"""

from __future__ import annotations

from tableref_hardware import Look
from tableref_vision.opencv import Mask, Values, np
from tableref_vision.untagged.boxes import BORDER
from tableref_vision.untagged.ground import FINE

MARGIN = 2.0  # mm around a token that take part
NOTCH = 5.0, 5.0  # mm along and across, of a hollow end
DISCS = 15.0, 17.0, 19.0, 21.0, 23.0, 25.0  # mm across: coins, which are no tokens
ROUND, ROUNDER = 0.82, 0.05  # of correlation with a disc, at least, and more than with a token
FORMS = "round", "hollow", ""
LEAD = 0.09  # of the sum of correlations before the next side
PLAIN, PLAINER = 1.35, 1.6  # of that sum, alone and with its lead either way, to learn from it


Smear = tuple[float, float]
"""How far the foot of a token lies from its top in the picture, in px to the east and south."""

Ways = set[tuple[str, bool]]
"""Sides of tokens, each with whether the end points east as the token is laid."""


class Ends:
    """The ends of one tone's tokens, all looks of which lie alike."""

    def __init__(self, look: Look) -> None:
        reach = round((look.length / 2 + BORDER) * FINE)
        axis = np.arange(-reach, reach + 1) / FINE
        x, y = np.meshgrid(axis, -axis)
        box = (np.abs(x) <= look.length / 2) & (np.abs(y) <= look.width / 2)
        self._part = (np.abs(x) <= look.length / 2 + MARGIN) & (
            np.abs(y) <= look.width / 2 + MARGIN
        )
        half = look.width / 2
        bow = (x > look.length / 2 - half) & (np.hypot(x - (look.length / 2 - half), y) > half)
        notch = (x > look.length / 2 - NOTCH[0]) & (np.abs(y) < NOTCH[1] / 2)
        forms = dict(zip(FORMS, (box & ~bow, box & ~notch, box), strict=True))
        self._outlines = {form: mask.astype(float) for form, mask in forms.items()}
        self._bare = {form: _even(one, self._part) for form, one in self._outlines.items()}
        self._discs = [
            _even((np.hypot(x - along, y) <= wide / 2).astype(float), self._part)
            for wide in DISCS
            for along in (-2.0, 0.0, 2.0)
        ]
        self._walls: dict[tuple[str, int, int], list[Values]] = {}
        self._forms: dict[str, str] = {}
        self._learnt: dict[str, list[Values]] = {}

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that were learnt."""
        return tuple(self._forms)

    def _drawn(self, form: str, smear: Smear) -> list[Values]:
        """The outline of tokens of this form, as it is and with the wall that the camera sees below
        its edge: the outline drawn out to where the foot is."""
        key = form, round(smear[0]), round(smear[1])
        if key not in self._walls:
            outline = wall = self._outlines[form]
            for part in (1 / 3, 2 / 3, 1.0):
                moved = np.roll(outline, (round(key[2] * part), round(key[1] * part)), (0, 1))
                wall = np.maximum(wall, moved)
            self._walls[key] = [self._bare[form], _even(wall, self._part)]
        return self._walls[key]

    def outlined(self, form: str, close: Values, smear: Smear) -> float:
        """How much like the outline of a token of this form what lies there is, either way."""
        return max(self._outlined(form, *way) for way in self._ways(close, smear))

    def learn(self, side: str, form: str, close: Values, smear: Smear) -> None:
        """Take this for a token of that side, whose end has this form. `close` is what speaks for
        it (size, size), the token lying east and west; `smear`, where its foot lies from its top,
        in px to the east and to the south."""
        self._forms[side] = form
        best = max(self._ways(close, smear), key=lambda way: self._outlined(form, *way))
        self._learnt.setdefault(side, []).append(best[0])

    def _ways(self, close: Values, smear: Smear) -> list[tuple[Values, Smear]]:
        """What lies there with its one end to the east, and with the other, each with its smear."""
        back = -smear[0], -smear[1]
        return [
            (_even(close, self._part), smear),
            (_even(close[::-1, ::-1], self._part), back),
        ]

    def _outlined(self, form: str, lying: Values, smear: Smear) -> float:
        return max(float(one @ lying) for one in self._drawn(form, smear))

    def is_round(self, close: Values, smear: Smear) -> bool:
        """Whether what lies there is more like a disc than like any of these tokens."""
        ways = self._ways(close, smear)
        token = max(self._outlined(form, *way) for form in self._forms.values() for way in ways)
        disc = max(float(disc @ ways[0][0]) for disc in self._discs)
        return disc > max(token + ROUNDER, ROUND)

    def likeness(self, close: Values, smear: Smear) -> float:
        """How much like a token of any side what lies there is, of 2."""
        ways = self._ways(close, smear)
        return max(self._likeness(side, *way) for side in self._forms for way in ways)

    def read(self, close: Values, smear: Smear) -> Ways:
        """The sides that a token may be of, each with whether its end points east (True)."""
        likeness = {
            (side, east): self._likeness(side, *way)
            for side in self._forms
            for east, way in zip((True, False), self._ways(close, smear), strict=True)
        }
        best = max(likeness.values())
        return {way for way, one in likeness.items() if one > best - LEAD}

    def surely_east(self, side: str, close: Values, smear: Smear) -> bool | None:
        """Whether the end of a token of this side points east rather than west; None where it is
        too little like such a token, or the two are too much alike, to be learnt from."""
        east, west = (self._likeness(side, *way) for way in self._ways(close, smear))
        likeness, lead = max(east, west), abs(east - west)
        if likeness < PLAIN or likeness + lead < PLAINER:
            return None
        return east > west

    def _likeness(self, side: str, lying: Values, smear: Smear) -> float:
        learnt = max(float(one @ lying) for one in self._learnt[side])
        return self._outlined(self._forms[side], lying, smear) + learnt


def _even(flat: Values | Mask, part: Mask) -> Values:
    """The pixels that take part, less their mean, of length 1: for correlations."""
    inside = flat[part].astype(np.float32)
    inside = inside - inside.mean()
    return np.asarray(inside / max(float(np.linalg.norm(inside)), 1e-6))
