"""Discs and balls: where one lies near a cell's middle, and whose example it is most alike.

The colour of a round piece is taken as the means of five rings, which no turn changes. The rings
are laid at every place within reach at once, as one matrix product, so that a piece is placed and
compared in one go: its own colour is few grey levels away where it lies, the next one many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from tableref_hardware import Look
from tableref_vision.opencv import Mask, Values, cv2, np
from tableref_vision.untagged.change import middle, product, unlike
from tableref_vision.untagged.light import BURNT

EDGES = np.array([0.0, 0.32, 0.52, 0.7, 0.84, 0.97])
"""Radii of the rings' edges, as shares of the piece's radius."""

WEIGHTS = np.diff(EDGES**2) / np.sum(np.diff(EDGES**2))
REACH = 9.0  # mm from a cell's middle within which a piece is looked for
TRIED = 3  # examples whose hues fit best, at whose places all are tried
DARKER = 0.88  # of its light: what was burnt out there may look like anything grey
NOISE = 1.5  # grey levels between means of rings
OUTLINE = 1.3, 1.5  # times, and grey levels more: the place of the outline is as good
BEYOND, BETTER = 3.0, 0.9  # mm beyond a cell's places; of the distance, that fits better there
SAME = 2.5  # mm between places of one thing
NEW = 5.0  # grey levels by which an example must differ to be kept beside others
SPARSE = 2.0  # mm between the places that are tried first
SOFT = 0.35  # mm over which a ring fades
ASTRAY = 4.0  # mm that the middle of a thing may be off the rings that found it
UNLIKE = 25.0  # grey levels by which a rim differs from the empty board for a radius to be told
INSIDE = 1.5  # mm from a disc's rim that may show the board where it is placed to a millimetre
BARE = 0.3  # of what a piece differs from the board: what differs less is the board
SIDE = 4.0  # mm around that may show its side or its shadow
BLURRED = 0.7  # mm of a rim that blur takes
AROUND = 2.5  # mm around a disc that lies under another, which must not look like it
HUE = 0.8  # of what the three colours differ alike that does not count for finding the place
EVENLY = np.repeat(WEIGHTS / 3.0, 3)
"""What each colour of each ring counts, (15,)."""

HUES = np.kron(np.eye(len(WEIGHTS)), np.eye(3) - HUE / 3.0)
"""What is left of colours of rings (15, 15) to tell their hues by."""

GAMMA = 2.2  # of cameras' grey levels
LAMPS = np.array([[1.0, 1.0, 1.0], [0.88, 1.0, 1.12], [1.12, 1.0, 0.88]])
GLOSSES = np.tile((np.linspace(-0.45, 0.45, 13)[:, None, None] * LAMPS).reshape(-1, 3), 5)
"""Light of a white, a warm and a cold lamp, added or gone, as shares of what burns out."""
GLOSS_COST = 0.15  # of the grey levels that gloss must explain


class Rings:
    """The rings of one size of piece at all places within reach of a patch's middle.

    Places are whole millimetres, as pixels are, so the rings at one place are those at another,
    moved: of every place the window around it is taken, and all windows are weighted alike.
    """

    def __init__(self, look: Look, within: float = REACH) -> None:
        self.look = look
        self.radius = look.width / 2
        self.reach = int(np.ceil(self.radius + within + SIDE))
        axis = np.arange(-self.reach, self.reach + 1, dtype=float)
        self.x, self.y = np.meshgrid(axis, -axis)
        steps = np.arange(-int(within), int(within) + 1, dtype=float)
        places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self.places = places[np.hypot(*places.T) <= within]
        """x, y (n, 2) in mm of every place, a millimetre apart."""
        self.sparse = np.flatnonzero(np.all(self.places % SPARSE == 0.0, axis=1))
        """Numbers of the places that are tried first."""
        away = _away(int(np.ceil(self.radius + SOFT)))
        edges = EDGES[:, None, None] * self.radius
        shares = np.clip((away - edges[:-1]) / SOFT + 0.5, 0.0, 1.0)
        shares *= np.clip((edges[1:] - away) / SOFT + 0.5, 0.0, 1.0)
        shares /= shares.sum(axis=(1, 2), keepdims=True)
        self._rings = shares.reshape(len(WEIGHTS), -1).astype(np.float32)
        away = _away(int(np.ceil(self.radius + SIDE)))
        inside = away < self.radius - 0.5
        outside = (away > self.radius + 1.0) & (away < self.radius + SIDE)
        self._edge = (inside / inside.sum() - outside / outside.sum()).astype(np.float32)
        away = _away(int(np.ceil(self.radius + AROUND)))
        self._inside = (away < self.radius - BLURRED).astype(np.float32)
        beside = (away > self.radius + BLURRED) & (away < self.radius + AROUND)
        self._beside = beside.astype(np.float32)

    def means(self, patch: Values, places: NDArray[np.intp]) -> Values:
        """Means (places, 5, 3) of the rings in a patch (size, size, 3) at the places with these
        numbers."""
        size = math.isqrt(self._rings.shape[1])
        columns, rows = (self.places[places] * (1, -1) + (self.reach - size // 2)).T.astype(int)
        planes = np.ascontiguousarray(patch.transpose(2, 0, 1), np.float32)
        windows = sliding_window_view(planes, (size, size), axis=(1, 2))[:, rows, columns]
        means = windows.reshape(-1, size * size) @ self._rings.T
        return np.asarray(means.reshape(3, len(places), -1).transpose(1, 2, 0))

    def around(self, place: int) -> list[int]:
        """Numbers of a place and of those next to it."""
        away = np.abs(self.places - self.places[place]).max(axis=1)
        return [int(number) for number in np.flatnonzero(away <= SPARSE / 2)]

    def standing_out(self, change: Values) -> int:
        """The number of the place at which a disc of this size holds most of what has changed in a
        patch (size, size), and its surroundings least."""
        return int(np.argmax(self._held(change, self._edge)))

    def crescents(self, marked: Values | Mask) -> Values:
        """How much of what is marked in a patch (size, size) discs at all places (places,) hold."""
        return self._held(marked, self._inside)

    def surroundings(self, marked: Values | Mask) -> Values:
        """How much of it lies around discs at all places (places,)."""
        return self._held(marked, self._beside)

    def _held(self, flat: Values | Mask, weights: Values) -> Values:
        """Sums (places,) of a patch (size, size) under these weights, moved to all places."""
        sums = cv2.matchTemplate(flat.astype(np.float32), weights, cv2.TM_CCORR)
        middle = sums.shape[0] // 2
        columns, rows = (self.places * (1, -1) + middle).T.astype(int)
        return np.asarray(sums[rows, columns])

    def bare(self, now: Values, empty: Values, x: float, y: float) -> float:
        """The share of a disc at x, y in a patch on which nothing but the board is seen: one that
        lies farther off covers only a part of it. `empty` is as for `extent`."""
        within = np.hypot(self.x - x, self.y - y) < self.radius - INSIDE
        now, empty = now[within], empty[within]
        own = middle(now)
        contrast = np.sqrt(np.mean((own - empty) ** 2, axis=1))
        told = contrast > UNLIKE
        if told.sum() < self.radius:
            return 0.0
        bare = np.sqrt(np.mean((now - empty) ** 2, axis=1)) < BARE * contrast
        hues = unlike(np.broadcast_to(own, now.shape), empty)
        bare |= (hues > UNLIKE) & (unlike(now, empty) < BARE * hues)  # in a shadow
        return float(np.mean(bare[told]))

    def extent(self, now: Values, empty: Values, x: float, y: float) -> float:
        """The radius in mm of the thing at x, y in a patch: the median of twelve directions, so
        that a neighbour does not matter. `empty` is the empty board in the same light. Not a number
        where the two are too much alike to tell."""
        column, row = round(self.reach + x), round(self.reach - y)
        close = math.ceil(self.radius + SIDE + ASTRAY)
        near = np.s_[
            max(row - close, 0) : row + close + 1, max(column - close, 0) : column + close + 1
        ]
        now, empty, east, north = now[near], empty[near], self.x[near], self.y[near]
        away = np.hypot(east - x, north - y)
        own = middle(now[(away < self.radius * 0.9) & (away > self.radius * 0.6)])
        contrast = own - empty
        strength = product(contrast, contrast)
        told = strength > 3 * UNLIKE**2
        part = product(now - empty, contrast) / np.maximum(strength, 1.0)
        part = np.clip(part, 0.0, 1.0)
        weight = np.where(told & (away < self.radius + SIDE), part, 0.0)
        if weight.sum() < self.radius:
            return float("nan")
        for _ in range(2):
            # The middle: the thing may be larger than the rings that found it.
            x, y = (float(np.sum(axis * weight) / weight.sum()) for axis in (east, north))
            away = np.hypot(east - x, north - y)
            weight = np.where(told & (away < self.radius + 1.0), part, 0.0)
            if not weight.any():
                return float("nan")
        band = told & (away > self.radius * 0.5) & (away < self.radius + SIDE)
        towards = np.arctan2(north[band] - y, east[band] - x) // (np.pi / 6.0)
        towards = towards.astype(int) % 12
        count = np.bincount(towards, minlength=12)
        hits = np.bincount(towards, weights=part[band], minlength=12)
        inner, outer = (self.radius * 0.5) ** 2, (self.radius + SIDE) ** 2
        full = (outer - inner) * np.pi / 12.0
        enough = count > 0.8 * full
        if enough.sum() < 4:
            return float("nan")
        reach = np.sqrt(inner + (outer - inner) * hits[enough] / count[enough])
        return float(middle(reach[:, None])[0])


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A piece that people have named: its text, its rings (5, 3) and the light they lay in (3,)."""

    text: str
    look: Look
    rings: Values
    light: Values


