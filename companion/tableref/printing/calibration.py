"""The calibration sheet, a chessboard with tags, from which a camera's lens is learnt."""

from __future__ import annotations

from tableref.printing.paper import BLACK, Document
from tableref.printing.tags import draw_tag
from tableref.printing.words import Words
from tableref_hardware import chessboard


def print_calibration(paper: str, lang: str = "en") -> Document:
    """One page with the chessboard in the middle of its room, the same size on every paper."""
    words = Words(lang)
    document = Document(paper, words("calibration"), words)
    size = {"columns": chessboard.COLUMNS, "rows": chessboard.ROWS}
    sheet = document.page(
        words("chessboard", **size, square=f"{chessboard.SQUARE:g}"), words("calibrate")
    )
    square = chessboard.SQUARE
    left, bottom, room_width, room_height = sheet.room
    width, height = chessboard.COLUMNS * square, chessboard.ROWS * square
    x, y = left + (room_width - width) / 2, bottom + (room_height - height) / 2
    black = [
        (x + column * square, y + height - (row + 1) * square, square, square)
        for row in range(chessboard.ROWS)
        for column in range(chessboard.COLUMNS)
        if (row + column) % 2 == 0
    ]
    sheet.rectangles(black, BLACK)
    number = 0
    for row in range(chessboard.ROWS):
        for column in range(chessboard.COLUMNS):
            if (row + column) % 2:
                draw_tag(
                    sheet,
                    chessboard.DICTIONARY,
                    number,
                    x + (column + 0.5) * square,
                    y + height - (row + 0.5) * square,
                    chessboard.MARKER,
                )
                number += 1
    return document
