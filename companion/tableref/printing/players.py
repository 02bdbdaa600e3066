"""What Autoscooter players write on and read from: the log sheet and the movement chart."""

from __future__ import annotations

import math

from tableref.errors import UserError
from tableref.printing.hexes import draw_way
from tableref.printing.paper import GREY, PALE, WHITE, Document, Sheet
from tableref.printing.tags import PAINTS
from tableref.rules.autoscooter import Layout
from tableref.rules.autoscooter.layout import Manoeuvre
from tableref.rules.surface import SetupError
from tableref_hardware.board import Board

UNCONFIRMED = "Not checked against the printed game: {}. Whoever owns it corrects the board file."


def _layout(board: Board, sections: tuple[str, ...], what: str) -> Layout:
    """The engine's tables, so that what is printed is what is played. UserError"""
    if any(section not in board.data for section in sections):
        raise UserError(f"{board.title} has no {what}; print it for autoscooter")
    try:
        return Layout(board.data)
    except SetupError as error:
        raise UserError(f"{board.source}: {error}") from error


def _note(board: Board, section: str, what: str) -> str:
    return UNCONFIRMED.format(what) if section in board.unconfirmed else ""


def print_log_sheet(board: Board, paper: str) -> Document:
    """A column a car, a row a round; each box has the number and room for a letter (AS-3.1)."""
    layout = _layout(board, ("log_sheet",), "log sheet")
    document = Document(paper, f"{board.title} log sheet")
    sheet = document.page(
        "one for all, or one each",
        _note(board, "log_sheet", "that the numbers run to and fro"),
    )
    left, bottom, width, height = sheet.room
    head, foot = 14.0, 8.0
    box = width / len(layout.cars), (height - head - foot - 12) / layout.rounds
    top = bottom + height - 6
    sheet.text(left, top - 2, "Player:", 3.6)
    sheet.line(left + 15, top - 3, left + 90, top - 3)
    sheet.text(left + 95, top - 2, "Date:", 3.6)
    sheet.line(left + 107, top - 3, left + width, top - 3)
    top -= 8
    for column, car in enumerate(layout.cars):
        x = left + column * box[0]
        sheet.rectangle(x, top - head, box[0], head, PAINTS.get(car, WHITE), 0.4)
        sheet.rectangle(x + 1.5, top - head + 4, box[0] - 3, 6, WHITE)
        sheet.text(x + box[0] / 2, top - head + 7, car, 3.2, "middle", bold=True)
        for row, number in enumerate(layout.numbers[column]):
            y = top - head - (row + 1) * box[1]
            sheet.rectangle(x, y, *box, None, 0.4)
            sheet.text(x + 1.5, y + box[1] - 5, str(number), 4.4, bold=True)
            sheet.rectangle(x + box[0] - 9, y + 1.5, 7.5, box[1] * 0.5, None, 0.25, GREY)
    sheet.text(
        left,
        bottom + 1,
        "One number a round; its small box takes the letter, at speed 0 none (AS-3.2). Cross a "
        "number out once it is used (AS-4.1).",
        2.9,
    )
    return document


def print_chart(board: Board, paper: str) -> Document:
    """Every manoeuvre as hexes with the nose up, and which of them a speed allows (AS-3.3)."""
    layout = _layout(board, ("manoeuvres",), "movement chart")
    document = Document(paper, f"{board.title} movement chart")
    sheet = document.page(
        "manoeuvres by speed, the nose up",
        _note(board, "manoeuvres", "shapes of some letters and which one is left out"),
    )
    left, bottom, width, height = sheet.room
    y = bottom + height - 4
    for speed in sorted(layout.by_speed):
        ways = [m for m in layout.manoeuvres.values() if m.speed == speed]
        y = _draw_group(sheet, f"New speed {speed}", ways, left, y, width)
    sheet.text(left, y - 4, "What the present speed allows (AS-3.4):", 3.6, bold=True)
    sheet.text(
        left,
        y - 10,
        "0: no letter. To any free neighbour, turn by up to two sides, speed 1 (AS-4.5)",
        3.4,
    )
    for number, (speed, letters) in enumerate(sorted(layout.by_speed.items())):
        words = f"{speed}: {' '.join(letters)}. Another letter, or none: straight ahead as"
        sheet.text(left, y - 15.5 - 5.5 * number, f"{words} {layout.straight[speed]} (AS-3.6)", 3.4)
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
