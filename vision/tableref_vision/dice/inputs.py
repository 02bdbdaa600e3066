"""Pictures as the nets take them. Training uses the very same functions."""

from __future__ import annotations

from typing import TypeAlias

from numpy.typing import NDArray

from tableref_vision.opencv import Picture, cv2, np

Floats: TypeAlias = NDArray[np.float32]


def locator_input(picture: Picture) -> Floats:
    """(h, w, 3) bytes -> (3, h, w)."""
    planes = np.array(cv2.split(picture), np.float32)
    planes -= 115.0
    planes /= 64.0
    return planes


def reader_input(crop: Picture) -> Floats:
    """(h, w, 3) bytes -> (3, h, w), of even contrast: dark rooms and bright ones look alike."""
    planes = np.array(cv2.split(crop), np.float32)
    planes -= planes.mean()
    planes /= planes.std() + 8.0
    return planes


def halved(picture: Picture) -> Picture:
    """The picture at half its size, less an odd row or column at its end.

    What is made smaller by halves and then by less than that costs a tenth of what OpenCV takes to
    average areas of any size.
    """
    h, w = picture.shape[0] // 2, picture.shape[1] // 2
    half = cv2.resize(picture[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA)
    return half.astype(np.uint8, copy=False)
