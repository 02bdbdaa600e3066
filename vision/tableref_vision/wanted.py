"""What an eye that goes by looks has still to be shown before it can read a board.

Nothing here needs NumPy or OpenCV, so that the referee and its recordings can do without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tableref_hardware.reading import Section
from tableref_vision.observation import POSE_WORDS

EMPTY, TEACH, AGAIN, START = "empty", "teach", "again", "start"
LEARNT, KNOWN, MISFIT = "learnt", "known", "misfit"
STAGES = (EMPTY, TEACH, AGAIN, START, LEARNT, KNOWN, MISFIT)
"""What is wanted: the empty board, pieces that the start does not show, once more those of them
that could not be made out, the start; or nothing any more, for it has been learnt, or is known from
another evening; or all of it, for what is known does not fit these pieces."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the eye waits for, as of one frame.

    `cells`: cell -> text of what is to lie there. `missing` are those cells on which nothing is
    seen, `other` those on which another piece is, `strange` cells on which something lies where
    nothing is to lie; of the empty board, those that look unlike the others. They are told once
    people have had time. `hand`: something is over the board, or moves. `uneven`: the light is
    another than on the empty board. `unsure`: texts of pieces that are not told for sure even
    in the pictures that they were learnt from.
    """

    time: float
    image: str
    pose: str
    stage: str
    cells: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    hand: bool = False
    uneven: bool = False
    unsure: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """A JSON object of which `read` makes this again."""
        lists = {key: list(getattr(self, key)) for key in ("missing", "other", "strange", "unsure")}
        return asdict(self) | {"cells": dict(self.cells)} | lists

    @staticmethod
    def read(told: Section) -> Wanted:
        """What a section of a file says."""
        cells = told.section("cells")
        return Wanted(
            time=told.number("time"),
            image=told.text("image"),
            pose=told.choice("pose", POSE_WORDS),
            stage=told.choice("stage", STAGES),
            cells={cell: cells.text(cell) for cell in cells},
            missing=tuple(told.texts("missing")),
            other=tuple(told.texts("other")),
            strange=tuple(told.texts("strange")),
            hand=told.flag("hand"),
            uneven=told.flag("uneven"),
            unsure=tuple(told.texts("unsure")) if "unsure" in told else (),
        )
