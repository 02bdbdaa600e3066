"""What is engraved or printed on top of a piece: which sign, and which way round it lies.

Signs are compared with those of the pieces that were learnt, by correlation (Lewis 1995, "Fast
normalized cross-correlation"), as they lie and turned half round, and shifted a little. Brightness
and contrast do not matter to a correlation, so light does not. Of the three colours that mix is
taken in which the signs that were learnt stand out most: red on violet may be as bright.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from numpy.lib.stride_tricks import sliding_window_view

from tableref_vision.opencv import Values, cv2, np
from tableref_vision.untagged.ground import FINE

SHIFTS = 2  # px either way
MOVES = tuple(product(range(-SHIFTS, SHIFTS + 1), repeat=2))
PLAIN = 3.0  # grey levels: less contrast than this is a camera's noise, and likeness chance
LIKE = 0.72  # of correlation, at least
LEAD = 0.08  # of correlation before the next sign
PLAINLY = 0.93  # of correlation: less, and a sign may lie elsewhere than its piece seems to
TWICE = 2.0  # times as far from the next as from itself, in what lacks of full correlation (Lowe
# 2004, "Distinctive image features"): simple signs are much alike, also those that are not known


class Signs:
    """The signs of one side's pieces of one size."""

    def __init__(self, radius: float) -> None:
        """`radius` in mm of what is looked at around a piece's middle."""
        self.reach = round(radius * FINE)
        self._names: list[str] = []
        self._given: list[tuple[str, Values, str]] = []
        self._mix, self._settled = np.full(3, 1.0 / 3.0, np.float32), True
        size = 2 * self.patch + 1
        self._signs = np.zeros((0, size * size), np.float32)
        self._scales = np.zeros((0, len(MOVES)), np.float32)
        axis = np.arange(-self.patch, self.patch + 1)
        self._disc = np.hypot(*np.meshgrid(axis, axis)) <= self.reach

    @property
    def patch(self) -> int:
        """Pixels from the middle to the edge of the fine patches that are wanted."""
        return self.reach + SHIFTS

    def learn(self, name: str, patch: Values, turned: str = "") -> None:
        """Take this fine patch (size, size, 3) for a sign; `turned` is its name the other way
        round, empty where it is not to be read so."""
        self._given.append((name, np.array(patch, np.float32), turned))
        self._settled = False

    def _settle(self) -> None:
        """Make signs of the patches that were given, in the mix in which they stand out most."""
        if self._settled:
            return
        self._settled = True
        insides = [patch[self._disc] for _, patch, _ in self._given]
        spread = np.sum([np.cov(inside.T) for inside in insides], axis=0)
        mix = np.linalg.eigh(spread)[1][:, -1]
        self._mix = (mix / np.sqrt(3.0)).astype(np.float32)  # as noisy as the mean of the three
        self._names.clear()
        self._signs, self._scales = self._signs[:0], self._scales[:0]
        for name, patch, turned in self._given:
            self._take(name, self._mixed(patch), turned)

    def _take(self, name: str, sign: Values, turned: str) -> None:
        self._add(name, sign)
        if turned:
            self._add(turned, sign[::-1, ::-1])

    def _mixed(self, patch: Values) -> Values:
        return np.asarray(cv2.GaussianBlur(patch.astype(np.float32) @ self._mix, (0, 0), 0.8))

    def _add(self, name: str, sign: Values) -> None:
        scales = self._scale(sign)
        if scales.any():
            self._names.append(name)
            self._signs = np.vstack([self._signs, sign.reshape(1, -1)])
            self._scales = np.vstack([self._scales, scales])

    def _scale(self, sign: Values) -> Values:
        """By what a product with this sign is multiplied to be a correlation, for each move of it;
        zero where it shows no contrast there."""
        insides = [np.roll(sign, move, axis=(0, 1))[self._disc] for move in MOVES]
        sizes = np.array([np.linalg.norm(inside - inside.mean()) for inside in insides])
        told = sizes >= PLAIN * np.sqrt(self._disc.sum())
        return np.where(told, 1.0 / np.maximum(sizes, 1e-6), 0.0).astype(np.float32)

    def _likeness(self, signs: Values, scales: Values, seen: Values) -> Values:
        """Correlations (n,) of a grey patch (size, size) with signs (n, pixels), each moved to
        where it is the most alike; -1 for those that show no contrast."""
        inside = seen[self._disc]
        flat = np.zeros_like(seen)
        flat[self._disc] = inside - inside.mean()
        flat /= max(float(np.linalg.norm(flat)), 1e-6)
        # To move what is seen is to move the sign the other way, and is done once for all signs.
        moved = sliding_window_view(np.pad(flat, SHIFTS), flat.shape)
        likeness = (signs @ moved.reshape(len(MOVES), -1).T) * scales
        return np.asarray(np.where(scales > 0.0, likeness, -1.0).max(axis=1))

    def read(self, *patches: Values, others: Iterable[Values] = ()) -> frozenset[str]:
        """The names that a piece may bear that looks as these fine patches, in one or another of
        which it lies as it was learnt; none where no sign that is known is there. `others` are
        looked at, too, where in these no sign is plainly seen."""
        self._settle()
        best = dict.fromkeys(self._names, -1.0)
        if not best or not self._compare(patches, best):
            return frozenset()
        if max(best.values()) < PLAINLY:
            self._compare(others, best)
        most = max(best.values())
        if most < LIKE:
            return frozenset()
        least = min(most - LEAD, 1.0 - TWICE * (1.0 - most))
        return frozenset(name for name, one in best.items() if one > least)

    def _compare(self, patches: Iterable[Values], best: dict[str, float]) -> bool:
        """Whether there is contrast in all of these patches; how much each sign is like one of
        those that have it goes into `best`."""
        plain = False
        for seen in (self._mixed(patch) for patch in patches):
            if float(seen[self._disc].std()) < PLAIN:
                plain = True
                continue
            likeness = self._likeness(self._signs, self._scales, seen)
            for name, one in zip(self._names, likeness.tolist(), strict=True):
                best[name] = max(best[name], one)
        return not plain

    @property
    def names(self) -> frozenset[str]:
        """All signs that were learnt."""
        self._settle()
        return frozenset(self._names)
