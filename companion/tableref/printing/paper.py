"""Sheets of paper in true size: margins, a ruler to check the printer with, tiles and cut marks.

Everything is in mm with the origin at the lower left corner of the paper, y up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tableref.errors import UserError
from tableref.printing.words import Words

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
MARGIN = 10.0  # what no printer reaches
FOOT = 20.0  # for ruler and words, above the lower margin
HEAD = 13.0
SLIM = 8.0  # head and foot for a line of words each, and no ruler
RULER = 100.0
RULER_AT = (MARGIN + 2.0, MARGIN + 4.0)  # its left end
POINT = 72 / 25.4

Colour = tuple[float, float, float]
"""Red, green, blue, 0 to 1."""

BLACK: Colour = (0.0, 0.0, 0.0)
GREY: Colour = (0.55, 0.55, 0.55)
PALE: Colour = (0.85, 0.85, 0.85)
WHITE: Colour = (1.0, 1.0, 1.0)


class Sheet:
    """A page to draw on."""

    def __init__(self, canvas: Any, width: float, height: float, slim: bool = False) -> None:
        self._canvas = canvas
        self.width, self.height = width, height
        self._head, self._foot = (SLIM, SLIM) if slim else (HEAD, FOOT)

    @property
    def room(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height that are free between head and foot."""
        bottom = MARGIN + self._foot
        return MARGIN, bottom, self.width - 2 * MARGIN, self.height - bottom - MARGIN - self._head

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: Colour | None = None,
        line: float = 0.0,
        colour: Colour = BLACK,
    ) -> None:
        """A rectangle, filled or with a line so many mm wide, or both."""
        self._pens(fill, line, colour)
        self._canvas.rect(
            x * POINT,
            y * POINT,
            width * POINT,
            height * POINT,
            int(line > 0),
            int(fill is not None),
        )

    def rectangles(self, boxes: Iterable[tuple[float, float, float, float]], fill: Colour) -> None:
        """Rectangles (x, y, width, height) as one shape, so that touching ones leave no seam."""
        self._pens(fill, 0.0, BLACK)
        path = self._canvas.beginPath()
        for box in boxes:
            path.rect(*(side * POINT for side in box))
        self._canvas.drawPath(path, stroke=0, fill=1)

    def polygon(
        self,
        points: Iterable[tuple[float, float]],
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = BLACK,
        closed: bool = True,
    ) -> None:
        """A polygon, or a polyline where it is not `closed`."""
        self._pens(fill, line, colour)
        path = self._canvas.beginPath()
        for number, (x, y) in enumerate(points):
            (path.lineTo if number else path.moveTo)(x * POINT, y * POINT)
        if closed:
            path.close()
        self._canvas.drawPath(path, stroke=int(line > 0), fill=int(fill is not None))

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Colour | None = None,
        line: float = 0.3,
        colour: Colour = BLACK,
    ) -> None:
        """A circle."""
        self._pens(fill, line, colour)
        self._canvas.circle(
            x * POINT, y * POINT, radius * POINT, int(line > 0), int(fill is not None)
        )

    def line(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        width: float = 0.2,
        colour: Colour = BLACK,
        dash: tuple[float, ...] = (),
    ) -> None:
        """A line, dashed with these lengths where given."""
        self._pens(None, width, colour)
        self._canvas.setDash([part * POINT for part in dash])
        self._canvas.line(x * POINT, y * POINT, to_x * POINT, to_y * POINT)
        self._canvas.setDash([])

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 3.5,
        align: str = "left",
        bold: bool = False,
        turn: float = 0.0,
        colour: Colour = BLACK,
    ) -> None:
        """Words with letters `size` mm high at (x, y), turned by degrees anticlockwise."""
        pen = self._canvas
        pen.saveState()
        pen.translate(x * POINT, y * POINT)
        pen.rotate(turn)
        pen.setFillColorRGB(*colour)
        pen.setFont(_font(bold), size * POINT)
        draw = {"left": pen.drawString, "middle": pen.drawCentredString}
        draw.get(align, pen.drawRightString)(
            0, -0.36 * size * POINT if align == "middle" else 0, text
        )
        pen.restoreState()

    def fitted(
        self, x: float, y: float, text: str, size: float, width: float, align: str = "left"
    ) -> None:
        """Words in letters of this size, or smaller where they would be wider than `width`."""
        wide = text_width(text, size)
        self.text(x, y, text, size if wide <= width else size * width / wide, align)

    def clipped(
        self, x: float, y: float, width: float, height: float, draw: Callable[[], None]
    ) -> None:
        """Whatever `draw` draws, but only inside this rectangle."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(x * POINT, y * POINT, width * POINT, height * POINT)
        self._canvas.clipPath(path, stroke=0, fill=0)
        draw()
        self._canvas.restoreState()

    def shifted(self, x: float, y: float, draw: Callable[[], None]) -> None:
        """Whatever `draw` draws, with the origin at (x, y)."""
        self._canvas.saveState()
        self._canvas.translate(x * POINT, y * POINT)
        draw()
        self._canvas.restoreState()

    def _pens(self, fill: Colour | None, line: float, colour: Colour) -> None:
        self._canvas.setLineWidth(line * POINT)
        self._canvas.setStrokeColorRGB(*colour)
        if fill is not None:
            self._canvas.setFillColorRGB(*fill)


class Document:
    """A PDF file: pages of one paper, each with a title, its number and a ruler."""

    def __init__(self, paper: str, title: str, words: Words | None = None) -> None:
        """`paper` is one of PAPERS. UserError for any other. `words`: English where none given."""
        from reportlab.pdfgen.canvas import Canvas

        if paper not in PAPERS:
            raise UserError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
        self.paper, self.title, self.pages = paper, title, 0
        self.words = words or Words()
        # invariant: the same sheet is the same file, without the time in it
        self._canvas = Canvas("", invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("Tableref")
        # Readers of the file then do not offer to shrink it.
        self._canvas.setViewerPreference("PrintScaling", "None")

    def page(
        self, heading: str, note: str = "", landscape: bool = False, ruler: bool = True
    ) -> Sheet:
        """A new page with its head and foot drawn; without the ruler where size does not matter,
        which leaves more room."""
        if self.pages:
            self._canvas.showPage()
        self.pages += 1
        width, height = PAPERS[self.paper]
        if landscape:
            width, height = height, width
        self._canvas.setPageSize((width * POINT, height * POINT))
        sheet = Sheet(self._canvas, width, height, slim=not ruler)
        title = f"{self.title}{self.words.colon} {heading}" if heading else self.title
        sheet.text(MARGIN, height - MARGIN - 4, title, 4.2, bold=True)
        if not ruler:
            sheet.text(MARGIN, MARGIN + 1, note, 2.4)
            return sheet
        number = self.words("page", number=self.pages)
        sheet.text(width - MARGIN, height - MARGIN - 4, number, 3.2, align="right")
        _ruler(sheet, self.words("ruler"), note)
        return sheet

    def write(self, path: Path) -> None:
        """Write the file. UserError where that is not possible."""
        data = self._canvas.getpdfdata()
        try:
            path.write_bytes(data)
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror})") from error


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How many mm a text is wide in letters `size` mm high."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return float(stringWidth(text, _font(bold), size))


def _font(bold: bool) -> str:
    return "Helvetica-Bold" if bold else "Helvetica"


def _ruler(sheet: Sheet, words: str, note: str) -> None:
    """A line of 100 mm with a tick each 10: the only way to see that nothing was scaled."""
    x, y = RULER_AT
    sheet.line(x, y, x + RULER, y, 0.4)
    for tick in range(0, 101, 10):
        sheet.line(x + tick, y - (2.5 if tick % 50 == 0 else 1.2), x + tick, y, 0.3)
    sheet.fitted(x + RULER + 3, y - 1, words, 2.6, sheet.width - MARGIN - x - RULER - 3)
    if note:
        sheet.fitted(x, y + 4.5, note, 3.0, sheet.width - MARGIN - x)


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of something larger: which column and row from the lower left, and its rectangle."""

    column: int
    row: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tiling:
    """How something is cut into equal tiles that fit a page."""

    tiles: tuple[Tile, ...]
    columns: int
    rows: int
    landscape: bool


