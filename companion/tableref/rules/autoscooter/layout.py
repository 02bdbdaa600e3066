"""The Autoscooter board as tables: neighbours, start hexes, log sheet, manoeuvres (AS-1, AS-3).

Cells and headings are small integers inside the engine: cells row by row from `a1`, headings
clockwise from NE. Everything comes from the board file's data, so correcting the file changes play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tableref.rules.autoscooter.actions import Drive, Plot, Restart
from tableref.rules.pieces import Piece
from tableref.rules.plain import choice, entries
from tableref.rules.surface import SetupError

HEADINGS = ("NE", "E", "SE", "SW", "W", "NW")
BARRIER = -1
"""Stands in the neighbour tables where the board ends (AS-1.2)."""

SIDES = 6
LARGEST_TURN = 2
"""Hexsides that a restarted car may turn off its step (AS-4.5)."""


class Manoeuvre(NamedTuple):
    """A letter of the movement chart (AS-3.3), in hexsides clockwise off the car's nose."""

    letter: str
    directions: tuple[int, ...]
    turn: int
    speed: int


class Run(NamedTuple):
    """A manoeuvre from one place: hexes and directions of the steps, heading and speed at its end.

    The hexes end with BARRIER where the way leaves the board.
    """

    steps: tuple[tuple[int, int], ...]
    heading: int
    speed: int


class Layout:
    """Tables made from a board file's data; SetupError names the key that is wrong."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        rows = _need(data, "cells", "rows", list)
        self.cells: tuple[str, ...] = tuple(
            f"{chr(ord('a') + column)}{row + 1}"
            for row, count in enumerate(rows)
            for column in range(count)
        )
        self.cell_index = {name: index for index, name in enumerate(self.cells)}
        self.neighbours = _neighbours(rows, self.cell_index)
        pieces = data.get("pieces")
        if not isinstance(pieces, list) or not pieces:
            raise SetupError("board data: pieces: expected the cars in log-sheet order")
        for piece in pieces:
            choice(piece.get("start"), "board data: pieces: start", self.cell_index)
            choice(piece.get("heading"), "board data: pieces: heading", HEADINGS)
        self.cars: tuple[str, ...] = tuple(piece["id"] for piece in pieces)
        self.poses = tuple(
            tuple((Piece("car", name, nose, name=name),) for nose in HEADINGS) for name in self.cars
        )
        """Car -> heading -> the car as it is seen then."""
        self.car_index = {name: index for index, name in enumerate(self.cars)}
        self.start_cells = tuple(self.cell(piece["start"]) for piece in pieces)
        self.start_headings = tuple(heading(piece["heading"]) for piece in pieces)
        self.numbers = _log_sheet(data, len(self.cars))
        self.rounds = len(self.numbers[0])
        self.manoeuvres = _manoeuvres(data)
        self.letters = tuple(self.manoeuvres)
        self.by_speed = {
            speed: tuple(m.letter for m in self.manoeuvres.values() if abs(m.speed - speed) <= 1)
            for speed in (1, 2, 3)
        }
        """Present speed -> letters that AS-3.4 allows."""
        self.straight = {
            m.speed: m.letter
            for m in self.manoeuvres.values()
            if not any(m.directions) and m.turn == 0
        }
        """Speed -> the letter that goes straight ahead at it (AS-3.6)."""
        if set(self.straight) != {1, 2, 3}:
            raise SetupError(
                "board data: manoeuvres: AS-3.6 needs a straight one at speeds 1, 2, 3"
            )
        self.runs = {m.letter: self._runs(m) for m in self.manoeuvres.values()}
        """Letter -> Run for every cell * 6 + heading."""
        self.drives = tuple(
            {
                speed: tuple(Drive(car, x) for x in letters)
                for speed, letters in self.by_speed.items()
            }
            for car in self.cars
        )
        """Car -> present speed -> drives by letters that AS-3.4 allows."""
        codes = [ord(letter) for letter in self.letters]
        self.writable = tuple(map(chr, range(min(codes), max(codes) + 1)))
        """Letters that can be noted: those of the chart and what lies between (AS-3.6 punishes)."""
        self.plots = tuple(
            tuple(
                tuple(Plot(car, number, letter) for letter in (*self.writable, None))
                for number in (*column, None)
            )
            for car, column in zip(self.cars, self.numbers, strict=True)
        )
        """Car -> for each number of its column, and for none, its plots with every letter."""
        self._restarts: dict[tuple[int, int], tuple[tuple[int, tuple[Restart, ...]], ...]] = {}

    def cell(self, name: str) -> int:
        """Index of a cell. SetupError where the board has none of that name."""
        try:
            return self.cell_index[name]
        except (KeyError, TypeError):
            raise SetupError(f"{name!r} is not a cell of this board") from None

    def car(self, name: str) -> int:
        """Index of a car. SetupError where there is none of that colour."""
        try:
            return self.car_index[name]
        except (KeyError, TypeError):
            raise SetupError(f"{name!r} is not a car; cars: {', '.join(self.cars)}") from None

    def restarts(self, car: int, cell: int) -> tuple[tuple[int, tuple[Restart, ...]], ...]:
        """Neighbouring hexes of a cell, each with the restarts of this car to it (AS-4.5)."""
        found = self._restarts.get((car, cell))
        if found is None:
            found = self._restarts[car, cell] = tuple(
                (to, tuple(self._restarts_to(self.cars[car], to, way)))
                for way, to in enumerate(self.neighbours[cell])
                if to != BARRIER
            )
        return found

    def _restarts_to(self, car: str, to: int, way: int) -> Iterator[Restart]:
        for turn in range(-LARGEST_TURN, LARGEST_TURN + 1):
            yield Restart(car, self.cells[to], HEADINGS[(way + turn) % SIDES])

    def _runs(self, manoeuvre: Manoeuvre) -> tuple[Run, ...]:
        runs = []
        for start in range(len(self.cells)):
            for nose in range(SIDES):
                steps, cell = [], start
                for direction in manoeuvre.directions:
                    way = (nose + direction) % SIDES
                    cell = self.neighbours[cell][way]
                    steps.append((cell, way))
                    if cell == BARRIER:
                        break
                end = (nose + manoeuvre.turn) % SIDES
                runs.append(Run(tuple(steps), end, manoeuvre.speed))
        return tuple(runs)


def heading(name: str) -> int:
    """Index of a heading. SetupError where there is none of that name."""
    try:
        return HEADINGS.index(name)
    except ValueError:
        raise SetupError(f"{name!r} is not a heading; headings: {', '.join(HEADINGS)}") from None


def _need(data: Mapping[str, Any], section: str, key: str, kind: type) -> Any:
    part = data.get(section)
    value = part.get(key) if isinstance(part, Mapping) else None
    if not isinstance(value, kind):
        raise SetupError(f"board data: {section}.{key}: expected a {kind.__name__}")
    return value


def _neighbours(
    rows: list[int], index: Mapping[str, int]
) -> tuple[tuple[int, int, int, int, int, int], ...]:
    """Cell -> its neighbours in the order of HEADINGS (AS-1.1); BARRIER outside the board."""

    def at(row: int, x: int) -> int:
        """The cell whose middle lies x half-hexes east of the board's middle line."""
        if not 0 <= row < len(rows):
            return BARRIER
        column, odd = divmod(x + rows[row] - 1, 2)
        if odd or not 0 <= column < rows[row]:
            return BARRIER
        return index[f"{chr(ord('a') + column)}{row + 1}"]

    table = []
    for row, count in enumerate(rows):
        for column in range(count):
            x = 2 * column - count + 1
            table.append(
                (
                    at(row + 1, x + 1),
                    at(row, x + 2),
                    at(row - 1, x + 1),
                    at(row - 1, x - 1),
                    at(row, x - 2),
                    at(row + 1, x - 1),
                )
            )
    return tuple(table)


