"""A picture with what was seen drawn over it, for people who set a camera up or doubt a reading."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tableref_hardware import Board
from tableref_vision.camera import Frame
from tableref_vision.errors import PictureError
from tableref_vision.memory import give_back
from tableref_vision.observation import Observation, SeenPiece
from tableref_vision.opencv import Picture, cv2, np
from tableref_vision.view import View

if TYPE_CHECKING:
    from tableref_vision.untagged.reader import Reading

WHITE, BLACK, GREEN, AMBER, RED = (
    (255, 255, 255),
    (0, 0, 0),
    (80, 200, 60),
    (0, 170, 255),
    (60, 60, 230),
)
ROWS = (0, 1, -1, 2, -2)  # to which words may go where others stand, the next one first
SCREEN = 800  # px of a picture that is seen in full size
FORMATS = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
SMALL = 0.65  # of the usual size of letters, where every cell has words
NOSE = 22.0  # mm that an arrow reaches ahead of a piece's middle


def draw(frame: Frame, board: Board, seen: Observation, view: View | None) -> Picture:
    """A copy of the frame: cells as dots, pieces as arrows with their names, the rest in words.

    Green stands on a cell and along a heading, amber does not; cells about which nothing can be
    said are red.
    """
    image = frame.image.copy()
    labels = Labels(image)
    scale = labels.scale
    words = f"pose: {seen.pose}" + ("   hand" if seen.hand else "")
    if seen.not_seen:
        words += "   not seen: " + ", ".join(seen.not_seen)
    labels.put(words, (round(10 * scale), image.shape[0] - round(14 * scale)))
    if view is not None:
        middles = view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in board.cells.values()]))
        for name, middle in zip(board.cells, middles, strict=True):
            colour = RED if name in seen.covered else WHITE
            cv2.circle(image, _pixel(middle), round(3 * scale), colour, -1, cv2.LINE_AA)
        for piece in seen.pieces:
            _piece(labels, image, board, view, piece)
    return image


def draw_seen(frame: Frame, board: Board, seen: Observation, view: View | None) -> Picture:
    """A copy of the frame with an observation of any board: of pieces with tags or without."""
    if seen.cells is None:
        return draw(frame, board, seen, view)
    from tableref_vision.untagged.reader import Doubt, Reading

    codes = dict.fromkeys(seen.covered, "covered") | dict.fromkeys(seen.strange, "strange")
    at = board.cells
    doubts = [Doubt(code, cell, at[cell].x, at[cell].y) for cell, code in codes.items()]
    cells = {cell: seen.cells.get(cell, frozenset[str]()) for cell in board.cells}
    return draw_reading(frame, board, Reading(seen.image, seen.pose, cells, tuple(doubts)), view)


def _piece(labels: Labels, image: Picture, board: Board, view: View, piece: SeenPiece) -> None:
    height = board.piece_tag.height if board.piece_tag else 0.0
    yaw = np.radians(piece.yaw)
    ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0]) * NOSE
    middle = np.array([piece.x, piece.y, height])
    start, end = view.pixels(np.array([middle, middle + ahead]))
    colour, scale = GREEN if piece.cell and piece.heading else AMBER, labels.scale
    thick = round(2 * scale)
    cv2.arrowedLine(image, _pixel(start), _pixel(end), colour, thick, cv2.LINE_AA, tipLength=0.35)
    words = f"{piece.id} {piece.cell or 'between'} {piece.heading or 'askew'}"
    x, y = _pixel(start)
    labels.put(words, (x - round(30 * scale), y + round(26 * scale)))


def draw_reading(frame: Frame, board: Board, reading: Reading, view: View | None) -> Picture:
    """A copy of the frame of a board whose pieces wear no tags: what stands on each cell.

    Green is sure, amber may be one of several, red is not explained; empty cells are white dots.
    """
    image = frame.image.copy()
    labels = Labels(image, SMALL)
    scale = labels.scale
    doubts = {doubt.cell: doubt.code for doubt in reading.doubts}
    words = f"pose: {reading.pose}"
    if covered := sum(code == "covered" for code in doubts.values()):
        words += f"   covered: {covered} cells"
    labels.put(words, (round(10 * scale), image.shape[0] - round(14 * scale)))
    if view is None:
        return image
    middles = view.pixels(np.array([(cell.x, cell.y, 0.0) for cell in board.cells.values()]))
    for name, middle in zip(board.cells, middles, strict=True):
        may, (x, y) = reading.cells[name], _pixel(middle)
        if name in doubts:
            colour, words = RED, "" if doubts[name] == "covered" else doubts[name]
        elif may == {""}:
            colour, words = WHITE, ""
        else:
            colour = GREEN if len(may) == 1 else AMBER
            words = " / ".join(text or "nothing" for text in sorted(may))
        cv2.circle(image, (x, y), round(3 * scale), colour, -1, cv2.LINE_AA)
        if words:
            labels.put(words, (x - round(24 * scale), y + round(24 * scale)), colour)
    return image


class Labels:
    """Words on black over a picture, none of which covers another as long as there is room.

    `scale`: how large letters and lines are, so that they can be read on a screen that shows the
    whole picture; 1 up to 800 px. `share` of that, where there are many.
    """

    def __init__(self, image: Picture, share: float = 1.0) -> None:
        longer: int = max(image.shape[:2])
        self._image, self.scale = image, max(1.0, share * longer / SCREEN)
        self._taken: list[tuple[int, int, int, int]] = []

    def put(self, words: str, at: tuple[int, int], colour: tuple[int, int, int] = WHITE) -> None:
        """Write words, their first letter's foot at `at` or as near as the picture and the words
        before allow: a row or two higher or lower."""
        scale = self.scale
        font, size, thick = cv2.FONT_HERSHEY_SIMPLEX, 0.45 * scale, max(1, round(scale))
        (width, height), _ = cv2.getTextSize(words, font, size, thick)
        edge = round(4 * scale)
        x = max(edge, min(at[0], self._image.shape[1] - width - edge))
        least, most = height + edge, self._image.shape[0] - edge
        feet = [max(least, min(at[1] + away * (height + 2 * edge), most)) for away in ROWS]
        boxes = [(x - edge, y - height - edge, x + width + edge, y + edge) for y in feet]
        box = next((box for box in boxes if not any(_meet(box, t) for t in self._taken)), boxes[0])
        self._taken.append(box)
        cv2.rectangle(self._image, box[:2], box[2:], BLACK, -1)
        foot = x, box[3] - edge
        cv2.putText(self._image, words, foot, font, size, colour, thick, cv2.LINE_AA)


def _meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _pixel(point: np.ndarray) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def write_picture(path: Path, image: Picture) -> None:
    """Write a picture in the format of its suffix: whole or not at all, so that whoever looks at
    a file that is written again and again never sees half of it. PictureError"""
    check_format(path)
    give_back()  # a large picture takes its size once more
    done, data = cv2.imencode(path.suffix, image)
    if not done:
        raise PictureError(f"{path}: the picture cannot be made a {path.suffix}")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            part.write_bytes(data.data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise PictureError(f"{path}: cannot be written ({error.strerror or error})") from error


def check_format(path: Path) -> None:
    """PictureError where no picture of this suffix can be written."""
    if path.suffix.lower() not in FORMATS:
        raise PictureError(
            f"{path}: no picture of this format can be written; end its name in .jpg or .png"
        )
