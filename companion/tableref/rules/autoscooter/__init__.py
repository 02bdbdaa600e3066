"""Autoscooter: bumper cars on hexes (paragraphs AS-1 to AS-7)."""

from tableref.rules.autoscooter.game import Autoscooter
from tableref.rules.autoscooter.layout import Layout

__all__ = ["Autoscooter", "Layout"]
