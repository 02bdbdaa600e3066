"""Finding fiducial tags in a picture: which are there, and where their corners lie."""

from __future__ import annotations

from collections.abc import Callable, Collection, Set
from dataclasses import dataclass
from typing import Any

from tableref_vision.errors import VisionError
from tableref_vision.memory import give_back
from tableref_vision.opencv import Picture, Points, cv2, np

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""

Sightings = list[tuple[int, Points]]
"""Ids and corners (4, 2) of what a look has found; an id may come twice."""

QUICK_WINDOW, WINDOW = 13, 23  # px, of the adaptive threshold
CORNER_SLACK = 0.05  # of the perimeter: a bead that touches an edge bends the outline
# Blur and beads sit on the borders of a tag's bits: look at the middle of each alone.
BIT_PIXELS, BIT_MARGIN = 8, 0.38
# Grey levels below its surroundings that a pixel must be to count as dark: fewer of the wood's
# grains do at a quick look, more of what is faint does at a last one.
PLAIN, FAINT = 11.0, 3.0
FLAT_SCALE = 2.5  # px a mm of the board seen from above
SMALL = 1000  # px: narrower pictures are looked at enlarged
# The detector keeps the outlines of everything dark, of specks up to 22 bytes for each edge of a
# pixel that lies between dark and bright. Only pictures with so many pixels can be too busy, with
# so many edges; the grain of a camera in good light makes fewer.
LARGE, BUSY = 3_000_000, 3_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """Tags in a picture: id -> corners (4, 2) in px, from the tag's own top left, clockwise.

    `twice` are ids that are in view more than once; they are not among `tags`.
    """

    tags: dict[int, Points]
    twice: frozenset[int]


class TagFinder:
    """Finds the tags with these ids of one ArUco dictionary; other ids of it never count."""

    def __init__(
        self, dictionary: str, ids: Collection[int], quick_window: int = QUICK_WINDOW
    ) -> None:
        number = getattr(cv2.aruco, f"DICT_{dictionary}", None)
        if number is None:
            raise VisionError(f"no ArUco dictionary is named {dictionary!r}; try '4X4_50'")
        self._ids = frozenset(ids)
        known = cv2.aruco.getPredefinedDictionary(number)
        self._quick = _detector(known, quick_window, PLAIN)
        self._thorough = _detector(known, WINDOW)
        self._faint = _detector(known, WINDOW, FAINT)

    def quick(self, grey: Picture, box: Box | None = None) -> Sightings:
        """One quick look at a grey picture, or at the part of it within `box`."""
        if box is None:
            return self._look(self._quick, grey)
        left, top, right, bottom = box
        shift = np.array([left, top])
        part = np.ascontiguousarray(grey[top:bottom, left:right])
        return [(tag, corners + shift) for tag, corners in self._look(self._quick, part)]

    def again(self, image: Picture) -> Sightings:
        """Two more looks at the whole picture, for when the board was not found.

        The brightest of the three colours makes coloured bodies as pale as a tag's quiet zone;
        the darkest still has edges where the others are overexposed.
        """
        grow = 2.0 if image.shape[1] < SMALL else 1.0
        seen: Sightings = []
        for of_colours in (_brightest, _darkest):
            picture = of_colours(image)
            if grow > 1.0:
                picture = cv2.resize(picture, None, fx=grow, fy=grow).astype(np.uint8)
            # Pixel middles are whole numbers, so that the first pixel's left edge is at -0.5.
            seen += [
                (tag, (corners + 0.5) / grow - 0.5)
                for tag, corners in self._look(self._thorough, picture)
            ]
        return seen

    def from_above(
        self,
        image: Picture,
        grey: Picture,
        plane: Points,
        size: tuple[float, float],
        missing: Set[int],
    ) -> Sightings:
        """A look at the board as seen from straight above, at one scale for all cameras.

        `plane` (4, 2) are the pixels of the north-west, north-east, south-east and south-west
        corners of a rectangle of this `size` in mm, width by depth, at the height of the roofs.
        Where some of the `missing` ids are not found, the darkest of the three colours and a
        fainter threshold have another try: overexposure and beads leave little of a tag.
        """
        across, down = (round(length * FLAT_SCALE) for length in size)
        frame = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
        flatten = cv2.getPerspectiveTransform(plane.astype(np.float32), frame)
        back = np.linalg.inv(flatten)
        seen: Sightings = []
        for detector, picture in (
            (self._thorough, grey),
            (self._faint, _darkest(image)),
            (self._faint, grey),
        ):
            flat = cv2.warpPerspective(picture, flatten, (across, down)).astype(np.uint8)
            for tag, corners in self._look(detector, flat):
                seen.append((tag, cv2.perspectiveTransform(corners[None], back)[0]))
            if missing <= {tag for tag, _ in seen}:
                break
        return seen

    def _look(self, detector: cv2.aruco.ArucoDetector, picture: Picture) -> Sightings:
        """Tags in a grey picture; where it is so grainy that the outlines of all the specks
        would take the memory of a Pi, at half its size, in which grain fades."""
        large = picture.size > LARGE
        if large and _edges(detector, picture) > BUSY:
            half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            grow = np.divide(picture.shape[::-1], half.shape[::-1])
            found = self._look(detector, half.astype(np.uint8, copy=False))
            give_back()
            return [(tag, (corners + 0.5) * grow - 0.5) for tag, corners in found]
        quads, ids, _ = detector.detectMarkers(picture)
        if large:
            give_back()  # what the outlines took
        if ids is None:
            return []
        # OpenCV 4 and 5 differ in the shapes that come back.
        return [
            (int(tag), np.asarray(quad, np.float64).reshape(4, 2))
            for tag, quad in zip(np.ravel(ids), quads, strict=True)
            if int(tag) in self._ids
        ]


