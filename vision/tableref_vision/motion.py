"""On which cells of a board something moves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from numpy.typing import NDArray

from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.opencv import cv2, np
from tableref_vision.stillness import FORGOTTEN, Stillness
from tableref_vision.view import View

GLOW = 45.0  # mm around a lit cell's middle in which its light shows
RAISED = 10.0  # mm above the plate, about where the upper parts of pieces and fingers move
PLATE = -1  # label of the plate beside its cells
ROUND = np.column_stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)])
ELSEWHERE = -2  # label of what is not on the plate


@dataclass(frozen=True, slots=True)
class Moving:
    """Whether there was a frame to compare with, whether anything moves on the board (anywhere,
    while its place is unknown) and beside it, and on which cells."""

    compared: bool
    any: bool
    beside: bool
    cells: frozenset[str]


class PlateMotion:
    """Follows movement on one board through the frames of one camera."""

    def __init__(self, board: Board) -> None:
        self._names = list(board.cells)
        self._middles = np.array([(cell.x, cell.y) for cell in board.cells.values()])
        apart = np.linalg.norm(self._middles[:, None] - self._middles[None], axis=2)
        self._reach = float(np.min(apart[apart > 0])) * 0.55
        x, y = board.plate.width / 2, board.plate.depth / 2
        self._plate = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
        self._stillness = Stillness()
        self._labelled: View | None = None
        self._labels: NDArray[np.int16] = np.zeros((0, 0), np.int16)
        self._lit_until: dict[str, float] = {}

    def look(self, frame: Frame, view: View | None, lit: Collection[str] = ()) -> Moving:
        """What moves in this frame, the board lying as it was last seen."""
        mask = self._stillness.look(frame.image, frame.time)
        self._lit_until = {
            c: t for c, t in self._lit_until.items() if t > frame.time
        } | dict.fromkeys(lit, frame.time + FORGOTTEN)
        if mask is None:
            return Moving(False, False, False, frozenset())
        if view is None or not mask.any():
            moves = bool(mask.any())
            return Moving(True, moves, moves, frozenset())
        if self._labelled is not view:
            self._labelled = view
            self._labels = self._label(view, mask.shape[1], mask.shape[0])
        touched = self._labels[mask & ~self._glowing(view, mask.shape[1], mask.shape[0])]
        cells = np.unique(touched[touched >= 0])
        names = frozenset(self._names[number] for number in cells)
        beside = touched == ELSEWHERE
        return Moving(True, not beside.all(), bool(beside.any()), names)

    def _label(self, view: View, across: int, down: int) -> NDArray[np.int16]:
        """For each pixel of the small picture the cell there, PLATE or ELSEWHERE."""
        labels = np.full((down, across), ELSEWHERE, np.int16)
        cv2.fillConvexPoly(labels, _small(view, self._plate, across), PLATE)
        for number, middle in enumerate(self._middles):
            outline = _small(view, middle + self._reach * ROUND, across)
            cv2.fillConvexPoly(labels, outline, number)
        return labels

    def _glowing(self, view: View, across: int, down: int) -> NDArray[np.bool_]:
        """Where lights shine that are on, or were until just now."""
        shine = np.zeros((down, across), np.uint8)
        for cell in self._lit_until:
            middle = self._middles[self._names.index(cell)]
            cv2.fillConvexPoly(shine, _small(view, middle + GLOW * ROUND, across), 1)
        return np.asarray(shine > 0)


def _small(view: View, places: NDArray[np.float64], across: int) -> NDArray[np.int32]:
    """Pixels of a small picture this wide, where places (n, 2) in mm on the board are seen."""
    raised = np.column_stack([places, np.full(len(places), RAISED)])
    pixels = (view.pixels(raised) + 0.5) * across / view.lens.width - 0.5
    return np.rint(pixels).astype(np.int32)
