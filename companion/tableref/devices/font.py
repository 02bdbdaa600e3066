"""Letters for small screens: 6 x 10 pixels each, with the accents of western Europe.

Pillow's built-in font draws boxes for accented letters, and a fixed width makes "too long" a
matter of counting. The letters are `font.txt`, where their origin and licence stand.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 6, 10
_BREAKS = re.compile(r"[^\S\u00a0]+")
ELLIPSIS = "…"
UNKNOWN = "�"


@cache
def letters() -> dict[str, tuple[int, ...]]:
    """Letter -> its ten rows from the top; the left pixel of six is bit 5."""
    text = (resources.files("tableref.devices") / "font.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {chr(int(code, 16)): tuple(int(row, 16) for row in glyph) for code, *glyph in rows}


def plain(text: str) -> str:
    """The text in letters that can be drawn, one column each.

    Accents are joined to their letters; a letter that the font lacks loses its accent, or becomes
    a box when nothing is left of it. Line breaks and tabs become spaces.
    """
    drawn = []
    for char in unicodedata.normalize("NFC", text):
        if char in letters():
            drawn.append(char)
        elif char.isspace():
            drawn.append(" ")
        elif unicodedata.category(char) not in ("Mn", "Me", "Cf", "Cc"):
            bare = [c for c in unicodedata.normalize("NFKD", char) if c in letters()]
            drawn.append("".join(bare) or UNKNOWN)
    return "".join(drawn)


def fit(text: str, columns: int) -> str:
    """The text, cut with an ellipsis where it has more than `columns` letters."""
    text = plain(text)
    return text if len(text) <= columns else text[: columns - 1].rstrip() + ELLIPSIS


def wrap(text: str, columns: int, rows: int) -> tuple[str, ...]:
    """The text in at most `rows` lines broken between words; an ellipsis ends what is cut off."""
    lines: list[str] = []
    line = ""
    # A no-break space keeps its words together, as French wants before a colon.
    for word in map(plain, _BREAKS.split(text.strip())):
        if not word:
            continue
        if line and len(line) + 1 + len(word) > columns:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
        while len(line) > columns:  # a word longer than a line is broken where the line ends
            lines.append(line[:columns])
            line = line[columns:]
    lines += [line] if line else []
    if len(lines) <= rows:
        return tuple(lines)
    return (*lines[: rows - 1], fit(f"{lines[rows - 1]}{ELLIPSIS}", columns))


def picture(text: str) -> Image.Image:
    """The text as a picture of mode "1", HEIGHT rows, WIDTH columns a letter, white on black."""
    from PIL import Image

    text = plain(text)
    if not text:  # older Pillows refuse to read a picture out of no bytes
        return Image.new("1", (0, HEIGHT))
    glyphs = [letters()[char] for char in text]
    width = WIDTH * len(text)
    padding = -width % 8
    data = bytearray()
    for row in range(HEIGHT):
        bits = 0
        for glyph in glyphs:
            bits = bits << WIDTH | glyph[row]
        data += (bits << padding).to_bytes((width + padding) // 8, "big")
    return Image.frombytes("1", (width, HEIGHT), bytes(data))
