"""What is printed between a board's corner tags: its cells, lines, starts and names, by shape.

Marks are calm, light tones and thin lines, so that an eye tells pieces from them. Names stand
beside a cell, where they can be read while a piece stands on it. All comes from the board file,
so an owner who corrects it prints what is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Protocol

from tableref.printing.paper import GREY, WHITE, Colour
from tableref.printing.signs import INK, SIGNS, Drawn, draw_sign, mixed, rgb
from tableref.printing.words import Words
from tableref.rules.scorpion.track import FIRST_SIX
from tableref_hardware.board import Board, Cell
from tableref_hardware.outline import cell_outline, ring

NAME = 4.0
"""Height of a cell's name, in mm."""
LINE = 0.7
TINT = 0.3
"""How much of a colour a cell's floor has, beside white."""
GROUND: Mapping[str, Colour] = {
    "red": (0.82, 0.18, 0.18),
    "blue": (0.16, 0.32, 0.75),
    "gray": (0.55, 0.55, 0.55),
    "black": (0.15, 0.15, 0.15),
    "yellow": (0.97, 0.80, 0.10),
}
"""Colours of cells as the rules name them."""
FLOOR: Colour = (0.45, 0.62, 0.60)
"""Under pieces that may be pale or dark: a middle tone, so that both are seen on it."""
HINT = 0.75
"""How much of the floor's colour a start's sign has: it must not be taken for a piece."""
SPOT = 8.0
START = 10.5
FOOT = 13.5
"""Outer radius of a spot's ring, of the second ring of a start, of an intersection's floor."""


class Surface(Drawn, Protocol):
    """What a board is drawn on: a sheet of paper, or the wood of a virtual plate."""

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = GREY,
    ) -> None:
        """A circle."""
        ...

    def line(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        width: float = 0.2,
        colour: Colour = GREY,
        dash: tuple[float, ...] = (),
    ) -> None:
        """A line, dashed with these lengths where given."""
        ...

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 3.5,
        align: str = "left",
        bold: bool = False,
        turn: float = 0.0,
        colour: Colour = GREY,
    ) -> None:
        """Words with letters `size` mm high at (x, y), turned by degrees anticlockwise."""
        ...


class Ground:
    """A surface with a board's south-west corner at its origin, drawn around its middle."""

    def __init__(self, sheet: Surface, board: Board, words: Words) -> None:
        self.sheet, self.board, self.words = sheet, board, words
        self.cells = board.cells
        self._middle = board.plate.width / 2, board.plate.depth / 2

    def draw(self) -> str:
        """Draws all cells; returns what a player has to know of the marks."""
        return _SHAPES[self.board.data["cells"]["shape"]](self)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place in the board's frame on the sheet."""
        return self._middle[0] + x, self._middle[1] + y

    def polygon(
        self, points: list[tuple[float, float]], fill: Colour | None, line: float, colour: Colour
    ) -> None:
        """A polygon in the board's frame."""
        self.sheet.polygon([self.at(*point) for point in points], fill, line, colour)

    def line(self, one: Cell, other: Cell, width: float = LINE, colour: Colour = GREY) -> None:
        """A line between the middles of two cells."""
        self.sheet.line(*self.at(one.x, one.y), *self.at(other.x, other.y), width, colour)

    def name(self, cell: Cell, east: float, north: float, size: float = NAME) -> None:
        """The name of a cell, its middle so far off the cell's."""
        self.text(cell.x + east, cell.y + north, self.words.name(cell.name), size)

    def holds(self, x: float, y: float, margin: float) -> bool:
        """Whether a place lies this far from the plate's edges."""
        plate = self.board.plate
        return abs(x) < plate.width / 2 - margin and abs(y) < plate.depth / 2 - margin

    def text(self, x: float, y: float, text: str, size: float, turn: float = 0.0) -> None:
        """Words around a place in the board's frame."""
        self.sheet.text(*self.at(x, y), text, size, "middle", turn=turn, colour=INK)


