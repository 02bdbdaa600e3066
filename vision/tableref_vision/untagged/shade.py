"""Shade that lies across a board: how much darker or brighter each place is, beyond what the light
over the whole plate explains.

It is told from the plate between the cells, and from cells on which the empty board's own texture
is seen: a piece that came meanwhile hides it, so that it is not taken for bare board.
"""

from __future__ import annotations

from typing import NamedTuple

from tableref_hardware import Board
from tableref_vision.opencv import Mask, Picture, Values, cv2, np
from tableref_vision.untagged.ground import patch

BLUR = 5  # mm within which shade is alike
WIDER = (5, 11, 21, 41, 81)  # mm in which plate is looked for around a place
FAR = 21  # of these: farther, and it tells little
DIM, LITTLE = 6, 0.1  # grey levels that tell nothing; of the board that must be seen bare
SAME = 0.6  # of correlation between a cell's texture and the empty board's
ENOUGH = 0.25  # of such a square that must be plate
DEEPEST = 1.3  # log of the strongest shade that is one
TINTED = 0.15  # by which the three colours of a shade may differ (log), the light's own taken out
ODD = 0.15  # beside the shade around (log): no plate in shade
FEW = 0.06  # of the plate that may be so
FINE = 1.2  # grey levels: less texture tells nothing
NEAR = 2.0  # mm beside a piece
KEPT = 0.4  # of correlation between the plate's texture and what is seen in the shade
DARK = 0.25  # of shade (log) in which texture is looked for
STEEP = 0.08  # of shade about a cell (log): its edge is near


class Shade(NamedTuple):
    """Ratios (rows, columns, 3) to the empty board; cells at which they are not sure, for an edge
    goes across or no plate is near."""

    ratios: Values
    unsure: frozenset[str]


def shade(board: Board, now: Picture, empty: Picture, width: float) -> Shade | None:
    """The shade on a flat picture, 1 px a mm, over the empty board; None where what differs is no
    shade. `width` of the widest piece in mm."""
    bare = _bare(board, now, empty, width) & (empty.min(axis=2) > DIM) & (now.min(axis=2) > DIM)
    if bare.mean() < LITTLE:
        return None
    ratio: Values = _log(now) - _log(empty)
    tint = np.median(ratio[bare], axis=0)
    even = ratio - (tint - tint.mean())
    grey = even.mean(axis=2)
    alike = (np.ptp(even, axis=2) < TINTED + 0.1 * np.abs(grey)) & (np.abs(grey) < DEEPEST)
    field, far = _spread(ratio, bare & alike)
    off = np.abs(ratio - field).max(axis=2) > ODD
    if np.mean(off[bare] | ~alike[bare]) > FEW or not _is_textured(now, empty, field, bare):
        return None
    ratios: Values = np.exp(field).astype(np.float32)
    rows, columns = far.shape
    reach, unsure = round(width / 2 + NEAR), set[str]()
    for cell in board.cells.values():
        row, column = round(rows / 2 - cell.y), round(columns / 2 + cell.x)
        near = (
            slice(max(0, row - reach), row + reach + 1),
            slice(max(0, column - reach), column + reach + 1),
        )
        low, high = np.percentile(np.log(ratios[near].reshape(-1, 3)), (10, 90), axis=0)
        steep = (high - low).max() > STEEP
        if steep or far[near].mean() > 0.5:
            unsure.add(cell.name)
    return Shade(ratios, frozenset(unsure))


def _log(flat: Picture) -> Values:
    return np.asarray(np.log(cv2.blur(flat, (3, 3)).astype(np.float32) + 4.0))


def _bare(board: Board, now: Picture, empty: Picture, width: float) -> Mask:
    """Where the plate is seen: between cells, and on those that show the empty board's texture."""
    rows, columns = now.shape[:2]
    free = np.zeros((rows, columns), np.uint8)
    cv2.rectangle(free, (6, 6), (columns - 7, rows - 7), 1, -1)
    fine = [_fine(one) for one in (now, empty)]
    reach = round(width / 2 + 2.0)
    axis = np.arange(-reach, reach + 1)
    disc = np.hypot(*np.meshgrid(axis, axis)) <= reach
    taken = []
    for cell in board.cells.values():
        seen, known = (patch(one, cell.x, cell.y, reach)[disc] for one in fine)
        if known.std() < FINE or np.corrcoef(seen, known)[0, 1] < SAME:
            taken.append((round(columns / 2 + cell.x), round(rows / 2 - cell.y)))
    for middle in taken:
        cv2.circle(free, middle, round(width / 2 + board.near / 2 + 2.0), 0, -1)
    for tag in board.corner_tags:
        x, y, half = columns / 2 + tag.x, rows / 2 - tag.y, tag.square * 0.8
        corners = (round(x - half), round(y - half)), (round(x + half), round(y + half))
        cv2.rectangle(free, *corners, 0, -1)
    return np.asarray(free > 0)


def _spread(ratio: Values, bare: Mask) -> tuple[Values, Mask]:
    """The shade of the plate, and everywhere else that of the nearest plate around; and where that
    is far away."""
    found = np.zeros_like(ratio)
    left = np.ones(bare.shape, bool)
    weight = bare.astype(np.float32)
    far = np.zeros(bare.shape, bool)
    for size in WIDER:
        share = cv2.blur(weight, (size, size))
        mean = (
            cv2.blur(ratio * weight[..., None], (size, size)) / np.maximum(share, 1e-6)[..., None]
        )
        here = left & (share > ENOUGH)
        found[here] = mean[here]
        left &= ~here
        far = left if size == FAR else far
    found[left] = np.median(ratio[bare], axis=0)
    return np.asarray(cv2.blur(found, (BLUR, BLUR)), np.float32), far.copy()


def _is_textured(now: Picture, empty: Picture, field: Values, bare: Mask) -> bool:
    """Whether the plate's texture is seen in the shade, as it is not on a sleeve."""
    depth = field.mean(axis=2)
    dark = bare & (np.abs(depth - np.median(depth[bare])) > DARK)
    if not dark.any():
        return True
    fine = [_fine(one)[dark] for one in (now, empty)]
    if fine[1].std() < FINE:
        return False
    return bool(np.corrcoef(*fine)[0, 1] > KEPT)


def _fine(flat: Picture) -> Values:
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.blur(grey, (2, 2)) - cv2.blur(grey, (9, 9)))
