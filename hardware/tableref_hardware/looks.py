"""What pieces look like, as a board file's `[looks]` says it, and which senses a table has.

A look is all that an eye or a drawing must know of a kind of piece: its shape and size, by what it
is told apart, and what of it shows. A text such as `white arrow up` or `0 rock` names a piece by
words that stand in its look, in any order, so that no grammar of texts is repeated here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

from tableref_hardware.reading import Section

SHAPES = ("disc", "ball", "box", "token")
LARGEST = 1000.0
"""Of a piece, in mm."""
HIDDEN = ("?", "hidden")
"""Words for a face that lies hidden."""


@dataclass(frozen=True, slots=True)
class Paint:
    """How pieces of one side look: a colour, `#rrggbb`, as a hint for drawing, for an eye learns
    the colours of the set in use; and the form of a token's end, `round`, `hollow` or empty."""

    colour: str
    end: str = ""

    @property
    def rgb(self) -> tuple[int, int, int]:
        """Red, green and blue, 0 to 255."""
        red, green, blue = bytes.fromhex(self.colour.removeprefix("#"))
        return red, green, blue


@dataclass(frozen=True, slots=True)
class Look:
    """What pieces of one kind look like. Lengths in mm.

    `length` lies along the facing; a disc and a ball have it for their diameter, as their width.
    `told`: by its `tag`, or by its `side`, that is by colour and form. `sides` has the paint of
    each side, or of the one piece that has none (the side ""). `facings` are names of headings and
    `faces` the pictures that can show, `hidden` patterns of names of cells where they do not.
    `sign` is the size of what is engraved or printed on top, 0 for nothing; `way`, whether it shows
    which way the piece faces.
    """

    kind: str
    shape: str
    length: float
    width: float
    height: float
    told: str
    sides: Mapping[str, Paint]
    facings: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    sign: float = 0.0
    way: bool = True

    def hides(self, cell: str) -> bool:
        """Whether this piece's face cannot be seen on this cell."""
        return any(fnmatchcase(cell, pattern) for pattern in self.hidden)


class Shown(NamedTuple):
    """A piece as its text names it; what the text leaves open is empty, a hidden face is `?`."""

    look: Look
    side: str
    facing: str = ""
    face: str = ""


@dataclass(frozen=True, slots=True)
class Senses:
    """What a table is watched by. `board`: a camera goes by `tags`, by `looks`, or there is `none`
    over the board; `switches` under the cells; `mat`: a camera over a dice mat."""

    board: str
    switches: bool
    mat: bool


def shown(looks: Mapping[str, Look], text: str) -> tuple[Shown, ...]:
    """The pieces that this text names, as it names them, lowest first where it says so.

    ValueError where a word belongs to no look, or two looks fit.
    """
    pieces: list[Shown] = []
    words = text.split()
    while words:
        fits = [(count, piece) for look in looks.values() for count, piece in _fits(look, words)]
        most = max((count for count, _ in fits), default=0)
        best = [piece for count, piece in fits if count == most]
        if len(best) != 1:
            raise ValueError(f"{text!r}: {words[0]!r} is in {len(best)} of this board's looks")
        pieces.append(best[0])
        del words[:most]
    return tuple(pieces)


def _fits(look: Look, words: list[str]) -> list[tuple[int, Shown]]:
    """How many of the first words this look explains, each sort of word once, and as what."""
    side = kind = facing = face = ""
    count = 0
    for word in words:
        if not side and word in look.sides:
            side = word
        elif not kind and word == look.kind:
            kind = word
        elif not facing and word in look.facings:
            facing = word
        elif not face and (word in look.faces or (look.faces and word in HIDDEN)):
            face = "?" if word in HIDDEN else word
        else:
            break
        count += 1
    told = (side or "" in look.sides) and (kind or side)
    return [(count, Shown(look, side, facing, face))] if told else []


def read_looks(section: Section, headings: Collection[str]) -> dict[str, Look]:
    """Kind -> look, of a board file's `[looks]`. BoardFileError"""
    return {kind: _look(kind, section.section(kind), headings) for kind in section}


def _look(kind: str, section: Section, headings: Collection[str]) -> Look:
    shape = section.choice("shape", SHAPES)
    if shape in ("disc", "ball"):
        length = width = section.number("diameter", least=1.0, most=LARGEST)
        height = length if shape == "ball" else section.number("height", least=0.0, most=LARGEST)
    else:
        length, width = (
            section.number("length", least=1.0, most=LARGEST),
            section.number("width", least=1.0, most=LARGEST),
        )
        height = section.number("height", least=0.0, most=LARGEST)
    facings = tuple(section.texts("facings")) if "facings" in section else ()
    if unknown := [name for name in facings if name not in headings]:
        raise section.wrong("facings", f"{unknown[0]!r} is none of this board's headings")
    return Look(
        kind=kind,
        shape=shape,
        length=length,
        width=width,
        height=height,
        told=section.choice("told", ("tag", "side")),
        sides=_sides(section),
        facings=facings,
        faces=tuple(section.texts("faces")) if "faces" in section else (),
        hidden=tuple(section.texts("hidden")) if "hidden" in section else (),
        sign=section.number("sign", least=0.0, most=LARGEST) if "sign" in section else 0.0,
        way=section.flag("way") if "way" in section else True,
    )


def _sides(section: Section) -> dict[str, Paint]:
    if "sides" not in section:
        return {"": _paint(section)}
    sides = section.section("sides")
    if not sides:
        raise section.wrong("sides", "expected at least one side")
    return {side: _paint(sides.section(side)) for side in sides}


def _paint(section: Section) -> Paint:
    colour = section.text("colour")
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise section.wrong("colour", f"expected a colour as '#f0a020', found {colour!r}")
    return Paint(colour, section.choice("end", ("round", "hollow")) if "end" in section else "")


def read_senses(section: Section) -> Senses:
    """The senses of a board file's `[table]`; without one, switches alone. BoardFileError"""
    if not section:
        return Senses("none", True, False)
    return Senses(
        section.choice("board", ("tags", "looks", "none")),
        section.flag("switches"),
        section.flag("mat"),
    )
