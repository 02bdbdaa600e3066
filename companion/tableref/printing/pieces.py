"""Pieces to cut out: discs and tokens with their signs, cars to fold, chips and speed markers.

Shapes, sizes and colours are those of the board file's looks; how many there are of each comes from
its list of pieces, or from the start of the game.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from tableref.errors import UserError
from tableref.printing.paper import GREY, Colour, Document, Sheet, places
from tableref.printing.signs import SIGNS, Points, contrast, draw_sign, mixed, rgb
from tableref.printing.tags import print_cars
from tableref.printing.words import Words
from tableref.rules.autoscooter import Autoscooter
from tableref.rules.squod.layout import OF_EACH
from tableref.rules.surface import Game
from tableref_hardware.board import Board
from tableref_hardware.looks import Look
from tableref_hardware.outline import ring

GAP = 4.0
"""Between pieces, in mm: room for scissors."""
CHIP, CHIPS = 20.0, 10
"""Diameter of a chip in mm, and how many there are of each car's colour (AS-2.1)."""
MARKER, SPEEDS = 9.0, (1, 2, 3)
_SIGN = 0.66
"""How large a sign is on its piece where the look does not say."""


class Cut(NamedTuple):
    """A piece to cut out: what it looks like, whose it is, the picture on its face."""

    look: Look
    side: str
    face: str = ""


def print_pieces(board: Board, game: Game[object], paper: str, lang: str = "en") -> Document:
    """All pieces of a game. UserError where the board file does not say what they look like."""
    if not board.looks:
        raise UserError(f"{board.source}: it does not say what the pieces look like ([looks])")
    words = Words(lang)
    document = Document(paper, words("pieces", game=words.game(board)), words)
    if any(look.told == "tag" for look in board.looks.values()):
        print_cars(document, board)
    if isinstance(game, Autoscooter):
        _print_money(document, board)
    flat = [cut for cut in cuts(board, game) if cut.look.told == "side"]
    _print_flat(document, [cut for cut in flat if not cut.look.faces])
    _print_tokens(document, [cut for cut in flat if cut.look.faces])
    return document


def cuts(board: Board, game: Game[object]) -> Iterator[Cut]:
    """Every piece of a game, by kind and side."""
    listed = Counter((piece.kind, piece.id.rpartition(" ")[0]) for piece in board.pieces)
    standing: Counter[tuple[str, str]] = Counter()
    if not listed:
        for stack in game.board(game.start({})).values():
            standing.update((piece.kind, piece.side) for piece in stack)
    for kind, look in board.looks.items():
        for side in look.sides:
            if look.faces:
                yield from (Cut(look, side, face) for face in look.faces for _ in range(OF_EACH))
            else:
                count = listed[kind, side] or standing[kind, side] or ("" in look.sides)
                yield from [Cut(look, side)] * count


# -- discs and tokens -----------------------------------------------------------------------------


def _print_flat(document: Document, pieces: list[Cut]) -> None:
    """Discs; balls become discs, too."""
    words = document.words
    by_height = sorted({cut.look.height for cut in pieces if cut.look.shape != "ball"})
    note = " ".join(words("cut-discs", height=f"{height:g}") for height in by_height)
    if any(cut.look.shape == "ball" for cut in pieces):
        note = words("beads-of-paper")
    _lay_out(document, words("discs"), note, pieces, _flat)


def _print_tokens(document: Document, pieces: list[Cut]) -> None:
    """Tokens, their faces on one page and their plain backs on the next."""
    words = document.words
    heights = ", ".join(f"{height:g}" for height in sorted({cut.look.height for cut in pieces}))
    note = words("cut-tokens", height=heights)
    _lay_out(document, words("discs"), note, pieces, _flat)
    backs = [cut._replace(face="") for cut in pieces]
    _lay_out(document, words("backs"), note, backs, partial(_flat, mirrored=True))


def _lay_out(
    document: Document,
    heading: str,
    note: str,
    pieces: Iterable[Cut],
    draw: Callable[[Sheet, Cut, float, float], None],
) -> None:
    """Pieces in rows of one look, over as many pages as they need."""
    left = list(pieces)
    while left:
        sheet = document.page(heading, note)
        wide = max(cut.look.length for cut in left)
        high = max(cut.look.width for cut in left)
        for x, y in places(sheet, wide, high, GAP):
            if left:
                draw(sheet, left.pop(0), x + wide / 2, y + high / 2)


def _flat(sheet: Sheet, cut: Cut, x: float, y: float, mirrored: bool = False) -> None:
    """One piece around (x, y), its sign on it."""
    look, paint = cut.look, cut.look.sides[cut.side]
    fill = rgb(paint.colour)
    outline = outline_of(look, paint.end)
    flip = -1.0 if mirrored else 1.0
    sheet.polygon([(x + flip * a, y + b) for a, b in outline], fill, 0.2, GREY)
    sign = cut.face or (look.kind if not look.faces else "")
    if sign in SIGNS:
        radius = (look.sign or _SIGN * look.width) / 2
        ink = ink_of(look, cut.side, fill)
        # A token is read with its end ahead, a disc from its own side.
        draw_sign(sheet, sign, x - (1.5 if look.faces else 0.0), y, radius, ink, 0.0, fill)


def ink_of(look: Look, side: str, fill: Colour) -> Colour:
    """A sign has the other side's colour where there are two sides of the same form."""
    others = [paint.colour for name, paint in look.sides.items() if name != side]
    return rgb(others[0]) if len(others) == 1 and look.sign else contrast(fill)


def outline_of(look: Look, end: str) -> Points:
    """The outline of a piece around (0, 0), its length along x; the end that tells lies east."""
    long, wide = look.length / 2, look.width / 2
    if look.shape in ("disc", "ball"):
        return list(ring(long, 60))
    if look.shape == "box" or not end:
        return [(-long, -wide), (long, -wide), (long, wide), (-long, wide)]
    angles = [math.radians(degrees) for degrees in range(-90, 91, 6)]
    if end == "round":
        curve = [(long - wide + wide * math.cos(a), wide * math.sin(a)) for a in angles]
    else:
        deep = 0.5 * wide
        curve = [(long - deep * math.cos(a), wide * math.sin(a)) for a in angles]
    return [(-long, -wide), *curve, (-long, wide)]


# -- what Autoscooter needs besides its cars ------------------------------------------------------


def _print_money(document: Document, board: Board) -> None:
    """Chips in the colours of the cars, and a marker for each speed of each car."""
    words = document.words
    look = next(look for look in board.looks.values() if look.told == "tag")
    sheet = document.page(words("chips"), words("cut-chips", each=CHIPS))
    spots = places(sheet, CHIP, CHIP, 2.0)
    paints = [rgb(paint.colour) for paint in look.sides.values()]
    for fill, (x, y) in zip(paints * CHIPS, spots, strict=False):
        at = x + CHIP / 2, y + CHIP / 2
        sheet.circle(*at, CHIP / 2, fill, 0.2, GREY)
        sheet.circle(*at, 0.34 * CHIP, mixed(fill, 0.35), 0.0)
    sheet = document.page(words("markers"), words("cut-markers"))
    spots = places(sheet, MARKER, MARKER, GAP)
    for fill in paints:
        for speed, (x, y) in zip(SPEEDS, spots, strict=False):
            sheet.rectangle(x, y, MARKER, MARKER, fill, 0.2, GREY)
            middle = x + MARKER / 2, y + MARKER / 2
            sheet.text(*middle, str(speed), 6.0, "middle", bold=True, colour=contrast(fill))
