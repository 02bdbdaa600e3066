"""Learns the pieces of a table from what people are asked to show: the empty board, pieces that the
start does not show, the start. It goes on by itself when it sees them.

Before anything is known a board is taken for empty where all its cells look alike; where they do
not, as on boards whose spots have colours, people say so. From then on what has changed since tells
on which cells something lies, and the pieces of one look must be alike.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from tableref_hardware import Board, shown
from tableref_vision.camera import Frame
from tableref_vision.errors import VisionError
from tableref_vision.motion import PlateMotion
from tableref_vision.observation import Observation
from tableref_vision.opencv import Mask, Picture, Values, cv2, np
from tableref_vision.untagged.change import Change
from tableref_vision.untagged.eye import Lookout
from tableref_vision.untagged.fitting import Trial, taught, untold
from tableref_vision.untagged.ground import Ground, halved, patch
from tableref_vision.untagged.kept import Looks, Taught, load, save
from tableref_vision.untagged.light import Light, Plate
from tableref_vision.untagged.reader import (
    LOOSE,
    MIDDLE,
    NEIGHBOURHOOD,
    UNEVEN,
    Pose,
    UntaggedReader,
    relaid,
)
from tableref_vision.view import View
from tableref_vision.wanted import AGAIN, EMPTY, KNOWN, LEARNT, MISFIT, START, TEACH, Wanted

log = logging.getLogger(__name__)

CALM = 0.5  # s for which nothing may have moved before a picture is learnt from
PATIENT = 4.0  # s after which people are told what is missing
ALIKE = 0.2  # of a cell's colour over its surroundings' (log) beside that of most cells
AROUND = 8.0  # mm around a cell that count for its surroundings
CORE = 0.4  # of a piece's width: its middle
SEEN = 0.4  # of that middle that must have changed where a piece is seen
SMOOTH = 5  # mm
STIRRED = 18.0  # grey levels, of such a square
STIRS = 30  # mm2 that may do so between two looks at what lies still
SAME = 6.0  # CIE L*a*b* between two colours: less, and nobody tells them apart
SWAPPED, DISTINCT = 0.5, 40.0  # of the distances from the colours of the board file; between those


class Plan(NamedTuple):
    """What is to be shown, cell -> text: pieces that the start does not show, and the start."""

    teach: Mapping[str, str]
    start: Mapping[str, str]


class Said(NamedTuple):
    """What people have said of the showing: how often by now, and the last of it: that the board
    is EMPTY, or anything else for that it is all to be shown anew."""

    times: int = 0
    word: str = ""


class LearningEye:
    """Reads a board by what its pieces look like, once it has been shown them.

    >>> eye = LearningEye(board, plan, said, Path("looks-squod.zip"))
    >>> eye.read(frame)  # Wanted, until it knows the pieces; then an Observation
    """

    def __init__(
        self,
        board: Board,
        plan: Callable[[], Plan],
        said: Callable[[], Said],
        kept: Path | None = None,
    ) -> None:
        """`plan` is asked when something is to be shown, `said` at every frame; `kept` is the file
        where what was learnt stays for the next evening."""
        self.board = board
        self._plan, self._said, self._kept = plan, said, kept
        self._heard = said().times
        self._lookout: Lookout | None = None
        self._trial: Trial | None = None
        self._known = self._remembered()
        self._showing = Showing(board, plan, self._learnt)

    @property
    def view(self) -> View | None:
        """How the camera saw the board in the last frame; None where that could not be told."""
        return self._lookout.view if self._lookout is not None else None

    def read(self, frame: Frame, lit: Collection[str] = ()) -> Observation | Wanted:
        """What this frame shows, or what is still to be shown."""
        said = self._said()
        word = said.word if said.times != self._heard else ""
        self._heard = said.times
        if word and word != EMPTY:
            self._anew()
        if self._lookout is not None:
            return self._looked(self._lookout.look(frame, lit))
        if self._known is not None:
            return self._tried(frame, self._known)
        return self._showing.look(frame, lit, word == EMPTY)

    def _anew(self) -> None:
        """All is to be shown."""
        self._lookout = self._known = self._trial = None
        self._showing = Showing(self.board, self._plan, self._learnt)

    def _looked(self, seen: Observation) -> Observation | Wanted:
        """What was seen, unless it shows by now that what is remembered does not fit it."""
        if self._trial is None:
            return seen
        fits = self._trial.fits(seen, self._plan().start)
        if fits is None:
            return seen
        self._trial = None
        if fits:
            return seen
        self._anew()
        return Wanted(seen.time, seen.image, "ok", MISFIT)

    def _remembered(self) -> UntaggedReader | None:
        """A reader as it learnt on another evening."""
        if self._kept is None:
            return None
        try:
            looks = load(self._kept, self.board)
            if looks is None:
                return None
            reader = taught(self.board, looks)
            self._trial = Trial(self.board, reader, looks)
            return reader
        except VisionError as error:
            log.warning("%s; the pieces are learnt anew", error)
            return None

    def _tried(self, frame: Frame, reader: UntaggedReader) -> Wanted:
        """Whether what was learnt on another evening still fits what is seen."""
        reading = reader.read(frame)
        if reading.pose != "ok":
            return Wanted(frame.time, frame.name, reading.pose, KNOWN)
        codes = [doubt.code for doubt in reading.doubts]
        if "bright" in codes:
            return Wanted(frame.time, frame.name, "bright", KNOWN)
        if "covered" in codes:
            return Wanted(frame.time, frame.name, "ok", KNOWN, hand=True)
        self._known = None
        self._lookout = Lookout(reader)
        return Wanted(frame.time, frame.name, "ok", KNOWN)

    def _learnt(self, reader: UntaggedReader, looks: Looks) -> None:
        self._lookout = Lookout(reader)
        if self._kept is not None:
            try:
                save(self._kept, self.board, looks)
            except OSError as error:
                log.warning(
                    "%s: cannot be written (%s); next time the pieces are asked for again",
                    self._kept, error.strerror,
                )  # fmt: skip


class Bare(NamedTuple):
    """The empty board: the frame that shows it, and its plate, flat and as the measure of light."""

    frame: Frame
    flat: Picture
    plate: Plate


class Showing:
    """Follows what people show, from the empty board on."""

    def __init__(
        self,
        board: Board,
        plan: Callable[[], Plan],
        learnt: Callable[[UntaggedReader, Looks], None],
    ) -> None:
        """`learnt` is told once all has been shown."""
        self._board, self._plan, self._learnt = board, plan, learnt
        self._width = max(look.width for look in board.looks.values())
        self._pose, self._motion = Pose(board), PlateMotion(board)
        self._ground: Ground | None = None
        self._bare: Bare | None = None
        self._lessons: list[Taught] = []
        self._repeated = False
        self._asked: list[tuple[str, Mapping[str, str]]] = []
        self._before: Values | None = None
        self._calm_since = self._since = float("-inf")
        self._found: object = None

    def look(self, frame: Frame, lit: Collection[str], agreed: bool) -> Wanted:
        """What is wanted as of this frame; `agreed`: people say that the board is empty."""
        code, view = self._pose.find(frame.image)
        if view is None:
            self._before = None
            return self._told(frame, pose=code)
        self._ground = ground = relaid(self._board, self._ground, view)
        flat = halved(ground.fine(frame.image, 0.0))
        moving = self._motion.look(frame, view, lit)
        if not self._is_calm(frame.time, flat) or moving.any:
            return self._told(frame, hand=True)
        if self._bare is None:
            return self._empty_board(frame, flat, agreed)
        return self._pieces(frame, flat, self._bare)

    def _told(self, frame: Frame, **amiss: Any) -> Wanted:
        stage, cells = self._asked[0] if self._asked else (EMPTY, {})
        return Wanted(
            frame.time, frame.name, **{"pose": "ok", "stage": stage, "cells": cells} | amiss
        )

    def _is_calm(self, time: float, flat: Picture) -> bool:
        """Whether the board looks as it did a while ago, but for the light."""
        now: Values = np.asarray(cv2.blur(flat, (SMOOTH, SMOOTH)), np.float32) + 1.0
        before, self._before = self._before, now
        if before is None:
            self._calm_since = time
            return False
        light = np.median((now / before)[::9, ::9], axis=(0, 1))
        if np.count_nonzero(np.abs(now - before * light).max(axis=2) > STIRRED) > STIRS:
            self._calm_since = time
        return time - self._calm_since >= CALM

    # -- the empty board --------------------------------------------------------------------------

    def _empty_board(self, frame: Frame, flat: Picture, agreed: bool) -> Wanted:
        odd = tuple(unlike_most(self._board, flat, self._width))
        if odd and not agreed:
            return self._patiently(frame, strange=odd)
        if self._take(frame, flat).burnt:
            self._bare = None
            return self._told(frame, pose="bright")
        plan = self._plan()
        self._asked = [(TEACH, plan.teach)] if plan.teach else []
        self._asked.append((START, plan.start))
        return self._told(frame)

    def _take(self, frame: Frame, flat: Picture) -> Light:
        """Take this for the empty board; returns its light, as it is told from itself."""
        plate = Plate(self._board, flat, self._width)
        self._bare = Bare(frame, flat, plate)
        return plate.light(flat)

    # -- pieces -----------------------------------------------------------------------------------

    def _pieces(self, frame: Frame, flat: Picture, bare: Bare) -> Wanted:
        light = bare.plate.light(flat)
        if light.burnt:
            return self._told(frame, pose="bright")
        change = Change(flat, bare.flat, light)
        cells = self._asked[0][1]
        present, strange = self._lying(change, cells)
        if not (present or self._lessons or unlike_most(self._board, flat, self._width)):
            # As long as nothing was put down the newest picture of the empty board counts: in an
            # older one there may have been an arm, or another lamp.
            self._take(frame, flat)
            if cells:
                return self._patiently(frame, missing=tuple(cells))
        if change.shadow or bare.plate.unevenness(light, change.arm) > UNEVEN:
            return self._patiently(frame, uneven=True)
        if change.arm.any():
            return self._told(frame, hand=True)
        missing = tuple(cell for cell in cells if cell not in present)
        if missing or strange:
            return self._patiently(frame, missing=missing, strange=strange)
        colours = {cell: self._colour(flat, light, cell) for cell in cells}
        if other := exchanged(self._board, cells, colours):
            return self._patiently(frame, other=other)
        lessons = [*self._lessons]
        if cells and not (self._repeated and self._asked[0][0] == START):
            lessons.append(Taught(frame.image, dict(cells)))
        if not self._asked[1:]:  # all that it is to know was shown
            looks = Looks(bare.frame.image, tuple(lessons))
            reader = taught(self._board, looks)
            other = self._unread(frame, reader, cells) or self._others(frame, bare, cells)
            if other := tuple(c for c in other if c not in alike(self._board, cells, colours)):
                return self._patiently(frame, other=other)
            again = {} if self._repeated else once_more(reader, lessons)
            if not again:
                self._learnt(reader, looks)
                unsure = untold(self._board, reader, looks)
                return Wanted(frame.time, frame.name, "ok", LEARNT, unsure=unsure)
            self._repeated = True
            self._asked[:0] = [(START, {}), (AGAIN, again)]
        self._lessons, self._found = lessons, None
        del self._asked[0]
        return self._told(frame)

    def _unread(
        self, frame: Frame, reader: UntaggedReader, cells: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Cells whose one piece was just learnt, and is not read."""
        strange = {doubt.cell for doubt in reader.read(frame).doubts if doubt.code == "something"}
        one = (cell for cell, text in cells.items() if len(shown(self._board.looks, text)) == 1)
        return tuple(sorted(strange.intersection(one)))

    def _colour(self, flat: Picture, light: Light, name: str) -> Values:
        """Of the middle of a cell, in the light of the empty board."""
        cell = self._board.cells[name]
        near = patch(flat, cell.x, cell.y, round(MIDDLE))
        return np.asarray(np.median(near.reshape(-1, 3), axis=0) / light.at(cell.x, cell.y))

    def _others(self, frame: Frame, bare: Bare, cells: Mapping[str, str]) -> tuple[str, ...]:
        """Cells on which another piece lies than is to lie there: those of half the cells are read
        by what the other half has taught."""
        alike: dict[str, list[str]] = {}
        for cell, text in cells.items():
            alike.setdefault(text, []).append(cell)
        wrong = []
        for half in range(2):
            told = {c for there in alike.values() for c in (there[half::2] if there[1:] else there)}
            some = Taught(frame.image, {cell: cells[cell] for cell in told})
            reader = taught(self._board, Looks(bare.frame.image, (*self._lessons, some)))
            read = reader.read(frame).cells
            for cell in cells.keys() - told:
                may = {_look(self._board, text) for text in read[cell] if text}
                if may and _look(self._board, cells[cell]) not in may:
                    wrong.append(cell)
        return tuple(sorted(wrong))

    def _lying(
        self, change: Change, cells: Mapping[str, str]
    ) -> tuple[frozenset[str], tuple[str, ...]]:
        """The cells on which a piece is seen that is wanted there, and those at which something
        lies that is not."""
        odd: Mask = change.noticed & ~change.shade
        present = set[str]()
        free = odd.astype(np.uint8)
        rows, columns = odd.shape
        for name, text in cells.items():
            cell = self._board.cells[name]
            look = shown(self._board.looks, text)[0].look
            reach = max(2, round(CORE * look.width))
            if patch(change.noticed, cell.x, cell.y, reach)[_disc(reach)].mean() > SEEN:
                present.add(name)
            middle = round(columns / 2 + cell.x), round(rows / 2 - cell.y)
            cv2.circle(free, middle, round(look.length / 2 + NEIGHBOURHOOD), 0, -1)
        for tag in self._board.corner_tags:
            x, y = columns / 2 + tag.x, rows / 2 - tag.y
            first, last = (
                (round(x + way * tag.square), round(y + way * tag.square)) for way in (-1, 1)
            )
            cv2.rectangle(free, first, last, 0, -1)
        core = cv2.erode(free, np.ones((LOOSE, LOOSE), np.uint8))
        count, _, _, middles = cv2.connectedComponentsWithStats(core)
        strange = set[str]()
        for number in range(1, count):
            x, y = middles[number][0] - columns / 2, rows / 2 - middles[number][1]
            every = self._board.cells.values()
            strange.add(min(every, key=lambda one: np.hypot(one.x - x, one.y - y)).name)
        return frozenset(present), tuple(sorted(strange))

    def _patiently(self, frame: Frame, **amiss: Any) -> Wanted:
        """What is amiss is said once it has been so for a while: people are still at it before."""
        same = amiss if "missing" in amiss else [*amiss]
        found = len(self._lessons), len(self._asked), same
        if found != self._found:
            self._found, self._since = found, frame.time
        return self._told(frame, **amiss if frame.time - self._since >= PATIENT else {})


