"""Vision's word for one frame: what was seen, what was not, and about what nothing can be said.

Nothing here needs NumPy or OpenCV, so that the referee and its recordings can do without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tableref_hardware.reading import Section


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A piece that was seen.

    `x`, `y` are its middle in mm in the board's frame, `yaw` where its nose points in degrees
    anticlockwise from east. `cell` is None between cells and off the board, `heading` is None
    where it stands askew. `confidence` runs from 0 to 1.
    """

    id: str | None
    kind: str
    colour: str
    cell: str | None
    heading: str | None
    x: float
    y: float
    yaw: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame, read.

    `time` in seconds is the frame's, `image` its name. `pose` is "ok", or says in a code why
    no place on the board can be told (`POSE_WORDS`); then `pieces` is empty. `not_seen` are ids
    of the board's pieces that were not seen, `twice` those among them whose tag was in view more
    than once. About `covered` cells nothing can be said: a hand, something moving, out of the
    picture. `hand`: something that is no piece is over the board. `still`: nothing moves.

    An eye that goes by looks tells `cells`: cell -> texts of what may stand there, "" for nothing;
    of a cell that is missing nothing is known. It is None for an eye that goes by tags. `places`
    says where on its cell a piece stands, mm east and north of the middle, `beneath` what sticks
    out from under it. On `strange` cells lies something that is no piece.
    """

    time: float
    image: str
    pose: str
    pieces: tuple[SeenPiece, ...]
    not_seen: tuple[str, ...]
    covered: frozenset[str]
    hand: bool
    still: bool
    twice: tuple[str, ...] = ()
    cells: Mapping[str, frozenset[str]] | None = None
    strange: tuple[str, ...] = ()
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    beneath: Mapping[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """A JSON object from which `from_record` makes this observation again."""
        cells = self.cells or {}
        record: dict[str, Any] = asdict(self)
        return record | {
            "pieces": [asdict(piece) for piece in self.pieces],
            "not_seen": list(self.not_seen),
            "covered": sorted(self.covered),
            "twice": list(self.twice),
            "cells": None if self.cells is None else {c: sorted(cells[c]) for c in sorted(cells)},
            "strange": list(self.strange),
            "places": {cell: list(place) for cell, place in sorted(self.places.items())},
            "beneath": dict(sorted(self.beneath.items())),
        }

    @staticmethod
    def from_record(record: Mapping[str, Any]) -> Observation:
        """The observation of this record. ValueError where it is none."""
        return Observation.read(Section("observation", "", record))

    @staticmethod
    def read(told: Section) -> Observation:
        """The same, of a section of a file."""
        return Observation(
            time=told.number("time"),
            image=told.text("image"),
            pose=told.choice("pose", POSE_WORDS),
            pieces=tuple(map(_piece, told.sections("pieces"))),
            not_seen=tuple(told.texts("not_seen")),
            covered=frozenset(told.texts("covered")),
            hand=told.flag("hand"),
            still=told.flag("still"),
            twice=tuple(told.texts("twice")),
            cells=_cells(told),
            strange=tuple(told.texts("strange")) if "strange" in told else (),
            places=_places(told),
            beneath=_beneath(told),
        )


def only_a_hand(time: float, image: str) -> Observation:
    """What is told of a frame in which something moves, and no more can be seen."""
    return Observation(
        time=time,
        image=image,
        pose="ok",
        pieces=(),
        not_seen=(),
        covered=frozenset(),
        hand=True,
        still=False,
        cells={},
    )


def _cells(told: Section) -> dict[str, frozenset[str]] | None:
    """What may stand on the cells, where the eye went by looks."""
    if "cells" not in told or told.values()["cells"] is None:
        return None
    cells = told.section("cells")
    return {cell: frozenset(cells.texts(cell)) for cell in cells}


def _places(told: Section) -> dict[str, tuple[float, float]]:
    """Where pieces stand on their cells."""
    if "places" not in told:
        return {}
    places = told.section("places")
    return {cell: _place(places, cell) for cell in places}


def _place(places: Section, cell: str) -> tuple[float, float]:
    x, y = places.numbers(cell, 2)
    return x, y


def _beneath(told: Section) -> dict[str, str]:
    """What sticks out from under pieces."""
    if "beneath" not in told:
        return {}
    beneath = told.section("beneath")
    return {cell: beneath.text(cell) for cell in beneath}


def _piece(told: Section) -> SeenPiece:
    return SeenPiece(
        id=told.perhaps(told.text, "id"),
        kind=told.text("kind"),
        colour=told.text("colour"),
        cell=told.perhaps(told.text, "cell"),
        heading=told.perhaps(told.text, "heading"),
        x=told.number("x"),
        y=told.number("y"),
        yaw=told.number("yaw"),
        confidence=told.number("confidence", 0.0, 1.0),
    )


POSE_WORDS: Mapping[str, str] = {
    "ok": "the board is in view",
    "no-board": "no corner tag of the board is in view",
    "mirrored": "the picture is mirrored: switch that off in the camera's settings",
    "few-corners": "too few corner tags are in view to tell where the board lies",
    "same-tag-twice": "a corner tag is in view twice: is there a second board or a printed sheet?",
    "bad-fit": "the corner tags do not lie as on this board: is it bent, or printed wrongly?",
    "bumped": "the camera or the board has moved",
    "off-centre": "all pieces stand off their cells alike: are board and tags of the right size?",
    "wrong-size": "the pieces' tags do not match the board's: was a sheet printed scaled?",
    "uneven": "a shadow lies across the board, or its light has changed",
    "bright": "the board is burnt out in the picture: take light away, or expose less",
    "other-camera": "the calibration was made with pictures of another shape: calibrate again",
}
"""Every code of `Observation.pose`, and what it tells a person."""
