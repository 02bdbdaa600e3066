"""Where the dice mat lies in the picture: its tags, its trays, and the plane of the dice's tops."""

from __future__ import annotations

from itertools import combinations

from tableref_hardware import CornerTag
from tableref_vision.opencv import Picture, Points, cv2, np
from tableref_vision.tags import Found, Sightings, TagFinder, sort_out
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
FLOOR = 3.0

LONG = 768  # px of the longer side of a picture in which tags are looked for first
ALIKE = 0.7  # correlation with a tag's print: 0.95 where it lies, 0.6 where it is 3 px off
WINDOW = 7  # px of such pictures, of the adaptive threshold
REFINE = (3, 3)  # px to each side in which a corner found in a smaller picture is found anew
CLOSE = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)

FIT_ERROR = 1.5  # px, in a picture with this diagonal; larger ones allow more
DIAGONAL = 1469.0
MOVED = 4.0  # px that the tags in view may be off where a carried view has them
DOUBT = 4.0  # mm that the mat's rim may be off


class MatTracker:
    """Finds the mat, and keeps its view while hands cover some of its tags.

    A view is carried as long as a tag confirms it; no tag in view is no mat.
    """

    def __init__(self, lens: Lens | None = None) -> None:
        self._finder = TagFinder(DICTIONARY, TAGS, WINDOW)
        self._lens = lens
        self._view: View | None = None
        self.corners: frozenset[int] = frozenset()
        """Ids of the mat's tags that the last look for them has found."""
        x, y = WIDTH / 2, DEPTH / 2
        self._places, self._prints = _prints()
        self._rim = np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])

    def forget(self) -> None:
        """The next picture follows no other."""
        self._view = None

    def find(self, image: Picture) -> View | None:
        """The view of the mat in this picture (h, w, 3), or None."""
        if self._view is not None and self._lies_on(image, self._view):
            return self._view
        found = sort_out(self._quick(image))
        if len(found.tags) in (1, 2, 3):
            found = sort_out([*found.tags.items(), *self._finder.again(image)])
        self.corners = frozenset(found.tags)
        self._view = self._follow(found, image.shape[1], image.shape[0])
        return self._view

    def _lies_on(self, image: Picture, view: View) -> bool:
        """Whether three tags at least are where this view has them."""
        if view.lens.size != (image.shape[1], image.shape[0]):
            return False
        x, y = view.pixels(self._places).astype(np.float32).T.reshape(2, len(TAGS), -1)
        seen = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        light = np.asarray(seen, np.float64).mean(axis=2)
        light -= light.mean(axis=1, keepdims=True)
        alike = (light * self._prints).mean(axis=1) / (light.std(axis=1) + 1.0)
        return int((alike > ALIKE).sum()) >= 3

    def _quick(self, image: Picture) -> Sightings:
        """What one look at a smaller picture finds, the corners as the picture itself has them."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
        small, share = _shrunk(grey, LONG / max(grey.shape))
        seen = self._finder.quick(small)
        if share == 1.0:
            return seen
        finer = []
        for tag, corners in seen:
            near = _grown(corners, share).astype(np.float32).reshape(4, 1, 2)
            cv2.cornerSubPix(grey, near, REFINE, (-1, -1), CLOSE)
            finer.append((tag, near.reshape(4, 2).astype(np.float64)))
        return finer

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


def _prints() -> tuple[Points, Points]:
    """Places in mm, four in each cell of each tag and of the white around: (4n, 3) in all; and how
    bright they are, each tag (n,) of mean 0 and spread 1."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{DICTIONARY}"))
    cell = SQUARE / 6
    steps = (np.arange(16) - 7.5) * cell / 2
    east, north = np.meshgrid(steps, -steps)
    places, prints = [], []
    for tag in TAGS.values():
        places.append(np.stack([east + tag.x, north + tag.y, 0 * east], -1).reshape(-1, 3))
        white = np.full((8, 8), 255.0)
        white[1:7, 1:7] = cv2.aruco.generateImageMarker(dictionary, tag.id, 6)
        light = np.kron(white, np.ones((2, 2))).ravel()
        prints.append((light - light.mean()) / light.std())
    return np.concatenate(places), np.array(prints)


def _shrunk(picture: Picture, share: float) -> tuple[Picture, float]:
    """The picture at this share of its size, if that is smaller, and the share."""
    if share >= 1.0:
        return picture, 1.0
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_LINEAR)
    return small.astype(np.uint8, copy=False), share


def _grown(points: Points, share: float) -> Points:
    """Points of a shrunk picture in that of full size; pixel middles are whole numbers."""
    return (points + 0.5) / share - 0.5


def top(edge: float) -> float:
    """How high above the table the tops of flat dice with this edge lie."""
    return FLOOR + edge


def tray_at(x: float, y: float, margin: float = 0.0) -> str | None:
    """The tray whose floor, less `margin` mm to each rim, holds this place."""
    reach = INSIDE - margin
    for name, (middle_x, middle_y) in TRAYS.items():
        if abs(x - middle_x) <= reach and abs(y - middle_y) <= reach:
            return name
    return None
