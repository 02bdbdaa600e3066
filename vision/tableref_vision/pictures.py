"""The one place where a picture file is read: its content says what it is, not its name.

A picture that comes from anywhere may be damaged, huge or no picture at all. Its size is looked at
before anything is decoded, and what decoding would take is known before it is spent.
"""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import BinaryIO

from PIL import Image, ImageFile, PngImagePlugin
from PIL.BmpImagePlugin import BmpImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.WebPImagePlugin import WebPImageFile

from tableref_vision.errors import PictureError
from tableref_vision.memory import give_back
from tableref_vision.opencv import Picture, np

FILE_LIMIT = 64_000_000  # bytes; the pictures of telephones stay below half of that
SIDE_LIMIT, AREA_LIMIT = 20_000, 120_000_000  # px, px², of a file
NARROW = 100  # times as long as wide: of what is reduced to a few pixels nothing would be left
PIXEL_LIMIT = 12_600_000  # of what is handed on: a 12-megapixel camera's; larger ones are reduced
MEMORY_LIMIT = 122_000_000  # bytes that decoding may take beside the 120 MB of `see --dice`
LARGE = 20_000_000  # bytes that decoding takes of more than usual pictures
STRIP = 100_000  # px that are converted at a time
TEXT_LIMIT = 4_000_000  # letters, of up to four bytes, that may stand in a PNG
REDUCTIONS = (1, 2, 4, 8)
ORIENTATION = 0x0112


# Texts in a PNG tell nothing of the board, and may be short on disk and long in memory.
PngImagePlugin.MAX_TEXT_MEMORY = TEXT_LIMIT


class _Jpeg(JpegImageFile):
    """A JPEG whose EXIF is left alone; Pillow would look in it for the dots per inch."""

    format = "JPEG"

    def _read_dpi_from_exif(self) -> None:
        pass


READERS: tuple[tuple[bytes, type[ImageFile.ImageFile]], ...] = (
    (b"\xff\xd8\xff", _Jpeg),
    (b"\x89PNG\r\n\x1a\n", PngImagePlugin.PngImageFile),
    (b"BM", BmpImageFile),
    (b"RIFF????WEBP", WebPImageFile),
)
"""How the files begin that are read (? is any byte), and who reads them."""

