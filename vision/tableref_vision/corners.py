"""Where the corner tags of a board or mat lie, for whoever aims a camera."""

from __future__ import annotations

from tableref_hardware import CornerTag
from tableref_vision.view import View, tag_corners


def compass(tag: CornerTag) -> str:
    """The corner in the board's own directions: north is y, east is x."""
    return ("N" if tag.y > 0 else "S") + ("E" if tag.x > 0 else "W")


def edges_over(tag: CornerTag, view: View) -> tuple[str, ...]:
    """Over which edges of the picture the tag lies: `left`, `right`, `upper`, `lower`."""
    x, y = view.pixels(tag_corners(tag)).T
    width, height = view.lens.size
    edges = {
        "left": x.min() < 0,
        "right": x.max() >= width,
        "upper": y.min() < 0,
        "lower": y.max() >= height,
    }
    return tuple(edge for edge, crossed in edges.items() if crossed)
