"""Reading a board off a camera frame."""

from __future__ import annotations

from collections.abc import Collection

from tableref_hardware import Board
from tableref_vision.calibration import Calibration
from tableref_vision.camera import Frame
from tableref_vision.observation import Observation, SeenPiece
from tableref_vision.opencv import Picture, Points, np
from tableref_vision.placing import cell_at, heading_along, stand
from tableref_vision.tags import TagFinder, sort_out
from tableref_vision.tracker import BoardTracker
from tableref_vision.view import View

MARGIN = 10.0  # mm of table around the plate


class BoardReader:
    """Reads one board off the frames of one camera.

    >>> reader = BoardReader(load_board("autoscooter"))
    >>> reader.read(frame).pieces[0].cell
    'a1'
    """

    def __init__(self, board: Board, calibration: Calibration | None = None) -> None:
        self.board = board
        corners = {tag.id for tag in board.corner_tags}
        self._pieces = {piece.tag: piece for piece in board.pieces if piece.tag is not None}
        self._tags = corners | self._pieces.keys()
        self._finder = TagFinder(board.dictionary, self._tags)
        self._tracker = BoardTracker(board, calibration.lens if calibration else None)
        self._area = board.plate.width + 2 * MARGIN, board.plate.depth + 2 * MARGIN
        self.view: View | None = None

    def read(self, frame: Frame, lit: Collection[str] = ()) -> Observation:
        """What this frame shows. `lit` are cells whose light is on: no colour is read there."""
        height, width = frame.image.shape[:2]
        sightings = self._finder.quick(frame.image)
        code, view = self._tracker.follow(width, height, sort_out(sightings))
        if view is None and code != "bumped":
            sightings += self._finder.again(frame.image)
            code, view = self._tracker.follow(width, height, sort_out(sightings))
        missing = self._tags - {tag for tag, _ in sightings}
        if view is not None and missing:
            roofs = self._roofs(view)
            sightings += self._finder.from_above(frame.image, roofs, *self._area, missing)
            code, view = self._tracker.follow(width, height, sort_out(sightings))
        found = sort_out(sightings)
        self.view = view
        seen: list[SeenPiece] = []
        if view is not None and self.board.piece_tag is not None:
            for tag, piece in self._pieces.items():
                if tag not in found.tags:
                    continue
                place = stand(view, self.board.piece_tag, found.tags[tag])
                if place is None:
                    continue
                cell = cell_at(self.board, place.x, place.y)
                seen.append(
                    SeenPiece(
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
                )
        ids = {piece.id for piece in seen}
        return Observation(
            time=frame.time,
            image=frame.name,
            pose=code,
            pieces=tuple(seen),
            not_seen=tuple(p.id for p in self.board.pieces if p.id not in ids),
            covered=self._out_of_picture(view, frame.image),
            hand=False,
            still=True,
            twice=tuple(p.id for tag, p in self._pieces.items() if tag in found.twice),
        )

    def _roofs(self, view: View) -> Points:
        """Pixels of the area in which pieces stand, at the height of their roofs."""
        x, y = self._area[0] / 2, self._area[1] / 2
        height = self.board.piece_tag.height if self.board.piece_tag else 0.0
        return view.pixels(
            np.array([(-x, y, height), (x, y, height), (x, -y, height), (-x, -y, height)])
        )

    def _out_of_picture(self, view: View | None, image: Picture) -> frozenset[str]:
        cells = list(self.board.cells.values())
        if view is None:
            return frozenset(cell.name for cell in cells)
        pixels = view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in cells]))
        inside = np.all((pixels >= 0) & (pixels < image.shape[1::-1]), axis=1)
        return frozenset(
            c.name for c, within in zip(cells, inside.tolist(), strict=True) if not within
        )
