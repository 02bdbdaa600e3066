"""Pictures with exact truth, and what a reading of them is worth."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tableref_vision.observation import Observation

VISIBLE = 0.02  # of a roof tag that may be hidden


@dataclass
class Score:
    """What became of the cars of one or more pictures; `wrong` is what must never happen."""

    right: int = 0
    missing: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    snapped: list[str] = field(default_factory=list)
    off: list[float] = field(default_factory=list)  # mm

    @property
    def reported(self) -> float:
        """The share of visible cars that were reported."""
        return self.right / max(1, self.right + len(self.missing))

    def off_at(self, share: float) -> float:
        """The distance in mm from the truth that this share of the cars keeps within."""
        return sorted(self.off)[min(len(self.off) - 1, int(len(self.off) * share))]

    def add(self, seen: Observation, cars: Mapping[str, Mapping[str, Any]]) -> None:
        """Compare one observation with the truth."""
        pieces = {piece.id: piece for piece in seen.pieces}
        self.wrong += [f"{seen.image}: {name}, which is not there" for name in pieces - cars.keys()]
        for name, truth in cars.items():
            piece, what = pieces.get(name), f"{seen.image}: {name}"
            cell, heading = (piece.cell, piece.heading) if piece else (None, None)
            if truth["cell"] is None or truth["heading"] is None:
                if (truth["cell"] is None and cell) or (truth["heading"] is None and heading):
                    self.snapped.append(what)
            elif piece is None or cell is None or heading is None:
                if truth["hidden"] < VISIBLE:
                    self.missing.append(what)
            elif (cell, heading) != (truth["cell"], truth["heading"]):
                self.wrong.append(f"{what} on {cell} {heading}")
            else:
                self.right += 1
                self.off.append(math.dist((piece.x, piece.y), (truth["x"], truth["y"])))


def stills(scenes: Path, *kinds: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Pictures of these kinds, each with its cars."""
    for kind in kinds:
        for picture in sorted((scenes / kind).glob("*.jpg")):
            yield picture, json.loads(picture.with_suffix(".json").read_text())["cars"]


def game(scenes: Path, name: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The frames of a game in order, each with its cars."""
    for frame in json.loads((scenes / name / "frames.json").read_text())["frames"]:
        yield scenes / name / frame["image"], frame["cars"]
