"""What is engraved or printed on top of a piece: which sign, and which way round it lies.

Signs are compared with those of the pieces that were learnt, by correlation (Lewis 1995, "Fast
normalized cross-correlation"), as they lie and turned half round, and shifted a little. Brightness
and contrast do not matter to a correlation, so light does not.
"""

from __future__ import annotations

from tableref_vision.opencv import Values, cv2, np
from tableref_vision.untagged.ground import FINE

SHIFTS = 2  # px either way
PLAIN = 7.0  # grey levels: less contrast than this is no sign
LIKE = 0.72  # of correlation, at least
LEAD = 0.08  # of correlation before the next sign
SAME_TURNED = 0.75  # of correlation: a sign as much like itself turned has no way round


class Signs:
    """The signs of one side's pieces of one size."""

    def __init__(self, radius: float) -> None:
        """`radius` in mm of what is looked at around a piece's middle."""
        self.reach = round(radius * FINE)
        self._names: list[str] = []
        self._signs: list[Values] = []
        self._matrix: Values | None = None
        axis = np.arange(-self.reach - SHIFTS, self.reach + SHIFTS + 1)
        self._disc = np.hypot(*np.meshgrid(axis, axis)) <= self.reach

    @property
    def patch(self) -> int:
        """Pixels from the middle to the edge of the fine patches that are wanted."""
        return self.reach + SHIFTS

    def learn(self, name: str, patch: Values, turned: str = "") -> None:
        """Take this fine patch (size, size, 3) for a sign; `turned` is its name the other way
        round, empty where it has none."""
        sign = _grey(patch)
        self._add(name, sign)
        half = sign[::-1, ::-1]
        before = len(self._signs)
        if turned:
            self._add(turned, half)
            likeness = np.array(self._signs[before:]) @ self._flat(sign)[0]
            if not len(likeness) or likeness.max() > SAME_TURNED:
                del self._signs[before:], self._names[before:]

    def _add(self, name: str, sign: Values) -> None:
        self._matrix = None
        for rows in range(-SHIFTS, SHIFTS + 1):
            for columns in range(-SHIFTS, SHIFTS + 1):
                flat, contrast = self._flat(np.roll(sign, (rows, columns), axis=(0, 1)))
                if contrast >= PLAIN:
                    self._names.append(name)
                    self._signs.append(flat)

    def _flat(self, sign: Values) -> tuple[Values, float]:
        inside = sign[self._disc]
        inside = inside - inside.mean()
        size = float(np.linalg.norm(inside))
        return inside / max(size, 1e-6), size / float(np.sqrt(len(inside)))

    def read(self, patch: Values) -> frozenset[str]:
        """The names that this fine patch may bear; none where no sign that is known is there."""
        sign, contrast = self._flat(_grey(patch))
        if contrast < PLAIN or not self._signs:
            return frozenset()
        if self._matrix is None:
            self._matrix = np.array(self._signs, np.float32)
        likeness = self._matrix @ sign.astype(np.float32)
        best: dict[str, float] = {}
        for name, one in zip(self._names, likeness.tolist(), strict=True):
            best[name] = max(best.get(name, -1.0), one)
        most = max(best.values())
        if most < LIKE:
            return frozenset()
        return frozenset(name for name, one in best.items() if one > most - LEAD)

    @property
    def names(self) -> frozenset[str]:
        """All signs that were learnt."""
        return frozenset(self._names)


def _grey(patch: Values) -> Values:
    grey = patch.astype(np.float32).mean(axis=2)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32)
