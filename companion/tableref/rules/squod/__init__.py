"""Squod: rock, paper, scissors on a ring with ramps (paragraphs SQ-1 to SQ-6)."""

from tableref.rules.squod.cases import CASES
from tableref.rules.squod.explaining import SquodGame
from tableref.rules.squod.layout import Layout, layout_from

__all__ = ["CASES", "Layout", "SquodGame", "layout_from"]
