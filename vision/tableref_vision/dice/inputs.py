"""Pictures as the nets take them. Training uses the very same functions."""

from __future__ import annotations

from typing import TypeAlias

from numpy.typing import NDArray

from tableref_vision.opencv import Picture, np

Floats: TypeAlias = NDArray[np.float32]


def locator_input(picture: Picture) -> Floats:
    """(h, w, 3) bytes -> (3, h, w)."""
    scaled = (picture.astype(np.float32) - 115.0) / 64.0
    return np.ascontiguousarray(scaled.transpose(2, 0, 1))


def reader_input(crop: Picture) -> Floats:
    """(h, w, 3) bytes -> (3, h, w), of even contrast: dark rooms and bright ones look alike."""
    image = crop.astype(np.float32)
    scaled = (image - image.mean()) / (image.std() + 8.0)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1))