OTHERS = (
    (b"II*\0", "a TIFF"),
    (b"MM\0*", "a TIFF"),
    (b"II+\0", "a TIFF"),
    (b"MM\0+", "a TIFF"),
    (b"GIF8", "a GIF"),
    (b"????ftyphe", "an HEIC picture"),
    (b"????ftypmif1", "an HEIC picture"),
    (b"????ftypavif", "an AVIF picture"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000"),
    (b"%!PS", "PostScript"),
    (b"\xc5\xd0\xd3\xc6", "PostScript"),
    (b"%PDF", "a PDF"),
)
"""How other files begin that are taken for pictures, in words."""


def read_picture(path: Path) -> Picture:
    """The picture in this file as it is meant to be held, (h, w, 3) B, G, R.

    JPEG, PNG, BMP and WEBP are read. More than `PIXEL_LIMIT` pixels are reduced by two, four or
    eight each way; 16 bits become 8; what is see-through is laid on white. PictureError, also
    where the picture is cut off or too large.
    """
    try:
        if path.exists() and not path.is_file():
            raise PictureError(f"{path}: is no file but a folder or a device")
        with path.open("rb") as file:
            if path.stat().st_size > FILE_LIMIT:
                raise _too_large(path, f"more than {FILE_LIMIT // 1_000_000} MB")
            return _read(path, file)
    except PictureError:
        raise
    except OSError as error:
        raise PictureError(f"{path}: cannot be read ({error.strerror or error})") from error


def _read(path: Path, file: BinaryIO) -> Picture:
    head = file.read(16)
    file.seek(0)
    reader = next((reader for begins, reader in READERS if _begins(head, begins)), None)
    if reader is None:
        kind = next((words for begins, words in OTHERS if _begins(head, begins)), "no such picture")
        raise PictureError(f"{path}: is {kind}; JPEG, PNG, BMP and WEBP are read: save it as one")
    try:
        # What Pillow has to say of odd files helps nobody at the table.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with reader(file, str(path)) as picture:
                turned, pixels = _decoded(path, file, picture)
            return _upright(pixels, turned)
    except PictureError:
        raise
    except MemoryError as error:
        raise _too_large(path, "more than there is memory for") from error
    except Exception as error:  # a decoder that reads rubbish raises anything
        raise PictureError(f"{path}: is damaged ({str(error) or type(error).__name__})") from error


def _begins(head: bytes, pattern: bytes) -> bool:
    return len(head) >= len(pattern) and all(
        wanted in (byte, ord("?")) for byte, wanted in zip(head, pattern, strict=False)
    )


def _decoded(path: Path, file: BinaryIO, picture: ImageFile.ImageFile) -> tuple[int, Picture]:
    """How the picture was held, and its pixels as they lie in the file."""
    width, height = picture.size
    if width * height > AREA_LIMIT or max(width, height) > SIDE_LIMIT:
        raise _too_large(path, f"{width} x {height} pixels")
    if max(width, height) > NARROW * min(width, height):
        raise PictureError(f"{path}: is no picture of a table ({width} x {height} pixels)")
    fits = [r for r in REDUCTIONS if width * height <= r * r * PIXEL_LIMIT]
    drafts, reduction, waiting = [1], fits[0], 0
    if isinstance(picture, JpegImageFile):  # which can be decoded smaller
        drafts, reduction, waiting = fits, 1, _coefficients(file, picture)
    for draft in drafts:
        needed = _needed(file, picture, draft, reduction, waiting)
        if needed <= MEMORY_LIMIT:
            break
    else:
        raise _too_large(path, f"{width} x {height} pixels of this kind")
    if needed > LARGE:
        give_back()  # what was left of the picture before
    if draft > 1:
        picture.draft(None, (max(1, width // draft), max(1, height // draft)))
    picture.load()
    return _orientation(picture.info.get("exif")), _pixels(picture, reduction)


def _needed(
    file: BinaryIO, picture: ImageFile.ImageFile, draft: int, reduction: int, waiting: int
) -> int:
    """Bytes that it takes to read a picture whose head has been read, as measured by `VmHWM`. It is
    decoded `draft` times smaller each way, then reduced; `waiting` are those that are free again
    before it is reduced."""
    area = picture.width * picture.height // draft**2
    pixel = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2}.get(picture.mode, 4)
    head = file.tell()  # what has been read is kept
    match picture:
        case WebPImageFile():  # the whole file; two canvases, and the picture twice
            return head + 16 * area
        case BmpImageFile() if picture.tile and picture.tile[0].codec_name == "bmp_rle":
            pixel *= 3  # the picture, and its bytes, which grow
    return head + pixel * area + max(waiting, 3 * area // reduction**2)


def _coefficients(file: BinaryIO, picture: JpegImageFile) -> int:
    """Bytes that a JPEG keeps until its last scan is read; none where one scan holds all."""
    parts = len(picture.layer)
    header = b"\xff\xda" + struct.pack(">HB", 6 + 2 * parts, parts)
    here = file.tell()
    file.seek(max(0, here - len(header) - 2 * parts - 3))
    one_scan = file.read(len(header)) == header
    file.seek(here)
    if one_scan and not picture.info.get("progressive"):
        return 0
    width, height = picture.size
    most = max((across * down for _, across, down, _ in picture.layer), default=1) or 1
    shares = sum(across * down for _, across, down, _ in picture.layer) / most
    return round(2 * width * height * shares)


def _pixels(picture: Image.Image, reduction: int) -> Picture:
    """The pixels as B, G, R, converted strip by strip so that no second copy is held."""
    width, height = (-(-side // reduction) for side in picture.size)
    pixels = np.empty((height, width, 3), np.uint8)
    most = max(1, STRIP // (picture.width * reduction))
    for top in range(0, height, most):
        rows = min(most, height - top)
        below = min((top + rows) * reduction, picture.height)
        strip = _rgb(picture.crop((0, top * reduction, picture.width, below)))
        if reduction > 1:
            strip = strip.reduce(reduction)
        pixels[top : top + rows] = np.asarray(strip, np.uint8)[:, :, ::-1]
    return pixels


def _rgb(strip: Image.Image) -> Image.Image:
    if strip.mode.startswith("I"):  # 16 bits of grey, in whichever form
        grey = np.asarray(strip).astype(np.uint32) >> 8
        return Image.fromarray(np.minimum(grey, 255).astype(np.uint8)).convert("RGB")
    if strip.has_transparency_data:
        white = Image.new("RGBA", strip.size, "white")
        return Image.alpha_composite(white, strip.convert("RGBA")).convert("RGB")
    return strip.convert("RGB")


def _orientation(exif: object) -> int:
    """How the camera was held, 1 to 8 as EXIF counts, and nothing else of what EXIF says.

    Source: TIFF 6.0, image file directory; 1 (upright) where there is no readable word of it.
    """
    if not isinstance(exif, bytes):
        return 1
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None:
        return 1
    try:
        [start] = struct.unpack_from(order + "I", tiff, 4)
        [entries] = struct.unpack_from(order + "H", tiff, start)
        for entry in range(entries):
            at = start + 2 + 12 * entry
            tag, kind, count, value = struct.unpack_from(order + "HHIH", tiff, at)
            if (tag, kind, count) == (ORIENTATION, 3, 1):
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1


def _upright(pixels: Picture, orientation: int) -> Picture:
    if orientation in (5, 6, 7, 8):
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    return np.ascontiguousarray(pixels)


def _too_large(path: Path, what: str) -> PictureError:
    return PictureError(f"{path}: is too large ({what}); make it smaller")
