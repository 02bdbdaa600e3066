"""Actions of arrows and stars, by names of cells."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Arrow(NamedTuple):
    """An arrow move with its whole chain: the cells it stands on, one after the other."""

    path: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """`{"arrow": [from, to, ...]}`"""
        return {"arrow": list(self.path)}


class Star(NamedTuple):
    """A star move."""

    start: str
    to: str

    def record(self) -> dict[str, Any]:
        """`{"star": [from, to]}`"""
        return {"star": list(self)}


class EndTurn(NamedTuple):
    """The second half ends; star moves that are left lapse (AE-3.1)."""

    verb: Literal["end_turn"] = "end_turn"  # else it would equal Pass(), as tuples do

    def record(self) -> dict[str, Any]:
        """`{"end_turn": true}`"""
        return {"end_turn": True}


class Pass(NamedTuple):
    """Nothing can move in this half, and the turn ends (AE-2.7, AE-3.5)."""

    verb: Literal["pass"] = "pass"

    def record(self) -> dict[str, Any]:
        """`{"pass": true}`"""
        return {"pass": True}


Move = Arrow | Star | EndTurn | Pass
