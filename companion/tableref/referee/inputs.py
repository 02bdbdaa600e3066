"""What can reach the referee: one typed input at a time, each with the time at which it happened.

Every input has a JSON form, so that an evening can be recorded and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tableref_hardware import Board
from tableref_hardware.files import FileError, shown
from tableref_hardware.reading import Section
from tableref_vision.dice.throw import MatLook
from tableref_vision.observation import Observation
from tableref_vision.wanted import Wanted


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


class Learning(NamedTuple):
    """The eye over the board has still to be shown something, or just knows the pieces."""

    wanted: Wanted

    @property
    def time(self) -> float:
        """Monotonic seconds of the frame."""
        return self.wanted.time

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"learning": self.wanted.record()}


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
    """Who throws next has said on which tray: "yellow" or "black". `question` is the
    number of what the table waited for when he said so."""

    time: float
    tray: str
    question: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"tray_chosen": self._asdict()}


class TrustDice(NamedTuple):
    """Somebody has said that dice which were misread need not make this table ask more."""

    time: float

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"trust_dice": self._asdict()}


class Act(NamedTuple):
    """Somebody enters an action (phone, button, file): `record` is its `table-record/1` form."""

    time: float
    action: Mapping[str, Any]
    player: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"act": {"time": self.time, "action": dict(self.action), "player": self.player}}


class PutRight(NamedTuple):
    """All `agreed` that these pieces stand on a cell (HR-2.2), told as in records, "" for none. The
    rest of the position is as it is when this is taken."""

    time: float
    cell: str
    stands: str
    agreed: tuple[int, ...]

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"put_right": self._asdict() | {"agreed": list(self.agreed)}}


class LetStand(NamedTuple):
    """All `agreed` to let stand what was refused (HR-2.3); `question` is the refusal's number."""

    time: float
    agreed: tuple[int, ...]
    question: int | None = None

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        told = {"time": self.time, "agreed": list(self.agreed), "question": self.question}
        return {"let_stand": told}


class Advised(NamedTuple):
    """What a judge says of the refusal that is open; `stands`: it shall stand, if all agree.
    Nothing changes by it; `question` is the refusal's number."""

    time: float
    judge: str
    text: str
    stands: bool
    question: int

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"advised": self._asdict()}


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
    """The camera says why it has no frame; the game goes on without it. `picture` names a picture
    that cannot be read, where that is all: the camera is there, and the next one counts."""

    time: float
    message: str
    picture: str = ""

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        told = {key: value for key, value in self._asdict().items() if value != ""}
        return {"camera_trouble": told}


class Tick(NamedTuple):
    """Time has passed and nothing was heard: what rests can be told without frames."""

    time: float

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"tick": self._asdict()}


class Bell(NamedTuple):
    """The clock of the game rings for these players: so many seconds are left to them."""

    time: float
    who: tuple[int, ...]
    left: int

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"bell": {"time": self.time, "who": list(self.who), "left": self.left}}


class Begin(NamedTuple):
    """The evening begins, or goes on, with these senses: "board" for a camera over the board,
    "switches", "mat" for a camera over the dice mat. `asks`: from which confidence on dice are
    asked about, as was learnt at this table before (`Mat.asks`)."""

    time: float
    senses: tuple[str, ...]
    asks: float = 0.0

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        told: dict[str, Any] = {"time": self.time, "senses": list(self.senses)}
        return {"begin": told | ({"asks": self.asks} if self.asks else {})}


class CameraEnded(NamedTuple):
    """There are no more frames: a folder or a film has come to its end."""

    time: float

    def record(self) -> dict[str, Any]:
        """As in a recording."""
        return {"camera_ended": self._asdict()}


Input = (
    Seen
    | Learning
    | MatSeen
    | TrayChosen
    | TrustDice
    | Act
    | PutRight
    | LetStand
    | Advised
    | Choose
    | Switched
    | Occupied
    | Unsteady
    | LinkGone
    | CameraTrouble
    | CameraEnded
    | Tick
    | Begin
    | Bell
)


def read_input(record: Mapping[str, Any], source: str = "input") -> Input:
    """The input of a recording's line; `source` names it in errors. FileError"""
    line = Section(source, "", record)
    if len(record) != 1 or (kind := next(iter(line))) not in READERS:
        raise FileError(f"{source}: expected one of {', '.join(READERS)}, found {shown(record)}")
    return READERS[kind](line.section(kind))