def _log_sheet(data: Mapping[str, Any], cars: int) -> tuple[tuple[int, ...], ...]:
    """Car -> its numbers, by row of the sheet (AS-3.1)."""
    rows = _need(data, "log_sheet", "numbers", list)
    if any(len(entries(row, "board data: log_sheet.numbers", int)) != cars for row in rows):
        raise SetupError(f"board data: log_sheet.numbers: expected {cars} numbers in every row")
    if len({number for row in rows for number in row}) != cars * len(rows):
        raise SetupError("board data: log_sheet.numbers: a number stands there twice")
    return tuple(tuple(column) for column in zip(*rows, strict=True))


def _manoeuvres(data: Mapping[str, Any]) -> dict[str, Manoeuvre]:
    section = data.get("manoeuvres")
    if not isinstance(section, Mapping):
        raise SetupError("board data: manoeuvres: expected a section")
    chart = {}
    for letter in section:
        if letter in ("confirmed", "note"):
            continue
        where = f"board data: manoeuvres.{letter}"
        if not (isinstance(letter, str) and len(letter) == 1 and letter.isupper()):
            raise SetupError(f"{where}: expected one capital letter")
        steps = _need(section, letter, "steps", list)
        turn, speed = (_need(section, letter, key, int) for key in ("turn", "speed"))
        if not 1 <= len(steps) == speed <= 3:
            raise SetupError(f"{where}: expected one step a hex and a speed of as many, 1 to 3")
        directions, total = [], 0
        for step in entries(steps, f"{where}.steps", int):
            total += step
            directions.append(total)
        chart[letter] = Manoeuvre(letter, tuple(directions), total + turn, speed)
    return chart
