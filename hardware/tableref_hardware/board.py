"""Board files: geometry, cells, tags, switches and lights, read with typed and kind errors.

A board file is TOML (`boards/*.toml`). What the referee and the eye need is typed here; sections
that only one game understands (`log_sheet`, `manoeuvres`) are handed on whole as `Board.data`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from tableref_hardware.files import FileError, parse_toml, read_text, shown
from tableref_hardware.looks import Look, Senses, read_looks, read_senses
from tableref_hardware.reading import BoardFileError, Section

FORMAT = "table-board/1"
MOST_CELLS = 1000
"""Far more than any table has room for: a board of them is still read and drawn at once."""
LARGEST = 10_000.0
"""Of a length on a board, in mm."""
MOST_ROWS, LETTERS = 38, 26
"""Of a board whose cells are named by letter and number."""
MOST_TURN = 3600.0
"""Degrees that a bend of a track may turn."""
APART = 1.0
"""Between the middles of two cells at least, in mm."""
DICTIONARIES = {
    f"{side}X{side}_{count}": count for side in (4, 5, 6, 7) for count in (50, 100, 250, 1000)
}
"""Families of tags that OpenCV knows -> how many tags each has."""
MAGNET_READS = ("low", "high")
"""How a register's input reads with a magnet over its switch: low by an open drain (NPN), which is
what the drawings are for, high by switches of the other kind (PNP)."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The board plate: width (x), depth (y), height of its top above the table; all in mm."""

    width: float
    depth: float
    top: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A place for a piece: its middle in mm in the board's frame, its switch and its light."""

    name: str
    x: float
    y: float
    switch: int | None
    light: int | None


@dataclass(frozen=True, slots=True)
class CornerTag:
    """A tag printed on the plate: id, centre in mm, side of the black square in mm."""

    id: int
    x: float
    y: float
    square: float


