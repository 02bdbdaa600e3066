"""The house paragraphs as actions: the same for all games, each logged (HR-1, HR-2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from tableref.rules.surface import Action, Game, Record, UnreadableAction

CASES: tuple[tuple[str, str, str], ...] = (
    ("HR-1.1", "given-up", "{who} has given up"),
    ("HR-1.1", "over", "the game is over"),
    ("HR-1.2", "away", "{who} is away: the table waits"),
    ("HR-1.2", "passed", "{who} is away and is passed over"),
    ("HR-1.2", "passed-over", "{who} leaves and is passed over until back"),
    ("HR-1.2", "cannot-pass-over", "the game cannot go on without {who}: the table waits"),
    ("HR-1.2", "not-all-agree", "passing over needs all others; still to agree: {other}"),
    ("HR-1.2", "over", "the game is over"),
    ("HR-1.2", "not-away", "{who} is not away"),
    ("HR-1.2", "leaves", "{who} leaves for a while"),
    ("HR-1.2", "returns", "{who} is back"),
    ("HR-1.3", "drawn", "all agreed on a draw"),
    ("HR-1.3", "ended", "the game was drawn by agreement"),
    ("HR-1.3", "over", "the game is over"),
    ("HR-1.3", "not-all-agree", "a draw needs all; still to agree: {other}"),
    ("HR-1.4", "broken-off", "the game is broken off without a result"),
    ("HR-1.4", "ended", "the game was broken off"),
    ("HR-1.4", "over", "the game is over"),
    ("HR-1.4", "taken-up", "the game is taken up again"),
    ("HR-1.4", "not-broken-off", "the game was not broken off"),
    ("HR-2.1", "taken-back", "{who} is taken back"),
    ("HR-2.1", "redone", "{who} is done again"),
    ("HR-2.1", "nothing-to-take-back", "nothing was done that could be taken back"),
    ("HR-2.1", "nothing-to-redo", "nothing was taken back that could be done again"),
    ("HR-2.1", "not-yours", "{who} did not make the last action; still to agree: {other}"),
    ("HR-2.1", "shown-since", "something was shown since; still to agree: {other}"),
    ("HR-2.1", "not-put-back", "the board stands as before it was taken back or done again"),
    ("HR-2.1", "not-all-agree", "this needs all; still to agree: {other}"),
    ("HR-2.2", "corrected", "the position was corrected to what stands on the board"),
    ("HR-2.2", "not-all-agree", "a correction needs all; still to agree: {other}"),
    ("HR-2.3", "let-stand", "let stand by the house, {what} set aside"),
    ("HR-2.3", "not-refused", "this is legal and needs no house ruling"),
    ("HR-2.3", "over", "the game is over"),
    ("HR-2.3", "not-all-agree", "a house ruling needs all; still to agree: {other}"),
    ("HR-3.1", "moved", "{who} was moved by accident and goes back to {start}"),
    ("HR-3.1", "board", "the board does not look as it was"),
    ("HR-3.2", "cocked", "a die of {who} on {what} leans, or lies on another"),
    ("HR-3.2", "rim", "a die of {who} leans on the rim of its tray, {what}"),
    ("HR-3.2", "off-tray", "a die of {who} lies outside the trays"),
    ("HR-3.2", "other-tray", "a die of {who} lies on {what}, outside the tray that was chosen"),
    ("HR-3.2", "touched", "a die of {who} was touched before it rested"),
    ("HR-3.2", "moving", "a die of {who} does not come to rest"),
)
"""Every fact that the house paragraphs can state: paragraph, case, meaning in English."""


class Resign(NamedTuple):
    """A player gives up (HR-1.1)."""

    player: int

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"resign": self._asdict()}


class Leave(NamedTuple):
    """A player leaves for a while (HR-1.2): the table waits, or if all others agreed, he is passed
    over until he is back. Those who stay may agree later, by the same action."""

    player: int
    agreed: tuple[int, ...] = ()

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"leave": {"player": self.player, "agreed": list(self.agreed)}}


class Return(NamedTuple):
    """A player is back (HR-1.2)."""

    player: int

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"return": self._asdict()}


class Draw(NamedTuple):
    """All agree on a draw (HR-1.3)."""

    agreed: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"draw": {"agreed": list(self.agreed)}}


BROKEN_OFF = "HR-1.4"
"""The paragraph by which a game ends without a result; it may be taken up again."""


class BreakOff(NamedTuple):
    """The game ends without a result (HR-1.4)."""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"break_off": True}


class TakeUp(NamedTuple):
    """A game that was broken off goes on (HR-1.4)."""

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"take_up": True}


class TakeBack(NamedTuple):
    """The last action is taken back (HR-2.1)."""

    player: int
    agreed: tuple[int, ...] = ()

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"take_back": {"player": self.player, "agreed": list(self.agreed)}}


class Redo(NamedTuple):
    """What was taken back last is done again (HR-2.1)."""

    agreed: tuple[int, ...] = ()

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"redo": {"agreed": list(self.agreed)}}


class Correct(NamedTuple):
    """The position is set to what stands on the board (HR-2.2). `position` is JSON text with sorted
    keys, so that the action stays a plain value."""

    position: str
    agreed: tuple[int, ...]

    @classmethod
    def to(cls, position: Record, agreed: tuple[int, ...]) -> Correct:
        """The correction to this position, in the keys of `expect`."""
        return cls(json.dumps(position, sort_keys=True), agreed)

    def told(self) -> dict[str, Any]:
        """The position as an object, in the keys of `expect`."""
        told: dict[str, Any] = json.loads(self.position)
        return told

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"correct": {"position": self.told(), "agreed": list(self.agreed)}}


class HouseRuling(NamedTuple):
    """A refused action is let stand (HR-2.3)."""

    action: Action
    agreed: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """As in `table-record/1`."""
        return {"house_ruling": {"action": self.action.record(), "agreed": list(self.agreed)}}


HouseAction = (
    Resign | Leave | Return | Draw | BreakOff | TakeUp | TakeBack | Redo | Correct | HouseRuling
)


def read_house(record: Record, game: Game[Any]) -> HouseAction | None:
    """The house action of a record, or None where it is none of the house. UnreadableAction"""
    if not isinstance(record, dict) or len(record) != 1:
        return None
    [(kind, value)] = record.items()
    if kind in ("break_off", "take_up"):
        if value is not True:
            raise UnreadableAction(f"{kind}: expected true, found {value!r}")
        return BreakOff() if kind == "break_off" else TakeUp()
    reader = _READERS.get(kind)
    if reader is None:
        return None
    if not isinstance(value, dict):
        raise UnreadableAction(f"{kind}: expected an object, found {value!r}")
    return reader(kind, value, game)


def _correct(kind: str, value: dict[str, Any], game: Game[Any]) -> Correct:
    position = value.get("position")
    if not isinstance(position, dict):
        raise UnreadableAction(f"{kind}: position: expected an object, found {position!r}")
    return Correct.to(position, _agreed(kind, value))


_READERS: dict[str, Callable[[str, dict[str, Any], Game[Any]], HouseAction]] = {
    "resign": lambda kind, value, game: Resign(_player(kind, value)),
    "leave": lambda kind, value, game: Leave(_player(kind, value), _agreed(kind, value)),
    "return": lambda kind, value, game: Return(_player(kind, value)),
    "draw": lambda kind, value, game: Draw(_agreed(kind, value)),
    "take_back": lambda kind, value, game: TakeBack(_player(kind, value), _agreed(kind, value)),
    "redo": lambda kind, value, game: Redo(_agreed(kind, value)),
    "correct": _correct,
    "house_ruling": lambda kind, value, game: HouseRuling(
        game.read(value.get("action", {})), _agreed(kind, value)
    ),
}


def _player(kind: str, value: dict[str, Any]) -> int:
    player = value.get("player")
    if type(player) is not int or player < 0:
        raise UnreadableAction(f"{kind}: player: {player!r} is no player")
    return player


def _agreed(kind: str, value: dict[str, Any]) -> tuple[int, ...]:
    agreed = value.get("agreed", [])
    if not isinstance(agreed, list) or not all(type(p) is int for p in agreed):
        raise UnreadableAction(f"{kind}: agreed: expected players, found {agreed!r}")
    return tuple(agreed)
