"""Between what nets put out, which are logits, and chances from 0 to 1."""

from __future__ import annotations

from numpy.typing import ArrayLike, NDArray

from tableref_vision.dice.inputs import Floats
from tableref_vision.opencv import np

LIMIT = 9.0  # of a logit, where it is computed from a chance


def logistic(logits: ArrayLike) -> NDArray[np.float64]:
    """The chances of one of two, of the shape of the logits."""
    return np.asarray(1 / (1 + np.exp(-np.clip(np.asarray(logits, np.float64), -40, 40))))


def logit(chance: float) -> float:
    """Of a chance; `LIMIT` at most."""
    chance = float(np.clip(chance, 1e-6, 1 - 1e-6))
    return float(np.clip(np.log(chance / (1 - chance)), -LIMIT, LIMIT))


def softmax(logits: Floats) -> Floats:
    """The chances of one of seven, a row each (n, 7)."""
    chances = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(chances / chances.sum(1, keepdims=True), np.float32)
