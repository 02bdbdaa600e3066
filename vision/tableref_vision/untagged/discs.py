"""Finds discs and balls, by their colour, their size and their sign."""

from __future__ import annotations

from typing import NamedTuple

from tableref_hardware import Board, Cell, Shown
from tableref_vision.opencv import Values, np
from tableref_vision.untagged.rounds import REACH, WEIGHTS, Example, Likeness, Rings, likenesses
from tableref_vision.untagged.scene import Found, Scene
from tableref_vision.untagged.signs import Signs

SHAPES = ("disc", "ball")
RIM = 1.0  # mm of a piece's edge that are no sign
NEAREST = 26.0  # grey levels: farther than this, and it is no piece that was learnt
LEAD = 0.55  # of the next one's distance: nearer is told apart
CLEAR = 0.8  # of the empty board's distance: nearer is a piece
STANDS_OUT = 60.0  # grey levels, more of which is not more of an outline
SAME = 5.0  # mm between places of one thing
SIZES_APART = 2.0  # mm by which radii must differ to tell pieces of one colour apart
# mm that a thing's radius may differ from the piece's. A coin is grey and seldom of the same size.
# The shadow of what is darker than the board goes on where it ends; of two discs, one on the other,
# the lower one sticks out.
SMALLER, LARGER, SHADED, STACKED = -2.0, 0.8, 1.9, 3.2
COLOURED = 60.0  # grey levels between the strongest and the weakest colour: no coin


class Body(NamedTuple):
    """What pieces have in common whose signs alone tell them apart."""

    shape: str
    width: float
    side: str


