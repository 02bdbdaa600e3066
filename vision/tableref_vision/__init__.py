"""The eyes of the table: camera frames in, observations out.

>>> from tableref_hardware import load_board
>>> from tableref_vision.reader import BoardReader
>>> reader = BoardReader(load_board("autoscooter"))
>>> observation = reader.read(frame)
>>> [(piece.id, piece.cell, piece.heading) for piece in observation.pieces]
[('red', 'a1', 'NE'), ...]

Modules load OpenCV only where they look at pictures; `observation` and `camera` do without.
"""

import os

from tableref_vision.errors import VisionError
from tableref_vision.observation import Observation, SeenPiece

# NumPy's threads wait for each other by spinning: on a small computer that others use, too, a
# product of two matrices takes a hundred times as long on two of them. It is read at import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__all__ = ["Observation", "SeenPiece", "VisionError"]