def _tray_chosen(told: Section) -> Input:
    return TrayChosen(told.number("time"), told.text("tray"), _question(told))


def _act(told: Section) -> Input:
    player = told.perhaps(told.integer, "player")
    return Act(told.number("time"), told.section("action").values(), player)


def _put_right(told: Section) -> Input:
    agreed = tuple(told.integers("agreed"))
    return PutRight(told.number("time"), told.text("cell"), told.text("stands"), agreed)


def _let_stand(told: Section) -> Input:
    return LetStand(told.number("time"), tuple(told.integers("agreed")), _question(told))


def _choose(told: Section) -> Input:
    return Choose(told.number("time"), told.integer("choice"), _question(told))


def _switched(told: Section) -> Input:
    return Switched(told.number("time"), told.text("cell"), told.flag("occupied"))


def _occupied(told: Section) -> Input:
    cells, unsteady = (frozenset(told.texts(key)) for key in ("cells", "unsteady"))
    return Occupied(told.number("time"), cells, unsteady)


def _unsteady(told: Section) -> Input:
    return Unsteady(told.number("time"), told.text("cell"), told.flag("unsteady"))


READERS: Mapping[str, Callable[[Section], Input]] = {
    "seen": lambda told: Seen(Observation.read(told)),
    "learning": lambda told: Learning(Wanted.read(told)),
    "mat_seen": lambda told: MatSeen(MatLook.read(told)),
    "tray_chosen": _tray_chosen,
    "trust_dice": lambda told: TrustDice(told.number("time")),
    "act": _act,
    "put_right": _put_right,
    "let_stand": _let_stand,
    "advised": lambda told: Advised(
        told.number("time"),
        told.text("judge"),
        told.text("text"),
        told.flag("stands"),
        told.integer("question", 0),
    ),
    "choose": _choose,
    "switched": _switched,
    "occupied": _occupied,
    "unsteady": _unsteady,
    "link_gone": lambda told: LinkGone(told.number("time"), told.text("message")),
    "camera_trouble": lambda told: CameraTrouble(
        told.number("time"), told.text("message"), told.text("picture") if "picture" in told else ""
    ),
    "camera_ended": lambda told: CameraEnded(told.number("time")),
    "tick": lambda told: Tick(told.number("time")),
    "bell": lambda told: Bell(
        told.number("time"), tuple(told.integers("who")), told.integer("left", 0)
    ),
    "begin": lambda told: Begin(
        told.number("time"),
        tuple(told.texts("senses")),
        told.number("asks", 0.0, 1.0) if "asks" in told else 0.0,
    ),
}
"""Kind of an input, as in a recording -> what reads it."""


def _question(told: Section) -> int | None:
    """The number of the question that an answer names."""
    return told.perhaps(told.integer, "question")


def misfit(given: Input, board: Board, players: int) -> str:
    """What of an input is not of this table: a cell, a piece, a player. Empty where all is."""
    cells, pieces = set[str | None](), set[str | None]()
    who: tuple[int | None, ...] = ()
    match given:
        case Seen(seen):
            cells |= seen.covered | {piece.cell for piece in seen.pieces}
            pieces |= {*seen.not_seen, *seen.twice, *(piece.id for piece in seen.pieces)}
            for piece in seen.pieces:
                if piece.heading is not None and piece.heading not in board.headings:
                    return f"{shown(piece.heading)} is no heading of this board"
        case Learning(wanted):
            cells |= {*wanted.cells, *wanted.missing, *wanted.other, *wanted.strange}
        case Switched(_, cell, _) | Unsteady(_, cell, _):
            cells.add(cell)
        case Occupied(_, occupied, unsteady):
            cells |= occupied | unsteady
        case PutRight(_, cell, _, agreed):
            cells.add(cell)
            who = agreed
        case LetStand(_, agreed, _):
            who = agreed
        case Act(_, _, player):
            who = (player,)
        case Bell(_, rung, _):
            who = rung
    for name in sorted(map(str, cells - {None, *board.cells})):
        return f"{shown(name)} is not a cell of this board"
    for name in sorted(map(str, pieces - {None, *(piece.id for piece in board.pieces)})):
        return f"{shown(name)} is no piece of this board"
    for number in who:
        if number is not None and not 0 <= number < players:
            return f"there is no player {number}; players count from 0 to {players - 1}"
    return ""
