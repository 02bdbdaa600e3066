"""What can reach the referee: one typed input at a time, each with the time at which it happened.

Every input has a JSON form, so that an evening can be recorded and played again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tableref_vision.dice.throw import MatLook
from tableref_vision.observation import Observation


class Seen(NamedTuple):
    """The eye has read a frame."""

    observation: Observation

    @property
    def time(self) -> float:
        """Monotonic seconds of the frame."""
        return self.observation.time

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"seen": self.observation.record()}


class MatSeen(NamedTuple):
    """The eye has read a frame of the dice mat."""

    look: MatLook

    @property
    def time(self) -> float:
        """Monotonic seconds of the frame."""
        return self.look.time

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"mat_seen": self.look.record()}


class TrayChosen(NamedTuple):
    """Who throws next has said on which tray (SC-2.2): "yellow" or "black". `question` is the
    number of what the table waited for when he said so."""

    time: float
    tray: str
    question: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"tray_chosen": self._asdict()}


class Act(NamedTuple):
    """Somebody enters an action (phone, button, file): `record` is its `table-record/1` form."""

    time: float
    action: Mapping[str, Any]
    player: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"act": {"time": self.time, "action": dict(self.action), "player": self.player}}


class LetStand(NamedTuple):
    """All `agreed` to let stand what was refused (HR-2.3); `question` is the refusal's number."""

    time: float
    agreed: tuple[int, ...]
    question: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        told = {"time": self.time, "agreed": list(self.agreed), "question": self.question}
        return {"let_stand": told}


class Choose(NamedTuple):
    """The answer to a question: the number of a choice, from 0. Where switches and camera disagree,
    0 says that the switches are wrong: those cells' switches are not listened to any more.

    `question` is the number of the question that the person had in view: by the time the answer
    arrives another may be open. None, as recordings of version 1 have it, is the one that is open.
    """

    time: float
    choice: int
    question: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"choose": self._asdict()}


class Switched(NamedTuple):
    """A switch under a cell came to rest: a magnet stands there, or no longer."""

    time: float
    cell: str
    occupied: bool

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"switched": self._asdict()}


class Occupied(NamedTuple):
    """All switches at once; of `unsteady` cells nothing can be said."""

    time: float
    cells: frozenset[str]
    unsteady: frozenset[str] = frozenset()

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        cells = {"cells": sorted(self.cells), "unsteady": sorted(self.unsteady)}
        return {"occupied": {"time": self.time, **cells}}


class Unsteady(NamedTuple):
    """A switch flickers, or is calm again."""

    time: float
    cell: str
    unsteady: bool

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"unsteady": self._asdict()}


class LinkGone(NamedTuple):
    """The board under the table does not answer; the camera goes on alone."""

    time: float
    message: str

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"link_gone": self._asdict()}


class CameraTrouble(NamedTuple):
    """The camera says why it has no frame; the game goes on without it."""

    time: float
    message: str

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"camera_trouble": self._asdict()}


class CameraEnded(NamedTuple):
    """There are no more frames: a folder or a film has come to its end."""

    time: float

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"camera_ended": self._asdict()}


Input = (
    Seen
    | MatSeen
    | TrayChosen
    | Act
    | LetStand
    | Choose
    | Switched
    | Occupied
    | Unsteady
    | LinkGone
    | CameraTrouble
    | CameraEnded
)


def read_input(record: Mapping[str, Any]) -> Input:
    """The input of a recording's line. ValueError says what is wrong."""
    try:
        [(kind, value)] = record.items()
        match kind:
            case "seen":
                return Seen(Observation.from_record(value))
            case "mat_seen":
                return MatSeen(MatLook.from_record(value))
            case "tray_chosen":
                return TrayChosen(float(value["time"]), str(value["tray"]), _question(value))
            case "act":
                return Act(float(value["time"]), dict(value["action"]), value.get("player"))
            case "let_stand":
                question = _question(value)
                return LetStand(float(value["time"]), tuple(value["agreed"]), question)
            case "choose":
                return Choose(float(value["time"]), int(value["choice"]), _question(value))
            case "switched":
                return Switched(float(value["time"]), str(value["cell"]), bool(value["occupied"]))
            case "occupied":
                cells, unsteady = (frozenset(map(str, value[k])) for k in ("cells", "unsteady"))
                return Occupied(float(value["time"]), cells, unsteady)
            case "unsteady":
                return Unsteady(float(value["time"]), str(value["cell"]), bool(value["unsteady"]))
            case "link_gone":
                return LinkGone(float(value["time"]), str(value["message"]))
            case "camera_trouble":
                return CameraTrouble(float(value["time"]), str(value["message"]))
            case "camera_ended":
                return CameraEnded(float(value["time"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"this is no input: {error}") from error
    raise ValueError(f"{kind!r} is no kind of input")


def _question(value: Mapping[str, Any]) -> int | None:
    """The number of the question that an answer names."""
    number = value.get("question")
    return None if number is None else int(number)
