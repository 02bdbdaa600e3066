"""The eye for pieces without tags: learns them where people have said what stands where, and says
of every cell what may stand there.

It never guesses: a cell holds a set of texts, all of them where something covers it, where what
lies there is no piece that it knows, or where two are too much alike in this light.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from tableref_hardware import Board, Cell, Look, shown
from tableref_vision.camera import Frame
from tableref_vision.errors import VisionError
from tableref_vision.observation import POSE_WORDS
from tableref_vision.opencv import Mask, Picture, cv2, np
from tableref_vision.tags import Sightings, TagFinder, sort_out
from tableref_vision.tracker import BoardTracker
from tableref_vision.untagged.change import Change
from tableref_vision.untagged.discs import DiscFinder
from tableref_vision.untagged.ground import Ground, discs, halved, patch, pixel
from tableref_vision.untagged.light import Plate
from tableref_vision.untagged.scene import LARGER, BareBoard, Finder, Found, Place, Scene
from tableref_vision.untagged.shade import Shade, shade
from tableref_vision.untagged.stacked import LEAST
from tableref_vision.untagged.tokens import TokenFinder
from tableref_vision.view import View, tag_corners

NOTHING = ""
"""What may stand on a cell where nothing may."""

TREMBLES = 1.5  # px at the plate's corners that a camera at rest seems to move
EMPTY_SHARE = 0.05  # of a cell's middle that may differ from the empty board
OPEN_SHARE = 0.4  # of a cell that must be in sight beside its neighbours
SHADED_SHARE = 0.3  # of a cell that a neighbour's shadow may darken
MIDDLE = 6  # mm around a cell's middle that a piece on it covers for the most part
TOLD = 8.0  # grey levels (root of the sum of squares) by which a piece must differ from the board
PART = 0.4  # of the change that a piece would make: more, and it may be there
UNEVEN = 0.04  # of the plate in sight that has another light than the rest
OVERLAP = 0.2  # of a piece that may seem to stand where another does
DEEP = 0.28  # of their width by which discs on two cells may seem to overlap: a stack may lean
TOUCHING = 1.0  # mm by which two that stand side by side may seem to overlap
LOOSE = 5  # mm that a thing which no cell tells of is wide, at least
NEIGHBOURHOOD = 13.5  # mm beside a piece that count for what is told of it
SMOOTH = 7  # mm
NOISE = 16  # grey levels of such a square: another sign makes 28 and more, light and noise less
AROUND = 30  # px around a corner tag in which it is looked for again
EDGE = 12.0  # mm from the plate's edge: what lies there lies beside the game
SIDE = 1.0  # mm beside a piece that blur makes its own
CLEARER = 0.1  # of a crescent by which one place of it fits better than the next
BESIDE = 4.0  # mm beside a piece that its side and its shadow may change


class Doubt(NamedTuple):
    """Something on the board that is not explained, at a cell, with x, y in mm; for `code` see
    DOUBT_WORDS."""

    code: str
    cell: str
    x: float
    y: float

    def words(self) -> str:
        """What it tells a person."""
        return DOUBT_WORDS[self.code]


DOUBT_WORDS: Mapping[str, str] = {
    "something": "something lies here that is no piece I know",
    "covered": "something is in the way",
    "uneven": "there is a shadow across the board, and what lies there cannot be told",
    "bright": "the picture is burnt out: it is too bright to tell what lies here",
    "alike": "a piece, but which cannot be told in this light",
}
"""Every code of a doubt, and what it tells a person."""


LIGHTS = ("uneven", "bright")
"""Doubts that the light is to blame for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture shows: `cells` -> what may stand there, "" for nothing; `places` -> where
    on its cell a piece stands that was told, mm east and north of the middle; `beneath` -> what
    sticks out from under it."""

    image: str
    pose: str
    cells: Mapping[str, frozenset[str]]
    doubts: tuple[Doubt, ...]
    places: Mapping[str, Place] = field(default_factory=dict)
    beneath: Mapping[str, str] = field(default_factory=dict)

    @property
    def dim(self) -> bool:
        """Whether the light is such that nothing can be told of any cell."""
        return len([1 for doubt in self.doubts if doubt.code in LIGHTS]) == len(self.cells)


class Other(NamedTuple):
    """What sticks out from under a piece, and what stands beside it on its cell, with what is seen
    of all known pieces around (flat at their tops, 1 px a mm)."""

    bodies: Picture
    lower: Found | None
    beside: Found | None


class Remembered(NamedTuple):
    """What lay near a cell when it was looked at closely, how its surroundings looked then (flat,
    1 px a mm), and on which ground; and what else was told of its cell, where that was asked."""

    ground: Ground
    near: Picture
    found: Found
    other: Other | None = None


Memory = dict[str, Remembered]
"""Cell -> what was seen of it last."""


class UntaggedReader:
    """Reads one board of pieces without tags.

    >>> reader = UntaggedReader(board, empty)
    >>> reader.learn(start, {"a1": "white arrow up", ...})
    >>> reader.read(frame).cells["a1"]
    frozenset({'white arrow up'})
    """

    def __init__(self, board: Board, empty: Frame) -> None:
        """`empty`: the board before the pieces. VisionError where it does not show the board, or
        the board file does not say what pieces look like."""
        self.board = board
        looks = list(board.looks.values())
        if not looks:
            raise VisionError(f"{board.source}: has no [looks], so pieces cannot be told by them")
        self._tokens, self._discs = TokenFinder(board), DiscFinder(board)
        self._together = frozenset[str]()
        self._first: tuple[Frame, Mapping[str, str]] | None = None
        self._pose = Pose(board)
        view = self._view(empty)
        self._widest = max(look.width for look in looks)
        self._reach = round(max(look.length or look.width for look in looks) / 2 + NEIGHBOURHOOD)
        self._height = float(np.median([_height(look) for look in looks]))
        self._ground = Ground(board, view)
        self._empty = halved(self._ground.fine(empty.image, 0.0))
        self._bare = BareBoard(self._ground.fine(empty.image, self._height))
        self._plate = Plate(board, self._empty, self._widest)
        if self._plate.light(self._empty).burnt:
            raise VisionError(f"{empty.name}: {POSE_WORDS['bright']}")
        self._shade: Shade | None = None
        self._places = np.array([(cell.x, cell.y) for cell in board.cells.values()])
        shape = self._ground.depth, self._ground.width
        self._whole = discs(self._places, round(self._widest / 2), shape)
        self._middles = discs(self._places, MIDDLE, shape)
        self._bare_middles = self._bare.top.reshape(-1, 3)[self._middles].astype(np.float32)

    @property
    def texts(self) -> frozenset[str]:
        """All that may stand on a cell by itself, as far as was learnt."""
        return self._tokens.texts | self._discs.texts

    @property
    def unlearnt(self) -> frozenset[str]:
        """Texts of pieces that were shown, and whose picture could not be made out."""
        return self._tokens.unlearnt

    @property
    def corners(self) -> frozenset[int]:
        """Ids of the corner tags that were found in the last picture."""
        return self._pose.corners

    @property
    def view(self) -> View | None:
        """How the camera saw the board in the last picture; None where that could not be told."""
        return self._pose.view

    def _view(self, frame: Frame) -> View:
        """The view of a picture for learning, to which the ground is laid."""
        code, view = self._pose.find(frame.image)
        if view is None:
            raise VisionError(f"{frame.name}: {POSE_WORDS[code]}")
        return view

    def _lay(self, view: View) -> None:
        """Lay the ground for this view, unless it is the same but for the tags' trembling."""
        self._ground = relaid(self.board, self._ground, view)

    def learn(self, frame: Frame, cells: Mapping[str, str]) -> None:
        """Take the pieces in this picture for examples. VisionError where it cannot be used.

        Where a piece lies, and so what it shows, is seen better once its colour is known from many
        of its kind: the first two are learnt anew by the colours of both, the one with the most
        pieces first, whichever came first.
        """
        self._view(frame)
        first, self._first = self._first, None
        if not self.texts:
            self._first = frame, cells
        self._learn(frame, cells)
        if first is None:
            return
        self._tokens.forget_forms()
        self._discs = DiscFinder(self.board)
        for one in sorted((first, (frame, cells)), key=lambda one: -len(one[1])):
            self._learn(*one, again=True)
            gc.collect()  # what was learnt of it before is let go at once

    def _learn(self, frame: Frame, cells: Mapping[str, str], again: bool = False) -> None:
        self._lay(self._view(frame))
        _, scene = self._scene(frame.image)
        for name, text in cells.items():
            pieces = shown(self.board.looks, text)
            if len(pieces) == 1:
                self._finder(pieces[0].look).learn(scene, self.board.cells[name], pieces[0], text)
            else:
                self._together |= {text}
        for finder in (self._tokens, self._discs):
            finder.settle(again)

    def _finder(self, look: Look) -> Finder:
        return self._tokens if look.shape in ("token", "box") else self._discs

    def _scene(self, image: Picture) -> tuple[Picture, Scene]:
        """The picture flat at the plate's height, and at that of the pieces' tops."""
        flat = halved(self._ground.fine(image, 0.0))
        fine = self._ground.fine(image, self._height)
        light = self._plate.light(flat, None if self._shade is None else self._shade.ratios)
        eye = self._ground.eye
        return flat, Scene(fine, halved(fine), self._bare, light, eye)

    def relight(self, frame: Frame) -> bool:
        """Whether the light of this picture, in which nothing moves, is told anew: shade lies
        across the board, or no longer does. It counts for the pictures that come then."""
        _, view = self._pose.find(frame.image)
        if view is None:
            return False
        self._lay(view)
        flat, self._shade = halved(self._ground.fine(frame.image, 0.0)), None
        light = self._plate.light(flat)
        if light.burnt:
            return False
        change = Change(flat, self._empty, light)
        if change.arm.any() and not change.shadow:
            return False
        if change.shadow or self._plate.unevenness(light, change.arm) > UNEVEN:
            self._shade = shade(self.board, flat, self._empty, self._widest)
            return self._shade is not None
        return True

    def read(self, frame: Frame, memory: Memory | None = None) -> Reading:
        """What may stand on every cell in this picture; by itself, or after those of which the
        `memory` is: then only what has changed since is looked at closely."""
        code, view = self._pose.find(frame.image)
        everything = self.texts | self._together | {NOTHING}
        if view is None:
            return Reading(frame.name, code, dict.fromkeys(self.board.cells, everything), ())
        self._lay(view)
        flat, scene = self._scene(frame.image)
        change = Change(flat, self._empty, scene.light)
        uneven = change.shadow or self._plate.unevenness(scene.light, change.arm) > UNEVEN
        if scene.light.burnt or uneven:
            why = "bright" if scene.light.burnt else "uneven"
            dim = (Doubt(why, name, c.x, c.y) for name, c in self.board.cells.items())
            return Reading(
                frame.name, code, dict.fromkeys(self.board.cells, everything), tuple(dim)
            )
        told = self._cells(change, scene, {} if memory is None else memory)
        if self._shade is not None:
            told.dim(self.board, self._shade.unsure)
        cells = {name: told.cells.get(name, everything) for name in self.board.cells}
        return Reading(frame.name, code, cells, tuple(told.doubts), told.places, told.beneath)

    def _cells(self, change: Change, scene: Scene, memory: Memory) -> _Told:
        """What stands on the cells about which something can be told, and doubts of the others."""
        told = _Told({}, [], {}, {})
        cells, doubts = told.cells, told.doubts
        odd_ones: list[Cell] = []
        middle = round(self._widest / 2)
        axis = np.arange(-middle, middle + 1)
        disc = np.hypot(*np.meshgrid(axis, axis)) <= middle
        plain = self._plain(scene)
        bare = change.noticed.ravel()[self._whole].mean(axis=1) < EMPTY_SHARE
        for number, (name, cell) in enumerate(self.board.cells.items()):
            if patch(change.arm, cell.x, cell.y, middle).any():
                doubts.append(Doubt("covered", name, cell.x, cell.y))
            elif bare[number] and name in plain:
                cells[name] = frozenset({NOTHING})
            else:
                odd_ones.append(cell)
        odd = change.noticed & ~change.shade
        taken, bodies, explained = (np.zeros(odd.shape, np.uint8) for _ in range(3))
        standing: list[tuple[Found, Cell]] = []
        left: list[tuple[Found, Cell]] = []
        stand: list[tuple[Found, Cell]] = []
        for found, cell in self._find(scene, odd_ones, memory):
            inside = any(_collide(found, one) for one, _ in stand)
            if found.doubt not in ("", LARGER) or inside or self._overlaps(taken, found):
                left.append((found._replace(doubt=found.doubt or "something"), cell))
                continue
            self._mark(taken, found, -1.0)
            self._mark(bodies, found, SIDE, -1.0)
            stand.append((found, cell))
        others = [self._other(scene, cell, found, bodies, odd, memory) for found, cell in stand]
        larger = [
            one
            for (one, _), (lower, _) in zip(stand, others, strict=True)
            if one.doubt and not lower
        ]
        lowers: dict[str, Found] = {}
        for (found, cell), (lower, beside) in zip(stand, others, strict=True):
            part = beside is not None and beside.doubt
            if part or any(_overlap(found, one) for one in larger):  # it may be a part of that
                left.append((found._replace(doubt="something"), cell))
                continue
            if lower is not None:
                self._mark(explained, lower, BESIDE)
                lowers[cell.name] = lower
            self._mark(explained, found, BESIDE)
            cells[cell.name] = found.texts
            if beside is not None:
                self._mark(explained, beside, BESIDE)
                cells[cell.name] = _together(found, beside)
            standing.append((found, cell))
            told.places[cell.name] = round(found.x - cell.x, 1), round(found.y - cell.y, 1)
            if len(found.texts) > 1:
                doubts.append(Doubt("alike", cell.name, found.x, found.y))
        rivals = [*lowers.values()]
        for found, cell in left:
            free = disc & (patch(explained, cell.x, cell.y, middle) == 0)
            open_ = free.sum() > OPEN_SHARE * disc.sum()
            shares = [
                patch(one, cell.x, cell.y, middle)[free].mean() if open_ else 1.0
                for one in (odd, change.noticed)
            ]
            empty = shares[0] < EMPTY_SHARE and shares[1] < SHADED_SHARE
            if empty and cell.name in plain:
                cells[cell.name] = frozenset({NOTHING})
            else:
                there = cell.x, cell.y
                rivals.append(
                    found._replace(x=cell.x, y=cell.y, spine=(there, there), distance=0.0)
                )
                code = "something" if found.doubt == LARGER else found.doubt
                doubts.append(Doubt(code, cell.name, found.x, found.y))
        for name, lower in lowers.items():
            if not _may_be_another_s(lower, rivals):
                told.beneath[name] = min(lower.texts)
        doubts += self._loose(odd & (explained == 0) & ~change.arm, doubts, standing)
        return told

    def _other(
        self, scene: Scene, cell: Cell, found: Found, bodies: Picture, odd: Mask, memory: Memory
    ) -> tuple[Found | None, Found | None]:
        """What sticks out from under this piece, and what stands beside it on its cell, where
        enough of it is seen. Where nothing has changed since, that is known."""
        near, known = patch(bodies, cell.x, cell.y, self._reach), memory[cell.name]
        if known.other is not None and np.array_equal(known.other.bodies, near):
            return known.other.lower, known.other.beside
        reach = round(self._widest)
        loose = patch(odd, cell.x, cell.y, reach) & (patch(bodies, cell.x, cell.y, reach) == 0)
        lower = beside = None
        if loose.sum() >= LEAST and found.texts <= self._discs.texts:
            lower = self._discs.under(scene, cell, found, bodies)
            beside = self._discs.beside(scene, cell, found, bodies)
        memory[cell.name] = known._replace(other=Other(near.copy(), lower, beside))
        return lower, beside

    def _loose(
        self, odd: Mask, doubts: list[Doubt], standing: list[tuple[Found, Cell]]
    ) -> list[Doubt]:
        """Things on the plate that no cell has told of: between cells, or beside them, or beside
        what stands on one."""
        rows, columns = odd.shape
        core = cv2.erode(odd.astype(np.uint8), np.ones((LOOSE, LOOSE), np.uint8))
        count, _, _, middles = cv2.connectedComponentsWithStats(core)
        found = []
        for number in range(1, count):
            x = float(middles[number][0]) + 0.5 - columns / 2
            y = rows / 2 - 0.5 - float(middles[number][1])
            inside = abs(x) < columns / 2 - EDGE and abs(y) < rows / 2 - EDGE
            known = any(np.hypot(x - doubt.x, y - doubt.y) < self._widest for doubt in doubts)
            on_tag = any(
                max(abs(x - tag.x), abs(y - tag.y)) < tag.square for tag in self.board.corner_tags
            )
            if inside and not known and not on_tag:
                places = [(0.0, one.x, one.y, one) for one in self.board.cells.values()]
                places += [(one.width / 2, one.x, one.y, cell) for one, cell in standing]
                cell = min(places, key=lambda one: np.hypot(one[1] - x, one[2] - y) - one[0])[3]
                found.append(Doubt("something", cell.name, round(x, 1), round(y, 1)))
        return found

    def _plain(self, scene: Scene) -> set[str]:
        """The cells on which no piece that was learnt would look as they do: their middles have
        not changed as under any of them, and would have changed under each."""
        now = scene.top.reshape(-1, 3)[self._middles].mean(axis=1)
        light = scene.light.at(*self._places.T)
        board = np.minimum(self._bare_middles * light[:, None], 255.0).mean(axis=1)
        plain = np.ones(len(now), bool)
        for finder in (self._tokens, self._discs):
            expected = finder.colours(light) - board[:, None]
            size = np.sum(expected**2, axis=2)
            part = np.einsum("nki,ni->nk", expected, now - board)
            plain &= ~np.any((size < TOLD**2) | (part > PART * size), axis=1)
        return {name for name, one in zip(self.board.cells, plain, strict=True) if one}

    def _find(self, scene: Scene, cells: list[Cell], memory: Memory) -> list[tuple[Found, Cell]]:
        """What lies near these cells, by the finder that knows it best; the best told come first,
        for what they explain is not told again of a neighbour."""
        if not self.texts:  # nothing was learnt, so nothing is known
            return [(_strange(cell), cell) for cell in cells]
        near = {cell.name: patch(scene.top, cell.x, cell.y, self._reach) for cell in cells}
        new = [
            cell
            for cell in cells
            if (known := memory.get(cell.name)) is None
            or known.found.doubt
            or len(known.found.texts) > 1
            or known.ground is not self._ground
            or not _same(known.near, near[cell.name])
        ]
        finders = [finder for finder in (self._tokens, self._discs) if finder.texts and new]
        each = zip(*(finder.find(scene, new) for finder in finders), strict=True)
        for cell, found in zip(new, each, strict=True):
            best = min(found, key=lambda one: (bool(one.doubt), one.distance))
            memory[cell.name] = Remembered(self._ground, near[cell.name].copy(), best)
        return sorted(
            ((memory[cell.name].found, cell) for cell in cells), key=lambda one: one[0].distance
        )

    def _overlaps(self, taken: Picture, found: Found) -> bool:
        """Whether this piece would stand where one does that was told better."""
        reach = round(float(np.hypot(*np.subtract(*found.spine))) + 2 * found.width)
        near = patch(taken, found.x, found.y, reach)
        if not near.any():
            return False
        own = np.zeros_like(taken)
        self._mark(own, found, -1.0)
        return cv2.mean(taken, own)[0] > OVERLAP

    def _mark(self, marked: Picture, found: Found, beside: float, way: float = 1.0) -> None:
        """Mark what of the plate this piece hides from the camera, and so many mm beside it, where
        its side and its shadow may be seen; `way` -1: in a picture flat at the pieces' tops, where
        its side is seen towards the camera."""
        eye = self._ground.eye
        rows, columns = marked.shape
        up = found.height / (eye[2] - found.height)
        ends = [
            pixel(x + lift * (x - eye[0]), y + lift * (y - eye[1]), (columns, rows))
            for x, y in found.spine
            for lift in (0.0, way * up)
        ]
        width = round(found.width + 2 * beside)
        for start, end in set(combinations(ends, 2)):
            cv2.line(marked, start, end, 1, width)


