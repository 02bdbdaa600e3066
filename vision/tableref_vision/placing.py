"""From a roof tag's corners to the piece under it: place, heading, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableref_hardware import Board, Cell, PieceTag
from tableref_vision.opencv import Points, np
from tableref_vision.view import SQUARE, View

SLACK = 0.9  # mm, root mean square between a tag's corners and the square they must form
SIZE_SLACK = 0.06  # a piece held 40 mm above the board looks this much larger


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a piece stands: its middle in mm, yaw in degrees, confidence from 0 to 1."""

    x: float
    y: float
    yaw: float
    confidence: float


def stand(view: View, tag: PieceTag, pixels: Points) -> Stand | None:
    """The stand of the piece whose roof tag has its corners at these `pixels` (4, 2).

    None where the corners form no square of the tag's size at its height: the piece is lifted or
    tilted, or what was read is no roof tag. One corner may be off, as with a bead that hides it.
    """
    seen = view.on_plane(pixels, tag.height)
    nose_first = SQUARE[:, ::-1] * (1.0, -1.0)  # the tag's top edge lies to the nose: east at yaw 0
    model = nose_first * (tag.square / 2 - view.bleed)
    fits = [_rigid(model, seen, np.ones(4, bool))]
    if fits[0][3] > SLACK / 2:
        fits += [_rigid(model, seen, np.arange(4) != left_out) for left_out in range(4)]
    x, y, yaw, error = min(fits, key=lambda fit: fit[3])
    if error > SLACK:
        return None
    ahead = np.array([np.cos(yaw), np.sin(yaw)]) * tag.ahead
    confidence = 1.0 - 0.5 * error / SLACK - 0.2 * (len(fits) > 1)
    return Stand(
        float(x - ahead[0]), float(y - ahead[1]), float(np.degrees(yaw)), round(confidence, 3)
    )


def _rigid(model: Points, seen: Points, use: np.ndarray) -> tuple[float, float, float, float]:
    """x, y, yaw of the turned and shifted model, and its error in mm (Kabsch 1976)."""
    model_middle, seen_middle = model[use].mean(axis=0), seen[use].mean(axis=0)
    a, b = model[use] - model_middle, seen[use] - seen_middle
    yaw = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    turned = model @ np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    x, y = seen_middle - turned[use].mean(axis=0)
    wrong = turned[use] + (x, y) - seen[use]
    # Two coordinates a corner, less the three that were fitted.
    error = np.sqrt(np.sum(wrong**2) / (2 * use.sum() - 3))
    return float(x), float(y), float(yaw), float(error)


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
