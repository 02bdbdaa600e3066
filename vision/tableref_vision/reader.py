"""Reading a board off the frames of a camera."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tableref_hardware import Board, Piece
from tableref_vision.calibration import Calibration
from tableref_vision.camera import Frame
from tableref_vision.cover import CellCover, Cover
from tableref_vision.motion import PlateMotion
from tableref_vision.observation import Observation, SeenPiece
from tableref_vision.opencv import Picture, cv2, np
from tableref_vision.placing import Stand, cell_at, heading_along, nearest_cell, stand
from tableref_vision.tags import Box, Found, Sightings, TagFinder, sort_out
from tableref_vision.tracker import BoardTracker
from tableref_vision.view import View

MARGIN = 10.0  # mm of table around the plate on which pieces are looked for
REREAD = 2.0  # s after which a board on which nothing has moved is read again
RETRY = 0.5  # s, the same where the board was not found
ALIKE = 4  # pieces, at least, before what they have in common tells something
MIRRORED = 3  # tags that can be read in a mirror make a mirrored picture
ALL_OFF = 5.0  # mm that they stand off their cells' middles together
# How large roof tags may look, together and one by one, 1 being what they must be. Blur and beads
# take more away than light adds; a piece held 40 mm above the board looks 1.06 as large.
ALL_SIZES, SIZES = (0.94, 1.035), (0.9, 1.06)


class BoardReader:
    """Reads one board off the frames of one camera.

    Frames must come in the order of their times. While nothing moves, most of them cost a
    comparison of two small pictures.

    >>> reader = BoardReader(load_board("autoscooter"))
    >>> reader.read(frame).pieces[0].cell
    'a1'
    """

    def __init__(self, board: Board, calibration: Calibration | None = None) -> None:
        self.board = board
        self.view: View | None = None
        """How the camera saw the board in the last frame; None where that could not be told."""
        self.corners: frozenset[int] = frozenset()
        """Ids of the corner tags that the last look at the board has found."""
        corners = {tag.id for tag in board.corner_tags}
        self._pieces = {piece.tag: piece for piece in board.pieces if piece.tag is not None}
        self._tags = corners | self._pieces.keys()
        self._finder = TagFinder(board.dictionary, self._tags)
        self._tracker = BoardTracker(board, calibration.lens if calibration else None)
        self._cover = CellCover(board)
        self._motion = PlateMotion(board)
        self._area = board.plate.width + 2 * MARGIN, board.plate.depth + 2 * MARGIN
        x, y = self._area[0] / 2, self._area[1] / 2
        top = board.piece_tag.height if board.piece_tag else 0.0
        # The area in which pieces stand, at the height of their roofs, as `from_above` wants it.
        self._roofs = np.array([(-x, y, top), (x, y, top), (x, -y, top), (-x, -y, top)])
        self._around: Sightings | None = None  # tags beside the board, while nothing moves there
        self._last: Observation | None = None
        self._due = 0.0

    def read(self, frame: Frame, lit: Collection[str] = ()) -> Observation:
        """What this frame shows. `lit` are the cells whose lights are on: their light is no
        movement and covers nothing."""
        moving = self._motion.look(frame, self.view, lit)
        last = self._last
        idle = moving.compared and not moving.any and frame.time < self._due
        if idle and last is not None and last.still:
            self._last = replace(last, time=frame.time, image=frame.name)
            return self._last
        if not moving.compared or moving.beside:
            self._around = None
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
        code, found = self._find(frame.image, grey, moving.any)
        self.corners = frozenset(tag.id for tag in self.board.corner_tags if tag.id in found.tags)
        stands = self._stands(found, moving.cells)
        if wrong := _misfit(self.board, [place for _, place in stands]):
            code, stands, self.view = wrong, [], None
        seen = [
            _seen(self.board, piece, place)
            for piece, place in stands
            if SIZES[0] < place.size < SIZES[1]
        ]
        ids = {piece.id for piece in seen}
        covered, hand = self._covered(grey, seen, lit)
        self._last = Observation(
            time=frame.time,
            image=frame.name,
            pose=code,
            pieces=tuple(seen),
            not_seen=tuple(p.id for p in self.board.pieces if p.id not in ids),
            covered=covered | moving.cells,
            hand=hand or bool(moving.cells),
            still=not moving.any,
            twice=tuple(p.id for tag, p in self._pieces.items() if tag in found.twice),
        )
        self._due = frame.time + (REREAD if code == "ok" else RETRY)
        return self._last

    def _find(self, image: Picture, grey: Picture, moving: bool) -> tuple[str, Found]:
        """The pose's code and the tags; sets the view. A table that moves gets a quick look: what
        a hand hides is not found by looking harder."""
        height, width = grey.shape
        sightings = self._quick(grey)
        code, self.view = self._tracker.follow(width, height, sort_out(sightings))
        if moving or code in ("bumped", "other-camera"):
            return code, sort_out(sightings)
        if self.view is None:
            sightings += self._finder.again(image)
            code, self.view = self._tracker.follow(width, height, sort_out(sightings))
            if code in ("no-board", "few-corners") and self._is_mirrored(grey):
                return "mirrored", Found({}, frozenset())
        missing = self._tags - {tag for tag, _ in sightings}
        if self.view is not None and missing:
            roofs = self.view.pixels(self._roofs)
            sightings += self._finder.from_above(image, grey, roofs, self._area, missing)
            code, self.view = self._tracker.follow(width, height, sort_out(sightings))
        return code, sort_out(sightings)

    def _is_mirrored(self, grey: Picture) -> bool:
        """Whether tags of the board can be read in a mirror; one may be chance."""
        flipped = cv2.flip(grey, 1).astype(np.uint8, copy=False)
        return len({tag for tag, _ in self._finder.quick(flipped)}) >= MIRRORED

    def _quick(self, grey: Picture) -> Sightings:
        """A look at the board alone while nothing changes around it, else at the whole picture."""
        if self.view is None:
            self._around = None
            return self._finder.quick(grey)
        left, top, right, bottom = box = self._box(self.view, grey)
        if self._around is not None:
            return self._finder.quick(grey, box) + self._around
        sightings = self._finder.quick(grey)
        middles = [corners.mean(axis=0) for _, corners in sightings]
        self._around = [
            sighting
            for sighting, (x, y) in zip(sightings, middles, strict=True)
            if not (left <= x < right and top <= y < bottom)
        ]
        return sightings

    def _box(self, view: View, grey: Picture) -> Box:
        """The part of the picture in which the board lies."""
        pixels = view.pixels(self._roofs)
        left, top = np.clip(pixels.min(axis=0) - 1, 0, None).astype(int).tolist()
        right, bottom = np.clip(pixels.max(axis=0) + 1, 0, grey.shape[::-1]).astype(int).tolist()
        return left, top, right, bottom

    def _stands(self, found: Found, moving: Collection[str]) -> list[tuple[Piece, Stand]]:
        """The pieces whose tags were found where nothing moves, and where they stand."""
        tags = [tag for tag in self._pieces if tag in found.tags]
        if self.view is None or self.board.piece_tag is None or not tags:
            return []
        pixels = np.concatenate([found.tags[tag] for tag in tags])
        places = self.view.on_plane(pixels, self.board.piece_tag.height).reshape(-1, 4, 2)
        placed = (
            (self._pieces[tag], stand(self.board.piece_tag, self.view.bleed, place))
            for tag, place in zip(tags, places, strict=True)
        )
        return [
            (piece, place)
            for piece, place in placed
            if place is not None
            and not (moving and nearest_cell(self.board, place.x, place.y).name in moving)
        ]

    def _covered(
        self, grey: Picture, seen: list[SeenPiece], lit: Collection[str]
    ) -> tuple[frozenset[str], bool]:
        cells = list(self.board.cells.values())
        if self.view is None:
            return frozenset(self.board.cells), False
        cover: Cover = self._cover.look(grey, self.view, seen, lit)
        pixels = self.view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in cells]))
        inside = np.all((pixels >= 0) & (pixels < grey.shape[::-1]), axis=1).tolist()
        outside = {cell.name for cell, within in zip(cells, inside, strict=True) if not within}
        return cover.cells | outside, cover.hand


def _seen(board: Board, piece: Piece, place: Stand) -> SeenPiece:
    cell = cell_at(board, place.x, place.y)
    return SeenPiece(
        id=piece.id,
        kind=piece.kind,
        colour=piece.id,
        cell=cell.name if cell else None,
        heading=heading_along(board.headings, place.yaw, board.askew),
        x=round(place.x, 2),
        y=round(place.y, 2),
        yaw=round(place.yaw, 2),
        confidence=place.confidence,
    )


def _misfit(board: Board, stands: list[Stand]) -> str:
    """The code for pieces that together tell that board or tags are not as the board file says;
    else an empty text. One piece may be off any way; all of them the same way are not."""
    if len(stands) < ALIKE:
        return ""
    smallest, largest = ALL_SIZES
    if not smallest < float(np.median([place.size for place in stands])) < largest:
        return "wrong-size"
    offs = [
        (place.x - cell.x, place.y - cell.y)
        for place in stands
        if (cell := cell_at(board, place.x, place.y))
    ]
    alike = len(offs) >= ALIKE and float(np.hypot(*np.mean(offs, axis=0))) > ALL_OFF
    return "off-centre" if alike else ""
