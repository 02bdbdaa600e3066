"""The small screen: what it says, how that is drawn, and who draws it.

A `Screen` is a value; `draw` turns it into pixels. `OledDisplay` sends them to an SSD1306 or
SH1106 over I2C, `PngDisplay` to files. Both are slow and may fail, so the game talks to a
`ScreenKeeper`, which takes the newest screen at once and draws it in its own time.
"""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from tableref.devices import font
from tableref.devices.board_map import BoardMap, draw_board
from tableref.devices.board_map import width as width_of
from tableref.devices.gallery import Gallery
from tableref.devices.trouble import DeviceError
from tableref.devices.worker import Worker, in_words

if TYPE_CHECKING:
    from PIL import Image

log = logging.getLogger(__name__)

Driver = Literal["ssd1306", "sh1106"]
DRIVERS: tuple[Driver, ...] = ("ssd1306", "sh1106")
COLUMNS = 21
ROWS = 4
LINE = font.HEIGHT
LIT = 255  # how Pillow keeps a lit pixel of mode "1"
BAR = 11  # height of the title's bar
SKETCH = 62  # px across that a sketch has at most
BESIDE = 10  # letters of a line beside a sketch
LARGE = 2  # how many times as large short texts are drawn
MOST_MAP = 50  # pixels that a map may take from the lines
QUIET = 2  # modules of light around a QR code, at least
FINEST = 2  # pixels a module of a QR code: a third of a millimetre
GAP = 2  # pixels between the lines and a map


DOTS = (128, 64 - BAR - 1)  # pixels of a picture below the title


class Marker(Enum):
    """What kind of screen it is, as a letter at the title's end."""

    NONE = ""
    OK = "✓"
    REFUSED = "✗"
    ASK = "?"
    TROUBLE = "!"
    WAIT = "…"


class Sketch(NamedTuple):
    """A small drawing of what a camera sees: an outline and marks, filled ones and hollow ones, as
    shares of the picture from its upper left corner; `aspect` is its width over its height."""

    aspect: float
    outline: tuple[tuple[float, float], ...] = ()
    marks: tuple[tuple[float, float, bool], ...] = ()


class Dots(NamedTuple):
    """A picture in black and white, `rows` as Pillow has those of mode "1"."""

    width: int
    height: int
    rows: bytes


@dataclass(frozen=True, slots=True)
class Screen:
    """A title, up to four lines, and at the foot a paragraph id and what a button does now.

    Nothing here has to fit: `draw` cuts what is too long with an ellipsis. `board` is a map of
    the board beside the lines, or in their place where there are none. `framed` draws a line all
    around, to see whether the display shows every pixel. Beside a `sketch` lines have room for
    `BESIDE` letters, and on 32 rows there is none. `dots` is a picture below the title, in the
    place of all else; on 32 rows its middle is shown. A `code` is a text that phones read: a QR
    code at the right, over the whole height; the lines have the room that is left.
    """

    title: str
    lines: tuple[str, ...] = ()
    marker: Marker = Marker.NONE
    paragraph: str = ""
    hint: str = ""
    framed: bool = False
    sketch: Sketch | None = None
    board: BoardMap | None = None
    dots: Dots | None = None
    code: str = ""

    @classmethod
    def of(
        cls,
        title: str,
        text: str,
        marker: Marker = Marker.NONE,
        paragraph: str = "",
        hint: str = "",
    ) -> Screen:
        """A screen whose lines are this text, broken between words."""
        return cls(title, font.wrap(text, COLUMNS, ROWS), marker, paragraph, hint)

    def marked(self, note: str) -> Screen:
        """The same with a note at its foot, where no button does anything there."""
        return replace(self, hint=note) if note and not self.hint else self


