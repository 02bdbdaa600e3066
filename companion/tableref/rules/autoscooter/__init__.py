"""Autoscooter, bumper cars on hexes (AS-1 to AS-7): `Autoscooter(Layout(board.data))`."""

from tableref.rules.autoscooter.explaining import Autoscooter
from tableref.rules.autoscooter.layout import Layout

__all__ = ["Autoscooter", "Layout"]