def tiling(paper: str, width: float, height: float) -> Tiling:
    """The fewest equal tiles of width x height mm that fit this paper, upright or sideways.

    The top row comes first, as one reads.
    """
    ways = []
    for landscape in (False, True):
        width_of, height_of = PAPERS[paper][:: -1 if landscape else 1]
        sheet = Sheet(None, width_of, height_of)
        _, _, room_width, room_height = sheet.room
        columns, rows = math.ceil(width / room_width), math.ceil(height / room_height)
        ways.append((columns * rows, landscape, columns, rows))
    _, landscape, columns, rows = min(ways)
    size = width / columns, height / rows
    tiles = tuple(
        Tile(column, row, column * size[0], row * size[1], *size)
        for row in reversed(range(rows))
        for column in range(columns)
    )
    return Tiling(tiles, columns, rows, landscape)


def print_tiled(
    document: Document, size: tuple[float, float], words: str, draw: Callable[[Sheet], None]
) -> Document:
    """What `draw` draws, its south-west corner at the origin, in as few pages as it goes in.

    `size` is its width and depth in mm; `words` follow on how the parts are joined.
    """
    cut = tiling(document.paper, *size)
    for tile in cut.tiles:
        sheet = document.page(
            _side(tile, cut, document.words),
            document.words("join", words=words),
            cut.landscape,
        )
        left, bottom, room_width, room_height = sheet.room
        x, y = left + (room_width - tile.width) / 2, bottom + (room_height - tile.height) / 2
        shifted = partial(sheet.shifted, x - tile.x, y - tile.y, partial(draw, sheet))
        sheet.clipped(x, y, tile.width, tile.height, shifted)
        cut_marks(sheet, x, y, tile.width, tile.height)
    return document


