"""Films of boards without tags, and what reading them is worth: the counts of `score_films.py`."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tableref.commands.see_untagged import starting_texts
from tableref_hardware import load_board
from tableref_vision.camera import Frame
from tableref_vision.pictures import read_picture
from tableref_vision.untagged.reader import Reading, UntaggedReader

COVERED = 0.05  # of a piece that an arm hides: it may be unsure


@dataclass
class Film:
    """One film, its truth, and a reader that learnt the set from its first pictures."""

    folder: Path
    said: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.said = json.loads((self.folder / "frames.json").read_text())
        self.board = load_board(self.said["game"])

    def frame(self, name: str) -> Frame:
        return Frame(read_picture(self.folder / name), 0.0, name)

    def frames(self, *kinds: str) -> list[dict[str, Any]]:
        return [frame for frame in self.said["frames"] if frame["kind"] in kinds]

    def reader(self) -> UntaggedReader:
        reader = UntaggedReader(self.board, self.frame(self.frames("empty")[0]["image"]))
        teaching = self.folder / "teach.json"
        if teaching.exists():
            said = json.loads(teaching.read_text())
            reader.learn(self.frame(said["image"]), said["cells"])
        setup = [
            f"{key}={json.dumps(value)}"
            for key, value in self.said["setup"].items()
            if not isinstance(value, list | dict)
        ]
        start = self.frames("start")[0]["image"]
        reader.learn(self.frame(start), starting_texts(self.board, setup))
        return reader

    def nearest(self, x: float, y: float) -> set[str]:
        """The two cells nearest to x, y."""
        cells = self.board.cells.values()
        return {
            cell.name
            for cell in sorted(cells, key=lambda cell: np.hypot(cell.x - x, cell.y - y))[:2]
        }


@dataclass
class Score:
    """Counts of cells: `wrong` with their names; pieces and empty cells, and how many are sure."""

    wrong: list[str] = field(default_factory=list)
    pieces: int = 0
    sure: int = 0
    empty: int = 0
    empty_sure: int = 0
    doubted: int = 0

    def merge(self, other: Score) -> None:
        """Count the other's cells, too."""
        self.wrong += other.wrong
        self.pieces += other.pieces
        self.sure += other.sure
        self.empty += other.empty
        self.empty_sure += other.empty_sure

    def add(self, film: Film, frame: dict[str, Any], reading: Reading) -> None:
        truth: dict[str, list[str]] = defaultdict(list)
        near: set[str] = set()
        covered: set[str | None] = set()
        for piece in frame["pieces"]:
            if piece["cell"] is None:
                near |= film.nearest(piece["x"], piece["y"])
            else:
                truth[piece["cell"]].append(piece["what"].replace("hidden", "?"))
            if piece["hidden"] > COVERED:
                covered.add(piece["cell"])
        for cell, texts in reading.cells.items():
            wanted = truth.get(cell, [""])
            if len(wanted) > 1:
                wanted = [*wanted, " ".join(wanted), " ".join(reversed(wanted))]
            right = any(_allows(film, texts, text) for text in wanted)
            sure = len(texts) == 1 or (
                len({text.split()[0] for text in texts if text}) == 1
                and ("" not in texts and film.said["game"] == "squod")
            )
            loose = frame["kind"] in ("arm", "coin") or cell in near or cell in covered
            if not right and not (cell in near and texts == {""}):
                self.wrong.append(f"{frame['image']} {cell} is {wanted}, read {sorted(texts)}")
            elif not loose and wanted == [""]:
                self.empty += 1
                self.empty_sure += sure
            elif not loose:
                self.pieces += 1
                self.sure += sure


def _allows(film: Film, texts: frozenset[str], text: str) -> bool:
    """Whether these texts allow this one; an open face allows every face of its side."""
    if text in texts:
        return True
    return film.said["game"] == "squod" and bool(text) and f"{text.split()[0]} ?" in texts
