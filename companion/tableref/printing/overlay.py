"""A board to lay on the table: its cells and corner tags in true size, in as few pages as go."""

from __future__ import annotations

import math
from functools import partial

from tableref.errors import UserError
from tableref.printing.paper import GREY, PALE, WHITE, Document, Sheet, print_tiled
from tableref.printing.tags import draw_tag
from tableref_hardware.board import Board
from tableref_hardware.outline import cell_outline


def print_overlay(board: Board, paper: str) -> Document:
    """The board plate, tiled over pages where the paper is smaller. UserError"""
    if not board.corner_tags:
        raise UserError(f"{board.source}: this board has no corner tags, so no camera could use it")
    return print_tiled(
        Document(paper, f"{board.title} board"),
        (board.plate.width, board.plate.depth),
        "The first player sits in the south.",
        partial(_board, board=board),
    )


def _board(sheet: Sheet, *, board: Board) -> None:
    """The whole plate, its south-west corner at the origin."""
    middle = board.plate.width / 2, board.plate.depth / 2
    sheet.rectangle(0, 0, board.plate.width, board.plate.depth, WHITE, 0.3, GREY)
    outline = cell_outline(board)
    south = min(y for _, y in outline)
    # A hex is large enough for its name beside the piece, a spot is not.
    label = south + 6.5 if south < -12 else 0.0
    starts = {piece.start: piece for piece in board.pieces if piece.start}
    for cell in board.cells.values():
        x, y = middle[0] + cell.x, middle[1] + cell.y
        sheet.polygon([(x + a, y + b) for a, b in outline], line=0.6, colour=GREY)
        sheet.text(x, y + label, cell.name, 3.0, "middle", colour=GREY)
        if cell.name in starts:
            piece = starts[cell.name]
            angle = math.radians(board.headings.get(piece.heading, 90.0))
            sheet.circle(x, y, 5.0, line=0.4, colour=GREY)
            nose = [(11.0, 0.0), (6.5, 3.0), (6.5, -3.0)]
            sheet.polygon(
                [
                    (
                        x + a * math.cos(angle) - b * math.sin(angle),
                        y + a * math.sin(angle) + b * math.cos(angle),
                    )
                    for a, b in nose
                ],
                PALE,
                0.3,
                GREY,
            )
            sheet.text(x, y, piece.id, 2.4, "middle", colour=GREY)
    quiet = board.data["corner_tags"]["quiet"]
    for tag in board.corner_tags:
        x, y = middle[0] + tag.x, middle[1] + tag.y
        sheet.rectangle(x - quiet / 2, y - quiet / 2, quiet, quiet, WHITE)
        draw_tag(sheet, board.dictionary, tag.id, x, y, tag.square)
    x = board.plate.width * 0.27  # beside the middle, where the cut runs
    sheet.text(x, board.plate.depth - 8, f"NORTH of {board.title}", 3.2, "middle", colour=GREY)
    sheet.text(x, 5.0, "SOUTH: the first player sits here", 3.2, "middle", colour=GREY)
