"""What Autoscooter players write on and read from: the log sheet and the movement chart."""

from __future__ import annotations

import math

from tableref.errors import UserError
from tableref.printing.hexes import draw_way
from tableref.printing.paper import GREY, PALE, WHITE, Document, Sheet
from tableref.printing.tags import PAINTS
from tableref.printing.words import Words
from tableref.rules.autoscooter import Layout
from tableref.rules.autoscooter.layout import Manoeuvre
from tableref.rules.surface import SetupError
from tableref_hardware.board import Board


def _layout(board: Board, sections: tuple[str, ...], what: str) -> Layout:
    """The engine's tables, so that what is printed is what is played. UserError"""
    if any(section not in board.data for section in sections):
        raise UserError(f"{board.title} has no {what}; print it for autoscooter")
    try:
        return Layout(board.data)
    except SetupError as error:
        raise UserError(f"{board.source}: {error}") from error


def _note(words: Words, board: Board, section: str, key: str) -> str:
    return words("unconfirmed", what=words(key)) if section in board.unconfirmed else ""


def print_log_sheet(board: Board, paper: str, lang: str = "en") -> Document:
    """A column a car, a row a round; each box has the number and room for a letter (AS-3.1)."""
    layout = _layout(board, ("log_sheet",), "log sheet")
    words = Words(lang)
    document = Document(paper, words("log-sheet", game=words.game(board)), words)
    sheet = document.page(words("one-for-all"), _note(words, board, "log_sheet", "log-numbers"))
    left, bottom, width, height = sheet.room
    head, foot = 14.0, 8.0
    box = width / len(layout.cars), (height - head - foot - 12) / layout.rounds
    top = bottom + height - 6
    sheet.text(left, top - 2, words("player"), 3.6)
    sheet.line(left + 15, top - 3, left + 90, top - 3)
    sheet.text(left + 95, top - 2, words("date"), 3.6)
    sheet.line(left + 107, top - 3, left + width, top - 3)
    top -= 8
    for column, car in enumerate(layout.cars):
        x = left + column * box[0]
        sheet.rectangle(x, top - head, box[0], head, PAINTS.get(car, WHITE), 0.4)
        sheet.rectangle(x + 1.5, top - head + 4, box[0] - 3, 6, WHITE)
        sheet.text(x + box[0] / 2, top - head + 7, words.name(car), 3.2, "middle", bold=True)
        for row, number in enumerate(layout.numbers[column]):
            y = top - head - (row + 1) * box[1]
            sheet.rectangle(x, y, *box, None, 0.4)
            sheet.text(x + 1.5, y + box[1] - 5, str(number), 4.4, bold=True)
            sheet.rectangle(x + box[0] - 9, y + 1.5, 7.5, box[1] * 0.5, None, 0.25, GREY)
    sheet.fitted(left, bottom + 1, words("log-foot"), 2.9, width)
    return document


def print_chart(board: Board, paper: str, lang: str = "en") -> Document:
    """Every manoeuvre as hexes with the nose up, and which of them a speed allows (AS-3.3)."""
    layout = _layout(board, ("manoeuvres",), "movement chart")
    words = Words(lang)
    document = Document(paper, words("chart", game=words.game(board)), words)
    sheet = document.page(words("by-speed"), _note(words, board, "manoeuvres", "chart-shapes"))
    left, bottom, width, height = sheet.room
    y = bottom + height - 4
    for speed in sorted(layout.by_speed):
        ways = [m for m in layout.manoeuvres.values() if m.speed == speed]
        y = _draw_group(sheet, words("new-speed", speed=speed), ways, left, y, width)
    sheet.text(left, y - 4, words("allowed"), 3.6, bold=True)
    sheet.fitted(left, y - 10, words("at-zero"), 3.4, width)
    for number, (speed, letters) in enumerate(sorted(layout.by_speed.items())):
        said = {"letters": " ".join(letters), "letter": layout.straight[speed]}
        sheet.fitted(
            left, y - 15.5 - 5.5 * number, words("at-speed", speed=speed, **said), 3.4, width
        )
    return document


HEX = 5.2  # mm from a small hex's middle to its corner


def _draw_group(
    sheet: Sheet, title: str, ways: list[Manoeuvre], left: float, top: float, width: float
) -> float:
    """A row or rows of manoeuvres under a title; returns where the next group may begin."""
    reach = max(len(way.directions) for way in ways)
    box = width / 5, HEX * math.sqrt(3) * (reach + 1.6) + 7
    sheet.text(left, top, title, 4.0, bold=True)
    for number, way in enumerate(ways):
        x = left + (number % 5 + 0.5) * box[0]
        y = top - 2 - (number // 5 + 1) * box[1]
        sheet.rectangle(x - box[0] / 2, y, box[0], box[1], None, 0.2, PALE)
        sheet.text(x - box[0] / 2 + 2, y + box[1] - 6, way.letter, 5.5, bold=True)
        draw_way(sheet, way, x + 2, y + HEX * 1.7, HEX)
    return top - 8 - math.ceil(len(ways) / 5) * box[1]
