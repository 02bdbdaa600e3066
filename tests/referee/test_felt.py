"""Moves that the switches felt: a script of what hands do with scorpions, a comment an action."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tableref.referee.evidence import by_switches
from tableref.referee.inputs import LetStand, LinkGone, Occupied
from tableref.referee.senses.switches import Switches
from tableref.referee.table import Phase
from tableref.referee.verdict import Verdict, felt
from tableref.rules.pieces import texts
from tests.referee.matplay import BOARD, FOUR, REFEREE, MatPlay, lies
from tests.referee.test_trays import position


def after_throw(*dice: str, switches: bool = True, **scorpions: list[str]) -> MatPlay:
    """Blue has thrown these dice, such as y4, with the scorpions standing so."""
    play = MatPlay(position=position(**scorpions), switches=switches)
    spots = iter(((-30.0, 0.0), (30.0, 0.0)))
    trays = {"y": "yellow", "k": "black"}
    play.throw(*(lies(trays[die[0]], int(die[1]), next(spots)) for die in dice))
    play.told()
    return play


def test_a_move_is_ruled_when_the_piece_has_come_to_rest() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.lift("Y3")
    assert play.state.phase is Phase.HAND
    play.put("Y7").look(3)
    assert play.told() == []  # he may be counting
    play.wait()
    assert play.told() == ["bY3+4"]


def test_cells_that_are_touched_while_counting_are_no_move() -> None:
    # Dice 4 and 2: he counts 1, 2 (a legal move!) and goes on to 4.
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.lift("Y3")
    for touched in ("Y4", "Y5", "Y6"):
        play.put(touched).look(4).lift(touched).look(2)
    play.put("Y7").wait()
    assert play.told() == ["bY3+4"]


def test_a_lifted_piece_is_a_hand_at_work_and_no_move() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.lift("Y3").wait().wait()
    assert play.told() == []
    assert play.state.phase is Phase.HAND


def test_two_moves_made_in_one_go_are_both_ruled() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.lift("Y3").put("Y7").lift("Y10").put("Y12").wait()
    assert sorted(play.told()) == [".", "bY10+2", "bY3+4"]


def test_the_turn_ends_by_itself_when_nothing_can_move() -> None:
    play = after_throw("y4", "y2", blue=["Y3"], white=["Y20"])
    play.move("Y3", "Y9")
    assert play.told() == ["bY3+6", "."]
    assert play.facts["turn"] == 1


def test_giving_up_a_die_is_said_by_a_player() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.move("Y3", "Y7")
    play.look(40)
    assert play.told() == ["bY3+4"]
    # OK on the page that ends the turn.
    ask = play.state.ask
    assert ask is not None
    assert [REFEREE.game.text(None, a.actions[0]) for a in ask.answers] == ["."]
    play.choose(0)
    assert play.told() == ["."]


def test_a_sting_without_crossing_is_confirmed_because_no_switch_feels_it() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"], red=["Y7"])
    # The blue one is set down on Y7, beside the red one.
    play.lift("Y3").wait()
    assert play.told() == ["? confirm"]
    play.choose(0)
    assert play.told() == ["bY3+4"]


def test_a_piece_that_was_only_in_the_hand_answers_the_question_by_coming_down() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"], red=["Y7"])
    play.lift("Y3").wait()
    # He thought for a while, and goes to Y5.
    play.put("Y5").wait()
    assert play.told() == ["? confirm", "bY3+2"]


def test_a_stung_scorpion_that_is_sent_across_is_felt_on_the_other_side() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"], red=["Y7"])
    # Red goes across to K14 first, then blue comes: nothing is ruled in between.
    play.lift("Y7").wait().put("K14").wait()
    assert play.told() == []
    play.lift("Y3").wait()
    assert play.told() == []
    play.put("Y7").wait()
    assert play.told() == ["bY3+4x"]


def test_changing_places_is_ruled_when_both_stand() -> None:
    # Blue ends on Y7, which faces red on K14: both change places (SC-4.1).
    play = after_throw("y4", "y2", blue=["Y3", "Y10"], red=["K14"])
    play.lift("K14").wait().lift("Y3").wait().put("K14").wait()
    assert play.told() == []
    play.put("Y7").wait()
    assert play.told() == ["bY3+4"]
    assert play.board["K14"] == "blue"
    assert play.board["Y7"] == "red"


@pytest.mark.parametrize("stung", ["blue", "green"])
def test_a_move_that_may_be_half_of_another_is_confirmed(stung: str) -> None:
    # By Y18+5 the one on Y18 goes to K3; by Y14+4 it is sent there, and the other still comes.
    standing = position(**({"blue": ["Y14"]} | {stung: [*["Y14"][stung == "green" :], "Y18"]}))
    play = MatPlay({"players": 2}, standing | {"opened": [True] * 2})
    play.throw(lies("yellow", 4, (-30.0, 0.0)), lies("yellow", 5, (30.0, 0.0)))
    play.told()
    play.lift("Y18").wait().put("K3").wait()
    assert play.told() == ["? confirm"]
    # The other comes: nothing of it was ruled as if it were a move of its own.
    play.lift("Y14").wait().put("Y18").wait()
    told = play.told()
    assert told in (["? several"], ["bY14+4x"])


def test_leaving_the_track_is_confirmed() -> None:
    play = after_throw("k4", "y1", blue=["K18", "Y3"])
    play.lift("K18").wait()
    assert play.told() == ["? confirm"]
    play.choose(0)
    assert play.told() == ["bK18+4"]
    assert play.facts["scorpions"]["blue"].count("out") == 1


def test_which_of_two_colours_came_in_is_asked() -> None:
    play = MatPlay({"players": 2})
    play.throw(lies("yellow", 3), lies("yellow", 4, (30.0, 0.0)))
    play.told()
    play.put("Y7").wait()
    assert play.told() == ["? several"]
    assert play.state.ask is not None
    play.choose(1)
    assert play.told() == ["gH+7", "."]


def test_a_piece_that_is_felt_to_come_far_from_all_others_is_ruled() -> None:
    play = after_throw("y3", "y4", red=["Y15"])
    play.put("Y7").wait()
    assert play.told() == ["bH+7", "."]


def test_a_piece_that_comes_beside_another_may_be_that_one_pushed_half_over_and_is_confirmed() -> (
    None
):
    play = after_throw("y3", "y4", red=["Y8"])
    # Red's is pushed between Y8 and Y7: both feel it, as if blue had come in.
    play.put("Y7").wait()
    assert play.told() == ["? confirm"]
    # It is pushed back, and nothing has happened.
    play.lift("Y7").wait()
    assert play.told() == []
    assert play.state.phase is Phase.WAITING


def test_a_move_during_which_another_piece_was_lifted_is_confirmed() -> None:
    play = after_throw("y4", "y2", blue=["Y3"], red=["Y10"])
    # Two hands: which of the two pieces came to Y7, and which to Y10, no switch tells.
    play.lift("Y10").look(2).lift("Y3").look(2).put("Y7").look(2).put("Y10").wait()
    assert play.told() == ["? confirm"]
    play.choose(0)
    assert play.told() == ["bY3+4"]


def test_a_piece_that_was_only_set_straight_does_not_make_the_next_move_a_question() -> None:
    play = after_throw("y4", "y2", blue=["Y3"], red=["Y10"])
    play.lift("Y10").look(2).put("Y10").wait()
    play.move("Y3", "Y7")
    assert play.told() == ["bY3+4"]


def test_a_wrong_count_is_refused_with_its_paragraph_and_the_way_back() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.move("Y3", "Y8")
    assert play.told() == ["! SC-2.5"]
    assert play.state.trouble is not None
    [put] = play.state.trouble.put
    assert put.piece is not None
    assert (put.piece.called, *put[1:]) == ("blue", "Y8", "Y3")
    # He puts it back, and the game goes on.
    play.lift("Y8").put("Y3").wait()
    assert play.state.phase is Phase.WAITING
    play.move("Y3", "Y7")
    assert play.told() == ["bY3+4"]


def test_somebody_elses_scorpion_is_refused() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"], red=["Y15"])
    play.move("Y15", "Y19")
    assert play.told() == ["! SC-2.0"]


def test_moving_before_both_dice_are_thrown_is_refused() -> None:
    play = after_throw("y4", blue=["Y3", "Y10"])
    play.move("Y3", "Y7")
    assert play.told() == ["! SC-2.2"]


def test_a_refused_move_stands_when_all_agree() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.move("Y3", "Y8")
    play.give(LetStand(play.time, (0, 1, 2, 3)))
    assert "Y8" in play.board
    play.wait()
    assert play.state.phase is Phase.WAITING


def test_of_a_piece_from_the_hand_no_switch_tells_the_colour_so_nobody_is_blamed() -> None:
    play = after_throw("y4", "y2", blue=["Y3", "Y10"])
    play.put("Y1").wait()
    assert play.told() == ["! HR-3.1"]
    assert play.state.trouble is not None
    assert play.state.trouble.put == ((None, "Y1", ""),)
    # Taken away again.
    play.lift("Y1").wait()
    assert play.state.phase is Phase.WAITING


def test_the_track_is_empty_when_the_game_starts() -> None:
    play = MatPlay(switches=False)
    play.state = play.state._replace(phase=Phase.SETTING_UP)
    play.give(Occupied(play.time, frozenset({"Y5"})))
    play.look()
    assert play.told()[-1] == "! HR-3.1"
    play.lift("Y5").wait()
    assert play.state.phase is Phase.WAITING


def test_without_switches_the_players_say_the_move() -> None:
    play = after_throw("y4", "y2", switches=False, blue=["Y3"])
    assert play.state.ask is not None
    assert play.state.ask.key == "which-move"
    play.enter("bY3+6")
    assert play.told() == ["bY3+6", "."]


def test_when_the_link_goes_the_players_say_the_move() -> None:
    play = after_throw("y4", "y2", blue=["Y3"])
    play.give(LinkGone(play.time, "unplugged."))
    play.look(1)
    assert play.told() == ["? link-moves", "? which-move"]
    assert play.state.ask is not None
    texts = [REFEREE.game.text(None, answer.actions[0]) for answer in play.state.ask.answers]
    play.choose(texts.index("bY3+4"))
    assert play.told()[0] == "bY3+4"


def felt_now(state: Any, held: frozenset[str]) -> Verdict:
    """The verdict on a board of which these cells hold a magnet now."""
    game = REFEREE.game
    before = game.board(state)
    switches = Switches(held, touched=held ^ frozenset(before))
    look = by_switches(BOARD, game.stacks, before, switches)
    return felt(game, state, look, switches)


@pytest.mark.parametrize("seed", range(12))
def test_no_ruling_is_ahead_of_the_switches(seed: int) -> None:
    """Random turns, each piece lifted and set down apart. What is ruled stands on the board, and
    a move that was made is ruled or asked about."""
    rng = random.Random(seed)
    game = REFEREE.game
    state = game.start(FOUR)
    for _ in range(60):
        action = rng.choice(list(game.legal(state)))
        after = game.apply(state, action)[0]
        before, board = texts(game.board(state)), texts(game.board(after))
        if game.due(state).kind == "act" and before != board:
            stages = [frozenset(before)]
            for cell in sorted(before.keys() - board.keys()):
                stages.append(stages[-1] - {cell})
            for cell in sorted(board.keys() - before.keys()):
                stages.append(stages[-1] | {cell})
            stages = [held for held in stages if held != frozenset(before)]
            *early, last = [felt_now(state, held) for held in stages] or [None]
            if last is None:
                continue
            assert action in {a for answer in last.answers for a in answer.actions}
            for found in early:
                assert found is None or found.kind != "done"
        if game.outcome(after):
            break
        state = after


def test_the_board_of_the_game_has_a_switch_for_every_cell() -> None:
    assert all(cell.switch is not None for cell in BOARD.cells.values())
