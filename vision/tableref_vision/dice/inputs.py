"""Pictures as the nets take them. Training uses the very same functions."""

from __future__ import annotations

import functools
from typing import TypeAlias

from numpy.typing import NDArray

from tableref_vision.opencv import Picture, Points, cv2, np

COARSE = 1.6  # px that one may stand for; with more left out, single ones would stand for pips

NEAR = 0.2  # of a crop's side, that its colours are looked at around its middle
FAINT = 5.0  # levels: a colour that spreads no more than noise is not made as strong as others
GLARING = 4.0  # times a colour's spread, and no pip is farther from the middle
UNKNOWN = -1.0  # in the plane of the slant

Floats: TypeAlias = NDArray[np.float32]


def locator_input(picture: Picture) -> Floats:
    """(h, w, 3) bytes -> (3, h, w)."""
    planes = np.array(cv2.split(picture), np.float32)
    planes -= 115.0
    planes /= 64.0
    return planes


def reader_input(crop: Picture, slant: float | None = None) -> Floats:
    """(h, w, 3) bytes -> (4, h, w), of even contrast: dark rooms and bright ones look alike.

    The first three planes are the principal colours (Pearson 1901) around the crop's middle, the
    strongest first, each towards the light and each as strong as the others. So red pips on green
    look like black ones on white, and red pips on black are seen beside a lamp that is mirrored
    there. The fourth plane says from how far aside a crop from straight above is seen
    (`crops.slant`): by that alone a die that leans towards the camera can be told from one that is
    seen from aside.
    """
    planes = np.empty((4, *crop.shape[:2]), np.float32)
    colours = np.array(cv2.split(crop), np.float32).reshape(3, -1)
    weights = near(*crop.shape[:2])
    colours -= (colours @ weights)[:, None]
    _, spread, axes = cv2.eigen((colours * weights) @ colours.T)  # an axis a row, the widest first
    axes *= np.where(axes.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    axes /= np.sqrt(np.maximum(spread, 0.0)) + FAINT
    planes[:3] = np.clip(axes @ colours, -GLARING, GLARING).reshape(planes[:3].shape)
    planes[3] = UNKNOWN if slant is None else 2.0 * min(slant, 2.0)
    return planes


@functools.cache
def near(h: int, w: int) -> Floats:
    """How much each pixel (h * w,) says of the colours around the middle; 1 in all."""
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    far = ((x - (w - 1) / 2) / w) ** 2 + ((y - (h - 1) / 2) / h) ** 2
    shares = np.exp(-far / (2 * NEAR**2)).ravel()
    return np.asarray(shares / shares.sum(), np.float32)


class Levels:
    """A picture, and what is left of it when it is halved again and again, made when needed.

    To halve first and then to leave out single pixels costs a tenth of what OpenCV takes to average
    areas of any size.
    """

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        h, w = self._levels[0].shape[:2]
        return w, h

    def at(self, step: float) -> tuple[Picture, float]:
        """The level to take one pixel of every `step` (of the whole picture) from, and its share of
        the whole's size."""
        level = 0
        while step * 0.5**level > COARSE:
            level += 1
            if level == len(self._levels):
                self._levels.append(_halved(self._levels[-1]))
        return self._levels[level], 0.5**level

    def warped(self, back: Points, step: float, size: tuple[int, int]) -> Picture:
        """A picture of this width and height; `back` (3, 3) leads from its px to the whole's, of
        which `step` lie on one of its own."""
        picture, share = self.at(step)
        # Pixel middles are whole numbers: the first pixel's left edge is at -0.5.
        shift = (share - 1.0) / 2
        fit = np.array([[share, 0.0, shift], [0.0, share, shift], [0.0, 0.0, 1.0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        edge = cv2.BORDER_REFLECT_101
        warped = cv2.warpPerspective(picture, fit @ back, size, flags=flags, borderMode=edge)
        return warped.astype(np.uint8, copy=False)

    def flattened(self, ring: Points, size: tuple[int, int]) -> Picture:
        """A picture of this width and height, whose corners (top left, then clockwise) are at
        `ring` (4, 2) in px of the whole."""
        back = unflatten(ring, size)
        return self.warped(back, float(np.linalg.norm(ring[1] - ring[0])) / size[0], size)


def unflatten(ring: Points, size: tuple[int, int]) -> Points:
    """The matrix (3, 3) from px of a picture of this width and height to those in which its corners
    are at `ring` (4, 2)."""
    w, h = size
    frame = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - np.float32(0.5)
    back = cv2.getPerspectiveTransform(frame, ring.astype(np.float32))
    return np.asarray(back, np.float64)


def _halved(picture: Picture) -> Picture:
    """At half its size, less an odd row or column at its end."""
    h, w = max(1, picture.shape[0] // 2), max(1, picture.shape[1] // 2)
    half = cv2.resize(picture[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA)
    return half.astype(np.uint8, copy=False)
