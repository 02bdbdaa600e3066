"""The dice mat to lay beside a board: its tags and the places of its trays in true size."""

from __future__ import annotations

from functools import partial

from tableref.printing.paper import GREY, PALE, WHITE, Document, Sheet, print_tiled
from tableref.printing.tags import PAINTS, draw_tag
from tableref.printing.words import Words
from tableref_vision.dice import mat


def print_mat(paper: str, lang: str = "en") -> Document:
    """The whole mat, tiled over pages where the paper is smaller."""
    words = Words(lang)
    document = Document(paper, words("mat"), words)
    heights = words("mat-heights", floor=f"{mat.FLOOR:g}", rim=f"{mat.RIM_HEIGHT:g}")
    return print_tiled(document, (mat.WIDTH, mat.DEPTH), heights, partial(_mat, words=words))


def _mat(sheet: Sheet, *, words: Words) -> None:
    """The mat, its south-west corner at the origin."""
    middle = mat.WIDTH / 2, mat.DEPTH / 2
    sheet.rectangle(0, 0, mat.WIDTH, mat.DEPTH, WHITE, 0.3, GREY)
    for name, (x, y) in mat.TRAYS.items():
        at = middle[0] + x, middle[1] + y
        for half, paint in ((mat.INSIDE + mat.RIM_WIDTH, PALE), (mat.INSIDE, PAINTS[name])):
            sheet.rectangle(at[0] - half, at[1] - half, 2 * half, 2 * half, paint, 0.2, GREY)
        # Nothing is printed where dice lie: words on a floor might be taken for one.
        below = at[1] - mat.INSIDE - mat.RIM_WIDTH - 7
        sheet.text(at[0], below, words(f"tray-{name}"), 4.0, "middle", colour=GREY)
    for tag in mat.TAGS.values():
        x, y = middle[0] + tag.x, middle[1] + tag.y
        half = mat.QUIET / 2
        sheet.rectangle(x - half, y - half, mat.QUIET, mat.QUIET, WHITE)
        draw_tag(sheet, mat.DICTIONARY, tag.id, x, y, tag.square)
    sheet.text(middle[0] + 30, mat.DEPTH - 10, words("mat-north"), 3.2, "middle", colour=GREY)
    sheet.text(middle[0] + 30, 8, words("mat-south"), 3.2, "middle", colour=GREY)
