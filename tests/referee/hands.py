"""A table of every game on which hands play by the rules, in front of perfect senses."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from tableref.referee.asking import choices
from tableref.referee.course import Step
from tableref.referee.games import load_game
from tableref.referee.inputs import Begin, Choose, Input, Occupied, Seen, Switched, Tick
from tableref.referee.step import AT_REST, Referee
from tableref.referee.table import Row, TableState
from tableref.rules.autoscooter.actions import Number
from tableref.rules.pieces import EMPTY, Stack, text_of
from tableref_hardware import load_board
from tableref_vision.observation import Observation, SeenPiece

SETUPS: Mapping[str, dict[str, Any]] = {
    "autoscooter": {"players": 4, "paper": True},
    "scorpion": {"players": 2, "cells_per_side": 8},
    "squod": {"players": 2},
}


class Table:
    """A table on which a game is played by hands that do what the rules allow."""

    def __init__(self, name: str, senses: str, seed: int) -> None:
        self.board_file = load_board(name)
        self.referee = Referee(load_game(name, self.board_file), self.board_file)
        self.game, self.random = self.referee.game, random.Random(seed)
        self.state = TableState(self.referee.house.start(SETUPS.get(name, {})))
        self.rows: list[Row] = []
        self.time, self.frame = 0.0, 0
        self.camera = senses in ("board", "board+switches", "dark", "unlinked")
        self.linked = senses in ("switches", "board+switches", "dark", "unlinked")
        self.stands: dict[str, Stack] = dict(self.game.board(self.inner))
        names = [n for n, there in (("board", self.camera), ("switches", self.linked)) if there]
        self.give(Begin(0.0, tuple(names)))
        if self.linked:
            self.give(Occupied(0.0, frozenset(self.stands)))
        self.rest()

    @property
    def inner(self) -> Any:
        """The game's state as the referee has it."""
        return self.state.table.state

    def give(self, given: Input) -> Step:
        """Any input."""
        step = self.referee.step(self.state, given)
        self.state, self.rows = step.state, [*self.rows, *step.rows]
        return step

    def lift(self, cell: str) -> None:
        """A hand takes a piece off a cell."""
        self.stands[cell] = self.stands[cell][:-1]
        if not self.stands[cell]:
            del self.stands[cell]
            self.switched(cell, False)

    def put(self, cell: str, stack: Stack) -> None:
        """A hand puts down what stands on a cell then."""
        before = self.stands.get(cell, EMPTY)
        self.stands[cell] = stack
        if not before:
            self.switched(cell, True)

    def switched(self, cell: str, occupied: bool) -> None:
        self.time += 0.2
        if self.linked:
            self.give(Switched(self.time, cell, occupied))
        if self.camera:
            self.look(hand=True)

    def look(self, hand: bool = False) -> None:
        """The camera looks at what stands there."""
        self.frame += 1
        self.time += 0.1
        pieces: tuple[SeenPiece, ...] = ()
        cells = None
        if self.board_file.senses.board == "tags":
            pieces = tuple(
                SeenPiece(p.name, p.kind, p.side, cell, p.facing, c.x, c.y, 0.0, 1.0)
                for cell, [p] in self.stands.items()
                for c in [self.board_file.cells[cell]]
            )
        else:
            cells = {
                c: frozenset((text_of(self.stands.get(c, EMPTY)),)) for c in self.board_file.cells
            }
        seen = {piece.id for piece in pieces}
        missing = tuple(p.id for p in self.board_file.pieces if p.id not in seen)
        missing = missing if cells is None else ()
        self.give(
            Seen(
                Observation(
                    self.time, f"{self.frame:04d}", "ok", pieces, missing, frozenset(), hand,
                    not hand, cells=cells,
                )
            )
        )  # fmt: skip

    def rest(self) -> None:
        """The hand is away: time passes, and the camera looks."""
        if self.camera:
            self.look()
        self.time += AT_REST + 0.1
        self.give(Tick(self.time))

    def move(self, after: Mapping[str, Stack]) -> None:
        """Hands change what stands there to another board."""
        changed = [c for c in {*self.stands, *after} if self.stands.get(c) != after.get(c)]
        self.random.shuffle(changed)
        for cell in changed:
            while self.stands.get(cell) and self.stands[cell] != after.get(cell):
                self.lift(cell)
        for cell in changed:
            if cell in after:
                self.put(cell, after[cell])

    def answer(self, truth: Any) -> None:
        """The players answer what is asked, going by what they did."""
        for _ in range(6):
            ask = self.state.ask
            if ask is None or not ask.answers or ask.awaited or not self._choose(truth):
                return

    def tell_the_rest(self, truth: Any) -> None:
        """They tell by buttons, while the next piece is awaited, what nobody saw."""
        while not self.same(self.inner, truth) and self._choose(truth):
            pass

    def same(self, state: Any, truth: Any) -> bool:
        """Whether a state is the one that they have played, in whatever order it became known."""
        told, true = (self.game.facts(each) | {"order": None} for each in (state, truth))
        return bool(told == true)

    def _choose(self, truth: Any) -> bool:
        """Chooses what is true of the choices; False where none is."""
        ask = self.state.ask
        if ask is None or not ask.answers:
            return False
        for number, one in enumerate(choices(self.game, self.inner, ask)):
            if any(self._comes_to(answer.state, truth) for answer in one.answers):
                self.give(Choose(self.time, number, ask.number))
                return True
        return False

    def _comes_to(self, state: Any, truth: Any) -> bool:
        """Whether this is the truth, or becomes it by what showed nothing and was not told yet."""
        known, edge = [state], [state]
        while edge:
            at = edge.pop()
            if self.same(at, truth):
                return True
            for action in self.game.offered(at):
                after = self.game.apply(at, action)[0]
                if not isinstance(action, Number) and after not in known:
                    known.append(after)
                    edge.append(after)
        return False