# -- hexes: the cars' starts ----------------------------------------------------------------------


def _hexes(ground: Ground) -> str:
    board = ground.board
    outline = cell_outline(board)
    south = min(y for _, y in outline)
    for cell in ground.cells.values():
        hexagon = [(cell.x + a, cell.y + b) for a, b in outline]
        ground.polygon(hexagon, None, LINE, GREY)
        ground.name(cell, 0.0, south + 6.5, 4.6)
    for piece in board.pieces:
        look = board.looks.get(piece.kind)
        if not piece.start or look is None:
            continue
        cell = board.cells[piece.start]
        angle = math.radians(board.headings.get(piece.heading, 90.0))
        long, wide = 0.36 * look.length, 0.36 * look.width
        nose = [(-long, -wide), (0.5 * long, -wide), (long, 0.0), (0.5 * long, wide), (-long, wide)]
        paint = look.sides.get(piece.id) or look.sides.get("")
        fill = mixed(rgb(paint.colour), TINT) if paint else None
        ground.polygon(_turned(nose, cell.x, cell.y, angle), fill, 0.3, GREY)
        ground.text(cell.x, cell.y, ground.words.name(piece.id), 3.6)
    return ""


def _turned(
    points: list[tuple[float, float]], x: float, y: float, angle: float
) -> list[tuple[float, float]]:
    """Points that lie around (0, 0), turned by an angle and moved to (x, y)."""
    cos, sin = math.cos(angle), math.sin(angle)
    return [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in points]


# -- a track of two lanes -------------------------------------------------------------------------


def _track(ground: Ground) -> str:
    count = ground.board.data["cells"]["cells_per_side"]
    half = min(0.46 * ground.board.data["cells"]["pitch"], _widest(ground))
    yellow = [ground.cells[f"Y{number}"] for number in range(1, count + 1)]
    black = [ground.cells[f"K{count + 1 - number}"] for number in range(1, count + 1)]
    for lane, other, colour in ((yellow, black, "yellow"), (black, yellow, "black")):
        paint = GROUND[colour]
        for cell, opposite in zip(lane, other, strict=True):
            shape = [(cell.x + a, cell.y + b) for a, b in ring(half, 36)]
            ground.polygon(shape, mixed(paint, 0.55 if colour == "yellow" else 0.5), 0.5, paint)
            away = math.dist((cell.x, cell.y), (opposite.x, opposite.y))
            out = (half + 4.6) / away
            east, north = out * (cell.x - opposite.x), out * (cell.y - opposite.y)
            if not ground.holds(cell.x + east, cell.y + north, 6.0):
                east, north = -east, -north  # between the lanes, where the outside is off the plate
            ground.name(cell, east, north)
    for lane in (yellow, black[::-1]):
        for first, last in pairwise(lane):
            if math.dist((first.x, first.y), (last.x, last.y)) > 2 * half + 2.2:
                _chevron(ground, first, last)
    _gateway(ground, yellow[1], yellow[0], "in")
    _gateway(ground, black[1], black[0], "out")
    if count > FIRST_SIX:
        _border(ground, *yellow[FIRST_SIX - 1 : FIRST_SIX + 1])
    return ground.words("up-one-side", yellow=f"Y1-Y{count}", black=f"K1-K{count}")


def _widest(ground: Ground) -> float:
    """How large round cells may be without touching, as a radius."""
    cells = list(ground.cells.values())
    near = min(
        math.dist((a.x, a.y), (b.x, b.y)) for n, a in enumerate(cells) for b in cells[n + 1 :]
    )
    return 0.5 * near - 0.4