class Examples:
    """All examples of one size, and the `light` (n, 3) they lay in."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.each = tuple(examples)
        rings = np.array([one.rings for one in examples], np.float64)
        self.light = np.array([one.light for one in examples], np.float64)
        self.colours: Values = np.asarray(np.tensordot(rings, WEIGHTS, (1, 0)))
        """Their mean colours (n, 3)."""
        self._flat = rings.reshape(len(rings), -1)
        self._burnt = self._flat > BURNT
        self.white: Mask = self._burnt.mean(axis=1) > 0.9
        """Which of them (n,) were burnt out whole."""

    def __getitem__(self, number: int) -> Examples:
        return Examples([self.each[number]])

    def hues(self, seen: Values, light: Values) -> Values:
        """By how much (n, places) rings seen (places, 5, 3) in this light (3,) differ from those of
        each example, most of what the colours differ alike left out; squares of grey levels."""
        ratio = np.tile(light / self.light, len(WEIGHTS))[:, None]
        expected = np.minimum(self._flat[:, None] * ratio, 255.0)
        off = seen.reshape(len(seen), -1) - expected
        off[(off > 0.0) & self._burnt[:, None] & (ratio < 1.0)] = 0.0
        off = (off @ HUES) ** 2 @ EVENLY
        return np.asarray(off / np.maximum(ratio.max(axis=-1), 1.0) ** 2)

    def apart(self, seen: Values, light: Values) -> Values:
        """Grey levels (n, places) between rings seen (places, 5, 3) in this light (3,) and those of
        each example, with the gloss that brings them nearest and what that gloss costs."""
        ratio = np.tile(light / self.light, len(WEIGHTS))
        expected = np.minimum(self._flat * ratio, 255.0)[:, None]
        linear = (expected / 255.0) ** GAMMA + GLOSSES
        glossy = 255.0 * np.clip(linear, 0.0, 1.0) ** (1.0 / GAMMA)  # (n, glosses, 15)
        scale = np.maximum(ratio.max(axis=-1, keepdims=True), 1.0) ** -2.0
        cost = (GLOSS_COST * (glossy - expected)) ** 2 @ EVENLY
        # (a - b)^2 as a^2 - 2 a b + b^2: one matrix product for all glosses and places.
        shown = seen.reshape(len(seen), -1)
        squares = (glossy**2 @ EVENLY)[..., None] + shown**2 @ EVENLY
        squares -= 2.0 * (glossy * EVENLY) @ shown.T
        for number, ring in np.argwhere(self._burnt & (ratio < 1.0)):
            over = np.maximum(shown[:, ring] - glossy[number, :, ring, None], 0.0)
            squares[number] -= EVENLY[ring] * over**2
        squares = squares * scale[..., None] + cost[..., None]
        return np.asarray(np.sqrt(np.maximum(squares, 0.0).min(axis=1)))


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far an example is, in grey levels, where it fits best, x, y in mm off the cell's middle;
    and how far the empty board is there. `loose`: it fits better still where it would stand on
    another cell. `burnt`: the example was burnt out, and what it would look like in this darker
    picture is not known."""

    text: str
    look: Look
    distance: float
    empty: float
    x: float
    y: float
    loose: bool
    burnt: bool