def draw(screen: Screen, size: tuple[int, int] = (128, 64)) -> Image.Image:
    """The screen as a picture of mode "1"; `size` is 128 x 64 or 128 x 32 pixels.

    Short texts are large, to be read from an arm's length; a screen that is nothing but a title
    shows it so. On 32 rows two lines are left: the paragraph moves into the title's bar, the hint
    is dropped, and so is a map beside lines that fill the width.
    """
    from PIL import Image, ImageDraw

    width, height = size
    image = Image.new("1", size, 0)
    small = height < 64
    rows = 2 if small else ROWS
    if screen.dots is not None:
        _draw_bar(image, screen, screen.paragraph)
        _draw_dots(image, screen.dots)
        return image
    if not screen.lines and screen.board is None and (title := _large(screen.title, COLUMNS, rows)):
        screen = replace(screen, title="", lines=title)
    _draw_bar(image, screen, screen.paragraph if small else "")
    box = (0, BAR + 1, width, BAR + 1 + rows * LINE)
    if screen.board is not None:
        box = _draw_map(image, screen, box)
    code = _code(screen.code, height) if screen.code else None
    if code is not None:
        box = (0, BAR + 1, width - code.width - GAP, box[3])
    columns = (box[2] - box[0] - 1) // font.WIDTH
    if screen.sketch is not None and not small:
        columns = BESIDE
    told = screen.lines
    if screen.code and code is None:  # the address has to be read
        told = font.wrap(" ".join(told), columns, rows)
    lines, times = _body(told, columns, rows)
    for row, line in enumerate(lines):
        letters = font.picture(line)
        if times > 1 and letters.width:
            letters = letters.resize((letters.width * times, letters.height * times))
        image.paste(letters, (1, BAR + 1 + row * LINE * times))
    if not small and (screen.paragraph or screen.hint):
        image.paste(LIT, (0, height - LINE - 2, width, height - LINE - 1))
        hint = font.fit(screen.hint, COLUMNS)
        left = COLUMNS - len(hint) - 1 if hint else COLUMNS
        if left > 1:
            image.paste(font.picture(font.fit(screen.paragraph, left)), (1, height - LINE))
        image.paste(font.picture(hint), (width - 1 - font.WIDTH * len(hint), height - LINE))
    if screen.sketch is not None and not small:
        _draw_sketch(ImageDraw.Draw(image), screen.sketch, (width - SKETCH - 1, BAR + 1))
    if code is not None:
        image.paste(code, (width - code.width, (height - code.height) // 2))
    if screen.framed:
        ImageDraw.Draw(image).rectangle((0, 0, width - 1, height - 1), outline=LIT)
    return image


def _draw_dots(image: Image.Image, dots: Dots) -> None:
    """The picture in the middle of what is left below the title's bar."""
    from PIL import Image

    shown = Image.frombytes("1", (dots.width, dots.height), dots.rows)
    top = BAR + 1
    room = image.height - top
    over = max(0, dots.height - room) // 2
    shown = shown.crop((0, over, dots.width, over + min(room, dots.height)))
    image.paste(shown, ((image.width - shown.width) // 2, top + (room - shown.height) // 2))


def _code(text: str, height: int) -> Image.Image | None:
    """The QR code of a text, dark on lit pixels, as large as fits into so many rows with the two
    modules of light around it that phones need at least; None where it would be too small, or
    nothing can make one."""
    from PIL import Image

    try:
        import segno
    except ImportError:  # the address in words is there as well
        return None
    rows = segno.make(text, error="l", boost_error=False, micro=False).matrix
    times = height // (len(rows) + 2 * QUIET)
    if times < FINEST:
        return None
    side = min(height, times * (len(rows) + 4 * QUIET))
    image, edge = Image.new("1", (side, side), LIT), (side - times * len(rows)) // 2
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                left, top = edge + x * times, edge + y * times
                image.paste(0, (left, top, left + times, top + times))
    return image


def _draw_sketch(pen: Any, sketch: Sketch, corner: tuple[int, int]) -> None:
    """The camera's picture as a frame of lines, in it the outline and the marks."""
    left, top = corner
    high = min(ROWS * LINE - 1, round(SKETCH / sketch.aspect))
    wide = round(high * sketch.aspect)
    left += SKETCH - wide

    def place(x: float, y: float) -> tuple[int, int]:
        return round(left + x * (wide - 1)), round(top + y * (high - 1))

    pen.rectangle((left, top, left + wide - 1, top + high - 1), outline=LIT)
    if sketch.outline:
        corners = [place(x, y) for x, y in sketch.outline]
        pen.line([*corners, corners[0]], fill=LIT)
    for x, y, filled in sketch.marks:
        at, on = place(x, y)
        box = (at - 3, on - 3, at + 3, on + 3)
        pen.rectangle(box, outline=LIT, fill=LIT if filled else 0)


def beside(screen: Screen) -> bool:
    """Whether the lines of a screen leave room for its map on a display of 64 rows."""
    assert screen.board is not None
    columns = (127 - GAP - width_of(screen.board, ROWS * LINE, MOST_MAP)) // font.WIDTH
    return len(font.wrap(" ".join(screen.lines), columns, ROWS + 1)) <= ROWS


def _draw_map(
    image: Image.Image, screen: Screen, box: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    """Draws the map at the right of the box; the box that is left for the lines."""
    assert screen.board is not None
    left, top, right, bottom = box
    wide = right - left - 1
    if screen.lines:
        wide = width_of(screen.board, bottom - top, MOST_MAP)
        columns = (right - left - 1 - GAP - wide) // font.WIDTH
        rows = (bottom - top) // LINE
        if len(font.wrap(" ".join(screen.lines), columns, rows + 1)) > rows:
            return box
    image.paste(draw_board(screen.board, (wide, bottom - top)), (right - wide - 1, top))
    return left, top, right - wide - GAP, bottom


def _enlarged(lines: tuple[str, ...], columns: int, rows: int) -> tuple[str, ...]:
    """The lines as large ones, none where they do not fit: as they are, or one broken in two."""
    if len(lines) == 1:
        return _large(lines[0], columns, rows)
    fit = all(len(font.plain(line)) <= columns // LARGE for line in lines)
    return tuple(map(font.plain, lines)) if fit and len(lines) <= rows // LARGE else ()


def _large(text: str, columns: int, rows: int) -> tuple[str, ...]:
    """The text in large lines, in the room of so many usual ones; none where it does not fit."""
    columns, rows = columns // LARGE, rows // LARGE
    lines = font.wrap(text, columns, rows + 1)
    whole = max(map(len, font.plain(text).split()), default=0) <= columns
    return lines if lines and whole and len(lines) <= rows else ()


def _draw_bar(image: Image.Image, screen: Screen, paragraph: str) -> None:
    """The title black on white, at its end the marker and, where there is no foot, `paragraph`."""
    end = " ".join(filter(None, (font.plain(paragraph), screen.marker.value)))
    title = font.fit(screen.title, COLUMNS - len(end) - 1 if end else COLUMNS)
    image.paste(LIT, (0, 0, image.width, BAR))
    for text, x in ((title, 1), (end, image.width - 1 - font.WIDTH * len(end))):
        letters = font.picture(text)
        image.paste(0, (x, 1, x + letters.width, 1 + LINE), letters)


def _body(lines: tuple[str, ...], columns: int, rows: int) -> tuple[tuple[str, ...], int]:
    """The lines as they fit, and how many times as large as usual: short ones are large, long ones
    are run together and broken anew, and cut where that is not enough."""
    if large := _enlarged(lines, columns, rows):
        return large, LARGE
    if len(lines) <= rows and all(len(font.plain(line)) <= columns for line in lines):
        return tuple(font.fit(line, columns) for line in lines), 1
    apart = [part for line in lines for part in font.wrap(line, columns, rows + 1)]
    indented = any(line[:1].isspace() for line in lines)  # a menu keeps its lines
    if len(apart) <= rows and not indented:
        return tuple(apart), 1
    if columns < COLUMNS - 1 or len(lines) > rows:
        return font.wrap(" ".join(lines), columns, rows), 1
    return tuple(font.fit(line, columns) for line in lines), 1


class DisplayError(DeviceError):
    """The display did not take a picture."""


class Display(Protocol):
    """Something that shows screens."""

    def show(self, screen: Screen) -> None:
        """Show this screen in place of the one before. DisplayError"""
        ...

    def stay(self) -> None:
        """What is shown stays when it is closed."""
        ...

    def close(self) -> None:
        """Give the device back."""
        ...


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Where the display is and what drives it: I2C bus number, address, pixels, quarter turns."""

    driver: Driver = "ssd1306"
    bus: int = 1
    address: int = 0x3C
    height: Literal[64, 32] = 64
    rotate: Literal[0, 2] = 0


class OledDisplay:
    """A 128-pixel OLED on the I2C bus."""

    NOP = 0xE3  # the same command for both drivers

    def __init__(self, options: DisplayOptions) -> None:
        """Open bus and display. DisplayError, with advice for each cause."""
        from luma.core.interface.serial import i2c
        from luma.oled import device

        self._options = options
        self._bus: Any = self._try(lambda: i2c(port=options.bus, address=options.address))
        driver = getattr(device, options.driver)
        try:
            # luma keeps every driver object until the program ends, so one is made only when the
            # display answers: a display that stays away is asked for all evening.
            self._try(lambda: self._bus.command(self.NOP))
            self._device: Any = self._try(
                lambda: driver(self._bus, width=128, height=options.height, rotate=options.rotate)
            )
        except DisplayError:
            self._bus.cleanup()
            raise

    def show(self, screen: Screen) -> None:
        """Draw and send the whole screen. DisplayError"""
        image = draw(screen, (128, self._options.height))
        self._try(lambda: self._device.display(image))

    def stay(self) -> None:
        """What is shown stays when it is closed."""
        self._device.persist = True

    def close(self) -> None:
        """Clear the display and give the bus back, in any case. DisplayError"""
        try:
            self._try(self._device.cleanup)
        finally:
            self._bus.cleanup()

    def _try(self, action: Callable[[], Any]) -> Any:
        import luma.core.error

        try:
            return action()
        except (OSError, luma.core.error.Error) as error:
            raise _explained(error, self._options) from error


def _explained(error: Exception, options: DisplayOptions) -> DisplayError:
    """The error of bus or driver, in words that help. luma hides the number in the context."""
    where = f"bus {options.bus}, address 0x{options.address:02X}"
    cause = error if isinstance(error, OSError) else error.__context__
    number = cause.errno if isinstance(cause, OSError) else None
    what, advice = {
        errno.ENOENT: (
            f"there is no I2C bus {options.bus}",
            "Switch I2C on: sudo raspi-config, Interface Options, I2C; then restart the Pi.",
        ),
        errno.EACCES: (
            f"I2C bus {options.bus} may not be opened",
            "Join the group: sudo usermod -aG i2c $USER; then log out and in again.",
        ),
        errno.EREMOTEIO: (
            f"no display answers ({where})",
            f"Check its four wires, then look for it: i2cdetect -y {options.bus}; "
            "some displays listen at 0x3D.",
        ),
        errno.ETIMEDOUT: (
            f"the I2C bus is stuck ({where})",
            "Take the display's power away for a moment; check that SDA and SCL are not swapped.",
        ),
        errno.EBUSY: (
            f"something else uses the display ({where})",
            "Stop the other program, or take its overlay out of /boot/firmware/config.txt.",
        ),
    }.get(
        _SAME.get(number or 0, number or 0),
        (f"the display failed ({where}): {error}", "Check its wires and power."),
    )
    return DisplayError(what, advice)


_SAME = {
    errno.EPERM: errno.EACCES,
    errno.EIO: errno.EREMOTEIO,
    errno.ENXIO: errno.EREMOTEIO,
    errno.ENODEV: errno.ENOENT,
}


def find_driver(
    options: DisplayOptions,
    open_display: Callable[[DisplayOptions], Display],
    sees_frame: Callable[[], bool],
) -> DisplayOptions | None:
    """The options with the driver under which a person sees a whole frame around the screen.

    An SH1106 that is driven as an SSD1306 shows noise at one edge, and neither can be asked its
    name. `sees_frame` asks the person. None where no driver shows a frame. DisplayError
    """
    for driver in DRIVERS:
        tried = replace(options, driver=driver)
        display = open_display(tried)
        try:
            display.show(
                Screen(
                    "Tableref",
                    ("Do you see a frame", "all around, and no", "noise?"),
                    Marker.ASK,
                    driver,
                    framed=True,
                )
            )
            if sees_frame():
                return tried
        finally:
            display.close()
    return None


class PngDisplay:
    """A virtual display: every new screen becomes the next file in a folder."""

    def __init__(self, folder: Path, height: int = 64) -> None:
        from luma.core.device import dummy

        self._gallery = Gallery(folder, "screen")
        self._device = dummy(width=128, height=height, mode="1")

    @property
    def last(self) -> Path | None:
        """The newest picture."""
        return self._gallery.last

    def show(self, screen: Screen) -> None:
        """Write `screen-0001.png` and so on; a screen that looks as the last one writes none."""
        image = draw(screen, self._device.size)
        if self._device.image is not None and self._device.image.tobytes() == image.tobytes():
            return
        try:
            self._gallery.add(image)
        except DeviceError as error:
            raise DisplayError(error.what, error.advice) from error
        self._device.display(image)

    def stay(self) -> None:
        """Pictures stay."""

    def close(self) -> None:
        """Nothing to give back."""


class ScreenKeeper:
    """The only one who draws: takes the newest screen at once, draws it when it can.

    Screens that came and went while the display was busy are never drawn. A display that fails
    is opened anew and redrawn, after a pause that doubles up to `LONGEST` seconds; `trouble` says
    meanwhile what is wrong. A screen is sent again every `REFRESH` seconds, for an OLED whose
    plug was out for a moment says nothing.
    """

    SHORTEST, LONGEST, REFRESH = 0.25, 8.0, 5.0

    def __init__(self, open_display: Callable[[], Display]) -> None:
        self._open = open_display
        self._display: Display | None = None
        self._wanted: Screen | None = None
        self._drawn: Screen | None = None
        self._pause = 0.0
        self._due = 0.0
        self._worker = Worker("screen", self.step)
        self.trouble: DisplayError | None = None
        self.seconds_a_frame = 0.0

    def start(self) -> None:
        """Draw from a thread of its own, until `close`."""
        self._worker.start()

    def show(self, screen: Screen) -> None:
        """Take this screen as the newest one. Never waits, never fails."""
        self._wanted = screen
        self._worker.wake()

    def stay(self) -> None:
        """Draw what was shown last, and let it stand when it is closed."""
        self._worker.close()
        self.step(time.monotonic())
        if self._display is not None:
            with suppress(Exception):  # a display that fails shows nothing anyway
                self._display.stay()

    def close(self) -> None:
        """Stop drawing and give the display back."""
        self._worker.close()
        self._let_go()

    def step(self, now: float) -> float | None:
        """Draw what is due at `now` (monotonic seconds).

        Returns the seconds until something is due again, None where nothing is before the next
        `show`.
        """
        wanted = self._wanted
        if wanted is None:
            return None
        if now < self._due and (self._pause or wanted is self._drawn):
            return self._due - now
        try:
            if self._display is None:
                self._display = self._open()
            started = time.perf_counter()
            self._display.show(wanted)
            self.seconds_a_frame = time.perf_counter() - started
        except Exception as error:
            # Whatever it is, opening the display anew is all that may help.
            self._let_go()
            failed = _failed(error)
            if self.trouble is None:
                log.warning("%s", failed)
            self.trouble, self._drawn = failed, None
            self._pause = min(max(2 * self._pause, self.SHORTEST), self.LONGEST)
            self._due = now + self._pause
            return self._pause
        self.trouble, self._drawn, self._pause = None, wanted, 0.0
        self._due = now + self.REFRESH
        return 0.0 if self._wanted is not wanted else self.REFRESH

    def _let_go(self) -> None:
        display, self._display = self._display, None
        if display is not None:
            # It has failed, or is on its way out: whether it can still be cleared changes nothing.
            with suppress(Exception):
                display.close()


def _failed(error: Exception) -> DisplayError:
    if isinstance(error, DisplayError):
        return error
    return DisplayError(f"the display failed: {in_words(error)}", "Check its wires and power.")