@dataclass(frozen=True, slots=True)
class PieceTag:
    """The tag on a piece's roof: black square, where its centre lies (ahead, height) in mm."""

    square: float
    quiet: float
    ahead: float
    height: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: id (`red`), kind (`car`), tag or None, start cell and heading or empty texts."""

    id: str
    kind: str
    tag: int | None
    start: str
    heading: str


@dataclass(frozen=True, slots=True)
class Board:
    """One board file.

    `headings` maps names to degrees anticlockwise from east, in clockwise order. `near` (mm) and
    `askew` (degrees) bound what still counts as on a cell and along a heading. `looks` has
    what each kind of piece looks like, `senses` what the table is watched by. `unconfirmed`
    names the sections that an owner should check against the printed game. `data` is the whole
    file, for the rules of its game. `magnet` is how a switch reads with a magnet over it.
    """

    game: str
    title: str
    plate: Plate
    cells: Mapping[str, Cell]
    headings: Mapping[str, float]
    near: float
    askew: float
    dictionary: str
    corner_tags: tuple[CornerTag, ...]
    piece_tag: PieceTag | None
    pieces: tuple[Piece, ...]
    looks: Mapping[str, Look]
    senses: Senses
    unconfirmed: tuple[str, ...]
    data: Mapping[str, Any]
    source: str
    magnet: str = MAGNET_READS[0]

    def piece_by_tag(self, tag: int) -> Piece | None:
        """The piece that wears this tag, or None."""
        return next((piece for piece in self.pieces if piece.tag == tag), None)


def board_names() -> tuple[str, ...]:
    """Names of the boards that ship with Tableref, sorted."""
    folder = resources.files("tableref_hardware") / "boards"
    return tuple(
        sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    )


def load_board(name_or_path: str) -> Board:
    """The board shipped under this name, or the one in this `.toml` file.

    Raises BoardFileError where there is none, or where it does not say what a board must say.
    """
    if name_or_path.endswith(".toml"):
        path = Path(name_or_path)
        try:
            text = read_text(path)
        except FileError as error:
            raise BoardFileError(str(error)) from error
        return read_board(text, str(path))
    if name_or_path not in board_names():
        raise BoardFileError(
            f"there is no board named {shown(name_or_path)}; "
            f"there are {', '.join(board_names())}, or give a path that ends in .toml"
        )
    file = resources.files("tableref_hardware") / "boards" / f"{name_or_path}.toml"
    return read_board(file.read_text(encoding="utf-8"), f"boards/{name_or_path}.toml")


def read_board(text: str, source: str) -> Board:
    """The board that this TOML text describes; `source` names it in errors (BoardFileError)."""
    try:
        data = parse_toml(text, source)
    except FileError as error:
        raise BoardFileError(str(error)) from error
    top = Section(source, "", data)
    top.choice("format", (FORMAT,))
    wiring = top.section("wiring", optional=True)
    cells = _cells(top, wiring)
    headings = top.section("headings", optional=True)
    corner_tags = top.section("corner_tags", optional=True)
    return Board(
        game=top.text("game"),
        title=top.text("title"),
        plate=_plate(top.section("plate")),
        cells=cells,
        headings={name: headings.number(name, least=-360.0, most=360.0) for name in headings},
        near=top.section("cells").number("near", least=0.0, most=LARGEST),
        askew=top.section("cells").number("askew", least=0.0, most=360.0),
        dictionary=corner_tags.choice("dictionary", DICTIONARIES) if corner_tags else "",
        corner_tags=_corner_tags(corner_tags) if corner_tags else (),
        piece_tag=_piece_tag(top.section("piece_tags", optional=True)),
        pieces=_pieces(top, cells, headings),
        looks=read_looks(top.section("looks", optional=True), tuple(headings)),
        senses=read_senses(top.section("table", optional=True)),
        unconfirmed=tuple(
            name
            for name, value in data.items()
            if isinstance(value, dict) and value.get("confirmed") is False
        ),
        data=data,
        source=source,
        magnet=wiring.choice("magnet", MAGNET_READS) if "magnet" in wiring else MAGNET_READS[0],
    )


def _plate(section: Section) -> Plate:
    return Plate(
        section.number("width", least=1.0, most=LARGEST),
        section.number("depth", least=1.0, most=LARGEST),
        section.number("top", least=0.0, most=LARGEST),
    )


def _cells(top: Section, wiring: Section) -> dict[str, Cell]:
    section = top.section("cells")
    shape = section.choice("shape", ("spots", *_PLACES))
    places = _spots(top.section("spots")) if shape == "spots" else _PLACES[shape](section)
    _check_places(section if shape != "spots" else top, shape, places)
    switches, lights = (_numbers(wiring, key, places) for key in ("switches", "lights"))
    return {
        name: Cell(name, x, y, switches.get(name), lights.get(name))
        for name, (x, y) in places.items()
    }


def _check_places(section: Section, shape: str, places: Mapping[str, tuple[float, float]]) -> None:
    """BoardFileError where there are too few cells or too many, or two lie on one another."""
    key = "shape" if shape != "spots" else "spots"
    if not 2 <= len(places) <= MOST_CELLS:
        raise section.wrong(key, f"expected 2 to {MOST_CELLS} cells, found {len(places)}")
    for name in places:
        if not name.isprintable() or " " in name or not name:
            raise section.wrong(key, f"{shown(name)} is no name for a cell")
    rows: dict[int, list[tuple[float, float, str]]] = {}
    for name, (x, y) in places.items():
        rows.setdefault(math.floor(y / APART), []).append((x, y, name))
    for row, cells in rows.items():
        for x, y, name in cells:
            for x2, y2, other in (*cells, *rows.get(row + 1, ())):
                if name != other and math.dist((x, y), (x2, y2)) < APART:
                    raise section.wrong(key, f"{name} and {other} lie on one another")


def _hex_places(section: Section) -> dict[str, tuple[float, float]]:
    """Middles of staggered rows of hexes that stand on a corner, row 1 southernmost (AS-1.1)."""
    return _rows(_counts(section), _pitch(section, "flats"), _pitch(section, "row_pitch"))


def _counts(section: Section) -> list[int]:
    """Cells in each row, from the south."""
    rows = section.integers("rows")
    if not 1 <= len(rows) <= MOST_ROWS or not all(0 <= count <= LETTERS for count in rows):
        raise section.wrong("rows", f"expected 1 to {MOST_ROWS} rows of at most {LETTERS} cells")
    return rows


def _pitch(section: Section, key: str) -> float:
    """A distance of cells in mm."""
    return section.number(key, least=1.0, most=LARGEST)


def _rows(rows: list[int], pitch: float, row_pitch: float) -> dict[str, tuple[float, float]]:
    """Centred rows of cells, a1 at the west end of the southernmost."""
    middle = (len(rows) - 1) / 2
    return {
        f"{chr(ord('a') + column)}{row + 1}": (
            round((column - (count - 1) / 2) * pitch, 6),
            round((row - middle) * row_pitch, 6),
        )
        for row, count in enumerate(rows)
        for column in range(count)
    }


def _lattice_places(section: Section) -> dict[str, tuple[float, float]]:
    """Centred rows of intersections, row 1 southernmost (AE-1.1)."""
    return _rows(_counts(section), _pitch(section, "pitch"), _pitch(section, "row_pitch"))


def _ring_places(section: Section) -> dict[str, tuple[float, float]]:
    """A square ring, and on its sides ramps with a lane before each edge cell (SQ-1.1).

    Line 1 of a ramp lies outside; lanes count as the ring's columns (S, N) or rows (W, E) do.
    """
    size, lines = section.integer("size", 1, 9), section.integer("lines", 1, 9)
    pitch = _pitch(section, "pitch")
    places = _rows([size] * size, pitch, pitch)
    middle = (size - 1) / 2
    out = {"S": (0, -1), "W": (-1, 0), "N": (0, 1), "E": (1, 0)}
    for side in section.texts("sides"):
        if side not in out:
            raise section.wrong("sides", f"expected some of {', '.join(out)}, found {side!r}")
        east, north = out[side]
        for line in range(1, lines + 1):
            away = middle + lines + 1 - line
            for lane in range(1, size + 1):
                along = lane - 1 - middle
                x = (along if east == 0 else east * away) * pitch
                y = (along if north == 0 else north * away) * pitch
                places[f"{side}{line}{lane}"] = (round(x, 6), round(y, 6))
    return places


def _track_places(section: Section) -> dict[str, tuple[float, float]]:
    """Two lanes along a bent middle line, yellow Y1.. to its left, black K1.. back (SC-1.1).

    `bends` are [length in mm, turn in degrees, anticlockwise +], from x, y
    towards `heading`.
    """
    pitch, lanes = _pitch(section, "pitch"), _pitch(section, "lanes")
    count = section.integer("cells_per_side", 1, MOST_CELLS // 2)
    heading = math.radians(section.number("heading", least=-360.0, most=360.0))
    x, y = _place(section)
    bends = section.points("bends")
    length = sum(bend for bend, _ in bends)
    if any(bend <= 0.0 or abs(turn) > MOST_TURN for bend, turn in bends):
        raise section.wrong("bends", f"expected lengths above 0, turns to {MOST_TURN:g} degrees")
    if length < count * pitch:
        raise section.wrong("bends", f"{length:g} mm are too short for {count} cells of {pitch:g}")
    places: dict[str, tuple[float, float]] = {}
    passed, cell = 0.0, 1
    for bend, degrees in bends:
        turn = math.radians(degrees) / bend
        while cell <= count and (away := (cell - 0.5) * pitch - passed) <= bend:
            east, north = _along(away, turn, heading)
            left = heading + turn * away + math.pi / 2
            for name, side in ((f"Y{cell}", 0.5), (f"K{count + 1 - cell}", -0.5)):
                places[name] = (
                    round(x + east + side * lanes * math.cos(left), 6),
                    round(y + north + side * lanes * math.sin(left), 6),
                )
            cell += 1
        east, north = _along(bend, turn, heading)
        x, y, heading, passed = x + east, y + north, heading + turn * bend, passed + bend
    return places


def _along(length: float, turn: float, heading: float) -> tuple[float, float]:
    """Where an arc of this length leads, that turns by `turn` radians a mm."""
    if turn == 0.0:
        return length * math.cos(heading), length * math.sin(heading)
    end = heading + turn * length
    return (math.sin(end) - math.sin(heading)) / turn, (math.cos(heading) - math.cos(end)) / turn


def _spots(section: Section) -> dict[str, tuple[float, float]]:
    """Each spot at its own place (SD-1.1)."""
    spots = ((name, section.section(name)) for name in section)
    return {name: _place(spot) for name, spot in spots}


def _place(section: Section) -> tuple[float, float]:
    """x and y in mm."""
    x, y = (section.number(key, least=-LARGEST, most=LARGEST) for key in ("x", "y"))
    return x, y


_PLACES: Mapping[str, Callable[[Section], dict[str, tuple[float, float]]]] = {
    "hex": _hex_places,
    "lattice": _lattice_places,
    "ring": _ring_places,
    "track": _track_places,
}
"""Shape of a board's cells -> the places of their middles, by name."""