def _chevron(ground: Ground, first: Cell, last: Cell) -> None:
    """Which way a scorpion runs, in the gap between two cells of a lane."""
    angle = math.atan2(last.y - first.y, last.x - first.x)
    x, y = (first.x + last.x) / 2, (first.y + last.y) / 2
    ground.polygon(
        _turned([(-1.0, -2.6), (1.0, 0.0), (-1.0, 2.6), (-0.2, 0.0)], x, y, angle), GREY, 0.0, GREY
    )


def _gateway(ground: Ground, inner: Cell, end: Cell, key: str) -> None:
    """Before the first cell of a lane or behind its last: an arrow and a word."""
    east, north = end.x - inner.x, end.y - inner.y
    length = math.hypot(east, north)
    east, north = east / length, north / length
    inward = key == "in"
    angle = math.atan2(north, east) + (math.pi if inward else 0.0)
    x, y = end.x + 16.0 * east, end.y + 16.0 * north
    arrow = [(-4, -1.2), (0, -1.2), (0, -3), (4.5, 0), (0, 3), (0, 1.2), (-4, 1.2)]
    ground.polygon(_turned(arrow, x, y, angle), WHITE, 0.4, GREY)
    ground.text(x + 11.0 * east, y + 11.0 * north, ground.words(key), NAME)


def _border(ground: Ground, six: Cell, seven: Cell) -> None:
    """A dashed line across yellow behind its sixth cell, for rules that end there."""
    x, y = (six.x + seven.x) / 2, (six.y + seven.y) / 2
    east, north = seven.x - six.x, seven.y - six.y
    length = math.hypot(east, north)
    east, north = -10.5 * north / length, 10.5 * east / length
    ends = (*ground.at(x - east, y - north), *ground.at(x + 1.9 * east, y + 1.9 * north))
    ground.sheet.line(*ends, 0.5, INK, (1.6, 1.2))


# -- spots joined by lines ------------------------------------------------------------------------


def _spots(ground: Ground) -> str:
    data = ground.board.data
    cells = ground.cells
    lines = [(cells[one], cells[other]) for one, other in data.get("graph", {}).get("lines", ())]
    for one, other in lines:
        ground.line(one, other, 1.0)
    told = data.get("starts", {})
    starts = {name for names in told.values() if isinstance(names, list) for name in names}
    for name, cell in cells.items():
        paint = GROUND.get(data["spots"][name].get("colour", ""), GREY)
        if name in starts:
            _circle(ground, cell, START, WHITE, 0.8, paint)
        if name == data.get("gate"):
            square = [(cell.x + a, cell.y + b) for a, b in ring(1.55 * SPOT, 4, 45.0)]
            ground.polygon(square, WHITE, 0.8, paint)
        _circle(ground, cell, SPOT, mixed(paint, TINT), 1.6, paint)
        angle = _free_angle(cell, lines)
        reach = (START if name in starts else 1.2 * SPOT) + 4.6
        ground.name(cell, reach * math.cos(angle), reach * math.sin(angle))
    return ground.words("start-rings") if starts and "gate" in data else ""


def _circle(
    ground: Ground, cell: Cell, radius: float, fill: Colour, line: float, colour: Colour
) -> None:
    """A ring whose outer edge has this radius."""
    ground.sheet.circle(*ground.at(cell.x, cell.y), radius - line / 2, fill, line, colour)


def _free_angle(cell: Cell, lines: list[tuple[Cell, Cell]]) -> float:
    """The middle of the widest gap between the lines at a cell, in radians; the lowest of equals,
    for names are looked for below."""
    ends = [b if a is cell else a for a, b in lines if cell in (a, b)]
    angles = sorted(math.atan2(end.y - cell.y, end.x - cell.x) for end in ends)
    gaps = [
        ((following - angle) % math.tau or math.tau, angle)
        for angle, following in zip(angles, [*angles[1:], *angles[:1]], strict=True)
    ]
    if not gaps:
        return -math.pi / 2
    widest = max(gap for gap, _ in gaps)
    middles = [angle + gap / 2 for gap, angle in gaps if gap > widest - 0.01]
    return min(middles, key=lambda middle: (round(math.sin(middle), 3), math.cos(middle)))


