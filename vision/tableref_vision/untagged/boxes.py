"""Where an oblong lies: boxes of one size, laid where most of what speaks for a token is inside and
its surroundings speak for the board."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tableref_hardware import Look
from tableref_vision.opencv import Mask, Values, cv2, np
from tableref_vision.untagged.ground import FINE

REACH = 8.0  # mm from a cell's middle within which a token is looked for
BORDER = 3.5  # mm around it that must not look like it
TURN, STEP = 15.0, 2.0  # degrees and mm between boxes that are tried first
ACROSS = 65.0  # degrees between boxes that lie another way
FEW = 49  # boxes that are laid at once
KEPT = 512  # boxes that were tried last, whose weights are kept: 16 kB each
FINE_TURN = 3.75  # degrees between the boxes that are tried then
AROUND = ((2, 2), (1, 1))  # fine px and fine turns around a box that are tried, first and then


class Box(NamedTuple):
    """How much speaks for a box, its middle x, y in mm off a cell's, and how it lies: degrees
    anticlockwise from east, of a half turn."""

    score: float
    x: float
    y: float
    turn: float


class Boxes:
    """Boxes of one size at all places and turns within reach of a patch's middle."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.reach = int(np.ceil(look.length / 2 + REACH + BORDER))
        """Pixels (1 a mm) from a coarse patch's middle to its edge."""
        self.close = round((look.length / 2 + BORDER) * FINE)
        """Pixels (2 a mm) from the middle of a box that was laid flat to its edge."""
        self.wide = self.close + round((REACH + 2.0) * FINE)
        """Pixels (2 a mm) from a fine patch's middle to its edge."""
        steps = np.arange(-REACH, REACH + 1.0, STEP)
        self._tried = np.array(
            [
                (x, y, turn)
                for x in steps
                for y in steps
                if np.hypot(x, y) <= REACH
                for turn in np.arange(0.0, 180.0, TURN)
            ]
        )
        count, pixels = len(self._tried), (2 * self.reach + 1) ** 2
        self._weights = np.empty((count, pixels), np.float32)
        self._inside = np.empty((count, -(-pixels // 8)), np.uint8)
        for some in (slice(first, first + FEW) for first in range(0, count, FEW)):
            inside, border = self._covered(self._tried[some], self.reach, 1)
            self._weights[some] = _even(inside, border)
            self._inside[some] = np.packbits(inside.reshape(len(inside), -1) > 0.5, axis=1)
        self._turns = np.arange(0.0, 180.0, FINE_TURN)
        self._fine = lru_cache(KEPT)(self._weigh)
        flat = self._covered(np.zeros((1, 3)), self.close, FINE)
        self.inside: Mask = flat[0][0] > 0.5
        """The pixels of a flat box that are inside it."""
        self.border: Mask = flat[1][0] > 0.5
        """Those around it."""

    def _covered(self, boxes: Values, reach: int, scale: int) -> tuple[Values, Values]:
        """How much of each pixel (n, size, size) boxes (n, 3) cover, and how much their borders."""
        axis = np.arange(-reach, reach + 1, dtype=float) / scale
        grid = np.meshgrid(axis, -axis)
        x, y, turn = (boxes[:, each, None, None] for each in range(3))
        along, across = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        east, north = grid[0] - x, grid[1] - y
        length = np.abs(east * along + north * across) - self._look.length / 2
        width = np.abs(north * along - east * across) - self._look.width / 2
        inner, outer = (
            np.clip(0.5 - (length - grown) * scale, 0.0, 1.0)
            * np.clip(0.5 - (width - grown) * scale, 0.0, 1.0)
            for grown in (0.0, BORDER)
        )
        return inner, outer - inner

    def near(self, speaks: Values) -> list[tuple[Box, Box, Mask]]:
        """About where a box holds most of what speaks for it, and its border least, in patches
        (n, size, size); where one does that lies across; and the pixels (size * size) inside the
        first."""
        patches = speaks.reshape(len(speaks), -1).astype(np.float32)
        found = []
        for scores in (self._weights @ patches.T).T:
            best = int(np.argmax(scores))
            turned = np.abs((self._tried[:, 2] - self._tried[best, 2] + 90.0) % 180.0 - 90.0)
            across = int(np.argmax(np.where(turned > ACROSS, scores, -np.inf)))
            one, other = (
                Box(float(scores[number]), *self._tried[number].tolist())
                for number in (best, across)
            )
            inside = np.unpackbits(self._inside[best], count=patches.shape[1]).astype(bool)
            found.append((one, other, inside))
        return found

    def _weigh(self, turn: int, east: int, north: int) -> Values:
        """Weights (pixels,) of a box in the middle with the turn of this number, whose foot lies so
        from its top, in mm: the wall between the two speaks neither for nor against a box."""
        shifts = np.array([0.0, 1 / 3, 2 / 3, 1.0])[:, None] * (east, north)
        boxes = np.column_stack([shifts, np.full(len(shifts), self._turns[turn])])
        inside, border = self._covered(boxes, self.close, FINE)
        border = np.minimum(border[:1], 1.0 - inside[1:].max(axis=0))
        return np.asarray(_even(inside[:1], border)[0])

    def place(self, speaks: Values, box: Box, foot: tuple[float, float]) -> Box:
        """A box near this one, to half a millimetre and a few degrees, by a fine patch; `foot` is
        how far its foot lies from its top, in mm to the east and north."""
        east, north = round(foot[0]), round(foot[1])
        middle = speaks.shape[0] // 2
        row, column = middle - round(box.y * FINE), middle + round(box.x * FINE)
        turn = round(box.turn / FINE_TURN)
        size = 2 * self.close + 1
        limit = speaks.shape[0] - size
        for shift, turns in AROUND:
            lefts = [(r, c) for r in (-shift, 0, shift) for c in (-shift, 0, shift)]
            corners = [
                (
                    min(max(row + r - self.close, 0), limit),
                    min(max(column + c - self.close, 0), limit),
                )
                for r, c in lefts
            ]
            windows = np.array(
                [speaks[top : top + size, left : left + size].ravel() for top, left in corners]
            )
            tried = np.arange(turn - turns, turn + turns + 1) % len(self._turns)
            weights = np.array([self._fine(each, east, north) for each in tried.tolist()])
            scores = weights @ windows.T
            best, where = np.unravel_index(int(np.argmax(scores)), scores.shape)
            turn = int(tried[best])
            top, left = corners[int(where)]
            row, column = top + self.close, left + self.close
            score = float(scores[best, where])
        return Box(score, (column - middle) / FINE, (middle - row) / FINE, float(self._turns[turn]))

    def flat(self, fine: Values, box: Box, turn: float) -> Values:
        """The pixels (2 close + 1, ...) around a box in a fine patch, `turn` laid to the east."""
        return turned(fine, box, turn, self.close)


def turned(fine: Values, box: Box, turn: float, reach: int) -> Values:
    """The pixels (2 reach + 1, ...) around a box's middle in a fine patch, `turn` to the east."""
    middle = (fine.shape[0] - 1) / 2
    centre = middle + box.x * FINE, middle - box.y * FINE
    matrix = cv2.getRotationMatrix2D(centre, -turn, 1.0)
    matrix[:, 2] += reach - np.array(centre)
    size = 2 * reach + 1
    return np.asarray(
        cv2.warpAffine(fine, matrix, (size, size), borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _even(inside: Values, border: Values) -> Values:
    """The means inside boxes less those of their borders, as weights (n, pixels)."""
    inside = inside / inside.sum(axis=(1, 2), keepdims=True)
    border = border / border.sum(axis=(1, 2), keepdims=True)
    return (inside - border).reshape(len(inside), -1).astype(np.float32)
