"""Actions of Squod, by names of places and kinds."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class PutBack(NamedTuple):
    """A lost piece goes, hidden, on start line 1 (SQ-3.7). Kind "": the referee is not told."""

    kind: str
    to: str
    verb: Literal["put_back"] = "put_back"  # else it could equal Show, as tuples do

    def record(self) -> dict[str, Any]:
        """`{"put_back": {"kind": kind or null, "to": place}}`"""
        return {"put_back": {"kind": self.kind or None, "to": self.to}}


class Move(NamedTuple):
    """A piece goes one place on (SQ-3.1 to 3.3). `kind` names a piece that is shown by it and was
    not known to the referee."""

    start: str
    to: str
    kind: str = ""

    def record(self) -> dict[str, Any]:
        """`{"move": [from, to]}`, with the kind as a third where it is named"""
        return {"move": [self.start, self.to, *([self.kind] if self.kind else ())]}


class Squod(NamedTuple):
    """The attack of SQ-4: from where, by way of which place of the own Squod line, at which piece;
    kinds of attacker and attacked where they were not known to the referee."""

    start: str
    via: str
    target: str
    kinds: tuple[str, str] = ("", "")

    def record(self) -> dict[str, Any]:
        """`{"squod": {"from", "via", "target"}}`, with `kinds` (null: known) where one is named"""
        value: dict[str, Any] = {"from": self.start, "via": self.via, "target": self.target}
        if any(self.kinds):
            value["kinds"] = [kind or None for kind in self.kinds]
        return {"squod": value}


class Show(NamedTuple):
    """A piece on a ramp is shown to the referee and counts as known from now on (SQ-6.1)."""

    at: str
    kind: str
    verb: Literal["show"] = "show"

    def record(self) -> dict[str, Any]:
        """`{"show": {"at": place, "kind": kind}}`"""
        return {"show": {"at": self.at, "kind": self.kind}}


class Tell(NamedTuple):
    """A player tells the referee alone what stands on his ramp: all that the referee does not know
    there, as (place, kind), so that what he tells is the same to the others whatever it is."""

    player: int
    pieces: tuple[tuple[str, str], ...]

    def record(self) -> dict[str, Any]:
        """`{"tell": {"player": player, "pieces": {place: kind}}}`"""
        return {"tell": {"player": self.player, "pieces": dict(self.pieces)}}


class Pass(NamedTuple):
    """No move is possible (SQ-3.8)."""

    verb: Literal["pass"] = "pass"

    def record(self) -> dict[str, Any]:
        """`{"pass": true}`"""
        return {"pass": True}


SquodAction = PutBack | Move | Squod | Show | Tell | Pass
