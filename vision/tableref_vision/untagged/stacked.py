"""A disc that lies under another on the same cell: what of it sticks out is a crescent of a colour
that was learnt, and the crescent of a disc of that size.

The upper disc shades the lower one, so colours are compared at any brightness between full light
and deep shade; what is only a shadow on the board is like the board at such a brightness.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tableref_vision.opencv import Mask, Values, np
from tableref_vision.untagged.change import unlike
from tableref_vision.untagged.rounds import SIDE, Example, Rings
from tableref_vision.untagged.scene import Place

RING = 3  # of an example that shows its colour: no sign there, and no rim
NEAREST = 36.0  # grey levels: farther than this, and it is not of this colour
BARE = 8.0  # grey levels from the board at any brightness: nearer is the board or its shadow
CLEAR = 0.6  # of the board's distance, at any brightness: nearer is no shadow
LEAST = 26.0  # mm2 of a crescent; less may be the side of the upper disc
FILLED, LEAD = 0.7, 0.45  # of a crescent that must look so, and more than of its surroundings
OTHER = 0.6  # of another colour's distance
APART = 3.5  # mm between two of one colour: nearer, they may be one thing that is larger
LONGER = 0.5  # of what two are longer than the larger one: less, and they are one
STRIP = 3.0  # mm either way of a line along which a thing is measured


class Under(NamedTuple):
    """What lies under a disc, or beside a ball: how much more it looks so than what is around it
    does, its text; x, y of its middle in a patch, in mm."""

    score: float
    text: str
    x: float
    y: float


def under(
    rings: Rings,
    examples: Sequence[Example],
    now: Values,
    board: Values,
    light: Values,
    free: Mask,
    allowed: Mask,
    least: float = LEAST,
) -> Under | None:
    """What sticks out from under a disc, at least so many mm2. `now` and `board` are what is seen
    and the empty board in the same light (size, size, 3), `free` the pixels that no piece explains,
    `allowed` at which of the rings' places a piece stands on this cell."""
    plain = unlike(now, board)
    told = free & (plain > BARE)
    if np.count_nonzero(told) < least:
        return None
    inside, outside = rings.crescents(free), rings.surroundings(free)
    large = allowed & (inside > least - 0.5)
    if not large.any():
        return None
    seen, plain = now[told], plain[told]
    apart: dict[str, Values] = {}
    for one in examples:
        own = unlike(seen, np.minimum(one.rings[RING] * light / one.light, 255.0))
        apart[one.text] = np.minimum(apart.get(one.text, own), own)
    found: list[Under] = []
    for text, own in apart.items():
        like = (own < NEAREST) & (own < CLEAR * plain)
        for other in apart:
            if other != text:
                like &= own < OTHER * apart[other]
        if like.sum() < least:
            continue
        flat = np.zeros(free.shape, np.float32)
        flat[told] = like
        filled = rings.crescents(flat) / np.maximum(inside, 1.0)
        spilt = rings.surroundings(flat) / np.maximum(outside, 1.0)
        score = np.where(large & (filled > FILLED), filled - spilt, 0.0)
        best = int(np.argmax(score))
        if score[best] > LEAD:
            found.append(Under(float(score[best]), text, *rings.places[best].tolist()))
    return max(found, default=None)


def is_one(
    rings: Rings,
    examples: Sequence[Example],
    now: Values,
    board: Values,
    light: Values,
    pair: tuple[Place, Place],
    wall: Place,
) -> bool:
    """Whether two discs of these examples' colour may be one thing that is larger, as a coin is:
    about as wide across the line between their middles (`pair`, in mm in the patch) as along it.
    `wall`, in mm, is where their foot is seen from their top; their side has their colour."""
    (x, y), way = pair[0], np.subtract(pair[1], pair[0])
    apart = float(np.hypot(*way))
    if apart < APART:
        return True
    way = way / apart
    x, y = rings.x - (x + pair[1][0]) / 2, rings.y - (y + pair[1][1]) / 2
    near = np.hypot(x, y) < rings.radius + apart / 2 + SIDE
    like = _alike(examples, now[near], board[near], light)
    wide = []
    for east, north in (way, (-way[1], way[0])):
        strip = np.abs(y[near] * east - x[near] * north) < STRIP
        side = abs(wall[0] * east + wall[1] * north)
        wide.append(np.count_nonzero(like & strip) / (2.0 * STRIP) - side)
    return bool(wide[0] - wide[1] < apart / 2)


def are_two(
    rings: Rings,
    examples: Sequence[Example],
    now: Values,
    board: Values,
    light: Values,
    other: Place,
    widths: tuple[float, float],
) -> bool:
    """Whether a ball in the middle of a patch and one at `other` (mm) in it are two, and not one
    whose dim side or halo was taken for another: what is of their colours must go on along their
    line beyond one of them. `widths` in mm of both, `examples` of their colours."""
    apart = float(np.hypot(*other))
    east, north = np.divide(other, apart)
    first, last = -widths[0] / 2 - SIDE, apart + widths[1] / 2 + SIDE
    along = rings.x * east + rings.y * north
    strip = np.abs(rings.y * east - rings.x * north) < STRIP
    strip &= (along > first) & (along < last)
    like = _alike(examples, now[strip], board[strip], light)
    length, larger = np.count_nonzero(like) / (2.0 * STRIP), max(widths)
    both = apart + sum(widths) / 2
    return bool(length - larger > LONGER * (both - larger))


def _alike(examples: Sequence[Example], seen: Values, board: Values, light: Values) -> Mask:
    """Which of these pixels (n, 3) are of these examples' colours, at any brightness."""
    colours = [np.minimum(one.rings[RING] * light / one.light, 255.0) for one in examples]
    own = np.min([unlike(seen, colour) for colour in colours], axis=0)
    return np.asarray((own < NEAREST) & (own < CLEAR * unlike(seen, board)))
