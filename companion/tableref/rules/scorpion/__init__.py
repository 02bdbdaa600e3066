"""Scorpion: scorpions race along a track of two sides and sting each other (SC-1 to SC-5)."""

from tableref.rules.scorpion.actions import EndTurn, Move, Throw
from tableref.rules.scorpion.explaining import Scorpion
from tableref.rules.scorpion.facts import CASES
from tableref.rules.scorpion.state import State
from tableref.rules.scorpion.track import Layout, layout_from

__all__ = ["CASES", "EndTurn", "Layout", "Move", "Scorpion", "State", "Throw", "layout_from"]
