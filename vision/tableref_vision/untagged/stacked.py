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
from tableref_vision.untagged.rounds import Example, Rings

RING = 3  # of an example that shows its colour: no sign there, and no rim
NEAREST = 36.0  # grey levels: farther than this, and it is not of this colour
CLEAR = 0.6  # of the board's distance, at any brightness: nearer is no shadow
EDGE = 0.7  # mm of a rim that blur takes
AROUND = 2.5  # mm around a lower disc that must not look like it
LEAST = 26.0  # mm2 of a crescent; less may be the side of the upper disc
FILLED, LEAD = 0.7, 0.45  # of a crescent that must look so, and more than of its surroundings
OTHER = 0.6  # of another colour's distance


class Under(NamedTuple):
    """What lies under a disc: its text; x, y of its middle in a patch, in mm."""

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
) -> Under | None:
    """What sticks out from under a disc. `now` and `board` are what is seen and the empty board in
    the same light (size, size, 3), `free` the pixels that no piece explains, `allowed` at which of
    the rings' places a piece stands on this cell."""
    found: list[tuple[float, str, float, float]] = []
    places = rings.places[allowed]
    away = np.hypot(rings.x - places[:, 0, None, None], rings.y - places[:, 1, None, None])
    crescents = ((away < rings.radius - EDGE) & free).reshape(len(places), -1)
    around = (away > rings.radius + EDGE) & (away < rings.radius + AROUND) & free
    inside, outside = crescents.sum(axis=1), around.reshape(len(places), -1).sum(axis=1)
    large = inside >= LEAST
    if not large.any():
        return None
    plain = unlike(now, board)
    colours = [
        unlike(now, np.minimum(one.rings[RING] * light / one.light, 255.0)) for one in examples
    ]
    texts = sorted({one.text for one in examples})
    apart = {
        text: np.min(
            [each for each, one in zip(colours, examples, strict=True) if one.text == text], axis=0
        )
        for text in texts
    }
    for text in texts:
        own = apart[text]
        like = (own < NEAREST) & (own < CLEAR * plain)
        for other in texts:
            if other != text:
                like &= own < OTHER * apart[other]
        if like.sum() < LEAST:
            continue
        weight = like.ravel().astype(np.float32)
        filled = crescents @ weight / np.maximum(inside, 1)
        spilt = around.reshape(len(places), -1) @ weight / np.maximum(outside, 1)
        score = np.where(large & (filled > FILLED), filled - spilt, 0.0)
        best = int(np.argmax(score))
        if score[best] > LEAD:
            found.append((float(score[best]), text, *places[best].tolist()))
    if not found:
        return None
    _, text, x, y = max(found)
    return Under(text, x, y)
