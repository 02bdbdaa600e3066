"""Finding fiducial tags in a picture: which are there, and where their corners lie."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tableref_vision.errors import VisionError
from tableref_vision.opencv import Picture, Points, cv2, np

Sightings = list[tuple[int, Points]]
"""Ids and corners (4, 2) of what a look has found; an id may come twice."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom are outside."""

WINDOW, WIDE_WINDOW = 13, 23  # px, of the adaptive threshold
CELL_MARGIN = 0.25  # of a tag's bit, left out on each side: blur and beads sit on the borders
CORNER_SLACK = 0.05  # of the perimeter: a bead that touches an edge bends the outline


@dataclass(frozen=True, slots=True)
class Found:
    """Tags in a picture: id -> corners (4, 2) in px, from the tag's own top left, clockwise.

    `twice` are ids that are in view more than once; they are not among `tags`.
    """

    tags: dict[int, Points]
    twice: frozenset[int]


class TagFinder:
    """Finds the tags with these ids of one ArUco dictionary; other ids of it never count."""

    def __init__(self, dictionary: str, ids: Collection[int]) -> None:
        number = getattr(cv2.aruco, f"DICT_{dictionary}", None)
        if number is None:
            raise VisionError(f"no ArUco dictionary is named {dictionary!r}; try '4X4_50'")
        self._ids = frozenset(ids)
        known = cv2.aruco.getPredefinedDictionary(number)
        self._quick = _detector(known, WINDOW)
        self._thorough = _detector(known, WIDE_WINDOW)

    def quick(self, image: Picture) -> Sightings:
        """One quick look at the whole picture (h, w, 3)."""
        return self._look(self._quick, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8))

    def thorough(self, image: Picture, box: Box) -> Sightings:
        """A second look within `box`, at the brightest of the three colours: that makes coloured
        bodies as pale as a tag's quiet zone."""
        left, top, right, bottom = box
        blue, green, red = cv2.split(image[top:bottom, left:right])
        brightest = cv2.max(cv2.max(blue, green), red).astype(np.uint8)
        shift = np.array([left, top])
        return [(tag, corners + shift) for tag, corners in self._look(self._thorough, brightest)]

    def _look(self, detector: cv2.aruco.ArucoDetector, picture: Picture) -> Sightings:
        quads, ids, _ = detector.detectMarkers(picture)
        if ids is None:
            return []
        # OpenCV 4 and 5 differ in the shapes that come back.
        return [
            (int(tag), np.asarray(quad, np.float64).reshape(4, 2))
            for tag, quad in zip(np.ravel(ids), quads, strict=True)
            if int(tag) in self._ids
        ]


def _detector(dictionary: cv2.aruco.Dictionary, window: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = window
    settings.perspectiveRemoveIgnoredMarginPerCell = CELL_MARGIN
    settings.polygonalApproxAccuracyRate = CORNER_SLACK
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(dictionary, settings)


def sort_out(seen: Sightings) -> Found:
    """What one or more looks have found together.

    Two looks may find the same tag; two tags of one id lie apart.
    """
    tags: dict[int, Points] = {}
    twice: set[int] = set()
    for tag, corners in seen:
        first = tags.setdefault(tag, corners)
        side = np.linalg.norm(first[0] - first[1])
        if np.linalg.norm(first.mean(axis=0) - corners.mean(axis=0)) > side / 2:
            twice.add(tag)
    return Found({t: c for t, c in tags.items() if t not in twice}, frozenset(twice))
