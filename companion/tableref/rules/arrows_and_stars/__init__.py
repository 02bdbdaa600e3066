"""Arrows and stars: bring three stars across (paragraphs AE-1 to AE-4)."""

from tableref.rules.arrows_and_stars.cases import CASES
from tableref.rules.arrows_and_stars.explaining import ArrowsAndStars
from tableref.rules.arrows_and_stars.layout import Layout, layout_from

__all__ = ["CASES", "ArrowsAndStars", "Layout", "layout_from"]
