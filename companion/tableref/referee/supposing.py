"""What might be done: legal actions by the pieces they move, and why another one is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, Protocol, runtime_checkable

from tableref.rules.defaults import TableGame, known_actions
from tableref.rules.explain import Sighting
from tableref.rules.pieces import EMPTY, HIDDEN, Piece, Stack
from tableref.rules.surface import Action, Fact, RulesError

_MOST_TRIED = 2000
"""Legal actions that are looked through; hardly any position has more."""

_NO_MOVE = "HR-3.1"
"""The paragraph of what is no move at all."""

Wanted = Callable[[Piece], bool]


@runtime_checkable
class Supposes(Protocol):
    """A game in which the turn is a piece's."""

    def as_if_turn(self, state: Any, piece: str) -> Any:
        """The state were it this piece's turn, with every choice open."""
        ...


class Moved(NamedTuple):
    """A legal action, what happens by it, and which pieces went: piece, from, to; empty is off
    the board."""

    action: Action
    facts: tuple[Fact, ...]
    went: tuple[tuple[Piece, str, str], ...]


class Moves(NamedTuple):
    """Legal actions; `hidden`: there may be more that hang on what lies face down."""

    told: tuple[Moved, ...]
    hidden: bool


def supposed(game: TableGame[Any], state: Any, side: str) -> tuple[Any, str]:
    """The state as if it were the turn of this side, with every choice open (of the one in turn
    where no side is named), and the side where it is not its turn."""
    due = game.due(state)
    if isinstance(game, Supposes):
        piece = side or due.piece
        if not piece or due.kind == "over":
            return state, ""
        its = piece == due.piece or (due.kind in ("drive", "restart") and not due.piece)
        return game.as_if_turn(state, piece), "" if its else piece
    names = game.players(state)
    player = names.index(side) if side in names else int(side) if side.isdigit() else -1
    if due.kind == "over" or player in due.players or not 0 <= player < len(names):
        return state, ""
    told = game.facts(state).get("turn")
    try:
        turn = names[player] if isinstance(told, str) else player
        return game.corrected(state, {"turn": turn}), names[player]
    except RulesError:
        return state, names[player]


def moves_of(
    game: TableGame[Any], state: Any, wanted: Wanted, start: str = "", own: Collection[str] = ()
) -> Moves:
    """The legal actions in which such a piece goes or is put, from this cell where one is named.
    `state` is as somebody knows it (`public`), `own` where pieces lie face down that he knows."""
    told, hidden = [], False
    names = {p.called for stack in game.board(state).values() for p in stack if wanted(p)}
    for shown, action in _open_actions(game, state):
        way = game.public_way(action)
        if way and _hangs_on_hidden(game, state, action, way[0], own):
            stands = game.board(state)[way[0]][-1]
            hidden = hidden or (start in ("", way[0]) and wanted(stands))
            continue
        after, facts = game.apply(state, action)
        went = _went(game.board(state), game.board(after))
        mine = [one for one in went if wanted(one[0]) and start in ("", one[1])]
        # A piece may act and stay, while another one turns.
        if went and not mine and (start or names.isdisjoint(_named(game, state, action))):
            continue
        if not went and start:
            continue
        if any(_hangs_on_hidden(game, state, action, one[1], own) for one in mine):
            hidden = True
            continue
        told.append(Moved(shown, facts, tuple(mine)))
    return Moves(tuple(told), hidden)


def may_reach(
    game: TableGame[Any], state: Any, wanted: Wanted, start: str, to: str, own: Collection[str] = ()
) -> Moves:
    """The legal actions by which such a piece comes to a cell; `state` and `own` as `moves_of`."""
    moves = moves_of(game, state, wanted, start, own)
    reach = tuple(m for m in moves.told if any(cell == to for _, _, cell in m.went))
    there = game.board(state)
    faces = {piece.face for cell in ((start,) if start else there) for piece in there.get(cell, ())}
    return Moves(reach, moves.hidden and HIDDEN in faces and bool(start))


def why_not(
    game: TableGame[Any], state: Any, wanted: Wanted, start: str, to: str, own: Collection[str] = ()
) -> tuple[Fact, ...]:
    """Why no such piece may come to a cell: the ruling on the illegal action that would bring the
    nearest of them there. Empty where none resembles it."""
    board = game.board(state)
    ways: list[tuple[str, Piece]] = [
        (cell, stack[-1])
        for cell, stack in board.items()
        if start in ("", cell)
        and cell != to
        and wanted(stack[-1])
        and (stack[-1].face != HIDDEN or cell in own)
    ]
    if not start:  # from beside the board
        ways += [("", stack[0]) for stack in game.stacks if len(stack) == 1 and wanted(stack[0])]
    found = []
    for cell, piece in ways:
        may: frozenset[Stack] = frozenset(
            s for s in game.stacks if len(s) == 1 and s[0].same(piece)
        )
        cells = {each: frozenset((there,)) for each, there in board.items()}
        if cell:
            cells[cell] = frozenset((board[cell][:-1],))
        else:
            may |= {(*board.get(to, EMPTY), piece)}
        cells[to] = may
        action, ruling = game.nearest(state, Sighting(cells))
        broken = ruling.broken
        # Another action may come nearer to that board than one that leads there.
        leads = action is not None and to in game.text(state, action)
        if leads and broken and broken[0].paragraph != _NO_MOVE:
            found.append(broken)
    return min(found, key=len) if found else ()


def _named(game: TableGame[Any], state: Any, action: Action) -> list[str]:
    return re.split(r"\W", game.text(state, action))


def _open_actions(game: TableGame[Any], state: Any) -> Iterator[tuple[Action, Action]]:
    """The legal actions of which something may be told (`open_actions`)."""
    if game.due(state).kind not in ("plot", "announce", "over"):
        yield from islice(known_actions(game, state), _MOST_TRIED)


def _hangs_on_hidden(
    game: TableGame[Any], state: Any, action: Action, start: str, own: Collection[str]
) -> bool:
    """Whether an action shows what lies face down and who asks does not know: that it is legal, or
    what it leads to, would tell what it is."""
    board = game.board(state)
    stacks = (board.get(cell, EMPTY) for cell in {start, *game.public_way(action)} - {*own})
    hidden = any(stack and stack[-1].face == HIDDEN for stack in stacks)
    return hidden and game.reveals(state, action)


def _went(before: Mapping[str, Stack], after: Mapping[str, Stack]) -> list[tuple[Piece, str, str]]:
    """Pieces that stand elsewhere, or otherwise, after an action."""
    gone = [
        (piece, cell)
        for cell, stack in before.items()
        for piece in stack
        if piece not in after.get(cell, EMPTY)
    ]
    went = []
    for cell, stack in after.items():
        for piece in stack:
            if piece in before.get(cell, EMPTY):
                continue
            left = next((one for one in gone if one[0].same(piece)), None)
            if left:
                gone.remove(left)
            went.append((piece, left[1] if left else "", cell))
    return went
