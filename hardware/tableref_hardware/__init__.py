"""What is on the table, as data: boards with their cells, tags, switches and lights.

>>> board = load_board("autoscooter")
>>> board.cells["c4"].x, board.cells["c4"].y
(-25.4, 0.0)
"""

from tableref_hardware.board import (
    Board,
    Cell,
    CornerTag,
    Piece,
    PieceTag,
    Plate,
    board_names,
    load_board,
    read_board,
)
from tableref_hardware.looks import HIDDEN, Look, Paint, Senses, Shown, shown
from tableref_hardware.reading import BoardFileError

__all__ = [
    "HIDDEN",
    "Board",
    "BoardFileError",
    "Cell",
    "CornerTag",
    "Look",
    "Paint",
    "Piece",
    "PieceTag",
    "Plate",
    "Senses",
    "Shown",
    "board_names",
    "load_board",
    "read_board",
    "shown",
]
