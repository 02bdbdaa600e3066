"""Finds discs and balls, by their colour, their size and their sign."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from tableref_hardware import Board, Cell, Look, Shown
from tableref_vision.opencv import Mask, Picture, Values, np
from tableref_vision.untagged.change import middle, unlike
from tableref_vision.untagged.ground import patch
from tableref_vision.untagged.rounds import (
    REACH,
    SAME,
    Example,
    Examples,
    Likeness,
    Rings,
    is_new,
    likenesses,
)
from tableref_vision.untagged.scene import LARGER, Found, Scene
from tableref_vision.untagged.signs import Signs
from tableref_vision.untagged.stacked import Under, are_two, is_one, under

SHAPES = ("disc", "ball")
RIM = 1.0  # mm of a piece's edge that are no sign
NEAREST = 26.0  # grey levels: farther than this, and it is no piece that was learnt
LEAD = 0.55  # of the next one's distance: nearer is told apart
CLEAR = 0.8  # of the empty board's distance: nearer is a piece
HUES = 2.0  # times what is another colour, not only darker, counts for an outline
STANDS_OUT = 60.0  # grey levels, more of which is not more of an outline
FITS = 1.0  # mm by which a radius fits better: wherever rings fit best, this may lie there
SIZES_APART = 2.0  # mm by which radii must differ to tell pieces of one colour apart
# mm that a thing's radius may differ from the piece's. A coin is grey and seldom of the same size.
# The shadow of what is darker than the board goes on where it ends; of two discs, one on the other,
# the lower one sticks out, and where it does by less than `STICKS` it may not be told.
SMALLER, DIM, BRIGHTER, SHADED, STICKS, STACKED = -2.0, -4.0, 0.8, 1.9, 2.6, 3.2
TOUCHING = 2.5  # mm that balls which touch may seem nearer or farther apart
BETWEEN = 3.5  # mm by which a piece is nearer to its cell than to the next: else, between the two
BALL = 0.4  # of a ball that touches another must be seen: it stands beside, not beneath
OFF = -4.0, -2.0, 0.0, 2.0, 4.0  # mm
ASTRAY = [off for off in product(OFF, OFF) if 0.0 < math.hypot(*off) < 4.5]
"""Where a sign may lie beside the middle of a disc that is much like the wood around it, in mm."""
UNCOVERED = 0.25  # of a disc that may show the board: more, and it lies farther off
PLAINLY = NEAREST / 4.0  # of a piece whose colour leaves no doubt
COLOURED = 60.0  # grey levels between the strongest and the weakest colour: no coin


Size = tuple[str, float, float]
"""Shape, width and height of round pieces whose rings are the same."""


class Body(NamedTuple):
    """What pieces have in common whose signs alone tell them apart."""

    shape: str
    width: float
    side: str


class DiscFinder:
    """Finds the round pieces of a board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        sizes: dict[Size, Rings] = {}
        for look in board.looks.values():
            if look.shape in SHAPES:
                sizes.setdefault(_size(look), Rings(look))
        self._rings = sizes
        self._allowed = {
            (size, cell.name): _allowed(board, cell, rings)
            for size, rings in sizes.items()
            for cell in board.cells.values()
        }
        self._examples: dict[Size, list[Example]] = {}
        self._besides: dict[tuple[Size, float], Rings] = {}
        self._known: dict[Size, Examples] = {}
        self._pieces: dict[str, Shown] = {}
        self._signs: dict[Body, Signs] = {}

    @property
    def texts(self) -> frozenset[str]:
        """All that may be read, as far as was learnt."""
        return frozenset(self._pieces)

    def learn(self, scene: Scene, cell: Cell, piece: Shown, text: str) -> None:
        """Take the piece on this cell for an example."""
        rings = self._rings[_size(piece.look)]
        now, board, change = scene.around(cell, rings.reach)
        place = rings.standing_out(_outlined(rings.look, now, board, change))
        x, y = rings.places[place].tolist()
        means = rings.means(now, np.array([place]))[0]
        example = Example(text, piece.look, means, scene.light.at(cell.x, cell.y))
        self._pieces[text] = piece
        examples = self._examples.setdefault(_size(piece.look), [])
        if is_new(example, [one for one in examples if self._body(one.text) == _body(piece)]):
            examples.append(example)
        if piece.look.sign:
            turned = self._turned(piece, text)
            signs = self._signs.setdefault(_body(piece), Signs(rings.radius - RIM))
            signs.learn(text, scene.closely(cell.x + x, cell.y + y, signs.patch), turned)
            if turned in signs.names:
                self._pieces.setdefault(turned, piece)

    def settle(self, again: bool) -> None:
        """All examples of a picture have been given; each stands for itself."""
        self._known = {size: Examples(examples) for size, examples in self._examples.items()}

    def _turned(self, piece: Shown, text: str) -> str:
        """The text of this piece when it lies the other way round: the same where its sign does not
        show that; empty where it has no way."""
        if not piece.look.way:
            return text
        headings = self._board.headings
        for other in piece.look.facings:
            if piece.facing and abs(headings[other] - headings[piece.facing]) % 360.0 == 180.0:
                return " ".join(other if word == piece.facing else word for word in text.split())
        return ""

    def colours(self, lights: Values) -> Values:
        """What colours (n, k, 3) the middles of cells in these lights (n, 3) might have under a
        piece."""
        known = [one.colours * lights[:, None] / one.light for one in self._known.values()]
        none = np.zeros((len(lights), 0, 3))
        return np.asarray(np.minimum(np.concatenate([none, *known], axis=1), 255.0))

    def find(self, scene: Scene, cells: Sequence[Cell]) -> list[Found]:
        """What lies near these cells."""
        return [self._found(scene, cell) for cell in cells]

    def _found(self, scene: Scene, cell: Cell) -> Found:
        likely: list[Likeness] = []
        around: dict[Size, tuple[Values, Values]] = {}
        light = scene.light.at(cell.x, cell.y)
        for size, examples in self._known.items():
            rings = self._rings[size]
            now, board, change = scene.around(cell, rings.reach)
            around[size] = now, board
            outline = rings.standing_out(_outlined(rings.look, now, board, change))
            allowed = self._allowed[size, cell.name]
            likely += likenesses(rings, examples, now, board, light, allowed, outline)
        likely.sort(key=lambda each: each.distance)
        best = likely[0]
        x, y = cell.x + best.x, cell.y + best.y
        doubt, texts = self._doubt(*around[_size(best.look)], cell, likely), frozenset[str]()
        if doubt in ("", LARGER):
            texts = self._signed(scene, best.text, x, y)
            doubt = doubt if texts else "something"
        return Found(
            doubt, texts, best.distance, x, y, ((x, y), (x, y)), best.look.width, best.look.height
        )

    def _doubt(self, now: Values, board: Values, cell: Cell, likely: list[Likeness]) -> str:
        """Why the likeliest piece is not taken; empty if it is."""
        best = likely[0]
        if best.loose or best.distance > NEAREST or best.distance > CLEAR * best.empty:
            return "something"
        rings = self._rings[_size(best.look)]
        radius = rings.extent(now, board, best.x, best.y)
        here = np.hypot(best.x, best.y) <= REACH - 1.0 and belongs(
            self._board, cell, cell.x + best.x, cell.y + best.y
        )
        if best.look.shape == "disc" and rings.bare(now, board, best.x, best.y) > UNCOVERED:
            return "something"
        fits = _fits(rings, now, board, best, radius)
        if not here or fits == "something":
            return "something"
        unsure = "something" if fits else "alike"
        if best.burnt:
            return unsure
        following = next((one for one in likely if self._rivals(one, best, radius)), None)
        if following is not None and best.distance > LEAD * following.distance:
            return unsure
        return fits

    def under(self, scene: Scene, cell: Cell, found: Found, bodies: Picture) -> Found | None:
        """The disc that sticks out from under this one; `bodies` marks what is seen of all pieces
        that are known, in a picture flat at their tops, 1 px a mm."""
        look = self._pieces[min(found.texts)].look
        if look.shape != "disc":
            return None
        rings, examples = self._rings[_size(look)], self._examples[_size(look)]
        now, board = scene.at(cell.x, cell.y, rings.reach)
        free = patch(bodies, cell.x, cell.y, rings.reach) == 0
        light, allowed = scene.light.at(cell.x, cell.y), self._allowed[_size(look), cell.name]
        lower = under(rings, examples, now, board, light, free, allowed)
        if lower is None:
            return None
        x, y = cell.x + lower.x, cell.y + lower.y
        if lower.text in found.texts:
            same = [one for one in examples if one.text == lower.text]
            pair = (found.x - cell.x, found.y - cell.y), (lower.x, lower.y)
            if is_one(rings, same, now, board, light, pair, scene.foot(cell, look.height)):
                return None
        texts, ends = frozenset((lower.text,)), ((x, y), (x, y))
        return found._replace(
            doubt="", texts=texts, x=x, y=y, spine=ends, distance=1.0 - lower.score
        )

    def beside(self, scene: Scene, cell: Cell, found: Found, bodies: Picture) -> Found | None:
        """The ball that touches this one and is nearer to its cell than to any other one; `bodies`
        as for `under`. What is larger than this one, and no second one, is told with a doubt: this
        one may be a part of it."""
        own = min(found.texts)
        look = self._pieces[own].look
        if look.shape != "ball":
            return None
        light = scene.light.at(found.x, found.y)
        best: tuple[Under, Look, bool] | None = None
        for size, examples in self._examples.items():
            other = examples[0].look
            if other.shape != "ball":
                continue
            apart = math.sqrt(look.height * other.height)
            if (size, apart) not in self._besides:
                self._besides[size, apart] = Rings(other, apart + TOUCHING)
            rings = self._besides[size, apart]
            now, board = scene.at(found.x, found.y, rings.reach)
            free = patch(bodies, found.x, found.y, rings.reach) == 0
            touching = np.abs(np.hypot(*rings.places.T) - apart) <= TOUCHING
            least = BALL * math.pi * rings.radius**2
            one = under(rings, examples, now, board, light, free, touching, least)
            if one is not None and (best is None or one > best[0]):
                both = [ex for each in self._examples.values() for ex in each]
                both = [ex for ex in both if ex.text in (own, one.text)]
                widths = look.width, other.width
                two = are_two(rings, both, now, board, light, (one.x, one.y), widths)
                best = one, self._pieces[one.text].look, two
        if best is None:
            return None
        one, other, two = best
        x, y = found.x + one.x, found.y + one.y
        if not _is_nearest(self._board, cell, x, y) or not (two or other.width > look.width):
            return None
        texts, ends = frozenset((one.text,)), ((x, y), (x, y))
        doubt = "" if two else "something"
        return Found(doubt, texts, found.distance, x, y, ends, other.width, other.height)

    def _rivals(self, one: Likeness, best: Likeness, radius: float) -> bool:
        """Whether the same thing might be this one: it has another body, would hide the middle of
        that thing (where it is larger or smaller: stand there, or fit its size far better), and has
        the size that was measured."""
        bodies = [self._body(each.text) for each in (one, best)]
        apart = float(np.hypot(one.x - best.x, one.y - best.y))
        close = best.look.width / 2 if one.look.width == best.look.width else SAME
        sizes = [abs(radius - each.look.width / 2) for each in (one, best)]
        fits = sizes[0] < sizes[1] - FITS
        if bodies[0] == bodies[1] or (apart > close and not fits):
            return False
        return not sizes[0] > sizes[1] + SIZES_APART

    def _body(self, text: str) -> Body:
        return _body(self._pieces[text])

    def _signed(self, scene: Scene, text: str, x: float, y: float) -> frozenset[str]:
        """The texts that a piece with this one's body at x, y may have by its sign."""
        signs = self._signs.get(self._body(text))
        if signs is None:
            return frozenset({text})
        around = (scene.closely(x + east, y + north, signs.patch) for east, north in ASTRAY)
        return signs.read(scene.closely(x, y, signs.patch), others=around)