def _detector(
    dictionary: cv2.aruco.Dictionary, window: int, darker: float | None = None
) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = window
    if darker is not None:
        settings.adaptiveThreshConstant = darker
    settings.perspectiveRemovePixelPerCell = BIT_PIXELS
    settings.perspectiveRemoveIgnoredMarginPerCell = BIT_MARGIN
    settings.polygonalApproxAccuracyRate = CORNER_SLACK
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(dictionary, settings)


def _edges(detector: cv2.aruco.ArucoDetector, picture: Picture) -> int:
    """How many edges of pixels in a grey picture lie between what the detector takes for dark and
    for bright."""
    settings = detector.getDetectorParameters()
    dark = cv2.adaptiveThreshold(
        picture, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY,
        settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshConstant,
    )  # fmt: skip
    upright = cv2.countNonZero(cv2.absdiff(dark[:, 1:], dark[:, :-1]))
    return upright + cv2.countNonZero(cv2.absdiff(dark[1:], dark[:-1]))


def _brightest(image: Picture) -> Picture:
    return _of_colours(cv2.max, image)


def _darkest(image: Picture) -> Picture:
    return _of_colours(cv2.min, image)


def _of_colours(choose: Callable[..., Any], image: Picture) -> Picture:
    """One of each pixel's three colours; a copy of one more is all that is held meanwhile."""
    chosen = cv2.extractChannel(image, 0)
    for colour in (1, 2):
        choose(chosen, cv2.extractChannel(image, colour), dst=chosen)
    return chosen.astype(np.uint8, copy=False)


def sort_out(seen: Sightings) -> Found:
    """What one or more looks have found together.

    Two looks may find the same tag; two tags of one id lie apart.
    """
    tags: dict[int, Points] = {}
    twice: set[int] = set()
    for tag, corners in seen:
        first = tags.setdefault(tag, corners)
        if first is not corners:
            side = np.linalg.norm(first[0] - first[1])
            if np.linalg.norm(first.mean(axis=0) - corners.mean(axis=0)) > side / 2:
                twice.add(tag)
    return Found({t: c for t, c in tags.items() if t not in twice}, frozenset(twice))
