"""A board to lay on the table: its ground and corner tags in true size, in as few pages as go."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

from tableref.errors import UserError
from tableref.printing.grounds import Ground
from tableref.printing.paper import GREY, WHITE, Document, Sheet, print_tiled, text_width
from tableref.printing.signs import INK
from tableref.printing.tags import draw_tag
from tableref.printing.words import Words
from tableref_hardware.board import Board
from tableref_hardware.outline import cell_outline

ROSE = 9.0
"""Radius of the compass rose without its letters, in mm."""
POINTS: Mapping[str, float] = {"N": 90.0, "E": 0.0, "S": -90.0, "W": 180.0}


def print_overlay(board: Board, paper: str, lang: str = "en") -> Document:
    """The board plate, tiled over pages where the paper is smaller. UserError"""
    if not board.corner_tags:
        raise UserError(f"{board.source}: this board has no corner tags, so no camera could use it")
    words = Words(lang)
    return print_tiled(
        Document(paper, words("board", game=words.game(board)), words),
        (board.plate.width, board.plate.depth),
        words("first-sits"),
        partial(_board, board=board, words=words),
    )


def _board(sheet: Sheet, *, board: Board, words: Words) -> None:
    """The whole plate, its south-west corner at the origin."""
    width, depth = board.plate.width, board.plate.depth
    middle = width / 2, depth / 2
    sheet.rectangle(0, 0, width, depth, WHITE, 0.3, GREY)
    note = Ground(sheet, board, words).draw()
    quiet = board.data["corner_tags"].get("quiet", 36.0)
    for tag in board.corner_tags:
        x, y = middle[0] + tag.x, middle[1] + tag.y
        sheet.rectangle(x - quiet / 2, y - quiet / 2, quiet, quiet, WHITE)
        draw_tag(sheet, board.dictionary, tag.id, x, y, tag.square)
    if points := _points(board):
        x, y = _free_place(board, quiet, ROSE + 5.0)
        _rose(sheet, words, points, middle[0] + x, middle[1] + y)
    room = min(abs(tag.x) for tag in board.corner_tags) - quiet / 2
    for y, texts in (
        (depth - 6.0, (f"{words('north')}, {words.game(board)}",)),
        (5.5, (words("south"), note)),
    ):
        x = _clear_side(board, y - middle[1]) * room / 2
        for number, text in enumerate(texts):
            sheet.fitted(middle[0] + x, y + 5.0 * number, text, 3.4, room - 5.0, "middle")


def _clear_side(board: Board, y: float) -> float:
    """-1 or 1, west or east of the middle, where the cut runs: where fewer cells lie at this
    height."""
    near = [math.copysign(1.0, cell.x) for cell in board.cells.values() if abs(cell.y - y) < 20.0]
    return 1.0 if near.count(-1.0) > near.count(1.0) else -1.0


def _points(board: Board) -> Mapping[str, float]:
    """The directions that sentences of this game speak of, with their degrees from east."""
    if board.headings:
        return board.headings
    sides = board.data["cells"].get("sides", ())
    return {side: POINTS[side] for side in sides}


def _rose(sheet: Sheet, words: Words, points: Mapping[str, float], x: float, y: float) -> None:
    """A rose of directions around (x, y), each with its name as the language has it."""
    sheet.circle(x, y, 1.2, INK, 0.0)
    for name, degrees in points.items():
        angle = math.radians(degrees)
        cos, sin = math.cos(angle), math.sin(angle)
        tip = x + ROSE * cos, y + ROSE * sin
        sheet.polygon(
            [tip, (x - 1.5 * sin, y + 1.5 * cos), (x + 1.5 * sin, y - 1.5 * cos)], WHITE, 0.3, GREY
        )
        said = words.heading(name)
        away = ROSE + 1.4 + 0.5 * max(abs(cos) * text_width(said, 3.2), 3.2)
        sheet.text(x + away * cos, y + away * sin, said, 3.2, "middle", colour=INK)


def _free_place(board: Board, quiet: float, radius: float) -> tuple[float, float]:
    """Where a circle is farthest from all cells, tags and the edges, off the lines of the cut."""
    cells = [(cell.x, cell.y) for cell in board.cells.values()]
    tags = [(tag.x, tag.y) for tag in board.corner_tags]
    reach = max(math.hypot(x, y) for x, y in cell_outline(board))

    def room(place: tuple[float, float]) -> float:
        x, y = place
        free = [math.dist(place, cell) - reach for cell in cells]
        free += [max(abs(x - a), abs(y - b)) - quiet / 2 for a, b in tags]
        free += [abs(x), abs(y)]
        free.append(min(board.plate.width / 2 - abs(x), board.plate.depth / 2 - abs(y) - 9.0))
        return min(min(free), radius)

    return max(_grid(board), key=lambda place: (round(room(place), 3), place))


def _grid(board: Board) -> Iterator[tuple[float, float]]:
    """Places over the whole plate, 4 mm apart."""
    for column in range(1, int(board.plate.width / 4)):
        for row in range(1, int(board.plate.depth / 4)):
            yield 4.0 * column - board.plate.width / 2, 4.0 * row - board.plate.depth / 2
