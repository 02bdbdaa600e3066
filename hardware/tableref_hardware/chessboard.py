"""The calibration sheet: one description for whoever prints it and whoever looks at it.

A ChArUco board. Its dictionary is none that a table uses, so that a sheet left on the table is
never taken for a board. The number of rows is odd, since OpenCV 4.6 turned boards with even ones.
"""

from __future__ import annotations

COLUMNS, ROWS = 7, 9
SQUARE = 25.0  # mm
MARKER = 18.0  # mm, the black square of a tag
DICTIONARY = "5X5_100"
