"""From a roof tag's corners to the piece under it: place, heading, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from numpy.typing import NDArray

from tableref_hardware import Board, Cell, PieceTag
from tableref_vision.opencv import Points, np
from tableref_vision.view import SQUARE

SLACK = 0.9  # mm, root mean square between a tag's corners and the nearest square


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a piece stands: its middle in mm, yaw in degrees, confidence from 0 to 1; and how
    large its tag looks, 1 being what it must."""

    x: float
    y: float
    yaw: float
    confidence: float
    size: float


def stand(tag: PieceTag, bleed: float, seen: Points) -> Stand | None:
    """The stand of the piece whose roof tag has its corners at these places (4, 2) in mm.

    `bleed` is that of the view. None where the corners form no square: the piece is tilted, or
    what was read is no roof tag. One corner may be off, as with a bead that hides it.
    """
    nose_first = SQUARE[:, ::-1] * (1.0, -1.0)  # the tag's top edge lies to the nose: east at yaw 0
    model = nose_first * (tag.square / 2 - bleed)
    fits = [_fit(model, seen, np.ones(4, bool))]
    if fits[0].error > SLACK / 2:
        fits += [_fit(model, seen, np.arange(4) != left_out) for left_out in range(4)]
    best = min(fits, key=lambda fit: fit.error)
    if best.error > SLACK:
        return None
    return Stand(
        x=best.x - tag.ahead * math.cos(best.yaw),
        y=best.y - tag.ahead * math.sin(best.yaw),
        yaw=math.degrees(best.yaw),
        confidence=round(1.0 - 0.5 * best.error / SLACK - 0.2 * (len(fits) > 1), 3),
        size=best.size,
    )


class _Fit(NamedTuple):
    """A model turned by yaw (radians), made `size` times as large, shifted by x, y mm; the root
    mean square error in mm."""

    x: float
    y: float
    yaw: float
    size: float
    error: float


def _fit(model: Points, seen: Points, use: NDArray[np.bool_]) -> _Fit:
    """The similarity that lays the used points of the model on those seen (Umeyama 1991)."""
    model_middle, seen_middle = model[use].mean(axis=0), seen[use].mean(axis=0)
    a = (model[use] - model_middle) @ (1.0, 1.0j)
    b = (seen[use] - seen_middle) @ (1.0, 1.0j)
    turn = np.vdot(a, b) / np.vdot(a, a).real
    middle = complex(*seen_middle) - turn * complex(*model_middle)
    # Two coordinates a corner, less the four that were fitted.
    error = np.linalg.norm(turn * a - b) / np.sqrt(2 * len(a) - 4)
    return _Fit(middle.real, middle.imag, float(np.angle(turn)), float(abs(turn)), float(error))


def nearest_cell(board: Board, x: float, y: float) -> Cell:
    """The cell whose middle is nearest to this place in mm."""
    return min(board.cells.values(), key=lambda cell: (cell.x - x) ** 2 + (cell.y - y) ** 2)


def cell_at(board: Board, x: float, y: float) -> Cell | None:
    """The cell on which a piece with its middle here stands; None between cells and off them."""
    nearest = nearest_cell(board, x, y)
    close = (nearest.x - x) ** 2 + (nearest.y - y) ** 2 <= board.near**2
    return nearest if close else None


def heading_along(headings: Mapping[str, float], yaw: float, askew: float) -> str | None:
    """The heading along which a nose at this yaw (degrees) points; None where it stands askew."""

    def off(name: str) -> float:
        return abs((yaw - headings[name] + 180.0) % 360.0 - 180.0)

    nearest = min(headings, key=off)
    return nearest if off(nearest) <= askew else None
