"""Watches a board of pieces without tags: learns from the frames that are for setting up, and makes
observations of those that come then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.errors import VisionError
from tableref_vision.motion import PlateMotion
from tableref_vision.observation import Observation
from tableref_vision.opencv import Picture
from tableref_vision.reader import REREAD, RETRY
from tableref_vision.untagged.reader import LIGHTS, Memory, Reading, UntaggedReader
from tableref_vision.view import View

HIDING = ("covered", *LIGHTS)
"""Doubts that say that a cell cannot be seen, and not that something odd lies there."""
STAYS = 3.0
"""Seconds after which a shadow across the board is the light that it lies in."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A picture whose pieces are known: its name, what lies where as texts; and the picture, where
    it is not one of the camera's frames. `play`: it is looked at as play, too, for the game starts
    from there."""

    name: str
    cells: Mapping[str, str]
    image: Picture | None = None
    play: bool = False


class Lookout:
    """Makes observations of frames, with a reader that has learnt."""

    def __init__(self, reader: UntaggedReader) -> None:
        self.reader = reader
        self._memory: Memory = {}
        self._motion = PlateMotion(reader.board)
        self._dim_since: float | None = None
        self._last: Observation | None = None
        self._due = 0.0

    @property
    def view(self) -> View | None:
        """How the camera saw the board in the last frame; None where that could not be told."""
        return self.reader.view

    def forget(self) -> None:
        """What was read before may be read otherwise now."""
        self._memory.clear()
        self._last = None

    def look(self, frame: Frame, lit: Collection[str] = ()) -> Observation:
        """What this frame shows; one on which nothing has moved shows what the last one did, and is
        read again only now and then."""
        moving = self._motion.look(frame, self.view, lit)
        last, idle = self._last, moving.compared and not moving.any and frame.time < self._due
        if idle and last is not None and last.still:
            self._last = replace(last, time=frame.time, image=frame.name)
            return self._last
        reading = self.reader.read(frame, self._memory)
        if not reading.dim:
            self._dim_since = None
        elif moving.any or self._dim_since is None:
            self._dim_since = frame.time
        elif frame.time - self._dim_since >= STAYS:
            # It is no arm that goes again: the light is another from now on.
            self.forget()
            if self.reader.relight(frame):
                reading = self.reader.read(frame, self._memory)
            if reading.dim:
                reading = replace(reading, pose=reading.doubts[0].code)
        self._last = _observation(frame, reading, moving.cells, moving.any)
        # What is in doubt may be told a moment later; how long it is dim is counted above.
        doubted = reading.pose != "ok" or reading.doubts
        self._due = frame.time + (0.0 if reading.dim else RETRY if doubted else REREAD)
        return self._last


class LooksEye:
    """Reads one board by what its pieces look like, frame after frame; it learns from frames whose
    names are known.

    >>> eye = LooksEye(board, "0000.jpg", [Lesson("0001.jpg", {"a1": "white arrow up"})])
    >>> eye.read(frame).cells["a1"]
    frozenset({'white arrow up'})
    """

    def __init__(self, board: Board, empty: str, lessons: Sequence[Lesson]) -> None:
        """`empty` is the name of the frame that shows the board before the pieces."""
        self.board = board
        self._empty = empty
        self._lessons = list(lessons)
        self._lookout: Lookout | None = None

    @property
    def view(self) -> View | None:
        """How the camera saw the board in the last frame; None where that could not be told."""
        return self._lookout.view if self._lookout is not None else None

    @property
    def wanted(self) -> frozenset[str]:
        """Names of the frames that it has not been shown yet and learns from."""
        if self._lookout is not None:
            return frozenset()
        return frozenset({self._empty, *(one.name for one in self._lessons if one.image is None)})

    def read(self, frame: Frame, lit: Collection[str] = ()) -> Observation | None:
        """What this frame shows; None of those that show the empty board or teach. VisionError
        where a frame for setting up cannot be used, or one comes before the empty board."""
        if frame.name == self._empty:
            reader = UntaggedReader(self.board, frame)
            for lesson in self._lessons:
                if lesson.image is not None:
                    reader.learn(Frame(lesson.image, 0.0, lesson.name), lesson.cells)
            self._lessons = [lesson for lesson in self._lessons if lesson.image is None]
            self._lookout = Lookout(reader)
            return None
        if self._lookout is None:
            raise VisionError(
                f"{frame.name} comes before {self._empty}, which is to show the empty board"
            )
        for lesson in self._lessons:
            if lesson.name == frame.name:
                self._lookout.reader.learn(frame, lesson.cells)
                self._lookout.forget()
                if not lesson.play:
                    return None
        return self._lookout.look(frame, lit)


def _observation(
    frame: Frame, reading: Reading, moving: Collection[str], anything: bool
) -> Observation:
    hidden = {doubt.cell for doubt in reading.doubts if doubt.code in HIDING}
    hand = any(doubt.code == "covered" for doubt in reading.doubts)
    covered = frozenset({*hidden, *moving})
    strange = {doubt.cell for doubt in reading.doubts if doubt.code == "something"}
    unknown = covered | {doubt.cell for doubt in reading.doubts if "" in reading.cells[doubt.cell]}
    return Observation(
        time=frame.time,
        image=frame.name,
        pose=reading.pose,
        pieces=(),
        not_seen=(),
        covered=covered,
        hand=hand or reading.dim or anything,
        still=not anything,
        cells={cell: may for cell, may in reading.cells.items() if cell not in unknown},
        strange=tuple(sorted(strange - covered)),
        places={cell: at for cell, at in reading.places.items() if cell not in covered},
        beneath={cell: text for cell, text in reading.beneath.items() if cell not in covered},
    )