def once_more(reader: UntaggedReader, lessons: Sequence[Taught]) -> dict[str, str]:
    """Cell -> text of those pieces whose picture could not be made out where people had laid them
    for a lesson of their own: each on the cell of the next one there."""
    for lesson in lessons:
        texts = list(lesson.cells.values())
        if reader.unlearnt & {*texts}:
            there = zip(lesson.cells, [*texts[-1:], *texts[:-1]], strict=True)
            return {cell: text for cell, text in there if text in reader.unlearnt}
    return {}


def unlike_most(board: Board, flat: Picture, width: float) -> list[str]:
    """Cells of a flat picture (1 px a mm) whose middle differs otherwise from what is around it
    than that of most cells does. `width` of the widest piece in mm."""
    reach = round(width / 2 + AROUND)
    axis = np.arange(-reach, reach + 1)
    away = np.hypot(*np.meshgrid(axis, axis))
    inside, around = away <= CORE * width, away > width / 2 + 2.0
    looks = []
    for cell in board.cells.values():
        near = patch(flat, cell.x, cell.y, reach).astype(np.float32)
        own, ring = np.median(near[inside], axis=0), np.median(near[around], axis=0)
        looks.append(np.log((own + 4.0) / (ring + 4.0)))
    off = np.abs(np.array(looks) - np.median(looks, axis=0)).max(axis=1)
    return [name for name, one in zip(board.cells, off.tolist(), strict=True) if one > ALIKE]


