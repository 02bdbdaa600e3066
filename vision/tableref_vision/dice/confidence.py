"""From what the looks at a die say to how often a value read like this is right.

A logistic regression on a few signs, fitted by `training.leave_one_out` on photographs of sources
that the nets had not seen (Platt 1999); its numbers are in `weights/confidence.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tableref_vision.dice.inputs import Floats
from tableref_vision.dice.runtime import WEIGHTS, WeightsError
from tableref_vision.opencv import np

SIGNS = ("always", "mean chance", "least chance", "heat", "size")
LIMIT = 9.0  # of a logit


@dataclass(frozen=True, slots=True)
class Confidence:
    """`weights` of the signs; from which confidence on a value is sure, without and with a mat.

    On the mat the chance of standing flat must be `flat` at least, too.
    """

    weights: tuple[float, ...]
    sure: float
    sure_on_mat: float
    flat: float

    @staticmethod
    def load(folder: Path = WEIGHTS) -> Confidence:
        """What ships, or what lies in this folder. WeightsError"""
        path = folder / "confidence.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            weights = tuple(float(record["weights"][sign]) for sign in SIGNS)
            limits = (float(record[key]) for key in ("sure", "sure_on_mat", "flat"))
            return Confidence(weights, *limits)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WeightsError(
                f"{path}: cannot be read ({error}); install Tableref again, or train anew"
            ) from error

    def of(self, signs: Floats) -> float:
        """How often values with these signs (5,) are right."""
        return float(1 / (1 + np.exp(-float(signs @ np.array(self.weights)))))


def signs(chances: Floats, value: int, heat: float, size: float) -> Floats:
    """The signs (5,) for `value`, of the chances (looks, 7) that each look gives."""
    mean, least = chances[:, value].mean(), chances[:, value].min()
    return np.array(
        [1.0, _logit(mean), _logit(least), _logit(heat), np.log(max(size, 4.0) / 40.0)], np.float32
    )


def _logit(chance: float) -> float:
    chance = float(np.clip(chance, 1e-6, 1 - 1e-6))
    return float(np.clip(np.log(chance / (1 - chance)), -LIMIT, LIMIT))