# -- a lattice of intersections -------------------------------------------------------------------


def _lattice(ground: Ground) -> str:
    data, cells = ground.board.data, ground.cells
    at = {(round(cell.x, 3), round(cell.y, 3)): cell for cell in cells.values()}
    half, row = data["cells"]["pitch"] / 2, data["cells"]["row_pitch"]
    given = data.get("steps", {})
    steps = [*given.get("forward", ()), *given.get("side", ())]
    for cell in cells.values():
        ground.sheet.circle(*ground.at(cell.x, cell.y), FOOT, FLOOR, 0.0)
    for cell in cells.values():
        for east, north in steps:
            to = at.get((round(cell.x + east * half, 3), round(cell.y + north * row, 3)))
            if to is not None:
                ground.line(cell, to, 0.6)
    starts = data.get("starts", {})
    for key, names in starts.items():
        side, _, kind = key.partition("_")
        if not isinstance(names, list) or kind.removesuffix("s") not in SIGNS:
            continue  # whether somebody has checked them, or pieces without a sign
        for name in names:
            cell = cells[name]
            fill = mixed(FLOOR, HINT, INK if side == "black" else WHITE)
            turn = 0.0 if side == "white" else 180.0
            draw_sign(
                ground.sheet, kind.removesuffix("s"), *ground.at(cell.x, cell.y), 6.0, fill, turn
            )
    for cell in cells.values():
        ground.name(cell, 0.0, FOOT + 2.6, 3.8)
    return ground.words("opposite-ways") if starts else ""


# -- a ring with ramps ----------------------------------------------------------------------------


def _ring(ground: Ground) -> str:
    data = ground.board.data["cells"]
    pitch, size, lines = data["pitch"], data["size"], data["lines"]
    for name, cell in ground.cells.items():
        on_ring = name[0].islower()
        squod = not on_ring and int(name[1]) == lines
        fill = mixed(GROUND["yellow"], 0.6) if on_ring else FLOOR
        if squod:
            fill = mixed(GROUND["yellow"], 0.25)
        square = [(cell.x + a, cell.y + b) for a, b in ring(pitch / math.sqrt(2), 4, 45.0)]
        ground.polygon(square, fill, LINE, GREY)
        ground.name(cell, -pitch / 2 + 4.6, pitch / 2 - 3.4, 3.4)
    edge = (size / 2) * pitch
    square = [(a, b) for a, b in ring(edge * math.sqrt(2), 4, 45.0)]
    ground.polygon(square, None, 1.4, mixed(GROUND["yellow"], 0.9))
    # Words are turned to the player of a side, who reads them the right way up.
    turns = {"S": 0.0, "W": -90.0, "N": 180.0, "E": 90.0}
    for side in data["sides"]:
        turn = math.radians(turns[side])
        words = ["start-1", "start-2", "squod-line"] if lines == 3 else []
        for number, key in enumerate(words):
            away = edge + (lines - number - 0.5) * pitch
            [place] = _turned([(edge + 17.0, -away)], 0.0, 0.0, turn)
            ground.text(*place, ground.words(key), 3.2, turns[side])
        [place] = _turned([(0.0, -(edge + lines * pitch + 5.5))], 0.0, 0.0, turn)
        ground.text(*place, ground.words.name(side), 5.0, turns[side])
    pairs = ground.board.data.get("ramps", {}).get("two", ())
    if not pairs:
        return ""
    return ground.words("two-sides", sides=", ".join(ground.words.name(side) for side in pairs))


_SHAPES: Mapping[str, Callable[[Ground], str]] = {
    "hex": _hexes,
    "track": _track,
    "spots": _spots,
    "lattice": _lattice,
    "ring": _ring,
}
"""Shape of a board's cells -> what draws them."""
