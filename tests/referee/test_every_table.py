"""An evening for every game and every sense that its board file names, with mishaps: it ends as it
was played, and nobody is blamed for what was legal."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tableref.referee.games import GAMES
from tableref.referee.inputs import Act, CameraTrouble, LinkGone, Occupied
from tableref.referee.table import Phase
from tableref.rules.autoscooter.actions import Number
from tableref.rules.pieces import EMPTY
from tableref_hardware import load_board
from tests.referee.hands import SETUPS, Table

SENSES = ("board", "switches", "board+switches", "dark", "unlinked", "hand")
TURNS = 40
FULL = bool(os.environ.get("TABLEREF_FULL"))


def told(table: Table, *kinds: str) -> list[dict[str, Any]]:
    return [row.data for row in table.rows if row.kind in kinds]


@pytest.mark.parametrize("seed", range(12 if FULL else 2))
@pytest.mark.parametrize("senses", SENSES)
@pytest.mark.parametrize("name", GAMES)
def test_an_evening_ends_as_it_was_played(name: str, senses: str, seed: int) -> None:
    table = Table(name, senses, seed)
    game = table.game
    assert table.state.phase is not Phase.SETTING_UP, told(table, "trouble", "question")
    for turn in range(TURNS):
        if game.outcome(table.inner):
            break
        if senses == "dark" and turn == 5:
            table.give(CameraTrouble(table.time, "unplugged."))
            table.camera = False
        if senses == "unlinked" and turn == 5:
            table.give(LinkGone(table.time, "unplugged."))
            table.linked = False
        if senses in ("dark", "unlinked") and turn == 15:
            table.camera = table.linked = True
            table.give(Occupied(table.time, frozenset(table.stands)))
            table.rest()
        state = table.inner
        action = table.random.choice(list(game.legal(state)))
        truth = game.apply(state, action)[0]
        before, after = game.board(state), game.board(truth)
        troubles = len(told(table, "trouble"))
        if game.due(table.inner).kind == "throw" or before == after or senses == "hand":
            # Without dice on a mat a throw is entered; so is what changes nothing on the board.
            table.give(Act(table.time, action.record()))
            table.move(game.board(table.inner))
            table.rest()
        else:
            table.move(after)
            table.rest()
            table.answer(truth)
            if table.inner == state and not table.camera:
                # A piece that was only turned is not felt: its player says what he did.
                table.give(Act(table.time, action.record()))
                table.rest()
        assert len(told(table, "trouble")) == troubles, (action, told(table, "trouble")[-1])
        assert game.board(table.inner) == table.stands, (turn, action, table.rows[-3:])


@pytest.mark.parametrize("senses", ["board", "switches", "board+switches"])
@pytest.mark.parametrize("name", GAMES)
def test_a_piece_that_goes_wrong_is_told_and_put_back(name: str, senses: str) -> None:
    table = Table(name, senses, seed=5)
    game, wrong = table.game, 0
    for _ in range(60):
        if game.outcome(table.inner) or wrong > 4:
            break
        action = table.random.choice(list(game.legal(table.inner)))
        truth = game.apply(table.inner, action)[0]
        before, after = game.board(table.inner), game.board(truth)
        if game.due(table.inner).kind == "throw" or before == after:
            table.give(Act(table.time, action.record()))
            table.rest()
            continue
        free = [c for c in table.board_file.cells if c not in before and c in truth_cells(game)]
        start = table.random.choice([c for c, stack in before.items() if len(stack) == 1] or [""])
        to = table.random.choice(free)
        jumbled = {c: s for c, s in before.items() if c != start} | {to: before.get(start, EMPTY)}
        if start and not any(
            game.board(game.apply(table.inner, one)[0]).keys() == jumbled.keys()
            for one in game.legal(table.inner)
        ):
            wrong += 1
            state = table.inner
            table.move(jumbled)
            table.rest()
            assert table.inner == state
            assert table.state.phase in (Phase.REFUSED, Phase.ASKING)
            table.move(before)
            table.rest()
            assert table.inner == state
            assert table.state.phase is Phase.WAITING
        table.move(after)
        table.rest()
        table.answer(truth)
        assert game.board(table.inner) == table.stands
    assert wrong


def truth_cells(game: Any) -> Any:
    """Cells of the board on which a piece can stand in this game."""
    track = getattr(game.start(SETUPS.get(game.name, {})), "track", None)
    return set(track.cells) if track else set(load_board(game.name).cells)


def test_a_piece_lifted_and_set_down_again_is_nothing() -> None:
    table = Table("skorpion-deep", "switches", seed=1)
    [gate] = [cell for cell, stack in table.stands.items() if len(stack) == 2]
    rows = len(table.rows)
    table.move({cell: stack for cell, stack in table.stands.items() if cell != gate})
    table.move(table.game.board(table.inner))
    table.rest()
    assert [row.kind for row in table.rows[rows:]] in ([], ["cleared"])
    assert table.state.phase is Phase.WAITING


@pytest.mark.parametrize("seed", range(40 if FULL else 4))
@pytest.mark.parametrize("answered", [True, False])
def test_crashes_that_nobody_sees_turn_no_legal_play_into_a_refusal(
    seed: int, answered: bool
) -> None:
    """Plots on paper: a car that drives into what blocks it moves nothing, and nobody says so. If
    questions are answered, the game ends as it was played."""
    table = Table("autoscooter", "board", seed)
    game, truth = table.game, table.inner
    for _ in range(44):
        if game.outcome(truth):
            break
        before = game.board(truth)
        moves = [each for each in game.legal(truth) if not isinstance(each, Number)]
        action = table.random.choice(moves)
        truth = game.apply(truth, action)[0]
        if game.board(truth) == before:
            continue
        table.move(game.board(truth))
        table.rest()
        if answered:
            table.answer(truth)
        assert not told(table, "trouble"), (game.text(None, action), told(table, "trouble")[0])
    if answered:
        table.tell_the_rest(truth)
        assert table.same(table.inner, truth), (table.state.ask, game.facts(truth))
