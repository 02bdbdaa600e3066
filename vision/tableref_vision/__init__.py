"""The eyes of the table: camera frames in, observations out.

>>> from tableref_hardware import load_board
>>> from tableref_vision.reader import BoardReader
>>> reader = BoardReader(load_board("autoscooter"))
>>> observation = reader.read(frame)
>>> [(piece.id, piece.cell, piece.heading) for piece in observation.pieces]
[('red', 'a1', 'NE'), ...]

Modules load OpenCV only where they look at pictures; `observation` and `camera` do without.
"""

from tableref_vision.errors import VisionError
from tableref_vision.observation import Observation, SeenPiece

__all__ = ["Observation", "SeenPiece", "VisionError"]