def likenesses(
    rings: Rings,
    examples: Examples,
    patch: Values,
    board: Values,
    light: Values,
    allowed: Mask,
    outline: int,
) -> list[Likeness]:
    """How alike these examples of one size the piece in a patch is, at the place where the change
    has this size (`outline`) and at those that their hues fit best. `board` is the empty board in
    the same light (size, size, 3), `light` the cell's ratios (3,), `allowed` which of all places
    are this cell's. All are compared at the place that fits the nearest one, or close by."""
    numbers = {outline}
    here, sparse = allowed[rings.sparse], rings.means(patch, rings.sparse)
    hues = np.where(here, examples.hues(sparse, light), np.inf)
    for number in np.argsort(hues.min(axis=1))[:TRIED]:
        numbers.update(rings.around(int(rings.sparse[np.argmin(hues[number])])))
    tried = np.array(sorted(numbers))
    if allowed[tried].any():
        tried = tried[allowed[tried]]
    now, empty = rings.means(patch, tried), rings.means(board, tried)
    change = np.sqrt(((now - empty) ** 2).reshape(len(now), -1) @ EVENLY)
    apart = examples.apart(now, light)
    places = rings.places[tried]
    least = apart.min(axis=0)
    nearest = int(np.argmin(least))
    by_outline = int(np.argmin(np.hypot(*(places - rings.places[outline]).T)))
    if least[by_outline] < OUTLINE[0] * least[nearest] + OUTLINE[1]:
        nearest = by_outline  # the rings of a plain piece fit its shadow as well
    close = np.hypot(*(places - places[nearest]).T) <= SAME
    best = int(np.argmin(apart[:, nearest]))
    beyond = np.flatnonzero(~allowed & (np.hypot(*(rings.places - places[nearest]).T) <= BEYOND))
    loose = False
    if len(beyond):
        there = examples[best].apart(rings.means(patch, beyond), light)
        at_rim = not allowed[rings.around(int(tried[nearest]))].all()
        own = float(apart[:, nearest].min())
        # Where it lies at the rim of its cell it must fit better than beyond, elsewhere not worse.
        loose = float(there.min()) < (own if at_rim else BETTER * own - NOISE)
    burnt = examples.white & ((light / examples.light).max(axis=1) < DARKER)
    found = []
    for number, (example, distances) in enumerate(zip(examples.each, apart, strict=True)):
        place = int(np.argmin(np.where(close, distances, np.inf)))
        x, y = places[place].tolist()
        distance, empty_there = float(distances[place]), float(change[place])
        found.append(
            Likeness(
                example.text, example.look, distance, empty_there, x, y, loose, bool(burnt[number])
            )
        )
    return found


def _away(reach: int) -> Values:
    """How far the pixels (2 reach + 1, 2 reach + 1) are from the middle one."""
    axis = np.arange(-reach, reach + 1, dtype=float)
    return np.asarray(np.hypot(*np.meshgrid(axis, axis)))


def is_new(example: Example, known: Sequence[Example]) -> bool:
    """Whether an example tells more than those that are known."""
    return not known or bool(Examples(known).apart(example.rings[None], example.light).min() > NEW)