def _numbers(wiring: Section, key: str, places: Mapping[str, object]) -> dict[str, int]:
    """Cell -> its place in a chain; every name must be a cell, none twice."""
    if not wiring or key not in wiring:
        return {}
    names = wiring.texts(key)
    for name in names:
        if name not in places:
            raise wiring.wrong(key, f"{shown(name)} is not a cell of this board")
        if names.count(name) > 1:
            raise wiring.wrong(key, f"{name!r} stands there twice")
    return {name: number for number, name in enumerate(names)}


def _corner_tags(section: Section) -> tuple[CornerTag, ...]:
    square = section.number("square", least=1.0, most=LARGEST)
    if "quiet" in section:
        section.number("quiet", least=1.0, most=LARGEST)
    ids, centres = section.integers("ids"), section.points("centres")
    last = DICTIONARIES[section.choice("dictionary", DICTIONARIES)] - 1
    if len(set(ids)) < len(ids) or any(not 0 <= tag <= last for tag in ids):
        raise section.wrong("ids", f"expected different numbers, 0 to {last}")
    if any(max(abs(x), abs(y)) > LARGEST for x, y in centres):
        raise section.wrong("centres", f"expected places within {LARGEST:g} mm of the middle")
    if len(ids) != len(centres):
        raise section.wrong("centres", f"expected {len(ids)} centres, one for each id")
    return tuple(CornerTag(i, x, y, square) for i, (x, y) in zip(ids, centres, strict=True))


def _piece_tag(section: Section) -> PieceTag | None:
    if not section:
        return None
    return PieceTag(
        section.number("square", least=1.0, most=LARGEST),
        section.number("quiet", least=1.0, most=LARGEST),
        section.number("ahead", least=-LARGEST, most=LARGEST),
        section.number("height", least=0.0, most=LARGEST),
    )


def _pieces(top: Section, cells: Mapping[str, Cell], headings: Section) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    for section in top.sections("pieces"):
        start, heading = section.text("start", default=""), section.text("heading", default="")
        if start and start not in cells:
            raise section.wrong("start", f"{shown(start)} is not a cell of this board")
        if heading and heading not in headings:
            raise section.wrong("heading", f"expected one of {', '.join(headings)}")
        tag = (
            section.integer("tag", 0, max(DICTIONARIES.values()) - 1) if "tag" in section else None
        )
        piece = Piece(section.text("id"), section.text("kind"), tag, start, heading)
        if any(piece.id == p.id or (tag is not None and tag == p.tag) for p in pieces):
            raise section.wrong("id", f"{shown(piece.id)} or its tag {tag} stands there twice")
        pieces.append(piece)
    return tuple(pieces)
