"""The quick reference: a game on one page, in letters as large as go."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tableref.errors import UserError
from tableref.printing.hexes import ahead, draw_car, draw_hex, draw_way
from tableref.printing.paper import GREY, PALE, Document, text_width
from tableref.printing.paper import Sheet as Paper
from tableref.printing.plan import Plan
from tableref.rulebook import Rulebook
from tableref.rulebook.sheet import Line, Sheet
from tableref.rulebook.tables import Table, crash, tables
from tableref.rules.autoscooter import Autoscooter
from tableref.rules.autoscooter.layout import SIDES
from tableref.rules.surface import Game
from tableref_hardware.board import Board

LARGEST, SMALLEST, FINER = 3.4, 2.1, 0.05
"""Heights of letters that are tried, in mm."""
GAP = 5.0  # between the two columns
PLAN = 0.75  # of a column
BAND_HEX = 2.35  # mm from the middle of a hex to its corner
NARROWEST = 0.7
"""How much smaller than the text a table may be to fit its column."""


class Block(NamedTuple):
    """Something of a height, drawn from its upper left corner. `clings`: it must not end a
    column."""

    height: float
    draw: Callable[[Paper, float, float], None]
    clings: bool = False


def print_quick(board: Board, game: Game[object], book: Rulebook, paper: str) -> Document:
    """The page of a game in the language of the book. UserError where it does not fit."""
    found = tables(game)
    words = Sheet(book, game.name, found)
    document = Document(paper, f"{board.title}, {words.title}")
    page = document.page("", words.marks, ruler=False)
    left, bottom, width, height = page.room
    top = bottom + height
    if isinstance(game, Autoscooter):
        top = _scooter_band(page, game, words, found, left, top, width)
        found = ()
    column = (width - GAP) / 2
    size = LARGEST
    while size >= SMALLEST:
        blocks = list(_blocks(board, game, words, found, column, size))
        if _placed(blocks, top - bottom) is not None:
            for number, block, y in _balanced(blocks, top - bottom, size):
                block.draw(page, left + number * (column + GAP), top - y)
            return document
        size -= FINER
    raise UserError(f"{board.source}: the quick reference does not fit one page of {paper}")


def _balanced(
    blocks: Sequence[Block], height: float, step: float
) -> list[tuple[int, Block, float]]:
    """As `_placed` in a height where all fits, the columns no longer than they must be."""
    placed = _placed(blocks, height)
    while (shorter := _placed(blocks, height - step)) is not None:
        placed, height = shorter, height - step
    return placed or []


def _placed(blocks: Sequence[Block], height: float) -> list[tuple[int, Block, float]] | None:
    """Column and distance from the top for each block, or None where two columns are too few."""
    placed: list[tuple[int, Block, float]] = []
    column, y = 0, 0.0
    for number, block in enumerate(blocks):
        need, following = block.height, number
        while blocks[following].clings and following + 1 < len(blocks):
            following += 1
            need += blocks[following].height
        if y + need > height:
            column, y = column + 1, 0.0
        if column > 1 or need > height:
            return None
        placed.append((column, block, y))
        y += block.height
    return placed


def _blocks(
    board: Board,
    game: Game[object],
    words: Sheet,
    found: Sequence[Table],
    width: float,
    size: float,
) -> Iterator[Block]:
    """All blocks of the two columns; a table stands before the section of its first paragraph."""
    left = list(found)
    for number, section in enumerate(words.sections()):
        yield _title(section.title, size)
        for table in [t for t in left if _of(t).startswith(section.key) and section.key]:
            left.remove(table)
            yield _table(words, table, width, size)
        for line in section.lines:
            yield from _lines(line, width, size)
        if number == 0 and not isinstance(game, Autoscooter):
            plan = Plan(board, game, PLAN * width)

            def draw(page: Paper, x: float, y: float, plan: Plan = plan) -> None:
                plan.draw(page, x + (width - plan.width) / 2, y - plan.height - size)

            yield Block(plan.height + 2 * size, draw)


def _of(table: Table) -> str:
    """The first paragraph that a table rests on."""
    return next(iter(table.ids or (row[-1] for row in table.rows if row[-1])))


# -- text -----------------------------------------------------------------------------------------

Run = tuple[str, bool, bool]
"""A word, whether it is bold, whether it is pale."""


def _title(title: str, size: float) -> Block:
    def draw(page: Paper, x: float, y: float) -> None:
        page.text(x, y - 1.7 * size, title, 1.2 * size, bold=True)
        page.line(x, y - 2.0 * size, x + 20 * size, y - 2.0 * size, 0.06 * size, GREY)

    return Block(2.35 * size, draw, clings=True)


def _lines(line: Line, width: float, size: float) -> Iterator[Block]:
    """The lines of a part of a paragraph, its title bold, its id pale."""
    words = line.words.removeprefix("* ")
    indent = 0.0 if words == line.words else size
    runs: list[Run] = [(word, True, False) for word in _spaced(line.title)]
    if runs and words:
        runs[-1] = (runs[-1][0] + ".", True, False)
    runs += [(word, False, False) for word in _spaced(words)]
    if line.id:
        runs.append((f"({line.id})", False, True))
    row: list[tuple[float, Run]] = []
    at = indent
    first = True
    for run in runs:
        wide = text_width(run[0], size, run[1])
        if row and at + wide > width:
            yield _row(row, size, bullet=bool(indent) and first)
            row, at, first = [], indent, False
        row.append((at, run))
        at += wide + text_width(" ", size)
    yield _row(row, size, bullet=bool(indent) and first)


def _spaced(text: str) -> list[str]:
    """The words of a text; what French sets before a colon and the like stays with its word."""
    words: list[str] = []
    for word in text.split():
        if words and (word[0] in ":;!?»" or words[-1].endswith("«")):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _row(row: list[tuple[float, Run]], size: float, bullet: bool) -> Block:
    def draw(page: Paper, x: float, y: float) -> None:
        if bullet:
            page.text(x, y - size, "\u2022", size)
        for at, (word, bold, pale) in row:
            page.text(x + at, y - size, word, size, bold=bold, colour=GREY if pale else (0, 0, 0))

    return Block(1.22 * size, draw)


# -- tables ---------------------------------------------------------------------------------------


def _table(words: Sheet, table: Table, width: float, size: float) -> Block:
    """A table with its title; its letters are smaller than the text where it is too wide."""
    cells = [[words.word(cell) for cell in row] for row in (table.head, *table.rows)]
    scale = min(1.0, width / sum(_columns(cells, size)))
    if scale < NARROWEST:
        return Block(float("inf"), lambda page, x, y: None)
    small = scale * size
    title = words.table_title(table.name)
    if table.ids:
        title += f" ({', '.join(table.ids)})"
    heading = list(_lines(Line(title, ""), width, size))
    height = sum(block.height for block in heading) + 1.3 * small * len(cells) + 0.8 * size

    def draw(page: Paper, x: float, y: float) -> None:
        for block in heading:
            block.draw(page, x, y)
            y -= block.height
        widths = _columns(cells, small)
        for number, row in enumerate(cells):
            at = x
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True)):
                last = column == len(row) - 1 and not table.head[-1]
                page.text(
                    at, y - small, cell, small, bold=number == 0,
                    colour=GREY if last else (0, 0, 0),
                )  # fmt: skip
                at += wide
            y -= 1.3 * small
            page.line(x, y + 0.05 * small, at, y + 0.05 * small, 0.04 * size, PALE)

    return Block(height, draw)


def _columns(cells: list[list[str]], size: float) -> list[float]:
    """Widths of the columns; the first row is bold."""
    return [
        max(text_width(row[column], size, number == 0) for number, row in enumerate(cells))
        + 1.1 * size
        for column in range(len(cells[0]))
    ]


# -- Autoscooter ----------------------------------------------------------------------------------


def _scooter_band(
    page: Paper,
    game: Autoscooter,
    words: Sheet,
    found: Sequence[Table],
    left: float,
    top: float,
    width: float,
) -> float:
    """Chart, sides and tables over the whole width; returns where the text may begin."""
    set_up, gears, crashes = (
        _table(words, table, share * width, 2.3)
        for table, share in zip(found, (0.45, 0.34, 0.62), strict=True)
    )
    page.text(left, top - 3, f"{words.table_title('chart')} (AS-3.3?)", 2.3, bold=True)
    set_up.draw(page, left + 0.58 * width, top - 0.5)
    ways = game.layout.manoeuvres.values()
    slow = [way for way in ways if way.speed == 1]
    fast = [way for way in ways if way.speed > 1]
    box = width / len(fast)
    y = top - 5.5
    for group, hexes in ((slow, 1.2), (fast, 3)):
        height = BAND_HEX * (math.sqrt(3) * hexes + 1.4)
        for number, way in enumerate(group):
            x = left + number * box
            page.text(x + 0.6, y - 3.4, way.letter, 3.4, bold=True)
            page.text(x + 0.6, y - 6.0, str(way.speed), 2.1, colour=GREY)
            draw_way(page, way, x + 0.55 * box, y - height + BAND_HEX * 1.1, BAND_HEX)
        y -= height
    y -= 1.5
    right = left + 0.66 * width
    crashes.draw(page, left, y)
    sides = _draw_sides(page, game, words, right, y, left + width - right)
    gears.draw(page, right, y - sides)
    return y - max(crashes.height, sides + gears.height)


def _draw_sides(
    page: Paper, game: Autoscooter, words: Sheet, left: float, top: float, width: float
) -> float:
    """For each heading of the struck car what it is called, and how the car points afterwards;
    returns the height."""
    title = f"{words.table_title('sides')} (AS-5.0*?)"
    y = top
    for block in _lines(Line(title, ""), width, 2.3):
        block.draw(page, left, y)
        y -= block.height
    box, size = width / SIDES, 0.17 * width / SIDES
    for side in range(SIDES):
        met = crash(game, "other", 1, 1, side)
        x, hit = left + side * box + 1.2 * size, y - 1.1 * size
        rammer = ahead(x, hit, 3, size)
        for place, heading, filled in ((rammer, 0, True), ((x, hit), side, False)):
            draw_hex(page, *place, size)
            draw_car(page, *place, heading, size, filled)
        if met.turn:
            after = x + 2.8 * size
            page.line(x + size, hit, after - size, hit, 0.25, GREY)
            draw_hex(page, after, hit, size)
            draw_car(page, after, hit, side + met.turn, size, filled=False)
        page.text(x - size, rammer[1] - size - 2.2, words.word(met.kind), 1.9)
        page.text(x - size, rammer[1] - size - 4.2, met.paragraph, 1.9, colour=GREY)
    return top - y + 1.1 * size + math.sqrt(3) * size + size + 6.0