class _Told(NamedTuple):
    """What is told of the cells of one picture, as `Reading` has it."""

    cells: dict[str, frozenset[str]]
    doubts: list[Doubt]
    places: dict[str, Place]
    beneath: dict[str, str]

    def dim(self, board: Board, names: frozenset[str]) -> None:
        """Nothing is told of these cells, for nobody knows how they look in this light."""
        self.doubts[:] = [doubt for doubt in self.doubts if doubt.cell not in names]
        for name in names:
            for told in (self.cells, self.places, self.beneath):
                told.pop(name, None)
            self.doubts.append(Doubt("uneven", name, board.cells[name].x, board.cells[name].y))


def _same(then: Picture, now: Picture) -> bool:
    """Whether two pictures of one place differ by no more than a camera's noise."""
    return bool(cv2.blur(cv2.absdiff(then, now), (SMOOTH, SMOOTH)).max() <= NOISE)


def _overlap(one: Found, other: Found) -> bool:
    """Whether two pieces there would be one in the other."""
    apart = math.hypot(one.x - other.x, one.y - other.y)
    return apart < (one.width + other.width) / 2 - TOUCHING


def _collide(one: Found, other: Found) -> bool:
    """Whether two round pieces would stand where there is room for one."""
    if one.spine[0] != one.spine[1] or other.spine[0] != other.spine[1]:
        return False
    apart = math.hypot(one.x - other.x, one.y - other.y)
    return apart < (one.width + other.width) / 2 * (1.0 - DEEP)


