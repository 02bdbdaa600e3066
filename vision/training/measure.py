"""What a reader makes of labelled pictures, and how sure one may be of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tableref_vision.dice.chances import logistic
from tableref_vision.dice.reader import DiceReader, Reading, no_value
from training.sources import UNLABELLED, Die, Scene

Floats = NDArray[np.float64]

WRONG = 0.003  # of sure values may be wrong where a threshold is chosen
LEAP = 0.5  # that a weight changes by at most in one step of the fit


@dataclass(frozen=True, slots=True)
class Outcome:
    """One value that was read, or one die that was missed (`signs` empty).

    `right`: the value is that of the die in whose box the reading's middle lies; a value where no
    die is, is not right. `die`: it belongs to a labelled die.
    """

    source: str
    image: str
    right: bool
    die: bool
    signs: tuple[float, ...]


def outcomes(scene: Scene, boxes: Sequence[dict[str, Any]], reader: DiceReader) -> list[Outcome]:
    """Every value that was read and every die of one photograph.

    The surest value in a die's box is that die's, not the one nearest to the box's middle: of a die
    seen from aside that is where its side is. What else was read there is invented, save where a
    die has no label (`UNLABELLED`): that counts neither way.
    """
    size = scene.image.shape[1], scene.image.shape[0]
    told = [r for r in reader.readings(scene.image) if no_value(r, None, size) is None]
    whole = [_whole(die["box"], truth) for die, truth in zip(boxes, scene.dice, strict=True)]
    missed = dict(enumerate(whole))
    rows = []
    for reading in sorted(told, key=lambda reading: -reading.chance):
        holding = [i for i, box in missed.items() if _inside(reading, box)]
        at = min(holding, key=lambda i: _far(reading, whole[i]), default=None)
        if at is None and _is_unlabelled(scene, reading):
            continue
        right = at is not None and boxes[at]["value"] == reading.value
        signs = tuple(map(float, reading.signs))
        rows.append(Outcome(scene.source, scene.name, right, at is not None, signs))
        if at is not None:
            del missed[at]
    return rows + [Outcome(scene.source, scene.name, False, True, ()) for _ in missed]


def _whole(box: Sequence[float], die: Die) -> Sequence[float]:
    """The box (x, y, w, h) of the whole die, where its label may hold the pips of its top face
    alone: a value is no invention that lies beside them, but on the die."""
    if not die.face:
        return box
    return die.x - die.size / 2, die.y - die.size / 2, die.size, die.size


def _is_unlabelled(scene: Scene, reading: Reading) -> bool:
    place = UNLABELLED.get((scene.source, scene.name))
    spot = reading.spot
    return place is not None and math.dist(place, (spot.x, spot.y)) < spot.size / 2


def _inside(reading: Reading, box: Sequence[float]) -> bool:
    x, y, w, h = box
    return x <= reading.spot.x <= x + w and y <= reading.spot.y <= y + h


def _far(reading: Reading, box: Sequence[float]) -> float:
    x, y, w, h = box
    return math.dist((reading.spot.x, reading.spot.y), (x + w / 2, y + h / 2)) / max(w, h)


def on_tables(scenes: Sequence[Scene], reader: DiceReader) -> tuple[int, int, int]:
    """Values that count on path-traced mats, read right and sure, and sure but wrong or invented.

    By tray and value, as players would see it.
    """
    count = right = wrong = 0
    for scene in scenes:
        seen = [(d.tray, d.value) for d in reader.read(scene.image, alone=True) if d.sure]
        want = Counter((d["tray"], d["value"]) for d in scene.truth if d["value"])
        got = Counter(seen)
        count += want.total()
        right += (want & got).total()
        wrong += (got - want).total()
    return count, right, wrong


def fit_confidence(rows: Iterable[Outcome], ridge: float = 10.0) -> Floats:
    """Weights of the signs: logistic regression by Newton's method, a little shrunk."""
    told = [row for row in rows if row.signs]
    x, y = np.array([row.signs for row in told]), np.array([row.right for row in told], float)
    weights = np.zeros(x.shape[1])
    weights[1] = 1.0
    prior = weights.copy()
    for _ in range(50):
        chance = logistic(x @ weights)
        slope = x.T @ (y - chance) - ridge * (weights - prior)
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + ridge * np.eye(len(weights))
        # Short steps: from afar Newton's would leap to where all chances are 0 or 1.
        step = np.linalg.solve(bend, slope)
        step *= min(1.0, LEAP / float(np.abs(step).max()))
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def confidence(row: Outcome, weights: Floats) -> float:
    """As `Confidence.of`; 0 where nothing was read."""
    return float(logistic(np.dot(row.signs, weights))) if row.signs else 0.0


def threshold(rows: Sequence[Outcome], weights: Floats, wrong: float) -> float:
    """The lowest confidence from which on at most this share of the values is wrong."""
    told = sorted(
        ((confidence(row, weights), row.right) for row in rows if row.signs), reverse=True
    )
    bad, best = 0, 1.0
    for count, (sure, right) in enumerate(told, 1):
        bad += not right
        if bad <= wrong * count:
            best = sure
    return best


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one source: dice, found, read right and sure, sure but wrong, invented."""

    dice: int
    found: int
    right: int
    wrong: int
    invented: int

    @staticmethod
    def of(rows: Sequence[Outcome], weights: Floats, sure: float) -> Tally:
        """The counts where values are sure from this confidence on."""
        trusted = [row for row in rows if confidence(row, weights) >= sure]
        return Tally(
            sum(row.die for row in rows),
            sum(row.die and bool(row.signs) for row in rows),
            sum(row.die and row.right for row in trusted),
            sum(row.die and not row.right for row in trusted),
            sum(not row.die for row in trusted),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(self._all(), other._all(), strict=True)))

    def _all(self) -> tuple[int, ...]:
        return self.dice, self.found, self.right, self.wrong, self.invented

    def row(self, name: str) -> str:
        """A row of a table, with 95 % confidence intervals (Wilson 1927)."""
        low, high = wilson(self.right, self.dice)
        bad, told = self.wrong + self.invented, self.right + self.wrong + self.invented
        least, most = wilson(bad, told)
        return (
            f"| {name} | {self.dice} | {self.found / max(self.dice, 1):.1%} "
            f"| {self.right / max(self.dice, 1):.1%} ({low:.1%} to {high:.1%}) "
            f"| {self.wrong} + {self.invented} "
            f"| {bad / max(told, 1):.2%} ({least:.2%} to {most:.2%}) |"
        )


HEAD = (
    "| source | dice | given a value | right and sure | sure: wrong + invented | of sure ones |\n"
    "|---|---|---|---|---|---|"
)


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, z * z / of
    middle = (share + square / 2) / (1 + square)
    reach = z / (1 + square) * math.sqrt(share * (1 - share) / of + square / (4 * of))
    return max(0.0, middle - reach), min(1.0, middle + reach)
