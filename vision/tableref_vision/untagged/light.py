"""Light that changes: how much brighter or darker each colour of a picture is than on the empty
board, told from the plate between the cells.

The logarithm of the ratio is fitted with a quadratic over the plate, robustly (Huber 1981,
"Robust Statistics"; weights as Tukey's), so that pieces, hands and their shadows do not pass for
light. A camera's own exposure and white balance are ratios too.
"""

from __future__ import annotations

from dataclasses import dataclass

from tableref_hardware import Board
from tableref_vision.opencv import Mask, Picture, Values, cv2, np

SAMPLES = 1500
BURNT = 242.0  # grey levels: above, a pixel may have been brighter than it says
DARK = 12.0  # grey levels: below, ratios are noise
CLEAR = 9.0  # mm between a piece on a cell and what counts as plate
RIM, TAG_RIM = 6.0, 4.0  # mm kept from the plate's edge and from tags
SCALE = 150.0  # mm, for numbers near 1
COARSE = 16  # places a side between which light is taken as straight
ROUNDS = 5
LEAST = 0.3  # of the samples that must not be burnt out to tell a colour's light
UNEVEN = 0.12  # of the brightness (log) beside the light of the rest
ODD = 4.0  # times the usual deviation: no plate


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The light of one picture over that of the empty board: `field` (rows, columns, 3) at 1 px a
    mm; `off`, which samples of the plate do not follow it; `burnt`, whether so much of the plate is
    burnt out that there is nothing to tell it from; `shade`, ratios (rows, columns, 3) that lie
    over what the terms say and are in the field, where some lies across."""

    terms: Values
    field: Values
    off: Mask
    burnt: bool
    shade: Values | None = None

    def at(self, x: float | Values, y: float | Values) -> Values:
        """The three ratios (..., 3) at x, y in mm, of one place or of many."""
        told = np.asarray(np.exp(_terms(np.asarray(x), np.asarray(y)) @ self.terms))
        if self.shade is None:
            return told
        rows, columns = self.shade.shape[:2]
        row = np.clip(np.rint(rows / 2 - 0.5 - np.asarray(y)), 0, rows - 1).astype(int)
        column = np.clip(np.rint(columns / 2 - 0.5 + np.asarray(x)), 0, columns - 1).astype(int)
        return np.asarray(told * self.shade[row, column])


class Plate:
    """The plate of one empty board, by which light is measured."""

    def __init__(self, board: Board, empty: Picture, piece: float) -> None:
        """`empty` is flat at 1 px a mm, `piece` the width of the widest piece in mm."""
        self._shape = empty.shape[:2]
        rows, columns = self._shape
        x, y = np.meshgrid(np.arange(columns) + 0.5 - columns / 2, rows / 2 - 0.5 - np.arange(rows))
        smooth = cv2.blur(empty, (3, 3)).astype(np.float32)
        free = (np.abs(x) < columns / 2 - RIM) & (np.abs(y) < rows / 2 - RIM)
        reach = piece / 2 + CLEAR
        for cell in board.cells.values():
            near = _window((rows, columns), cell.x, cell.y, reach)
            free[near] &= np.hypot(x[near] - cell.x, y[near] - cell.y) > reach
        for tag in board.corner_tags:
            reach = tag.square * 2 / 3 + TAG_RIM
            free &= (np.abs(x - tag.x) > reach) | (np.abs(y - tag.y) > reach)
        free &= smooth.min(axis=2) > DARK
        where = np.flatnonzero(free)
        self._where = where[:: max(1, len(where) // SAMPLES)]
        self._empty = smooth.reshape(-1, 3)[self._where]
        self._terms = _terms(x.ravel()[self._where], y.ravel()[self._where])

    def light(self, flat: Picture, shade: Values | None = None) -> Light:
        """The light of this picture, flat at the plate's height, 1 px a mm; beside a `shade` that
        is known to lie across it."""
        now = cv2.blur(flat, (3, 3)).reshape(-1, 3)[self._where].astype(np.float32)
        told = (now < BURNT) & (self._empty < BURNT)
        ratio = np.log((now + 1.0) / (self._empty + 1.0))
        if shade is not None:
            ratio -= np.log(shade.reshape(-1, 3)[self._where])
        terms = np.zeros((6, 3))
        known = [colour for colour in range(3) if told[:, colour].mean() > LEAST]
        for colour in known:
            terms[:, colour] = _fit(self._terms, ratio[:, colour], told[:, colour])
        # A colour in which the plate is burnt out tells nothing: it follows the others.
        for colour in set(range(3)) - set(known):
            terms[:, colour] = terms[:, known].mean(axis=1) if known else 0.0
        off = np.any((np.abs(ratio - self._terms @ terms) > UNEVEN) & told, axis=1)
        field = self._field(terms)
        if shade is not None:
            field *= shade
        return Light(terms, field, np.asarray(off), not known, shade)

    def unevenness(self, light: Light, covered: Mask) -> float:
        """The share of the plate in sight (not `covered`) that does not follow the light."""
        free = ~covered.ravel()[self._where]
        return float(np.mean(light.off[free])) if free.any() else 0.0

    def _field(self, terms: Values) -> Values:
        """The ratios at every pixel, straight between places some 25 mm apart."""
        rows, columns = self._shape
        x = ((np.arange(COARSE) + 0.5) / COARSE - 0.5) * columns
        y = (0.5 - (np.arange(COARSE) + 0.5) / COARSE) * rows
        coarse = np.exp(_terms(*np.meshgrid(x, y)) @ terms).astype(np.float32)
        field = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_LINEAR)
        return np.asarray(field, np.float32)


def _window(shape: tuple[int, int], x: float, y: float, reach: float) -> tuple[slice, slice]:
    """The rows and columns that come within `reach` mm of x, y in a plate of this shape."""
    spans = []
    for middle, length in ((shape[0] / 2 - y, shape[0]), (shape[1] / 2 + x, shape[1])):
        spans.append(slice(max(0, int(middle - reach)), min(length, int(middle + reach) + 1)))
    return spans[0], spans[1]


def _terms(x: Values, y: Values) -> Values:
    """The quadratic's six terms (..., 6) at x and y in mm."""
    x, y = x / SCALE, y / SCALE
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _fit(terms: Values, ratio: Values, told: Mask) -> Values:
    """The six weights for one colour."""
    terms, ratio = terms[told], ratio[told]
    # Little plate around a board says little about a slope: it is not believed without need.
    prior = np.diag([1e-6, 0.1, 0.1, 1.0, 1.0, 1.0])
    weight = (np.abs(ratio - np.median(ratio)) < 0.3).astype(float)
    for _ in range(ROUNDS):
        weighted = terms * weight[:, None]
        fit = np.linalg.solve(weighted.T @ terms + prior, weighted.T @ ratio)
        off = np.abs(ratio - terms @ fit)
        spread = 1.48 * float(np.median(off)) + 0.01
        weight = np.clip(1.0 - (off / (ODD * spread)) ** 2, 0.0, 1.0) ** 2
    return np.asarray(fit)
