"""Tableref: a companion that referees physical table games."""

__version__ = "0.1.0"
