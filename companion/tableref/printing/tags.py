"""Tags as vector drawings, and the sheets of tags and of cars to fold."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tableref.errors import UserError
from tableref.printing.paper import (
    BLACK,
    GREY,
    PALE,
    WHITE,
    Colour,
    Document,
    Sheet,
    cut_marks,
    places,
)
from tableref.printing.words import Words
from tableref_hardware.board import Board, Piece, PieceTag

PAINTS: dict[str, Colour] = {
    "red": (0.80, 0.15, 0.16),
    "orange": (0.95, 0.50, 0.12),
    "yellow": (0.98, 0.85, 0.12),
    "green": (0.16, 0.57, 0.25),
    "blue": (0.15, 0.31, 0.73),
    "purple": (0.45, 0.16, 0.57),
    "white": (1.0, 1.0, 1.0),
    "black": (0.20, 0.20, 0.20),
}
FLAP = 6.0  # mm of a fold-up car's flaps for glue


def tag_bits(dictionary: str, number: int) -> list[list[bool]]:
    """A tag with its black rim, a row of modules from the top, True is white.

    The bits are OpenCV's, so what is printed is what is looked for.
    """
    import cv2

    known: Any = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
    side = int(known.markerSize) + 2
    return [[bool(module) for module in row] for row in known.generateImageMarker(number, side)]


def draw_tag(sheet: Sheet, dictionary: str, number: int, x: float, y: float, side: float) -> None:
    """The black square of a tag, `side` mm wide, around its middle (x, y), upright."""
    bits = tag_bits(dictionary, number)
    step = side / len(bits)
    left, top = x - side / 2, y + side / 2
    sheet.rectangle(left, y - side / 2, side, side, BLACK)
    sheet.rectangles(
        (
            (left + first * step, top - (row + 1) * step, (last - first) * step, step)
            for row, line in enumerate(bits)
            for first, last in _runs(line)
        ),
        WHITE,
    )


def _runs(line: list[bool]) -> Iterator[tuple[int, int]]:
    """First and last + 1 of each run of True."""
    start = None
    for place, bit in enumerate([*line, False]):
        if bit and start is None:
            start = place
        elif not bit and start is not None:
            yield start, place
            start = None


def print_tags(board: Board, paper: str, lang: str = "en") -> Document:
    """Roof tags, fold-up cars and the plate's corner tags. UserError where a board has none."""
    tag = board.piece_tag
    pieces = [piece for piece in board.pieces if piece.tag is not None]
    if not board.corner_tags:
        raise UserError(f"{board.source}: this board has no tags to print")
    words = Words(lang)
    document = Document(paper, words("tags", game=words.game(board)), words)
    if tag is not None and pieces:
        _print_roofs(document, board, tag, pieces)
        if "car" in board.looks:
            print_cars(document, board)
    _print_corners(document, board)
    return document


def _print_roofs(document: Document, board: Board, tag: PieceTag, pieces: list[Piece]) -> None:
    words = document.words
    sheet = document.page(words("roofs"), words("cut-roofs", ahead=f"{tag.ahead:g}"))
    spots = places(sheet, tag.quiet, tag.quiet + 8, 12.0)
    for piece, (x, y) in zip(pieces, spots, strict=False):
        _roof(sheet, board, tag, piece, x + tag.quiet / 2, y + 8 + tag.quiet / 2)
        cut_marks(sheet, x, y + 8, tag.quiet, tag.quiet)
        sheet.text(x + tag.quiet / 2, y + 1.5, words.name(piece.id), 3.2, "middle")


def _roof(sheet: Sheet, board: Board, tag: PieceTag, piece: Piece, x: float, y: float) -> None:
    sheet.rectangle(x - tag.quiet / 2, y - tag.quiet / 2, tag.quiet, tag.quiet, WHITE)
    draw_tag(sheet, board.dictionary, piece.tag or 0, x, y, tag.square)


def print_cars(document: Document, board: Board) -> None:
    """Boxes to fold, the nose up: for whoever has no cars, or cars of another height."""
    tag, words = board.piece_tag, document.words
    if tag is None:
        return
    body = board.looks["car"]
    size = body.width + 2 * body.height, body.length + 2 * body.height
    left = [piece for piece in board.pieces if piece.tag is not None]
    while left:
        sheet = document.page(words("cars"), words("fold-cars"))
        for x, y in places(sheet, *size, 4.0):
            if not left:
                break
            piece = left.pop(0)
            draw = partial(_car, sheet, board, tag, piece, words.name(piece.id))
            sheet.shifted(x + size[0] / 2, y + size[1] / 2, draw)


def _car(sheet: Sheet, board: Board, tag: PieceTag, piece: Piece, name: str) -> None:
    """The net of one car around the middle of its roof."""
    body = board.looks["car"]
    x, y, h = body.width / 2, body.length / 2, body.height
    paint = PAINTS.get(piece.id, WHITE)
    flap, slant = min(FLAP, h - 2), 2.0
    outline = [
        (-x, y), (-x - flap, y + slant), (-x - flap, y + h - slant), (-x, y + h), (x, y + h),
        (x + flap, y + h - slant), (x + flap, y + slant), (x, y), (x + h, y), (x + h, -y), (x, -y),
        (x + flap, -y - slant), (x + flap, -y - h + slant), (x, -y - h), (-x, -y - h),
        (-x - flap, -y - h + slant), (-x - flap, -y - slant), (-x, -y), (-x - h, -y), (-x - h, y),
    ]  # fmt: skip
    sheet.polygon(outline, paint, 0.3)
    ink = GREY if piece.id == "black" else BLACK
    folds = [(-x, y, x, y), (-x, -y, x, -y), (-x, -y, -x, y), (x, -y, x, y)]
    folds += [(s * x, t * y, s * x, t * (y + h)) for s in (-1, 1) for t in (-1, 1)]
    for fold in folds:
        sheet.line(*fold, 0.2, ink, (1.5, 1.0))
    _roof(sheet, board, tag, piece, 0.0, tag.ahead)
    sheet.polygon([(-4, y + 3), (4, y + 3), (0, y + 9)], WHITE, 0.3)
    sheet.circle(0.0, board.data["body"]["pin"], 1.5, WHITE, 0.2)
    sheet.rectangle(-x + 1, -y - h + 3, 2 * x - 2, 6, WHITE)
    sheet.text(0.0, -y - h + 6, name, 3.4, "middle", bold=True)


def _print_corners(document: Document, board: Board) -> None:
    quiet, words = board.data["corner_tags"].get("quiet", 36.0), document.words
    sheet = document.page(words("corners"), words("cut-corners"))
    spots = places(sheet, quiet + 20, quiet + 14, 6.0)
    for tag, (x, y) in zip(board.corner_tags, spots, strict=False):
        sheet.rectangle(x + 10, y + 14, quiet, quiet, None, 0.15, PALE)
        middle = x + 10 + quiet / 2
        draw_tag(sheet, board.dictionary, tag.id, middle, y + 14 + quiet / 2, tag.square)
        cut_marks(sheet, x + 10, y + 14, quiet, quiet)
        where = words.heading(f"{'S' if tag.y < 0 else 'N'}{'W' if tag.x < 0 else 'E'}")
        corner = words("corner", where=where, number=tag.id)
        sheet.text(middle, y + 6, corner, 3.2, "middle", bold=True)
        at = words("corner-at", x=f"{tag.x:+g}", y=f"{tag.y:+g}")
        sheet.text(middle, y + 1.5, at, 2.6, "middle")