def _may_be_another_s(lower: Found, rivals: Iterable[Found]) -> bool:
    """Whether what sticks out here may be what lies under another piece, next to this one: it lies
    in the same place, and this is not told by much the best."""
    return any(
        one is not lower and _collide(one, lower) and one.distance < lower.distance + CLEARER
        for one in rivals
    )


def _together(found: Found, other: Found) -> frozenset[str]:
    """What two that stand on one cell may be, the larger one first."""
    first, then = sorted((found, other), key=lambda one: (-one.width, min(one.texts)))
    return frozenset(f"{one} {text}" for one in first.texts for text in then.texts)


def relaid(board: Board, ground: Ground | None, view: View) -> Ground:
    """The ground for this view: the one there is, where only the tags have trembled."""
    x, y = board.plate.width / 2, board.plate.depth / 2
    rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
    if ground is None or np.abs(view.pixels(rim) - ground.view.pixels(rim)).max() > TREMBLES:
        return Ground(board, view)
    return ground


class Pose:
    """Where the board lies, picture by picture."""

    def __init__(self, board: Board) -> None:
        self._finder = TagFinder(board.dictionary, {tag.id for tag in board.corner_tags})
        self._tracker = BoardTracker(board)
        self._tags = board.corner_tags
        self.corners: frozenset[int] = frozenset()
        self.view: View | None = None

    def _where_they_were(self, image: Picture) -> Sightings:
        """The corner tags of the last picture, where all are still about where they were then;
        none where one is not, and the whole picture must be looked at."""
        seen: Sightings = []
        height, width = image.shape[:2]
        if self.view is None or self.view.lens.size != (width, height):
            return seen
        for tag in self._tags:
            if tag.id in self.corners:
                pixels = self.view.pixels(tag_corners(tag))
                left, top = np.clip(pixels.min(axis=0) - AROUND, 0, None).astype(int).tolist()
                right, bottom = (
                    np.clip(pixels.max(axis=0) + AROUND, 0, (width, height)).astype(int).tolist()
                )
                found = self._finder.quick(_grey(image[top:bottom, left:right]))
                if [number for number, _ in found] != [tag.id]:
                    return []
                seen += [(tag.id, corners + np.array([left, top])) for _, corners in found]
        return seen

    def find(self, image: Picture) -> tuple[str, View | None]:
        """A code of `POSE_WORDS`, and how the camera sees the board where it is told."""
        height, width = image.shape[:2]
        seen = self._where_they_were(image) or self._finder.quick(_grey(image))
        code, view = self._tracker.follow(width, height, sort_out(seen))
        if code == "bumped":  # it has dropped the old view, and takes a new one
            code, view = self._tracker.follow(width, height, sort_out(seen))
        if view is None:
            seen += self._finder.again(image)
            code, view = self._tracker.follow(width, height, sort_out(seen))
        self.corners, self.view = frozenset(sort_out(seen).tags), view
        return code, view


def _grey(image: Picture) -> Picture:
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def _strange(cell: Cell) -> Found:
    """Something on a cell of which nothing is known."""
    place = cell.x, cell.y
    return Found("something", frozenset(), np.inf, *place, (place, place), 0.0, 0.0)


def _height(look: Look) -> float:
    """Height in mm at which a piece's outline is seen: a ball's middle, else its top."""
    return look.height / 2 if look.shape == "ball" else look.height