def exchanged(
    board: Board, cells: Mapping[str, str], colours: Mapping[str, Values]
) -> tuple[str, ...]:
    """Cells of two looks whose colours fit those of the board file far better the other way round.
    A set may have quite other colours; then none is told."""
    looks = _by_looks(board, cells)
    usual = {
        look: np.median([colours[cell] for cell in there], axis=0) for look, there in looks.items()
    }
    wrong = set[str]()
    for one, other in combinations(sorted(looks), 2):
        if one[0] == other[0] and _crossed(usual[one], usual[other], one[1], other[1]):
            wrong |= {*looks[one], *looks[other]}
    return tuple(sorted(wrong))


def alike(board: Board, cells: Mapping[str, str], colours: Mapping[str, Values]) -> frozenset[str]:
    """Cells of looks whose colours nobody could tell apart: which lies there cannot be checked."""
    looks = _by_looks(board, cells)
    usual = {
        look: _lab(np.median([colours[cell] for cell in there], axis=0))
        for look, there in looks.items()
    }
    return frozenset(
        cell
        for one, other in combinations(looks, 2)
        if one[1] != other[1] and np.linalg.norm(usual[one] - usual[other]) < SAME
        for cell in (*looks[one], *looks[other])
    )


def _by_looks(board: Board, cells: Mapping[str, str]) -> dict[tuple[str, str], list[str]]:
    """Kind and colour, as the board file has it -> the cells on which such pieces are to lie."""
    looks: dict[tuple[str, str], list[str]] = {}
    for cell, text in cells.items():
        piece = shown(board.looks, text)[0]
        looks.setdefault((piece.look.kind, piece.look.sides[piece.side].colour), []).append(cell)
    return looks


def _crossed(one: Values, other: Values, first: str, second: str) -> bool:
    """Whether two colours (3,) are rather the second's and the first's."""
    named = [_lab(np.array(_bgr(colour), np.float32)) for colour in (first, second)]
    seen = [_lab(one), _lab(other)]
    if np.linalg.norm(named[0] - named[1]) < DISTINCT:
        return False
    straight = sum(np.linalg.norm(a - b) for a, b in zip(seen, named, strict=True))
    crossed = sum(np.linalg.norm(a - b) for a, b in zip(seen, reversed(named), strict=True))
    return bool(crossed < SWAPPED * straight)


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return blue, green, red


def _lab(bgr: Values) -> Values:
    """CIE L*a*b* of a colour of 0 to 255."""
    pixel = np.asarray(bgr, np.float32).reshape(1, 1, 3) / 255.0
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB).reshape(3))


def _look(board: Board, text: str) -> tuple[tuple[str, str, str], ...]:
    """Of what lies on a cell, all but the way it points."""
    return tuple((one.look.kind, one.side, one.face) for one in shown(board.looks, text))


def _disc(reach: int) -> Mask:
    axis = np.arange(-reach, reach + 1)
    return np.asarray(np.hypot(*np.meshgrid(axis, axis)) <= reach)
