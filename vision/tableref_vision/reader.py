"""Reading a board off a camera frame."""

from __future__ import annotations

from collections.abc import Collection

from tableref_hardware import Board
from tableref_vision.calibration import Calibration
from tableref_vision.camera import Frame
from tableref_vision.observation import Observation, SeenPiece
from tableref_vision.opencv import Picture, np
from tableref_vision.placing import cell_at, heading_along, stand
from tableref_vision.tags import Box, Found, TagFinder, sort_out
from tableref_vision.view import Lens, View, fit_view

BOX_MARGIN = 40.0  # mm of table around the plate


class BoardReader:
    """Reads one board off the frames of one camera.

    >>> reader = BoardReader(load_board("autoscooter"))
    >>> reader.read(frame).pieces[0].cell
    'a1'
    """

    def __init__(self, board: Board, calibration: Calibration | None = None) -> None:
        self.board = board
        self._corner_tags = {tag.id: tag for tag in board.corner_tags}
        self._pieces = {piece.tag: piece for piece in board.pieces if piece.tag is not None}
        self._finder = TagFinder(board.dictionary, {*self._corner_tags, *self._pieces})
        self._calibration = calibration
        self.view: View | None = None

    def read(self, frame: Frame, lit: Collection[str] = ()) -> Observation:
        """What this frame shows. `lit` are cells whose light is on: no colour is read there."""
        seen_tags = self._finder.quick(frame.image)
        found = sort_out(seen_tags)
        code, view = self._look_at_board(frame.image, found)
        if len(found.tags) < len(self._corner_tags) + len(self._pieces):
            seen_tags += self._finder.thorough(frame.image, self._box(view, frame.image))
            found = sort_out(seen_tags)
            code, view = self._look_at_board(frame.image, found)
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

    def _look_at_board(self, image: Picture, found: Found) -> tuple[str, View | None]:
        corners = {tag: found.tags[i] for i, tag in self._corner_tags.items() if i in found.tags}
        if len(corners) < 3:
            if found.twice & self._corner_tags.keys():
                return "same-tag-twice", None
            return ("few-corners" if corners else "no-board"), None
        view = fit_view(corners, Lens.unknown(image.shape[1], image.shape[0]))
        return ("bad-fit", None) if view is None or view.error > 1.5 else ("ok", view)

    def _box(self, view: View | None, image: Picture) -> Box:
        """The part of the picture in which the board lies; all of it where that is not known."""
        if view is None:
            return 0, 0, image.shape[1], image.shape[0]
        x, y = self.board.plate.width / 2 + BOX_MARGIN, self.board.plate.depth / 2 + BOX_MARGIN
        rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
        pixels = view.pixels(rim)
        left, top = np.clip(pixels.min(axis=0), 0, None).astype(int)
        right, bottom = np.clip(pixels.max(axis=0), 0, image.shape[1::-1]).astype(int)
        return int(left), int(top), int(right), int(bottom)

    def _out_of_picture(self, view: View | None, image: Picture) -> frozenset[str]:
        cells = list(self.board.cells.values())
        if view is None:
            return frozenset(cell.name for cell in cells)
        pixels = view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in cells]))
        inside = np.all((pixels >= 0) & (pixels < image.shape[1::-1]), axis=1)
        return frozenset(
            c.name for c, within in zip(cells, inside.tolist(), strict=True) if not within
        )
