"""One picture laid flat, beside the empty board, and what is told of a cell in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from tableref_hardware import Cell, Shown
from tableref_vision.opencv import Picture, Values, np
from tableref_vision.untagged.change import difference, largest, middle
from tableref_vision.untagged.ground import FINE, halved, patch
from tableref_vision.untagged.light import Light

Place = tuple[float, float]
"""x, y in mm in the board's frame."""


class BareBoard:
    """The empty board at the height of the pieces' tops, 2 px a mm (`fine`) and 1 px a mm
    (`top`), under the light of its own picture."""

    def __init__(self, fine: Picture) -> None:
        self.fine, self.top = fine, halved(fine)
        self._plain: dict[tuple[str, int, int], Values] = {}

    def plain(self, cell: Cell, reach: int, scale: int) -> Values:
        """The colour (3,) that most of the board around a cell has, `reach` px either way."""
        key = cell.name, reach, scale
        if key not in self._plain:
            flat = self.top if scale == 1 else self.fine
            self._plain[key] = middle(patch(flat, cell.x, cell.y, reach, scale).reshape(-1, 3))
        return self._plain[key]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture at the height of the pieces' tops, 2 px a mm (`fine`) and 1 px a mm (`top`), and
    the `bare` board there. `eye` (3,): where the camera is, in mm."""

    fine: Picture
    top: Picture
    bare: BareBoard
    light: Light
    eye: Values

    def around(self, cell: Cell, reach: int) -> tuple[Values, Values, Values]:
        """Around a cell, 1 px a mm: what is seen, the empty board in this light (size, size, 3),
        and by how many grey levels they differ (size, size)."""
        now, empty = self._patches(cell.x, cell.y, reach)
        field = patch(self.light.field, cell.x, cell.y, reach)
        change = largest(np.abs(difference(now, empty, field)))
        return now, np.minimum(empty * field, 255.0), change

    def at(self, x: float, y: float, reach: int) -> tuple[Values, Values]:
        """The first two of `around`, around x, y in mm."""
        now, empty = self._patches(x, y, reach)
        return now, np.minimum(empty * patch(self.light.field, x, y, reach), 255.0)

    def _patches(self, x: float, y: float, reach: int) -> tuple[Values, Values]:
        now, empty = (
            patch(flat, x, y, reach).astype(np.float32) for flat in (self.top, self.bare.top)
        )
        return now, empty

    def foot(self, cell: Cell, height: float) -> Place:
        """How far from its top the foot of a piece of this height is seen on a cell, in mm."""
        east, north, up = self.eye.tolist()
        return (east - cell.x) * height / up, (north - cell.y) * height / up

    def closely(self, x: float, y: float, reach: int) -> Values:
        """What is seen around x, y in mm, 2 px a mm, `reach` px either way."""
        return patch(self.fine, x, y, reach, FINE)


LARGER = "larger"
"""The doubt of a thing that is like a piece but larger: another may stick out from under it."""


class Found(NamedTuple):
    """What lies near a cell. `doubt`: why it is not taken for a piece, empty where it is one; then,
    and where it is LARGER, `texts` are those that it may have. `distance` in grey levels from what
    was learnt; `spine`: the middles of its ends in mm, `width` across it."""

    doubt: str
    texts: frozenset[str]
    distance: float
    x: float
    y: float
    spine: tuple[Place, Place]
    width: float
    height: float


class Finder(Protocol):
    """Finds pieces of some shapes."""

    def learn(self, scene: Scene, cell: Cell, piece: Shown, text: str) -> None:
        """Take the piece on this cell for an example."""
        ...

    def settle(self, again: bool) -> None:
        """All examples of a picture have been given, if `again`, not for the first time."""
        ...

    @property
    def texts(self) -> frozenset[str]:
        """All that may be read, as far as was learnt."""
        ...

    def colours(self, lights: Values) -> Values:
        """What colours (n, k, 3) the middles of cells in these lights (n, 3) might have under a
        piece."""
        ...

    def find(self, scene: Scene, cells: Sequence[Cell]) -> list[Found]:
        """What lies near these cells, where something has changed."""
        ...
