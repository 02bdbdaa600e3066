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
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.placing import cell_at, heading_along, nearest_cell, stand
from tableref_vision.tags import Found, TagFinder, sort_out
from tableref_vision.tracker import BoardTracker
from tableref_vision.view import View

MARGIN = 10.0  # mm of table around the plate on which pieces are looked for
REREAD = 2.0  # s after which a board on which nothing has moved is read again
RETRY = 0.5  # s, the same where the board was not found
ALIKE = 4  # cars on cells, at least, before it tells something that all are off the same way
ALL_OFF = 5.0  # mm


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
        corners = {tag.id for tag in board.corner_tags}
        self._pieces = {piece.tag: piece for piece in board.pieces if piece.tag is not None}
        self._tags = corners | self._pieces.keys()
        self._finder = TagFinder(board.dictionary, self._tags)
        self._tracker = BoardTracker(board, calibration.lens if calibration else None)
        self._cover = CellCover(board)
        self._motion = PlateMotion(board)
        self._area = board.plate.width + 2 * MARGIN, board.plate.depth + 2 * MARGIN
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
        code, found = self._find(frame.image, moving.any)
        seen = self._placed(found, moving.cells)
        if self.view is not None and _all_off_alike(self.board, seen):
            code, seen, self.view = "off-centre", [], None
        ids = {piece.id for piece in seen}
        covered, hand = self._covered(frame.image, seen, lit)
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

    def _find(self, image: Picture, moving: bool) -> tuple[str, Found]:
        """The pose's code and the tags; sets the view. A table that moves gets a quick look: what
        a hand hides is not found by looking harder."""
        height, width = image.shape[:2]
        sightings = self._finder.quick(image)
        code, self.view = self._tracker.follow(width, height, sort_out(sightings))
        if moving or code in ("bumped", "other-camera"):
            return code, sort_out(sightings)
        if self.view is None:
            sightings += self._finder.again(image)
            code, self.view = self._tracker.follow(width, height, sort_out(sightings))
        missing = self._tags - {tag for tag, _ in sightings}
        if self.view is not None and missing:
            roofs = self._roofs(self.view)
            sightings += self._finder.from_above(image, roofs, *self._area, missing)
            code, self.view = self._tracker.follow(width, height, sort_out(sightings))
        return code, sort_out(sightings)

    def _placed(self, found: Found, moving: Collection[str]) -> list[SeenPiece]:
        """The pieces whose tags were found where nothing moves."""
        if self.view is None:
            return []
        placed = (
            self._place(piece, found.tags[tag], self.view)
            for tag, piece in self._pieces.items()
            if tag in found.tags
        )
        return [
            piece
            for piece in placed
            if piece is not None and nearest_cell(self.board, piece.x, piece.y).name not in moving
        ]

    def _place(self, piece: Piece, pixels: Points, view: View) -> SeenPiece | None:
        if self.board.piece_tag is None:
            return None
        place = stand(view, self.board.piece_tag, pixels)
        if place is None:
            return None
        cell = cell_at(self.board, place.x, place.y)
        return SeenPiece(
            id=piece.id,
            kind=piece.kind,
            colour=piece.id,
            cell=cell.name if cell else None,
            heading=heading_along(self.board.headings, place.yaw, self.board.askew),
            x=round(place.x, 2),
            y=round(place.y, 2),
            yaw=round(place.yaw, 2),
            confidence=place.confidence,
        )

    def _covered(
        self, image: Picture, seen: list[SeenPiece], lit: Collection[str]
    ) -> tuple[frozenset[str], bool]:
        cells = list(self.board.cells.values())
        if self.view is None:
            return frozenset(self.board.cells), False
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
        cover: Cover = self._cover.look(grey, self.view, seen, lit)
        pixels = self.view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in cells]))
        inside = np.all((pixels >= 0) & (pixels < image.shape[1::-1]), axis=1).tolist()
        outside = {cell.name for cell, within in zip(cells, inside, strict=True) if not within}
        return cover.cells | outside, cover.hand

    def _roofs(self, view: View) -> Points:
        """Pixels of the area in which pieces stand, at the height of their roofs."""
        x, y = self._area[0] / 2, self._area[1] / 2
        height = self.board.piece_tag.height if self.board.piece_tag else 0.0
        return view.pixels(
            np.array([(-x, y, height), (x, y, height), (x, -y, height), (-x, -y, height)])
        )


def _all_off_alike(board: Board, seen: list[SeenPiece]) -> bool:
    """Whether the pieces stand off their cells' middles the same way: people set them down this
    way and that, so then it is the board or its tags that are not as the board file says."""
    offs = [
        (piece.x - board.cells[piece.cell].x, piece.y - board.cells[piece.cell].y)
        for piece in seen
        if piece.cell is not None
    ]
    return len(offs) >= ALIKE and bool(np.hypot(*np.mean(offs, axis=0)) > ALL_OFF)
