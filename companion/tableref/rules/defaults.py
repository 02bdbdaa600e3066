"""What a game brings to the table beside its rules: its own words and habits, with defaults.

The referee knows no game. Where one has something of its own (secret plots, dice, rounds, markers
to set, a move that is done in parts) it says so by these methods; a game that says nothing is a
game of open moves on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from tableref.rules.explain import Answer, Explainable, Sighting
from tableref.rules.pieces import HIDDEN, Stack, text_of
from tableref.rules.surface import Action, Fact, Game, Record


class Throws(NamedTuple):
    """Dice that are to be thrown now: how many, and on which trays they may count."""

    owed: int
    trays: tuple[str, ...]


class Awaited(NamedTuple):
    """The paragraph by which something is due now, and what goes with it, such as dice that lie."""

    paragraph: str
    note: str = ""


class Markers(NamedTuple):
    """Markers beside the board that change: piece and its number; the paragraph that says so."""

    paragraph: str
    set_to: tuple[tuple[str, int], ...]


class Score(NamedTuple):
    """What players count: the unit as a key of the messages (`score-chips`), and how many each
    player has."""

    unit: str
    of: tuple[int, ...]


class Carried(NamedTuple):
    """Numbers that pieces on the board carry, cell by cell, and what `play` says of them, as a key
    of its sentences."""

    key: str
    numbers: Mapping[str, int]


class Milestone(NamedTuple):
    """Something that ended, as a `round`, and what is told of it; where players count something,
    what each has stands there under the unit of their score."""

    kind: str
    data: dict[str, Any]


S = TypeVar("S")


class TableGame(Explainable[S], Protocol[S]):
    """A game as the referee wants it: its rules, what it explains, and its own words. What each
    method says stands with its default in `Defaults`."""

    @property
    def unplotted(self) -> Mapping[str, Any]: ...

    @property
    def shown_setup(self) -> Mapping[str, Any]: ...

    @property
    def rounds(self) -> int: ...

    @property
    def counted(self) -> str: ...

    @property
    def beside(self) -> tuple[str, ...]: ...

    def set_up_fact(self, piece: str, to: str) -> Fact: ...

    def awaits(self, state: S) -> Awaited: ...

    def turn(self, state: S) -> Hashable: ...

    def markers(self, before: S, after: S) -> Markers | None: ...

    def carried(self, state: S) -> Carried | None: ...

    def milestones(self, before: S, after: S) -> tuple[Milestone, ...]: ...

    def score(self, state: S) -> Score | None: ...

    def secret(self, action: Action) -> bool: ...

    def to_tell(self, state: S, player: int) -> Mapping[str, tuple[str, ...]]: ...

    def telling(self, player: int, told: Mapping[str, str]) -> Action: ...

    def public(self, state: S, player: int | None = None) -> S: ...

    def unnamed(self, action: Action) -> Action | None: ...

    def seen_position(self, state: S, stands: Mapping[str, Stack]) -> Record | None: ...

    def sides(self, state: S) -> tuple[tuple[int, ...], ...]: ...

    def put_right(self, state: S, cell: str, stack: Stack) -> Record | None: ...

    def public_way(self, action: Action) -> tuple[str, ...]: ...

    def throws(self, state: S) -> Throws | None: ...

    def thrown(self, tray: str, value: int) -> Action: ...

    def unfinished(self, state: S, sighting: Sighting) -> S | None: ...

    def covers(self, answer: Answer, other: Answer) -> bool: ...

    def offered(self, state: S) -> tuple[Action, ...]: ...

    def places(self) -> Mapping[str, str]: ...

    def lettered(self, side: str, letter: str) -> str: ...

    def as_if_thrown(self, state: S, tray: str, value: int) -> S | None: ...

    def last_round(self) -> int: ...

    def owned(self, state: S) -> tuple[tuple[str, ...], ...]: ...

    def numbers_left(self, state: S) -> Mapping[str, tuple[int, ...]]: ...


class Defaults:
    """A game of open moves: what most games say."""

    facts: Callable[[Any], dict[str, Any]]
    unplotted: Mapping[str, Any] = MappingProxyType({})
    """Options of a game whose players hand over nothing that they wrote down."""

    shown_setup: Mapping[str, Any] = MappingProxyType({})
    """Options with which a game is worth looking at, for a demo of minutes."""

    rounds: int = 0
    """How many rounds a game has at most; 0 where it has none."""

    counted: str = ""
    """The unit of what players count (`Score`); empty where nothing is counted."""

    beside: tuple[str, ...] = ()
    """Which of the facts lie beside the board, not on it."""

    def set_up_fact(self, piece: str, to: str) -> Fact:
        """Why the game cannot begin: the first piece that does not stand where it starts."""
        return Fact("HR-3.1", "board", piece, to=to)

    def awaits(self, state: Any) -> Awaited:
        """By which paragraph the next action is due; empty where none says so."""
        return Awaited("")

    def turn(self, state: Any) -> Hashable:
        """What tells one turn from the next."""
        return self.facts(state).get("turn")

    def markers(self, before: Any, after: Any) -> Markers | None:
        """Markers that change beside the board."""
        return None

    def carried(self, state: Any) -> Carried | None:
        """Numbers that pieces carry, such as markers on their pins."""
        return None

    def milestones(self, before: Any, after: Any) -> tuple[Milestone, ...]:
        """Rounds and the like that ended between two states."""
        return ()

    def score(self, state: Any) -> Score | None:
        """What the players count; None where nothing is counted."""
        return None

    def ending(self, action: Action) -> Hashable:
        """What players tell of an action beside the state that it leads to; mostly nothing."""
        return None

    def secret(self, action: Action) -> bool:
        """Whether an action is noted in secret, so that nothing is told of it."""
        return False

    def to_tell(self, state: Any, player: int) -> Mapping[str, tuple[str, ...]]:
        """Cell -> faces that the piece there may have, for the player's own pieces that only he
        knows; empty where the referee knows all. He may tell them at any time, all at once."""
        return {}

    def telling(self, player: int, told: Mapping[str, str]) -> Action:
        """The secret action by which a player tells the faces of those pieces, by cell."""
        raise NotImplementedError("a game in which the referee knows every piece")

    def public(self, state: Any, player: int | None = None) -> Any:
        """The state as everybody at the table knows it, for what is offered to all; or as this
        player does."""
        return state

    def unnamed(self, action: Action) -> Action | None:
        """The action as it is offered before it is done, without what it would show; None where it
        does nothing else."""
        return action

    def seen_position(self, state: Any, stands: Mapping[str, Stack]) -> Record | None:
        """The position in which these pieces stand as they are seen, to let it stand (HR-2.3);
        None where only an action can be let stand."""
        return None

    def sides(self, state: Any) -> tuple[tuple[int, ...], ...]:
        """Players who play together, side by side; none where each plays for himself."""
        return ()

    def put_right(self, state: Any, cell: str, stack: Stack) -> Record | None:
        """The position in which this stack stands on the cell, nothing where it is empty, and all
        else is as it is noted, in the keys of `expect`; a piece of which there is one is taken from
        where it stood. None where that cannot be told so, as in a game whose facts have no
        `pieces`, cell -> text."""
        told = self.facts(state).get("pieces")
        if not isinstance(told, Mapping):
            return None
        pieces = {name: text for name, text in told.items() if name != cell}
        return {"pieces": pieces | ({cell: text_of(stack)} if stack else {})}

    def public_way(self, action: Action) -> tuple[str, ...]:
        """Cells over which an action leads that would show what is hidden, from where its piece
        moves to where it goes: all that may be told of it before it is done."""
        return ()

    def throws(self, state: Any) -> Throws | None:
        """The dice that are owed now; None in a game without dice, and while none are."""
        return None

    def thrown(self, tray: str, value: int) -> Action:
        """A throw as an action."""
        raise NotImplementedError("a game without dice")

    def unfinished(self, state: Any, sighting: Sighting) -> Any:
        """The state that the move under way leads to, where only a part of it is done; or None."""
        return None

    def covers(self, answer: Answer, other: Answer) -> bool:
        """Whether the other answer only used up more of what a player may do in a turn, so that
        who is ruled by this one can still come to the same by giving the rest up."""
        return False

    def offered(self, state: Any) -> tuple[Action, ...]:
        """Actions that change nothing on the board, for people to choose by buttons while the next
        piece is awaited, where not any player may act."""
        return ()

    def places(self) -> Mapping[str, str]:
        """Words that name a cell with a number behind, and what cells begin with there: in a game
        with `yellow` cells, `yellow 9` is `Y9`."""
        return {}

    def lettered(self, side: str, letter: str) -> str:
        """The text of the action that a question with a letter asks about, `Red with K?`, in a game
        whose players note letters."""
        return f"{side} {letter}"

    def as_if_thrown(self, state: Any, tray: str, value: int) -> Any:
        """The state in which only this die was thrown, and is to be used; None in a game without
        dice, and where nobody is to throw."""
        return None

    def last_round(self) -> int:
        """The round after which the game ends; 0 in games without rounds."""
        return 0

    def owned(self, state: Any) -> tuple[tuple[str, ...], ...]:
        """The sides of the pieces that each player has; empty where a player is his side."""
        return ()

    def numbers_left(self, state: Any) -> Mapping[str, tuple[int, ...]]:
        """Side -> numbers that it may still note; empty where nothing is known of them."""
        return {}


def open_actions(game: TableGame[S], state: S) -> Iterator[tuple[Action, Action]]:
    """What may be offered to everybody, each as it is offered and as it is legal where all that
    lies hidden is unknown: that one is offered may tell nothing of that."""
    return known_actions(game, game.public(state))


def known_actions(game: TableGame[S], known: S) -> Iterator[tuple[Action, Action]]:
    """The same for who knows the state so (`public`)."""
    offered = set[Action]()
    for action in game.legal(known):
        shown = None if game.secret(action) else game.unnamed(action)
        if shown is not None and shown not in offered:
            offered.add(shown)
            yield shown, action


def may_go(game: Game[Any], state: Any, cell: str) -> tuple[str, ...]:
    """Cells to which the piece on this one may go; none for a piece whose face is hidden, since
    that would tell what it is."""
    board = game.board(state)
    stack = board.get(cell, ())
    if not stack or stack[-1].face == HIDDEN or game.due(state).kind != "act":
        return ()
    piece, cells = stack[-1], dict[str, None]()
    for action in game.legal(state):
        after = game.board(game.apply(state, action)[0])
        if piece in after.get(cell, ()):
            continue
        for to, there in after.items():
            if there != board.get(to) and any(piece.same(other) for other in there):
                cells[to] = None
    return tuple(cells)
