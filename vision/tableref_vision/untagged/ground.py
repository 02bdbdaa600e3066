"""The board as seen from straight above, at the height of the plate or of the pieces' tops.

A picture is warped once for each height. A warp is looked up for every view, so that a picture of
a camera that stands still costs no more than the sampling.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tableref_hardware import Board
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

FINE = 2  # px a mm: as much as a camera 750 mm above the table tells
BAND = 64  # rows of a warp that are worked out at a time: as a whole it would take 15 MB
ROUND = 0.5  # px a mm of the table of places between which a lens is taken as straight


class Ground:
    """Flattens pictures of one view of a board. Rows run from north to south, columns east."""

    def __init__(self, board: Board, view: View) -> None:
        self.view, self.eye = view, view.eye
        self.width, self.depth = round(board.plate.width), round(board.plate.depth)
        self._maps: dict[float, tuple[NDArray[Any], NDArray[Any]]] = {}

    def fine(self, image: Picture, height: float) -> Picture:
        """The plate's area (2 depth, 2 width, 3) at this height in mm above it, 2 px a mm."""
        if height not in self._maps:
            self._maps[height] = self._map(height)
        flat = cv2.remap(
            image, *self._maps[height], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(flat, np.uint8)

    def seen(self, points: Points, size: tuple[int, int]) -> list[bool]:
        """Which of these points (n, 3) in mm lie in a picture of this width and height."""
        pixels = self.view.pixels(points)
        inside = np.all((pixels >= 1) & (pixels <= np.array(size) - 2), axis=1)
        return [bool(one) for one in inside]

    def _map(self, height: float) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where each flat pixel lies in the picture, as `cv2.remap` takes it fastest."""
        columns, rows = self.width * FINE, self.depth * FINE
        step = round(FINE / ROUND)
        x = (np.arange(0, columns + step, step) + 0.5) / FINE - self.width / 2
        y = self.depth / 2 - (np.arange(0, rows + step, step) + 0.5) / FINE
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        points = np.column_stack([grid.reshape(-1, 2), np.full(grid.size // 2, height)])
        sparse = self.view.pixels(points).reshape(grid.shape).astype(np.float32)
        u = np.arange(columns, dtype=np.float32) / step
        whole = np.empty((rows, columns, 2), np.int16)
        part = np.empty((rows, columns), np.uint16)
        for top in range(0, rows, BAND):
            v = np.arange(top, min(top + BAND, rows), dtype=np.float32) / step
            at = np.meshgrid(u, v)
            full = cv2.remap(sparse, at[0], at[1], cv2.INTER_LINEAR)
            band = slice(top, top + len(v))
            whole[band], part[band] = cv2.convertMaps(full[..., 0], full[..., 1], cv2.CV_16SC2)
        return whole, part


def halved(fine: Picture) -> Picture:
    """The same at 1 px a mm, each pixel the mean of four: half the noise."""
    height, width = fine.shape[:2]
    return np.asarray(cv2.resize(fine, (width // 2, height // 2), interpolation=cv2.INTER_AREA))


def patch(flat: NDArray[Any], x: float, y: float, reach: int, scale: int = 1) -> NDArray[Any]:
    """The square (2 reach + 1) px wide around the pixel in which x, y (mm) lies; the rim of the
    plate goes on where it reaches beyond. `scale` in px a mm."""
    height, width = flat.shape[:2]
    column, row = pixel(x, y, (width, height), scale)
    if reach <= column < width - reach and reach <= row < height - reach:
        return flat[row - reach : row + reach + 1, column - reach : column + reach + 1]
    rows = np.clip(np.arange(row - reach, row + reach + 1), 0, height - 1)
    columns = np.clip(np.arange(column - reach, column + reach + 1), 0, width - 1)
    return flat[rows[:, None], columns[None, :]]


def discs(places: Points, radius: int, shape: tuple[int, int]) -> NDArray[np.intp]:
    """Numbers (n, pixels) of the pixels of discs around places (n, 2) in mm in a flat picture of
    this shape, 1 px a mm; the rim of the plate goes on as in `patch`."""
    axis = np.arange(-radius, radius + 1)
    column, row = np.meshgrid(axis, axis)
    inside = np.hypot(column, row) <= radius
    at = np.array([pixel(x, y, (shape[1], shape[0])) for x, y in places.tolist()]).reshape(-1, 2, 1)
    columns = np.clip(at[:, 0] + column[inside], 0, shape[1] - 1)
    rows = np.clip(at[:, 1] + row[inside], 0, shape[0] - 1)
    return np.asarray(rows * shape[1] + columns, np.intp)


def pixel(x: float, y: float, size: tuple[int, int], scale: int = 1) -> tuple[int, int]:
    """Column and row of the pixel of a flat picture of this width and height in which x, y lies."""
    return (
        int(np.floor(x * scale + size[0] / 2)),
        int(np.floor(size[1] / 2 - y * scale)),
    )