def _side(tile: Tile, cut: Tiling, words: Words) -> str:
    """The tile's side of the whole: `north-west part`, `west part`, or by row and column."""
    if len(cut.tiles) == 1:
        return words("whole")
    if cut.columns > 2 or cut.rows > 2:
        return words("part-of-many", row=tile.row + 1, column=tile.column + 1)
    north = "" if cut.rows == 1 else "SN"[tile.row]
    east = "" if cut.columns == 1 else "WE"[tile.column]
    return words(f"part-{north}{east}")


def cut_marks(sheet: Sheet, x: float, y: float, width: float, height: float) -> None:
    """Short lines outside the corners of a rectangle, to lay a knife along."""
    gap, length = 1.0, 3.5
    for corner_x, out_x in ((x, -1), (x + width, 1)):
        for corner_y, out_y in ((y, -1), (y + height, 1)):
            sheet.line(
                corner_x + out_x * gap, corner_y, corner_x + out_x * (gap + length), corner_y
            )
            sheet.line(
                corner_x, corner_y + out_y * gap, corner_x, corner_y + out_y * (gap + length)
            )


def places(sheet: Sheet, width: float, height: float, gap: float) -> Iterator[tuple[float, float]]:
    """Lower left corners of as many rectangles as fit the sheet, row by row from the top."""
    left, bottom, room_width, room_height = sheet.room
    columns = int((room_width + gap) // (width + gap))
    rows = int((room_height + gap) // (height + gap))
    start = left + (room_width - columns * (width + gap) + gap) / 2
    for row in range(rows):
        for column in range(columns):
            yield (
                start + column * (width + gap),
                bottom + room_height - height - row * (height + gap),
            )
