"""BACK held in the games that have a table: each press leads to before the last choice of a person,
until the game stands as it began."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tableref.devices.buttons import Button, Press
from tableref.referee.course import Step
from tableref.referee.front import Front
from tableref.referee.games import GAMES
from tableref.referee.inputs import Act, Input
from tableref.referee.table import Phase
from tableref.rulebook import Rulebook
from tableref.rules.log import Moment
from tests.referee.hands import Table

TURNS = 12


def played(name: str, senses: str) -> Table:
    """A table at which so many legal actions were made."""
    table = Table(name, senses, 3)
    for _ in range(TURNS):
        if table.game.outcome(table.inner):
            break
        action = table.random.choice(list(table.game.legal(table.inner)))
        truth = table.game.apply(table.inner, action)[0]
        if table.game.board(truth) == table.stands:  # a throw, a number: it is entered
            table.give(Act(table.time, action.record()))
        else:
            table.move(table.game.board(truth))
        table.rest()
        table.answer(truth)
        assert table.game.board(table.inner) == table.stands
    return table


def back_held(table: Table) -> Step:
    """What comes of one press."""
    given: list[Input] = []
    players = len(table.game.players(table.inner))
    Front(Rulebook("en"), players, given.append).pressed(Press(Button.BACK, True, table.time))
    [act] = given
    return table.give(act)


def choices(table: Table) -> Iterator[Moment]:
    """The moments before the choices of people, the last first."""
    return (before for done, before in reversed(table.state.table.past) if not done.followed)


@pytest.mark.parametrize("senses", ["board", "switches"])
@pytest.mark.parametrize("name", GAMES)
def test_each_press_leads_to_before_the_last_choice_up_to_the_start(name: str, senses: str) -> None:
    table = played(name, senses)
    befores = list(choices(table))
    assert len(befores) >= TURNS / 2
    for before in befores:
        stood = dict(table.stands)
        assert back_held(table).told.trouble is None
        assert table.state.table.now == before
        table.rest()
        # Nothing is done again by itself while the pieces still stand as they did.
        assert table.state.table.now == before
        table.move(table.game.board(table.inner))
        table.rest()
        assert table.state.table.now == before, stood
        assert table.state.phase is Phase.WAITING
    trouble = back_held(table).told.trouble
    assert trouble is not None
    assert trouble.reasons[0].case == "nothing-to-take-back"
    assert table.state.table.now == befores[-1]
