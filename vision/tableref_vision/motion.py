"""On which cells of a board something moves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from numpy.typing import NDArray

from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.opencv import cv2, np
from tableref_vision.stillness import SETTLED, Stillness
from tableref_vision.view import View

GLOW = 45.0  # mm around a lit cell's middle in which its light shows
RAISED = 10.0  # mm above the plate, about where the upper parts of pieces and fingers move
PLATE = -1  # label of the plate beside its cells
ELSEWHERE = -2  # label of what is not on the plate


@dataclass(frozen=True, slots=True)
class Moving:
    """Whether anything moves on the board (anywhere, while its place is unknown), and on which
    cells."""

    any: bool
    cells: frozenset[str]


class PlateMotion:
    """Follows movement on one board through the frames of one camera."""

    def __init__(self, board: Board) -> None:
        self._names = list(board.cells)
        self._middles = np.array([(cell.x, cell.y) for cell in board.cells.values()])
        apart = np.linalg.norm(self._middles[:, None] - self._middles[None], axis=2)
        self._reach = float(np.min(apart[apart > 0])) * 0.65
        self._half = np.array([board.plate.width / 2, board.plate.depth / 2])
        self._stillness = Stillness()
        self._labelled: tuple[View, tuple[int, ...]] | None = None
        self._labels: NDArray[np.int16] = np.zeros((0, 0), np.int16)
        self._lit_until: dict[str, float] = {}

    def look(self, frame: Frame, view: View | None, lit: Collection[str] = ()) -> Moving:
        """What moves in this frame, the board lying as it was last seen."""
        mask = self._stillness.look(frame.image, frame.time)
        self._lit_until = {
            c: t for c, t in self._lit_until.items() if t > frame.time
        } | dict.fromkeys(lit, frame.time + SETTLED)
        if view is None or not mask.any():
            return Moving(bool(mask.any()), frozenset())
        if self._labelled is None or self._labelled[0] is not view:
            self._labelled = view, mask.shape
            self._labels = self._label(view, mask.shape[1], mask.shape[0])
        touched = self._labels[mask & ~self._glowing(view, mask.shape[1], mask.shape[0])]
        cells = np.unique(touched[touched >= 0])
        return Moving(bool(np.any(touched != ELSEWHERE)), frozenset(self._names[i] for i in cells))

    def _label(self, view: View, across: int, down: int) -> NDArray[np.int16]:
        """For each pixel of the small picture the cell there, PLATE or ELSEWHERE."""
        ground = _ground(view, across, down)
        apart = np.linalg.norm(ground[:, None] - self._middles[None], axis=2)
        labels = np.where(apart.min(axis=1) <= self._reach, apart.argmin(axis=1), PLATE)
        labels[np.any(np.abs(ground) > self._half, axis=1)] = ELSEWHERE
        return labels.reshape(down, across).astype(np.int16)

    def _glowing(self, view: View, across: int, down: int) -> NDArray[np.bool_]:
        """Where lights shine that are on, or were until just now."""
        shine = np.zeros((down, across), np.uint8)
        if self._lit_until:
            scale = across / view.lens.width
            places = self._middles[[self._names.index(cell) for cell in self._lit_until]]
            flat = np.zeros((len(places), 1))
            middles = view.pixels(np.hstack([places, flat])) * scale
            edges = view.pixels(np.hstack([places + np.array([GLOW, 0.0]), flat])) * scale
            for middle, edge in zip(middles, edges, strict=True):
                radius = int(np.ceil(np.linalg.norm(edge - middle)))
                cv2.circle(shine, (round(middle[0]), round(middle[1])), radius, 1, -1)
        return np.asarray(shine > 0)


def _ground(view: View, across: int, down: int) -> NDArray[np.float64]:
    """Board places (n, 2) in mm under the pixels of a small picture, row by row."""
    scale = view.lens.width / across
    x, y = np.meshgrid(np.arange(across), np.arange(down))
    pixels = (np.column_stack([x.ravel(), y.ravel()]).astype(np.float64) + 0.5) * scale - 0.5
    return view.on_plane(pixels, RAISED)
