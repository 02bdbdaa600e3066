"""What every game offers: one surface for turns, throws, simultaneous plots and hidden pieces.

A game is data tables plus pure functions over an immutable state. There is no generator inside:
dice and choices are actions that come from outside. A state and an action are NamedTuples, so
they are cheap, hashable and equal by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from tableref.rules.pieces import Stack

Record = Mapping[str, Any]
"""A JSON object of `table-record/1`: an action, a position, or a set-up."""

Kind = Literal["act", "throw", "plot", "drive", "restart", "announce", "over"]


class RulesError(ValueError):
    """Something given to the rules engine cannot be used; the message says what and why.

    It is a template that `values` fill in: what people may come across by typing is told in their
    language (`amiss.toml` of the rulebook), where its templates stand for others.
    """

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message.format(**values) if values else message)
        self.message, self.values = message, values


class SetupError(RulesError):
    """A set-up or a position that the game cannot start from."""


class UnreadableAction(RulesError):
    """A record or a text is no action of this game."""


class AmbiguousAction(RulesError):
    """A text fits several legal actions; the message lists them."""


NOTE = " ?"
"""Behind a piece or a player: something was noted for it, which nobody else may know."""


class Fact(NamedTuple):
    """A paragraph applied to the table: why an action is refused, or what an action did.

    `case` names which sentence of the paragraph applies. The rest are the facts that fill it in:
    who acts (piece, colour or player), what it is about (a letter, a number, a kind), the cells
    from and to, an amount, and the other one concerned.
    """

    paragraph: str
    case: str
    who: str = ""
    what: str = ""
    start: str = ""
    to: str = ""
    amount: int = 0
    other: str = ""


class Ruling(NamedTuple):
    """The verdict on an action: allowed, or the paragraphs it breaks, the deciding one first."""

    broken: tuple[Fact, ...] = ()

    @property
    def allowed(self) -> bool:
        """True where no paragraph is broken."""
        return not self.broken

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """Ids of the broken paragraphs, the deciding one first, each once."""
        return tuple(dict.fromkeys(fact.paragraph for fact in self.broken))


ALLOWED = Ruling()


class Refused(RulesError):
    """An action that is not legal was to be applied; `ruling` says why."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__("refused by " + ", ".join(ruling.paragraphs))
        self.ruling = ruling


class Due(NamedTuple):
    """What is awaited: its kind, the players (indices from 0) who may do it, the piece if fixed."""

    kind: Kind
    players: tuple[int, ...] = ()
    piece: str = ""


class Outcome(NamedTuple):
    """How a game ended: winners (player indices; empty: nobody), and the paragraph that says so."""

    winners: tuple[int, ...]
    paragraph: str


class Action(Protocol):
    """A NamedTuple whose class is its kind; `record()` is its form in `table-record/1`."""

    def record(self) -> dict[str, Any]:
        """One key, the kind of the action, and its value."""
        ...


S = TypeVar("S")


class Game(Protocol[S]):
    """The surface of a game with states of type S. All methods are pure."""

    @property
    def name(self) -> str:
        """As in records and file names: `arrows-and-stars`."""
        ...

    @property
    def rules_version(self) -> str:
        """Changes whenever the same actions may lead elsewhere."""
        ...

    def start(self, setup: Record) -> S:
        """The state after set-up with these options; what is missing has its default. SetupError"""
        ...

    def from_position(self, setup: Record, position: Record) -> S:
        """The state with this board (the keys of `facts`). SetupError"""
        ...

    def due(self, state: S) -> Due:
        """Whose action is awaited and of what kind."""
        ...

    def legal(self, state: S) -> Iterator[Action]:
        """All legal actions, lazily, in a fixed order, each once."""
        ...

    def judge(self, state: S, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken; `player` is who tries it, where that is known."""
        ...

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        ...

    def force(self, state: S, action: Action) -> tuple[S, tuple[Fact, ...]]:
        """As `apply`, though the rules refuse it (HR-2.3). UnreadableAction where that makes no
        sense, as with a piece that is not there."""
        ...

    def forced(self, state: S, closing: bool = False) -> Action | None:
        """What comes next by itself and leaves nobody a choice, or None. `closing`: nothing more
        is noted in secret, so what waits for that goes on without it."""
        ...

    def reveals(self, state: S, action: Action) -> bool:
        """Whether this action shows something hidden or random (HR-2.1)."""
        ...

    def corrected(self, state: S, position: Record) -> S:
        """The state with what the position names set to what it says (HR-2.2). SetupError"""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def facts(self, state: S) -> dict[str, Any]:
        """The whole state in the keys of `expect` in `table-record/1`."""
        ...

    def view(self, state: S, player: int | None) -> dict[str, Any]:
        """As `facts`, but only what this player (None: somebody at the table) may know."""
        ...

    def board(self, state: S) -> dict[str, Stack]:
        """Cell -> the pieces that an eye above the table sees there; empty cells are left out."""
        ...

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """All that may stand on a cell, each once; the empty cell is left out."""
        ...

    def resign(self, state: S, player: int) -> tuple[S, tuple[Fact, ...]]:
        """The state after this player gave up (HR-1.1)."""
        ...

    def players(self, state: S) -> tuple[str, ...]:
        """Names of the players, by index."""
        ...

    def read(self, record: Record) -> Action:
        """The action of this record. UnreadableAction"""
        ...

    def text(self, state: S, action: Action) -> str:
        """The action in this game's short notation."""
        ...

    def parse(self, state: S, text: str) -> Action:
        """The action of this text: `parse(s, text(s, a)) == a`. Unreadable-, AmbiguousAction"""
        ...
