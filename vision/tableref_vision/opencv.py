"""The one door to OpenCV, so that its absence is one clear sentence and not a traceback."""

from __future__ import annotations

import os
from typing import TypeAlias

from tableref_vision.errors import MissingOpenCV
from tableref_vision.memory import give_back_large

# OpenCV's own warnings would stand between the sentences that people read.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
# A second thread gains little here and takes the core that the referee and the page live on.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

try:
    import cv2
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise MissingOpenCV(
        f"seeing needs OpenCV and NumPy, and they cannot be loaded ({error}); "
        "install them with: pip install 'opencv-python-headless>=4.10,<6' numpy"
    ) from error

__all__ = ["Mask", "Picture", "Points", "Values", "cv2", "np"]

cv2.setNumThreads(1)
give_back_large()

Picture: TypeAlias = NDArray[np.uint8]
"""Rows x columns (grey) or rows x columns x 3 (blue, green, red), one byte each."""

Points: TypeAlias = NDArray[np.float64]
"""Points, one a row: pixels (x right, y down, whole numbers at pixel middles) or mm."""

Mask: TypeAlias = NDArray[np.bool_]
"""Which pixels, or which of several things, are meant."""

Values: TypeAlias = NDArray[np.floating]
"""Grey levels or other values of pixels, of any shape."""
