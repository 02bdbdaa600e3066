"""A piece is lifted: the lights show where it may go, but for what is hidden or secret; it is set
down again, and nothing happened."""

from __future__ import annotations

from typing import Any

import pytest

from tableref.devices.lights import Light, Meaning
from tableref.referee.course import Step
from tableref.referee.games import GAMES
from tableref.referee.inputs import Act, Input
from tableref.referee.table import Phase
from tableref.referee.telling import Teller
from tableref.rules.pieces import EMPTY, HIDDEN
from tests.referee.hands import Table


class Lit(Table):
    """A table whose lights are kept as they were last told."""

    def __init__(self, name: str, senses: str) -> None:
        self.teller: Teller | None = None
        self.lights: dict[str, Light] = {}
        super().__init__(name, senses, 3)
        names = self.game.players(self.inner)
        self.teller = Teller(self.game, self.board_file, "en", names)

    def give(self, given: Input) -> Step:
        before = self.state
        step = super().give(given)
        if self.teller is not None:
            self.lights = self.teller.lights(before, step)
        return step

    def expected(self) -> set[str]:
        return {cell for cell, light in self.lights.items() if light == Meaning.EXPECTED.value}


def goals(table: Lit, cell: str) -> set[str]:
    """Cells to which the piece on this one may go, by the legal actions."""
    game, state = table.game, table.inner
    before, [piece] = game.board(state), game.board(state)[cell]
    found = set()
    for action in game.legal(state):
        after = game.board(game.apply(state, action)[0])
        if piece not in after.get(cell, EMPTY):
            found |= {
                to
                for to, there in after.items()
                if there != before.get(to) and any(piece.same(other) for other in there)
            }
    return found


@pytest.mark.parametrize("senses", ["switches", "board+switches"])
@pytest.mark.parametrize("name", GAMES)
def test_a_lifted_piece_shows_where_it_may_go_and_set_down_nothing_happened(
    name: str, senses: str
) -> None:
    table = Lit(name, senses)
    game: Any = table.game
    shown = secret = 0
    for _ in range(24 if game.throws(table.inner) is None else 120):  # dice come in between
        if game.outcome(table.inner) is not None:
            break
        due = game.due(table.inner)
        singles = [c for c, stack in sorted(table.stands.items()) if len(stack) == 1]
        if game.forced(table.inner) is None and due.kind != "throw":
            for cell in table.random.sample(singles, min(3, len(singles))):
                state, stack, rows = table.inner, table.stands[cell], len(table.rows)
                table.lift(cell)
                if stack[0].face == HIDDEN or due.kind != "act":
                    assert not table.expected(), (due.kind, cell)
                    secret += 1
                else:
                    assert table.expected() == goals(table, cell), (due.kind, cell)
                    shown += bool(table.expected())
                table.put(cell, stack)
                table.rest()
                assert table.inner == state
                assert {row.kind for row in table.rows[rows:]} <= {"cleared"}
                assert table.state.phase is Phase.WAITING
        action = table.random.choice(list(game.legal(table.inner)))
        table.give(Act(table.time, action.record()))
        table.move(game.board(table.inner))
        table.rest()
    assert secret if name == "autoscooter" else shown
