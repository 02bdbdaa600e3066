"""Which corner tags of a board or mat are in view, in words for whoever aims a camera."""

from __future__ import annotations

from collections.abc import Collection

from tableref_hardware import CornerTag
from tableref_vision.view import View, tag_corners

NUMBERS = ("none", "one", "two", "three", "four")


def corner_words(tags: Collection[CornerTag], seen: Collection[int], view: View | None) -> str:
    """How many of these corner tags are seen, and which are not: "three of four corners:
    NE (tag 42) is not seen". Where the view is known it also says over which edge of the
    picture a tag lies. `seen` are ids of tags."""
    total = len(tags)
    missing = [tag for tag in tags if tag.id not in seen]
    if not missing:
        return f"all {_number(total)} corners are seen"
    names = [f"{compass(tag)} (tag {tag.id}){_over(tag, view)}" for tag in missing]
    verb = "is" if len(names) == 1 else "are"
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return f"{_number(total - len(names))} of {_number(total)} corners: {listed} {verb} not seen"


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def compass(tag: CornerTag) -> str:
    """The corner in the board's own directions: north is y, east is x."""
    return ("N" if tag.y > 0 else "S") + ("E" if tag.x > 0 else "W")


def _over(tag: CornerTag, view: View | None) -> str:
    """Over which edge of the picture the tag lies, or an empty text."""
    if view is None:
        return ""
    x, y = view.pixels(tag_corners(tag)).T
    width, height = view.lens.size
    edges = {
        "left": x.min() < 0,
        "right": x.max() >= width,
        "upper": y.min() < 0,
        "lower": y.max() >= height,
    }
    over = " and ".join(edge for edge, crossed in edges.items() if crossed)
    return f", over the picture's {over} edge," if over else ""
