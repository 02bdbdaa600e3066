"""Whether what was learnt tells the pieces on the table: of a lesson, and of another evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from tableref_hardware import Board, shown
from tableref_vision.observation import Observation
from tableref_vision.untagged.kept import Looks, frame_of
from tableref_vision.untagged.reader import NOTHING, UntaggedReader
from tableref_vision.wanted import EMPTY, TEACH

ENOUGH = 4  # pieces by which it is told whether what was learnt another evening fits
MORE = 0.25  # of the pieces that may be in doubt beyond those that were from the beginning
FEW = 0.1  # of the cells on which nothing stands that may be in doubt
WAITS = 3.0  # s for which pieces may be in doubt before it is said


def taught(board: Board, looks: Looks) -> UntaggedReader:
    """A reader that has learnt from these pictures, first from the one with the most pieces: by
    several it is plainer how they lie. VisionError"""
    reader = UntaggedReader(board, frame_of(looks.empty, EMPTY))
    for lesson in sorted(looks.lessons, key=lambda one: -len(one.cells)):
        reader.learn(frame_of(lesson.image, TEACH), lesson.cells)
    return reader


class Shares(NamedTuple):
    """Text -> how many pieces of it lay in the lessons, and how many of them are told."""

    there: Counter[str]
    told: Counter[str]


def shares(board: Board, reader: UntaggedReader, looks: Looks) -> Shares:
    """What the reader tells of the pictures that it has learnt from."""
    found = Shares(Counter(), Counter())
    for lesson in looks.lessons:
        read = reader.read(frame_of(lesson.image, TEACH)).cells
        for cell, text in lesson.cells.items():
            if len(shown(board.looks, text)) == 1:
                found.there[text] += 1
                found.told[text] += read[cell] == {text}
    return found


def untold(board: Board, reader: UntaggedReader, looks: Looks) -> tuple[str, ...]:
    """Texts of which most pieces are not told for sure though they were learnt from: two colours
    are too much alike, or a picture was not made out."""
    there, told = shares(board, reader, looks)
    return tuple(sorted(text for text in there if 2 * told[text] < there[text]))


class Trial:
    """Whether what was learnt on another evening fits the pieces of this one: as soon as enough
    of them lie there, no more of them may be in doubt than were when they were learnt."""

    def __init__(self, board: Board, reader: UntaggedReader, looks: Looks) -> None:
        there, told = shares(board, reader, looks)
        count = there.total()
        self._board = board
        self._most = MORE + (1.0 - told.total() / count if count else 0.0)
        self._since: float | None = None

    def fits(self, seen: Observation, stands: Mapping[str, str]) -> bool | None:
        """Whether it does, by what is seen where by the rules something stands; None as long as
        that is not plain."""
        if seen.pose != "ok" or seen.hand or not seen.still or seen.cells is None:
            return None
        told = {cell: seen.cells.get(cell, frozenset()) for cell in self._board.cells}
        told = {cell: may for cell, may in told.items() if cell not in seen.covered}
        single = [c for c, text in stands.items() if len(shown(self._board.looks, text)) == 1]
        there = [told[cell] for cell in single if cell in told and told[cell] != {NOTHING}]
        doubted = sum(len(may) != 1 for may in there)
        elsewhere = sum(not may for cell, may in told.items() if cell not in stands)
        if doubted > self._most * max(len(there), ENOUGH) or elsewhere > FEW * len(told):
            self._since = seen.time if self._since is None else self._since
            return False if seen.time - self._since >= WAITS else None
        self._since = None
        return True if len(there) >= max(ENOUGH, len(single) / 2) else None
