"""Arrows and stars on the common surface of games; `explaining` adds what was done, as seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tableref.rules.arrows_and_stars import judging, notation
from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Move, Pass, Star
from tableref.rules.arrows_and_stars.layout import COLOURS, HEADINGS, STARS, Layout
from tableref.rules.arrows_and_stars.state import (
    ARROW,
    ARROW_HALF,
    STAR,
    State,
    corrected,
    first_state,
    pieces_of,
    position_key,
    read_setup,
)
from tableref.rules.defaults import Awaited, Defaults, Score
from tableref.rules.pieces import Stack, texts
from tableref.rules.plain import cells_of
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


class ArrowsAndStarsRules(Defaults):
    """The game on one lattice. A turn is: an arrow move, star moves, `EndTurn`."""

    name = "arrows-and-stars"
    beside = ("stars_out", "star_moves")
    counted = "stars"
    rules_version = "1"

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    # -- starting ---------------------------------------------------------------------------------

    def start(self, setup: Record) -> State:
        """All pieces on their first two rows, white to move (AE-1). SetupError"""
        return first_state(self.layout, read_setup(setup))

    def from_position(self, setup: Record, position: Record) -> State:
        """The start with this position laid over. SetupError"""
        return corrected(self.layout, self.start(setup), position)

    def corrected(self, state: State, position: Record) -> State:
        """The state with what the position names set to what it says (HR-2.2). SetupError"""
        return corrected(self.layout, state, position)

    # -- whose turn -------------------------------------------------------------------------------

    def players(self, state: State) -> tuple[str, ...]:
        """White and black."""
        return COLOURS

    def due(self, state: State) -> Due:
        """An action of the side whose turn it is; the piece says of which half."""
        if state.over is not None:
            return Due("over")
        return Due("act", (state.turn,), "arrow" if state.left == ARROW_HALF else "star")

    def legal(self, state: State) -> Iterator[Move]:
        """All legal actions, lazily, in a fixed order."""
        return judging.legal(self.layout, state)

    def judge(self, state: State, action: Action, player: int | None = None) -> Ruling:
        """Allowed, or the paragraphs broken, the deciding one first."""
        broken = judging.reasons(self.layout, state, action, player)
        return Ruling(broken) if broken else ALLOWED

    def forced(self, state: State, closing: bool = False) -> None:
        """Nothing comes by itself: a player says when a turn is over."""

    def reveals(self, state: State, action: Action) -> bool:
        """Nothing is hidden in this game (HR-2.1)."""
        return False

    # -- moving -----------------------------------------------------------------------------------

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """The next state and what happened. Refused where the action is not legal."""
        if type(action) is Arrow and state.over is None and state.left == ARROW_HALF:
            return self._apply_arrow(state, action.path)
        if broken := judging.reasons(self.layout, state, action, None):
            raise Refused(Ruling(broken))
        return self._carry_out(state, action)

    def force(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        """As `apply`, though the rules refuse it (HR-2.3). UnreadableAction where the piece is not
        there, the place is taken or the game is over."""
        if self.judge(state, action).allowed:
            return self.apply(state, action)
        if state.over is not None:
            raise UnreadableAction("the game is over")
        if isinstance(action, Arrow | Star):
            cells = action.path if isinstance(action, Arrow) else tuple(action)
            kind = "arrow" if isinstance(action, Arrow) else "star"
            cells_of(cells, self.layout.masks, 2, notation.LONGEST_CHAIN)
            self._check_movable(state, kind, cells[0], cells[-1])
        return self._carry_out(state, action)

    def resign(self, state: State, player: int) -> tuple[State, tuple[Fact, ...]]:
        """The other side wins (HR-1.1)."""
        if state.over is not None:
            raise UnreadableAction("the game is over")
        fact = Fact("HR-1.1", "gave-up", COLOURS[player], other=COLOURS[1 - player])
        return state._replace(over=Outcome((1 - player,), "HR-1.1")), (fact,)

    def _check_movable(self, state: State, kind: str, start: str, to: str) -> None:
        there = judging.piece_name(self.layout, state, self.layout.masks[start])
        if not there.endswith(kind):
            raise UnreadableAction("no {what} stands on {start}", what=kind, start=start)
        if start != to and judging.piece_name(self.layout, state, self.layout.masks[to]):
            raise UnreadableAction("{to} is taken", to=to)

    def _carry_out(self, state: State, action: Action) -> tuple[State, tuple[Fact, ...]]:
        match action:
            case Arrow(path):
                return self._force_arrow(state, path)
            case Star(start, to):
                return self._move_star(state, start, to)
            case EndTurn():
                return self._end_turn(state, "AE-2.0", "turn-ended")
            case Pass():
                if state.left == ARROW_HALF:
                    return self._end_turn(state, "AE-2.7", "half-skipped")
                return self._end_turn(state, "AE-3.5", "no-star-can-move")
        raise UnreadableAction(f"{action!r} is no action of arrows and stars")

    def _apply_arrow(self, state: State, path: tuple[str, ...]) -> tuple[State, tuple[Fact, ...]]:
        layout = self.layout
        start = layout.masks.get(path[0], 0)
        if not state.arrows[state.turn] & start:
            raise Refused(Ruling(judging.reasons(layout, state, Arrow(path), None)))
        broken, heading, turned, jumped = judging.trace(layout, state, path)
        if broken:
            raise Refused(Ruling(broken))
        who = COLOURS[state.turn]
        if not jumped:
            facts = [Fact("AE-2.1", "stepped", who, "arrow", path[0], path[1])]
        else:
            facts = [
                Fact(
                    "AE-2.2", "jumped", who, "arrow", path[i], path[i + 1], 0,
                    judging.piece_name(layout, state, over),
                )
                for i, over in enumerate(jumped)
            ]  # fmt: skip
        return self._arrow_moved(state, path, heading, turned, jumped, facts)

    def _force_arrow(self, state: State, path: tuple[str, ...]) -> tuple[State, tuple[Fact, ...]]:
        """Sets an arrow down at the end of its path. What it jumped on the way counts, and it is
        turned round where it came to its last row."""
        layout = self.layout
        bit = layout.masks[path[0]]
        heading = 0 if state.up & bit else 1
        turned, jumped = [], []
        for at, name in pairwise(path):
            leg = layout.legs.get((at, name))
            if leg and leg.over and judging.piece_name(layout, state, leg.over):
                jumped.append(leg.over)
            if layout.masks[name] & layout.far[heading]:
                heading = 1 - heading
                turned.append(name)
        colour = COLOURS[0 if state.arrows[0] & bit else 1]
        facts = [Fact("AE-2.1", "set-down", colour, "arrow", path[0], path[-1])]
        return self._arrow_moved(state, path, heading, tuple(turned), tuple(jumped), facts)

    def _arrow_moved(
        self,
        state: State,
        path: tuple[str, ...],
        heading: int,
        turned: tuple[str, ...],
        jumped: tuple[int, ...],
        facts: list[Fact],
    ) -> tuple[State, tuple[Fact, ...]]:
        masks = self.layout.masks
        start, to = masks[path[0]], masks[path[-1]]
        white, black = state.arrows
        if white & start:
            white = white & ~start | to
        else:
            black = black & ~start | to
        up = state.up & ~start
        if heading == 0:
            up |= to
        for name in turned:
            facts.append(Fact("AE-2.5", "turned-round", facts[0].who, HEADINGS[heading], to=name))
        opposing = state.arrows[1 - state.turn]
        earned = len({over for over in jumped if over & opposing})
        if earned:
            facts.append(Fact("AE-3.1", "stars-earned", COLOURS[state.turn], amount=earned))
        left = earned if state.left == ARROW_HALF else state.left + earned
        moved = State(
            state.setup, state.turn, (white, black), up, state.stars, left, state.out,
            state.seen, None,
        )  # fmt: skip
        return moved, tuple(facts)

    def _move_star(self, state: State, start: str, to: str) -> tuple[State, tuple[Fact, ...]]:
        layout = self.layout
        bit, landing = layout.masks[start], layout.masks[to]
        colour = 0 if state.stars[0] & bit else 1
        who, owner = COLOURS[state.turn], COLOURS[colour]
        leg = layout.legs.get((start, to))
        over = judging.piece_name(layout, state, leg.over) if leg else ""
        case = "star-set-down"
        if leg and leg.way != 1 - colour and bool(leg.over) == bool(over):
            case = "star-jumped" if over else "star-stepped"
        facts = [Fact("AE-3.3", case, who, over, start, to, 0, owner)]
        stars, out, result = list(state.stars), list(state.out), None
        stars[colour] &= ~bit
        if landing & layout.far[colour]:
            out[colour] += 1
            facts.append(Fact("AE-3.4", "star-off", owner, to=to, amount=out[colour]))
            if out[colour] == STARS:
                result = Outcome((colour,), "AE-4.1")
                facts.append(Fact("AE-4.1", "won", owner, amount=STARS))
        else:
            stars[colour] |= landing
        moved = state._replace(
            stars=(stars[0], stars[1]),
            out=(out[0], out[1]),
            left=state.left if state.left == ARROW_HALF else max(state.left - 1, 0),
            # A star never comes back from its way forward, so no earlier position can.
            seen=state.seen if leg and leg.way not in (0, 1) else (),
            over=result,
        )
        return moved, tuple(facts)

    def _end_turn(self, state: State, paragraph: str, case: str) -> tuple[State, tuple[Fact, ...]]:
        turn, seen, result = 1 - state.turn, state.seen, None
        facts = [Fact(paragraph, case, COLOURS[state.turn], other=COLOURS[turn])]
        if often := state.setup.repetition:
            key = position_key(turn, state.arrows, state.up, state.stars)
            seen = (*seen, key)
            if len(seen) >= often and seen.count(key) >= often:
                result = Outcome((), "AE-4.2")
                facts.append(Fact("AE-4.2", "drawn", amount=often))
        ended = State(
            state.setup, turn, state.arrows, state.up, state.stars, ARROW_HALF, state.out,
            seen, result,
        )  # fmt: skip
        return ended, tuple(facts)

    # -- what is known ----------------------------------------------------------------------------

    def score(self, state: State) -> Score:
        """Stars of each side that are off the board (AE-4.1)."""
        return Score(self.counted, tuple(state.out))

    def outcome(self, state: State) -> Outcome | None:
        """The winner (AE-4.1), a draw (AE-4.2), or None while the game goes on."""
        return state.over

    def set_up_fact(self, piece: str, to: str) -> Fact:
        """How the pieces stand at the start (AE-1.2)."""
        return Fact("AE-1.2", "set-up", piece, to=to)

    def awaits(self, state: State) -> Awaited:
        """A turn (AE-2.0)."""
        return Awaited("AE-2.0")

    def facts(self, state: State) -> dict[str, Any]:
        """The whole state: `pieces`, `stars_out`, `winner`, `turn`, `star_moves` (None while the
        arrow move is due)."""
        winners = state.over.winners if state.over else ()
        return {
            "pieces": texts(pieces_of(self.layout, state)),
            "stars_out": dict(zip(COLOURS, state.out, strict=True)),
            "winner": COLOURS[winners[0]] if winners else None,
            "turn": COLOURS[state.turn],
            "star_moves": None if state.left == ARROW_HALF else state.left,
        }

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """Everything: nothing is hidden in this game."""
        return self.facts(state)

    def standing(self, state: State) -> tuple[float, ...]:
        """How far the stars of each colour have come, those off the board the whole way
        (`Stands`)."""
        names = self.layout.names
        last = max(int(name[1:]) for name in names.values()) - 1
        done = []
        for colour, stars in enumerate(state.stars):
            rows = [int(name[1:]) - 1 for cell, name in names.items() if stars >> cell & 1]
            way = sum(row if colour == 0 else last - row for row in rows) / last
            done.append(1.5 * state.out[colour] + way)
        return tuple(done)

    def board(self, state: State) -> dict[str, Stack]:
        """Cell -> piece, as `white arrow up`."""
        return pieces_of(self.layout, state)

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """Arrows that point up or down, stars, which keep their direction."""
        return (*ARROW[0], *ARROW[1], *STAR)

    # -- records and texts ------------------------------------------------------------------------

    def read(self, record: Record) -> Move:
        """The action of this record. UnreadableAction"""
        return notation.read(self.layout, record)

    def text(self, state: State, action: Action) -> str:
        """The action in short notation (`notation`)."""
        return notation.text(action)

    def parse(self, state: State, text: str) -> Move:
        """The action of this text. UnreadableAction, AmbiguousAction"""
        return notation.parse(self.layout, state, text)
