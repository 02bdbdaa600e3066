"""Skorpion Deep: beads grow towards the Gate, and a Skorpion eats them (SD-1 to SD-5)."""

from tableref.rules.skorpion_deep.explaining import SkorpionDeep
from tableref.rules.skorpion_deep.facts import CASES
from tableref.rules.skorpion_deep.layout import Layout, layout_from
from tableref.rules.skorpion_deep.state import Pass, Place, State, Step

__all__ = [
    "CASES",
    "Layout",
    "Pass",
    "Place",
    "SkorpionDeep",
    "State",
    "Step",
    "layout_from",
]
