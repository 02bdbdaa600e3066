"""Which cells are covered by something that is no piece we know, told from one picture.

A board of hexes shows its printed outlines and a plain middle in every empty cell. A hand or a
sleeve hides outlines, whatever its colour; a piece whose tag cannot be read stands out in the
middle. Both are measured against the other cells of the same picture, so light does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

from numpy.typing import NDArray

from tableref_hardware import Board
from tableref_vision.observation import SeenPiece
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.view import View

ALONG = np.linspace(0.2, 0.8, 6)  # where an edge is looked at, as shares of its length
ACROSS = np.array([-4.0, -3.0, -0.9, -0.3, 0.3, 0.9, 3.0, 4.0])  # mm across the edge
LINE = slice(2, 6)  # of ACROSS: where the line is, as well as the view is known
ENOUGH = 8  # of the points of a middle, for it to be judged
MIDDLE = 18.0  # mm around a cell's middle that are plain where nothing stands
PRINTED = 0.04  # of the brightness: a line fainter than this is none
SHOWN = 0.35  # of the usual depth of a line, for one to count as in sight
HAND = 2  # cells without outline that only a hand hides: no piece hides a cell's whole outline
SIDES = 3  # of a cell that no piece hides, for its outline to be judged
RIM = 0.7  # of a cell's lines that are in sight beside a hand
STANDS_OUT = 0.3  # of the brightness, between the light and dark parts of a middle
BODY = 27.0  # mm around a piece's middle that it may hide
TALL = 25.0  # mm, pin and beads


class Cover(NamedTuple):
    """Names of the cells that something covers, and whether it is as large as a hand."""

    cells: frozenset[str]
    hand: bool


class CellCover:
    """Looks at the outlines and middles of a board's cells."""

    def __init__(self, board: Board) -> None:
        self._cells = list(board.cells.values())
        shape = board.data["cells"]
        self._edges: list[Points] = []  # (7 * 9, 2) mm
        self._of_cell: list[list[int]] = []
        if shape["shape"] == "hex":
            self._lay_edges(float(shape["flats"]))
        self._edge_middles = np.array([edge.mean(axis=0) for edge in self._edges])
        steps = np.arange(-MIDDLE, MIDDLE + 1.0, 6.0)
        grid = np.array([(x, y) for x in steps for y in steps if np.hypot(x, y) <= MIDDLE])
        self._middles = np.array([grid + np.array([c.x, c.y]) for c in self._cells])
        self._view: View | None = None
        self._places: tuple[Points, Points] = np.zeros(0), np.zeros(0)

    def _lay_edges(self, flats: float) -> None:
        """Each edge once, though two cells share it."""
        known: dict[tuple[int, int], int] = {}
        corner = flats / np.sqrt(3.0) * np.exp(1j * np.radians(30.0 + 60.0 * np.arange(7)))
        for cell in self._cells:
            numbers = []
            for start, end in pairwise(corner):
                middle = (start + end) / 2 + complex(cell.x, cell.y)
                key = round(middle.real), round(middle.imag)
                if key not in known:
                    known[key] = len(self._edges)
                    outward = (start + end) / abs(start + end)
                    places = complex(cell.x, cell.y) + start + np.outer(ALONG, end - start).ravel()
                    profile = (places[:, None] + ACROSS * outward).ravel()
                    self._edges.append(np.column_stack([profile.real, profile.imag]))
                numbers.append(known[key])
            self._of_cell.append(numbers)

    def look(
        self, grey: Picture, view: View, pieces: Iterable[SeenPiece], lit: Collection[str] = ()
    ) -> Cover:
        """What covers the board beside these pieces; `lit` cells are not judged by their middle."""
        if self._view is not view:
            self._view = view
            self._places = _pixels(view, np.array(self._edges)), _pixels(view, self._middles)
        seen = list(pieces)
        held = {piece.cell for piece in seen}
        hiding = _hiding(view, seen)
        hidden = self._without_outline(grey, hiding)
        standing = {name for name in self._standing_out(grey, hiding) if name not in lit}
        return Cover(frozenset((hidden | standing) - held), len(hidden) >= HAND)

    def _without_outline(self, grey: Picture, hiding: Points) -> set[str]:
        if not self._edges:
            return set()
        light = _brightness(grey, self._places[0])
        profile = light.reshape(len(light), len(ALONG), len(ACROSS)).mean(axis=1)
        sides = np.minimum(profile[:, :2].mean(axis=1), profile[:, -2:].mean(axis=1))
        depth = (sides - profile[:, LINE].min(axis=1)) / np.maximum(sides, 1.0)
        free = ~_hid(self._edge_middles, hiding)
        usual = np.percentile(depth[free], 75) if free.any() else 0.0
        if usual < PRINTED:
            return set()
        numbers = np.array(self._of_cell)
        shown = np.sum(((depth > SHOWN * usual) & free)[numbers], axis=1)
        looked_at = np.sum(free[numbers], axis=1)
        judged = looked_at >= SIDES  # one line beside a piece may well be under its bumper
        hidden = judged & (shown < looked_at / 2)
        if hidden.sum() >= HAND:
            # There is a hand: a cell at its rim, with fewer lines gone, is under it too.
            hidden = judged & (shown < looked_at * RIM)
        return {cell.name for cell, gone in zip(self._cells, hidden.tolist(), strict=True) if gone}

    def _standing_out(self, grey: Picture, hiding: Points) -> set[str]:
        light = _brightness(grey, self._places[1])
        free = ~_hid(self._middles.reshape(-1, 2), hiding).reshape(light.shape)
        count = free.sum(axis=1)
        enough = count >= ENOUGH
        if not enough.any():
            return set()
        # Hidden points go to the end of each sorted row, so that shares of the rest are places.
        rows = np.sort(np.where(free, light, np.inf)[enough], axis=1)
        at = (np.array([[0.1], [0.5], [0.9]]) * (count[enough] - 1)).astype(int)
        low, middle, high = np.take_along_axis(rows, at.T, axis=1).T
        contrast = (high - low) / np.maximum(middle, 1.0)
        out = contrast > max(STANDS_OUT, 3.0 * float(np.median(contrast)))
        names = [cell.name for cell, told in zip(self._cells, enough.tolist(), strict=True) if told]
        return {name for name, stands in zip(names, out.tolist(), strict=True) if stands}


def _pixels(view: View, places: Points) -> Points:
    """Where the camera sees places (n, m, 2) in mm on the plate, as maps (n, m, 2) for remap."""
    flat = places.reshape(-1, 2)
    pixels = view.pixels(np.column_stack([flat, np.zeros(len(flat))]))
    return pixels.reshape(places.shape).astype(np.float32)


def _brightness(grey: Picture, pixels: Points) -> Points:
    """Grey levels (n, m) at the pixels (n, m, 2)."""
    x, y = (np.ascontiguousarray(pixels[..., i]) for i in (0, 1))
    light = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return light.astype(np.float32)


def _hiding(view: View, pieces: list[SeenPiece]) -> Points:
    """Places (n, 2) on the plate around which seen pieces hide it: at their feet, and where
    their tops stand in the way of the camera."""
    feet = np.array([(piece.x, piece.y) for piece in pieces]).reshape(-1, 2)
    eye = view.eye
    tops = feet + (feet - eye[:2]) * TALL / (eye[2] - TALL)
    return np.concatenate([feet, tops])


def _hid(places: Points, hiding: Points) -> NDArray[np.bool_]:
    """Which of the places (n, 2) a seen piece hides."""
    away = np.linalg.norm(places[:, None] - hiding[None], axis=2)
    return np.asarray(np.any(away < BODY, axis=1))
