"""What a camera saw, for the small screen: the part of a kept picture that a page is about.

glimpses(Album(folder), plate, 123, places)    # after, then before; nothing where none is kept
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from tableref.devices.oled import DOTS, Dots
from tableref.referee.album import Album
from tableref_hardware.board import Plate

if TYPE_CHECKING:
    from PIL import Image

ROUND = 32.0
"""Millimetres around the places that a page names which are shown too: a piece and its
neighbours."""
LARGEST = 4_000_000
"""Pixels of a picture at most: ours have a tenth, and what is larger is none of ours."""
DARK, PALE = 0.02, 0.5
"""Shares of the pixels that are darker than what becomes black, and than the plate."""
SPREAD, LEAST = 12.0, 80.0
"""Grey levels by which the plate varies, and that are between black and white at least."""
WHEN = ("after", "before")


def glimpses(
    album: Album, plate: Plate, step: int, places: Sequence[tuple[float, float]]
) -> Iterator[tuple[str, Dots]]:
    """When it was (`after`, `before`) and what was seen then around these places (mm): of the board
    where places are named or nothing else was seen, else of the mat. A picture that cannot be read
    is left out."""
    kept = album.at(step) if step else None
    pictures = kept.pictures if kept else {}
    place = "mat" if not places and "mat-after" in pictures else "board"
    for when in WHEN:
        path = pictures.get(f"{place}-{when}")
        dots = _dots(path, plate, places) if path else None
        if dots is not None:
            yield when, dots


def _dots(path: Path, plate: Plate, places: Sequence[tuple[float, float]]) -> Dots | None:
    from PIL import Image, ImageOps

    try:
        with Image.open(path, formats=("JPEG",)) as picture:
            if picture.width * picture.height > LARGEST:
                return None
            grey = picture.convert("L")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    shown = _cut(grey, plate, places) if places else grey
    shown = ImageOps.contain(shown, DOTS, Image.Resampling.LANCZOS)
    black, white = _ends(shown.histogram())
    shown = shown.point(
        [round(255 * _within((g - black) / (white - black), 1.0)) for g in range(256)]
    )
    shown = shown.convert("1")
    return Dots(shown.width, shown.height, shown.tobytes())


def _ends(counts: list[int]) -> tuple[float, float]:
    """The grey levels that become black and white: the plate is white, so that dots are what lies
    on it; a picture of nothing but the plate stays white."""
    reached = list(accumulate(counts))
    dark, pale = (
        next(grey for grey, count in enumerate(reached) if count >= share * reached[-1])
        for share in (DARK, PALE)
    )
    white = max(pale - SPREAD, 1.0)
    return min(float(dark), white - LEAST), white


def _cut(picture: Image.Image, plate: Plate, places: Sequence[tuple[float, float]]) -> Image.Image:
    """The part of a picture of the whole plate that has these places, as wide as the screen."""
    scale = picture.width / plate.width
    across = [(x + plate.width / 2) * scale for x, _ in places]
    down = [(plate.depth / 2 - y) * scale for _, y in places]
    wide = max(across) - min(across) + 2 * ROUND * scale
    high = max(down) - min(down) + 2 * ROUND * scale
    wide = min(max(wide, high * DOTS[0] / DOTS[1]), float(picture.width))
    high = min(max(high, wide * DOTS[1] / DOTS[0]), float(picture.height))
    left = _within((min(across) + max(across) - wide) / 2, picture.width - wide)
    top = _within((min(down) + max(down) - high) / 2, picture.height - high)
    return picture.crop((round(left), round(top), round(left + wide), round(top + high)))


def _within(value: float, most: float) -> float:
    return max(0.0, min(value, most))
