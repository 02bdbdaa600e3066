"""From what the looks at a die say to how often a value read like this is right.

A logistic regression on a few signs, fitted by `training.leave_one_out` on photographs of sources
that the nets had not seen (Platt 1999); its numbers are in `weights/confidence.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tableref_vision.dice.chances import logistic, logit, softmax
from tableref_vision.dice.inputs import Floats
from tableref_vision.dice.locate import Spot
from tableref_vision.dice.runtime import WEIGHTS, WeightsError
from tableref_vision.opencv import np

SIGNS = ("always", "mean chance", "heat", "odd size", "others' chance")
LEAST, MOST = -2.0, 4.0  # of what the other values of a picture may say: a logit
LIMITS = ("sure", "sure_on_mat", "one_on_mat", "flat")


@dataclass(frozen=True, slots=True)
class Confidence:
    """`weights` of the signs; from which confidence on a value is sure, without and with a mat.

    On the mat the chance of standing flat must be `flat` at least, too; and for a one that chance
    times the one's `one_on_mat`, however hot its place is: a bead with a highlight looks like one.
    """

    weights: tuple[float, ...]
    sure: float
    sure_on_mat: float
    one_on_mat: float
    flat: float

    @staticmethod
    def load(folder: Path = WEIGHTS) -> Confidence:
        """What ships, or what lies in this folder. WeightsError"""
        path = folder / "confidence.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            weights = tuple(float(record["weights"][sign]) for sign in SIGNS)
            limits = (float(record[key]) for key in LIMITS)
            return Confidence(weights, *limits)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WeightsError(
                f"{path}: cannot be read ({error}); install Tableref again, or train anew"
            ) from error

    def of(self, signs: Floats) -> float:
        """How often values with these signs (5,) are right."""
        return float(logistic(signs @ np.array(self.weights)))


def mean_chance(looks: Floats, value: int) -> float:
    """Logit of the chance of `value` that the looks, logits (looks, 7), give on average."""
    return logit(softmax(looks)[:, value].mean())


def signs(mean: float, spot: Spot, spots: Sequence[Spot], others: Sequence[float]) -> Floats:
    """The signs (5,) for the value at `spot` whose `mean_chance` this is.

    `spots` are those of the picture: what is much larger or smaller than they may be no die.
    `others` are the `mean_chance` of the picture's other values: where these are clear the nets
    know such pictures. A value alone speaks for itself.
    """
    odd = 0.0
    rest = [other.size for other in spots if other is not spot]
    if rest:
        odd = abs(float(np.log(spot.size / float(np.median(rest)))))
    clear = float(np.median(np.clip(others or [mean], LEAST, MOST)))
    return np.array([1.0, mean, logit(spot.heat), min(odd, 1.5), clear], np.float32)


def chance(signs: Floats) -> float:
    """The mean chance, 0 to 1, that is among these signs."""
    return float(logistic(signs[SIGNS.index("mean chance")]))