def _outlined(look: Look, now: Values, board: Values, change: Values) -> Values:
    """How much each pixel stands out from the board; less where it is only darker, for the shadow
    of a disc is as dark as a dark disc. The rim of a ball is darker, too."""
    size = np.minimum(change, STANDS_OUT)
    if look.shape == "disc":
        size = size + np.minimum(HUES * unlike(now, board), STANDS_OUT)
    return np.asarray(size)


def belongs(board: Board, cell: Cell, x: float, y: float) -> bool:
    """Whether a piece at x, y stands on this cell, and on no other one sooner."""
    near = np.hypot(x - cell.x, y - cell.y) <= board.near
    return bool(near) and _is_nearest(board, cell, x, y, BETWEEN)


def _is_nearest(board: Board, cell: Cell, x: float, y: float, by: float = 0.0) -> bool:
    """Whether it is nearer to this cell than to any other, by so many mm."""
    least = np.hypot(x - cell.x, y - cell.y) + by
    others = np.array([(one.x, one.y) for one in board.cells.values() if one.name != cell.name])
    return not np.any(np.hypot(x - others[:, 0], y - others[:, 1]) < least)


def _fits(rings: Rings, now: Values, board: Values, best: Likeness, radius: float) -> str:
    """Why a thing of this radius may not be the piece that it is most alike; empty if it may."""
    larger = radius - rings.radius
    if np.isnan(larger):
        return ""
    if best.look.shape == "ball":  # nothing lies on one, and its rim is dim
        return "" if DIM < larger < SHADED else "something"
    if not SMALLER < larger < STACKED:
        return "something"
    near = np.hypot(rings.x - best.x, rings.y - best.y) < rings.radius * 0.9
    own, around = middle(now[near]), middle(board[near])
    coloured = np.ptp(own) > COLOURED
    most = SHADED if coloured or own.mean() <= around.mean() else BRIGHTER
    if coloured and best.distance < PLAINLY:
        most = STICKS
    return "" if larger < most else LARGER


def _allowed(board: Board, cell: Cell, rings: Rings) -> Mask:
    """At which of the places a piece stands on this cell."""
    places = rings.places
    x, y, away = cell.x + places[:, 0], cell.y + places[:, 1], np.hypot(*places.T)
    allowed = away <= min(board.near, REACH - 1.0)
    for other in board.cells.values():
        # From itself it is as far, give or take a rounding; of those far off none is nearer.
        if 0.0 < np.hypot(cell.x - other.x, cell.y - other.y) < 2.0 * REACH:
            allowed &= np.hypot(x - other.x, y - other.y) >= away
    return np.asarray(allowed)


def _size(look: Look) -> Size:
    return look.shape, look.width, look.height


def _body(piece: Shown) -> Body:
    return Body(piece.look.shape, piece.look.width, piece.side)
