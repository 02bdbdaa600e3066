"""Pieces as somebody above the table sees them, and the one place where they become text.

A cell holds a `Stack`: the pieces on it, lowest first; mostly one. Records, `play`, the display and
the eye share the texts: `red NE`, `white arrow up`, `blue red`, `0 rock`, `skorpion tail`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

HIDDEN = "?"
"""The face of a piece that lies face down, or is not known."""


class Piece(NamedTuple):
    """What is seen of a piece: its kind, whose or of what colour it is, where it points, what its
    face shows; empty where it has no such thing. `name` is what it is called in short, where that
    is not its side and kind."""

    kind: str
    side: str
    facing: str = ""
    face: str = ""
    name: str = ""

    @property
    def called(self) -> str:
        """What it is called, however it stands: `red`, `white arrow`."""
        return self.name or f"{self.side} {self.kind}".strip()

    @property
    def text(self) -> str:
        """What it is called, where it points, what it shows: `red NE`, `white arrow up`."""
        return " ".join(filter(None, (self.called, self.facing, self.face)))

    def same(self, other: Piece) -> bool:
        """Whether it may be the same piece, turned, or with another face up."""
        return (self.kind, self.side, self.name) == (other.kind, other.side, other.name)


Stack = tuple[Piece, ...]
"""The pieces on a cell, lowest first."""

EMPTY: Stack = ()
"""A cell on which nothing stands."""


def text_of(stack: Stack) -> str:
    """The pieces of a stack in one text, which does not tell which is the lowest."""
    return " ".join(sorted(piece.text for piece in stack))


def texts(board: Mapping[str, Stack]) -> dict[str, str]:
    """A board in texts, as records and people have it."""
    return {cell: text_of(stack) for cell, stack in board.items()}


def spelled(stacks: Iterable[Stack]) -> dict[str, Stack]:
    """Text -> the stack that it tells of, "" for the empty cell."""
    return {text_of(stack): stack for stack in (EMPTY, *stacks)}