class DiscFinder:
    """Finds the round pieces of a board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._rings = {
            look.kind: Rings(look) for look in board.looks.values() if look.shape in SHAPES
        }
        self._examples: dict[str, list[Example]] = {}
        self._pieces: dict[str, Shown] = {}
        self._signs: dict[Body, Signs] = {}

    @property
    def texts(self) -> frozenset[str]:
        """All that may be read, as far as was learnt."""
        return frozenset(self._pieces)

    def learn(self, scene: Scene, cell: Cell, piece: Shown, text: str) -> None:
        """Take the piece on this cell for an example."""
        rings = self._rings[piece.look.kind]
        now, _, change = scene.around(cell, rings.reach)
        place = rings.standing_out(np.minimum(change, STANDS_OUT))
        x, y = rings.places[place].tolist()
        means = rings.means(now[None])[0, place]
        light = scene.light.at(cell.x, cell.y)
        self._examples.setdefault(piece.look.kind, []).append(
            Example(text, piece.look, means, light)
        )
        self._pieces[text] = piece
        if piece.look.sign:
            turned = self._turned(piece, text)
            signs = self._signs.setdefault(_body(piece), Signs(rings.radius - RIM))
            signs.learn(text, scene.closely(cell.x + x, cell.y + y, signs.patch), turned)
            if turned in signs.names:
                self._pieces.setdefault(turned, piece)

    def settle(self) -> None:
        """All examples of a picture have been given; each stands for itself."""

    def _turned(self, piece: Shown, text: str) -> str:
        """The text of this piece when it lies the other way round; empty where it has no way."""
        headings = self._board.headings
        for other in piece.look.facings:
            if piece.facing and abs(headings[other] - headings[piece.facing]) % 360.0 == 180.0:
                return " ".join(other if word == piece.facing else word for word in text.split())
        return ""

    def colours(self, scene: Scene, cell: Cell) -> list[Values]:
        """What colours (3,) the middle of this cell might have under a piece."""
        light = scene.light.at(cell.x, cell.y)
        return [
            np.minimum(WEIGHTS @ one.rings * light / one.light, 255.0)
            for examples in self._examples.values()
            for one in examples
        ]

    def find(self, scene: Scene, cell: Cell) -> Found:
        """What lies near this cell."""
        likely = self._likely(scene, cell)
        best = likely[0]
        x, y = cell.x + best.x, cell.y + best.y
        doubt, texts = self._doubt(scene, cell, likely), frozenset[str]()
        if not doubt:
            texts = self._signed(scene, best.text, x, y)
            doubt = "" if texts else "something"
        return Found(
            doubt, texts, best.distance, x, y, ((x, y), (x, y)), best.look.width, best.look.height
        )

    def _likely(self, scene: Scene, cell: Cell) -> list[Likeness]:
        """The examples by how alike they are to what lies near this cell, the nearest first."""
        found: list[Likeness] = []
        light = scene.light.at(cell.x, cell.y)
        for kind, examples in self._examples.items():
            rings = self._rings[kind]
            now, board, change = scene.around(cell, rings.reach)
            means = rings.means(np.stack([now, board]))
            outline = rings.standing_out(np.minimum(change, STANDS_OUT))
            found += likenesses(rings, examples, means[0], means[1], light, outline)
        here = [one for one in found if self._is_here(cell, one)] or found
        return sorted(here, key=lambda one: one.distance)

    def _is_here(self, cell: Cell, one: Likeness) -> bool:
        """Whether a piece there would stand on this cell, and on no other one sooner."""
        away = np.hypot(one.x, one.y)
        return away <= REACH - 1.0 and belongs(self._board, cell, cell.x + one.x, cell.y + one.y)

    def _doubt(self, scene: Scene, cell: Cell, likely: list[Likeness]) -> str:
        """Why the likeliest piece is not taken; empty if it is."""
        best = likely[0]
        rings = self._rings[best.look.kind]
        now, board, _ = scene.around(cell, rings.reach)
        radius = rings.extent(now, board, best.x, best.y)
        if best.distance > NEAREST or best.distance > CLEAR * best.empty:
            return "something"
        if not self._is_here(cell, best) or not _fits(rings, now, board, best, radius):
            return "something"
        following = next((one for one in likely if self._rivals(one, best, radius)), None)
        if following is not None and best.distance > LEAD * following.distance:
            return "alike"
        return ""

    def _rivals(self, one: Likeness, best: Likeness, radius: float) -> bool:
        """Whether the same thing might be this one: it has another body there, and no other size
        than was measured."""
        bodies = [_body(self._pieces[each.text]) for each in (one, best)]
        if bodies[0] == bodies[1] or np.hypot(one.x - best.x, one.y - best.y) > SAME:
            return False
        sizes = [abs(radius - each.look.width / 2) for each in (one, best)]
        return not sizes[0] > sizes[1] + SIZES_APART

    def _signed(self, scene: Scene, text: str, x: float, y: float) -> frozenset[str]:
        """The texts that a piece with this one's body at x, y may have by its sign."""
        signs = self._signs.get(_body(self._pieces[text]))
        if signs is None:
            return frozenset({text})
        return signs.read(scene.closely(x, y, signs.patch))


def belongs(board: Board, cell: Cell, x: float, y: float) -> bool:
    """Whether a piece at x, y stands on this cell, and on no other one sooner."""
    away = np.hypot(x - cell.x, y - cell.y)
    return bool(away <= board.near) and not any(
        np.hypot(x - other.x, y - other.y) < away for other in board.cells.values()
    )


def _fits(rings: Rings, now: Values, board: Values, best: Likeness, radius: float) -> bool:
    """Whether a thing of this radius may be the piece that it is most alike."""
    larger = radius - rings.radius
    if np.isnan(larger):
        return True
    near = np.hypot(rings.x - best.x, rings.y - best.y) < rings.radius * 0.9
    own, around = np.median(now[near], axis=0), np.median(board[near], axis=0)
    if np.ptp(own) > COLOURED:
        return bool(SMALLER < larger < STACKED)
    return bool(SMALLER < larger < (LARGER if own.mean() > around.mean() else SHADED))


def _body(piece: Shown) -> Body:
    return Body(piece.look.shape, piece.look.width, piece.side)
