"""Scorpion on the common surface of games: `Scorpion(layout_from(board.data))`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Any

from tableref.rules.defaults import Awaited, Defaults, Score, Throws
from tableref.rules.pieces import Piece, Stack
from tableref.rules.scorpion import judging, notation, play, position
from tableref.rules.scorpion.actions import Throw
from tableref.rules.scorpion.state import State
from tableref.rules.scorpion.track import COLOURS, PIPS, SCORPIONS, Layout, read_setup, track_of
from tableref.rules.surface import (
    ALLOWED,
    Action,
    Due,
    Fact,
    Outcome,
    Record,
    Refused,
    Ruling,
    UnreadableAction,
)

OVER = Due("over")

ONE: tuple[Stack, ...] = tuple((Piece("scorpion", colour, name=colour),) for colour in COLOURS)
"""Colour -> a scorpion of it, alone on its cell."""


class ScorpionRules(Defaults):
    """The game on one board. A turn is two throws, moves, and `EndTurn`.

    A winner's turn may still be closed with `EndTurn`, as records do, though the game is over.
    """

    name = "scorpion"
    # A shorter track than the board's: the rules are the same.
    shown_setup = MappingProxyType({"players": 3, "cells_per_side": 8})
    beside = ("dice",)
    counted = "out"
    rules_version = "1"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    # -- starting ---------------------------------------------------------------------------------

    def start(self, setup: Record) -> State:
        """All scorpions in hand, the first player to throw (SC-2.0). SetupError"""
        track = track_of(read_setup(setup, self.layout))
        hands = tuple(SCORPIONS * (colour in track.owner) for colour in range(len(COLOURS)))
        masks = (0,) * len(COLOURS)
        return State(track, masks, hands, 0, 0, 0, 0, play.NEW_TURN, None, (), "")

    def from_position(self, setup: Record, position: Record) -> State:
        """The start with this position (the keys of `facts`) laid over. SetupError

        Who has a scorpion on the track has had his first turn, unless `opened` says otherwise.
        """
        return self.corrected(self.start(setup), position)

    def corrected(self, state: State, told: Record) -> State:
        """The state with what the position names set to what it says (HR-2.2). SetupError"""
        return position.corrected(state, told)

    # -- whose turn -------------------------------------------------------------------------------

    def players(self, state: State) -> tuple[str, ...]:
        """Names of the players, by index: their colours, unless the set-up names them."""
        return state.track.names

    def sides(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Partners in teams (SC-5.4)."""
        return state.track.sides

    def due(self, state: State) -> Due:
        """A throw while one is owed, else an act; after a sting the piece is fixed (SC-3.4)."""
        if state.winners:
            return OVER
        piece = COLOURS[state.attack.colour] if state.attack else ""
        return Due("throw" if judging.throw_due(state) else "act", (state.player,), piece)

    def legal(self, state: State) -> Iterator[Action]:
        """All legal actions in a fixed order, each once."""
        return iter(judging.legal(state))

    def judge(self, state: State, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        broken = judging.reasons(state, action, player)
        return Ruling(broken) if broken else ALLOWED

    # -- acting -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        broken = judging.reasons(state, action)
        if broken:
            raise Refused(Ruling(broken))
        return play.carry_out(state, action)

    def force(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """Lets a refused action stand (HR-2.3); UnreadableAction where the table cannot show it."""
        broken = judging.reasons(state, action)
        if not broken:
            return play.carry_out(state, action)
        if state.winners:
            raise UnreadableAction("the game is over")
        return play.forced(state, action)

    def forced(self, state: State, closing: bool = False) -> Action | None:
        """None: even where only the end of the turn is left, a player says so."""
        return None

    def reveals(self, state: State, action: Action) -> bool:
        """A throw shows something random (HR-2.1)."""
        return isinstance(action, Throw)

    def resign(self, state: State, player: int) -> tuple[State, tuple[Fact, ...]]:
        """A player gives up; his scorpions stay and act no more (HR-1.1)."""
        return play.resign(state, player)

    def owned(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The colours of each player (SC-1.2)."""
        return tuple(tuple(COLOURS[colour] for colour in own) for own in state.track.sets)

    def score(self, state: State) -> Score:
        """Scorpions of each player that are out (SC-5.2)."""
        return Score(self.counted, tuple(sum(map(state.out, own)) for own in state.track.sets))

    def outcome(self, state: State) -> Outcome | None:
        """Who has all scorpions out (SC-5.2 to SC-5.4), or is left alone (HR-1.1)."""
        return Outcome(state.winners, state.ended) if state.winners else None

    # -- telling ----------------------------------------------------------------------------------

    def standing(self, state: State) -> tuple[float, ...]:
        """How much of their way the scorpions of each player have behind them (`Stands`)."""
        track = state.track
        done = []
        for own in track.sets:
            cells = sum(track.out * state.out(colour) + _sum(state.masks[colour]) for colour in own)
            if state.attack is not None and state.attack.colour in own:
                cells += state.attack.cell
            done.append(3.0 * cells / (4 * len(own) * track.out))
        return tuple(done)

    def board(self, state: State) -> dict[str, Stack]:
        """Cell -> the scorpion on it; of two, during a sting, both: `blue red`."""
        seen: dict[int, Stack] = {}
        for colour, one in enumerate(ONE):
            for cell in judging.cells_in(state.masks[colour]):
                seen[cell] = one
        if state.attack is not None:
            cell, attacker = state.attack.cell, ONE[state.attack.colour]
            seen[cell] = tuple(sorted((*seen.get(cell, ()), *attacker)))
        return {state.track.cells[cell]: seen[cell] for cell in sorted(seen)}

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """A scorpion of each colour, and any two, as during a sting."""
        return (*ONE, *(a + b for a, b in combinations_with_replacement(sorted(ONE), 2)))

    def put_right(self, state: State, cell: str, stack: Stack) -> Record | None:
        """What stood on the cell goes into its player's hand; what stands there comes from it."""
        return position.put_right(state, cell, [piece.side for piece in stack])

    def awaits(self, state: State) -> Awaited:
        """A throw (SC-2.2), an extra throw (SC-3.4), a move by the dice that lie (SC-2.5)."""
        if judging.throw_due(state):
            return Awaited("SC-3.4" if state.attack else "SC-2.2")
        dice = position.facts(state)["dice"]
        return Awaited("SC-2.5", ", ".join(f"{die['tray']} {die['value']}" for die in dice))

    def throws(self, state: State) -> Throws | None:
        """The dice of a turn, or one extra die (SC-2.2, SC-3.4)."""
        if state.winners or not judging.throw_due(state):
            return None
        trays = dict.fromkeys(a.tray for a in judging.legal(state) if isinstance(a, Throw))
        return Throws(int(position.facts(state)["throws"]) or 1, tuple(trays))

    def thrown(self, tray: str, value: int) -> Action:
        """A throw (SC-2.2)."""
        return self.read({"throw": {"tray": tray, "value": value}})

    def places(self) -> Mapping[str, str]:
        """Cells are named by the colour of their side."""
        return {"yellow": "Y", "black": "K"}

    def as_if_thrown(self, state: State, tray: str, value: int) -> State | None:
        """The state in which only this die lies and moves a scorpion."""
        if self.due(state).kind == "over" or value not in range(1, PIPS + 1):
            return None
        die = {"tray": tray, "value": value}
        told = {"throws": 0, "dice": [die], "used": [], "moved": None, "attacker": None}
        return position.corrected(state, told)

    def facts(self, state: State) -> dict[str, Any]:
        """The whole state in the keys of `expect`."""
        return position.facts(state)

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """The facts: nothing is hidden in this game."""
        return position.facts(state)

    def read(self, record: Record) -> Action:
        """The action of a record. UnreadableAction"""
        return notation.read(record)

    def text(self, state: State, action: Action) -> str:
        """The action in short: `y4`, `bY7+4x`, `rH+3`, or a full stop."""
        return notation.text(action)

    def parse(self, state: State, text: str) -> Action:
        """The action of this text. UnreadableAction, AmbiguousAction"""
        return notation.parse(state, text)


def _sum(mask: int) -> int:
    """The sum of the cells of a mask."""
    cells = 0
    while mask:
        low = mask & -mask
        cells += low.bit_length() - 1
        mask ^= low
    return cells
