"""Skorpion Deep on the common surface of games: `SkorpionDeep(layout_from(board.data))`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tableref.rules.defaults import Awaited, Defaults, Score
from tableref.rules.pieces import Piece, Stack
from tableref.rules.plain import choice, only_known, table
from tableref.rules.skorpion_deep import judging, notation, play
from tableref.rules.skorpion_deep.layout import Layout, spots_in
from tableref.rules.skorpion_deep.state import (
    BEADS,
    COLOURS,
    NOBODY,
    State,
    position_key,
    read_setup,
)
from tableref.rules.surface import (
    ALLOWED,
    Action,
    Due,
    Fact,
    Outcome,
    Record,
    Refused,
    Ruling,
    SetupError,
)

BEAD: tuple[Stack, ...] = tuple((Piece("bead", colour, name=colour),) for colour in COLOURS)
"""Player -> a bead of his."""
SKORPION: Stack = (Piece("skorpion", ""),)
TAIL: Stack = (Piece("tail", ""),)
BOTH = SKORPION + TAIL


class SkorpionDeepRules(Defaults):
    """The game on one board. Every action is a whole turn."""

    name = "skorpion-deep"
    counted = "beads"
    rules_version = "1"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    # -- starting ---------------------------------------------------------------------------------

    def start(self, setup: Record) -> State:
        """Skorpion and Tail on the Gate, all beads in hand, red to place (SD-1.2). SetupError"""
        gate = self.layout.gate
        return _first(State(read_setup(setup), (0, 0), gate, gate, 0, (), NOBODY, ""))

    def from_position(self, setup: Record, position: Record) -> State:
        """The start with this position (the keys of `facts`) laid over. SetupError"""
        return self.corrected(self.start(setup), position)

    def corrected(self, state: State, position: Record) -> State:
        """The state with what the position names set to what it says (HR-2.2). SetupError

        `pieces` names every bead on the board. Positions seen before do not count any more.
        """
        known = self.facts(state)
        only_known(position, "position", known)
        told = known | {"winner": None, "drawn": False} | dict(position)
        skorpion, tail = (self._spot(told[key], key) for key in ("skorpion", "tail"))
        beads = self._beads(table(told, "pieces", "position"))
        for name, spot in (("skorpion", skorpion), ("tail", tail)):
            if (beads[0] | beads[1]) >> spot & 1:
                raise SetupError(f"position: {name}: a bead lies on {self.layout.names[spot]}")
        if skorpion == tail != self.layout.gate:
            raise SetupError("position: tail: only on the Gate it is where the Skorpion is")
        player = _colour(told["turn"], "turn")
        state = _first(State(state.setup, beads, skorpion, tail, player, (), NOBODY, ""))
        return self._decided(state, told)

    def _decided(self, state: State, told: Mapping[str, Any]) -> State:
        """Who has won, by the bead on the Gate or as the position says."""
        on_gate = [p for p in (0, 1) if state.beads[p] >> self.layout.gate & 1]
        if on_gate:
            return state._replace(winner=on_gate[0], ended="SD-5.1")
        if told["winner"] is not None:
            winner = _colour(told["winner"], "winner")
            ended = "HR-1.1" if state.beads[1 - winner] else "SD-5.2"
            return state._replace(winner=winner, ended=ended)
        return state._replace(ended="SD-5.3") if told["drawn"] is True else state

    def _beads(self, pieces: Record) -> tuple[int, int]:
        beads = [0, 0]
        for name, colour in pieces.items():
            beads[_colour(colour, f"pieces.{name}")] |= 1 << self._spot(name, "pieces")
        for player, held in enumerate(beads):
            if held.bit_count() > BEADS:
                raise SetupError(f"position: pieces: {COLOURS[player]} has {BEADS} beads (SD-1.2)")
        return beads[0], beads[1]

    def _spot(self, name: Any, key: str) -> int:
        return self.layout.index[choice(name, f"position: {key}", self.layout.names)]

    # -- whose turn -------------------------------------------------------------------------------

    def players(self, state: State) -> tuple[str, ...]:
        """Names of the players, by index: their colours, unless the set-up names them."""
        return (state.name(0), state.name(1))

    def due(self, state: State) -> Due:
        """One player's whole turn."""
        return Due("over") if state.ended else Due("act", (state.player,))

    def legal(self, state: State) -> Iterator[Action]:
        """All legal actions in a fixed order, each once."""
        return iter(judging.legal(self.layout, state))

    def judge(self, state: State, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        broken = judging.reasons(self.layout, state, action, player)
        return Ruling(broken) if broken else ALLOWED

    # -- acting -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        broken = judging.reasons(self.layout, state, action)
        if broken:
            raise Refused(Ruling(broken))
        return play.carry_out(self.layout, state, action)

    def force(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """Lets a refused action stand (HR-2.3); UnreadableAction where the table cannot show it."""
        return play.forced(self.layout, state, action)

    def forced(self, state: State, closing: bool = False) -> Action | None:
        """None: even a pass is for the player to say."""
        return None

    def reveals(self, state: State, action: Action) -> bool:
        """Nothing in this game is hidden or random (HR-2.1)."""
        return False

    def resign(self, state: State, player: int) -> tuple[State, tuple[Fact, ...]]:
        """The other player wins (HR-1.1)."""
        return play.resign(state, player)

    def owned(self, state: State) -> tuple[tuple[str, ...], ...]:
        """The colour of each player's beads (SD-1.2)."""
        return tuple((colour,) for colour in COLOURS)

    def score(self, state: State) -> Score:
        """Beads of each player on the board (SD-5.2)."""
        return Score(self.counted, tuple(held.bit_count() for held in state.beads))

    def outcome(self, state: State) -> Outcome | None:
        """A bead on the Gate (SD-5.1), a last bead lost (SD-5.2), repetition (SD-5.3), HR-1.1."""
        if not state.ended:
            return None
        return Outcome(() if state.winner == NOBODY else (state.winner,), state.ended)

    # -- telling ----------------------------------------------------------------------------------

    def board(self, state: State) -> dict[str, Stack]:
        """Spot -> `red` or `blue` for a bead, `skorpion`, `tail`, or `skorpion tail`."""
        names, (red, blue) = self.layout.names, state.beads
        seen = {state.skorpion: SKORPION, state.tail: TAIL}
        if state.skorpion == state.tail:
            seen = {state.tail: BOTH}
        seen |= dict.fromkeys(spots_in(red), BEAD[0]) | dict.fromkeys(spots_in(blue), BEAD[1])
        return {names[spot]: seen[spot] for spot in sorted(seen)}

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """A bead of either player, the Skorpion, the Tail, both."""
        return (*BEAD, SKORPION, TAIL, BOTH)

    def set_up_fact(self, piece: str, to: str) -> Fact:
        """How the pieces stand at the start (SD-1.2)."""
        return Fact("SD-1.2", "set-up", piece, to=to)

    def put_right(self, state: State, cell: str, stack: Stack) -> Record | None:
        """Skorpion and Tail are somewhere: their spot is emptied by saying where they are."""
        facts = self.facts(state)
        pieces = {spot: bead for spot, bead in facts["pieces"].items() if spot != cell}
        told: dict[str, Any] = {"skorpion": facts["skorpion"], "tail": facts["tail"]}
        left = [name for name, spot in told.items() if spot == cell]
        for piece in stack:
            if piece.kind in told:
                told[piece.kind] = cell
                left = [name for name in left if name != piece.kind]
            else:
                pieces[cell] = piece.text
        return None if left else {"pieces": pieces, **told}

    def awaits(self, state: State) -> Awaited:
        """A turn (SD-2.2)."""
        return Awaited("SD-2.2")

    def facts(self, state: State) -> dict[str, Any]:
        """The whole state, but for the positions seen before, in the keys of `expect`."""
        names = self.layout.names
        red, blue = state.beads
        return {
            "pieces": {names[s]: COLOURS[blue >> s & 1] for s in spots_in(red | blue)},
            "skorpion": names[state.skorpion],
            "tail": names[state.tail],
            "turn": COLOURS[state.player],
            "winner": None if state.winner == NOBODY else COLOURS[state.winner],
            "drawn": state.ended == "SD-5.3",
        }

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """The facts: nothing is hidden in this game."""
        return self.facts(state)

    def read(self, record: Record) -> Action:
        """The action of a record. UnreadableAction"""
        return notation.read(self.layout, record)

    def text(self, state: State, action: Action) -> str:
        """The action in short: `s2`, `>n2`, `>n2>ne2/s2`, `-`."""
        return notation.text(action)

    def parse(self, state: State, text: str) -> Action:
        """The action of this text. UnreadableAction"""
        return notation.parse(self.layout, text)


def _first(state: State) -> State:
    """The state with nothing seen before it."""
    if not state.setup.repetition:
        return state
    return state._replace(
        seen=(position_key(state.beads, state.skorpion, state.tail, state.player),)
    )


def _colour(value: Any, key: str) -> int:
    return COLOURS.index(choice(value, f"position: {key}", COLOURS))
