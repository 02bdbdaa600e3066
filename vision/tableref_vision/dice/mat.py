"""Where the dice mat lies in the picture: its tags, its trays, and the plane of the dice's tops."""

from __future__ import annotations

from itertools import combinations

from tableref_hardware import CornerTag
from tableref_vision.opencv import Picture, Points, np
from tableref_vision.tags import Found, TagFinder, sort_out
from tableref_vision.view import Lens, View, fit_view, tag_corners

# All in mm, in the mat's own frame: origin in its middle, x east, y north, z up from the table.
WIDTH, DEPTH = 400.0, 200.0
DICTIONARY, SQUARE, QUIET = "4X4_50", 21.0, 28.0  # side of a tag, and of the white around it
TAGS = {
    number: CornerTag(number, x, y, SQUARE)
    for number, x, y in ((44, -180, -80), (45, 180, -80), (46, 180, 80), (47, -180, 80))
}
TRAYS = {"yellow": (-80.0, 0.0), "black": (80.0, 0.0)}
INSIDE = 60.0  # from a tray's middle to its rim
RIM_WIDTH, RIM_HEIGHT = 6.0, 14.0  # its height above the table
FLOOR, DIE = 3.0, 16.0
TOP = FLOOR + DIE

FIT_ERROR = 1.5  # px, in a picture with this diagonal; larger ones allow more
DIAGONAL = 1469.0
MOVED = 4.0  # px that the tags in view may be off where a carried view has them
DOUBT = 4.0  # mm that the mat's rim may be off


class MatTracker:
    """Finds the mat, and keeps its view while hands cover some of its tags.

    A view is carried as long as a tag confirms it; no tag in view is no mat.
    """

    def __init__(self, lens: Lens | None = None) -> None:
        self._finder = TagFinder(DICTIONARY, TAGS)
        self._lens = lens
        self._view: View | None = None
        x, y = WIDTH / 2, DEPTH / 2
        self._rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])

    def forget(self) -> None:
        """The next picture follows no other."""
        self._view = None

    def find(self, image: Picture) -> View | None:
        """The view of the mat in this picture (h, w, 3), or None."""
        if self._view is not None and self._lies_on(image, self._view):
            return self._view
        found = sort_out(self._finder.quick(image))
        if len(found.tags) in (1, 2, 3):
            found = sort_out([*found.tags.items(), *self._finder.again(image)])
        self._view = self._follow(found, image.shape[1], image.shape[0])
        return self._view

    def _lies_on(self, image: Picture, view: View) -> bool:
        """Whether three tags at least are where this view has them.

        The four places are looked at side by side in one small picture: that is quick.
        """
        h, w = image.shape[:2]
        if view.lens.size != (w, h):
            return False
        expected = {number: view.pixels(tag_corners(tag)) for number, tag in TAGS.items()}
        side = 2 * int(max(float(np.ptp(corners, axis=0).max()) for corners in expected.values()))
        strip = np.full((side, side * len(TAGS), 3), 128, np.uint8)
        shifts: dict[int, Points] = {}
        for place, (number, corners) in enumerate(expected.items()):
            x, y = np.round(corners.mean(axis=0) - side / 2).astype(int)
            x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + side, w), min(y + side, h)
            if x0 < x1 and y0 < y1:
                at = place * side + x0 - x
                strip[y0 - y : y1 - y, at : at + x1 - x0] = image[y0:y1, x0:x1]
            shifts[number] = np.array([x - place * side, y], np.float64)
        steady = [
            float(np.abs(corners + shifts[number] - expected[number]).max()) < MOVED
            for number, corners in self._finder.quick(strip)
        ]
        return steady.count(True) >= 3 and all(steady)

    def _follow(self, found: Found, width: int, height: int) -> View | None:
        if not found.tags or found.twice:
            return None
        lens = self._lens.resized(width, height) if self._lens else Lens.unknown(width, height)
        if lens is None:
            return None
        scale = max(1.0, float(np.hypot(width, height)) / DIAGONAL)
        tags = {TAGS[number]: corners for number, corners in found.tags.items()}
        if self._view is not None and self._view.lens.size == (width, height) and len(tags) < 4:
            expected = self._view.pixels(np.concatenate([tag_corners(tag) for tag in tags]))
            off = np.linalg.norm(np.concatenate([*tags.values()]) - expected, axis=1)
            if float(np.median(off)) < MOVED * scale:
                return self._view
        if len(tags) < 3:
            return None
        return self._fit(tags, lens, FIT_ERROR * scale)

    def _fit(self, tags: dict[CornerTag, Points], lens: Lens, limit: float) -> View | None:
        view = fit_view(tags, lens, self._rim)
        if (view is None or view.error > limit) and len(tags) > 3:
            fits = [
                fit_view({tag: tags[tag] for tag in some}, lens, self._rim)
                for some in combinations(tags, 3)
            ]
            view = min((fit for fit in fits if fit), key=lambda fit: fit.error, default=None)
        good = view is not None and view.error <= limit and view.doubt <= DOUBT
        return view if good else None


def tray_at(x: float, y: float, margin: float = 0.0) -> str | None:
    """The tray whose floor, less `margin` mm to each rim, holds this place."""
    reach = INSIDE - margin
    for name, (middle_x, middle_y) in TRAYS.items():
        if abs(x - middle_x) <= reach and abs(y - middle_y) <= reach:
            return name
    return None
