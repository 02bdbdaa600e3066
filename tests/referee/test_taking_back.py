"""Taking back at the table (HR-2.1): to before the last thing that a person did, with all that
followed it by itself; plots are at hand again; nothing secret is told."""

from __future__ import annotations

import pytest

from tableref.referee.course import Step
from tableref.referee.inputs import Act
from tableref.referee.table import Phase, Row
from tableref.referee.telling import Teller
from tableref.rulebook.text import LANGUAGES
from tests.referee.conftest import BOARD, REFEREE, Play, plots
from tests.referee.matplay import MatPlay, lies
from tests.referee.test_step import EIGHT, RED_FIRST, SECOND, first_round

ALL = tuple(range(8))


def take_back(play: Play) -> Step:
    return play.give(Act(50.0, {"take_back": {"player": 0, "agreed": list(ALL)}}))


def redo(play: Play) -> Step:
    return play.give(Act(51.0, {"redo": {"agreed": list(ALL)}}))


@pytest.fixture
def second_round() -> Play:
    """The first round is played, and the second one's plots were entered by themselves."""
    play = Play(EIGHT, [RED_FIRST, SECOND])
    play.look()
    first_round(play)
    assert REFEREE.game.facts(play.state.table.state)["round"] == 2
    return play


def test_just_after_a_round_s_plots_were_entered_the_last_move_is_taken_back(
    second_round: Play,
) -> None:
    play = second_round
    assert play.state.coming == ()
    take_back(play)
    assert REFEREE.game.facts(play.state.table.state)["round"] == 1
    assert REFEREE.house.due(play.state.table).piece == "black"
    assert play.state.coming == (tuple(SECOND),)


def test_the_plots_taken_back_are_entered_again_after_another_move(second_round: Play) -> None:
    play = second_round
    take_back(play)
    play.put("black", "c4", "E")
    assert REFEREE.game.facts(play.state.table.state)["round"] == 2
    assert len([row for row in play.rows("action") if "plot" in row["action"]]) == 8
    assert play.state.coming == ()


def test_taken_back_and_done_again_leads_to_the_same_plots(second_round: Play) -> None:
    play = second_round
    table = play.state.table
    for _ in range(3):
        take_back(play)
        redo(play)
        assert (play.state.table, play.state.coming) == (table, ())


def test_what_was_taken_back_is_not_ruled_again_while_it_still_stands(second_round: Play) -> None:
    play = second_round
    take_back(play)
    play.look()
    [trouble] = play.rows("trouble")
    assert trouble["paragraphs"] == ["HR-2.1"]
    assert [put["id"] for put in trouble["put"]] == ["black"]
    play.look()
    assert not play.step.rows
    assert REFEREE.house.due(play.state.table).piece == "black"


def test_once_the_car_is_back_the_game_goes_on(second_round: Play) -> None:
    play = second_round
    take_back(play)
    play.look()
    [put] = play.rows("trouble")[0]["put"]
    play.put("black", put["cell"], put["heading"])
    assert play.state.phase is Phase.WAITING
    assert play.rows("cleared")
    play.put("black", "b4", "E")
    assert REFEREE.game.facts(play.state.table.state)["round"] == 2


def test_another_move_may_be_made_at_once_in_place_of_the_one_taken_back() -> None:
    play = Play(EIGHT, [RED_FIRST, SECOND])
    play.look()
    play.put("red", "b2", "E")
    take_back(play)
    play.put("red", "b1", "E")
    assert play.rows("action")[0]["action"]["restart"]["to"] == "b1"


def test_as_many_take_backs_as_moves_lead_to_the_start_and_redo_to_the_end(
    second_round: Play,
) -> None:
    play = second_round
    end = play.state.table
    for _ in range(8):
        assert take_back(play).told.trouble is None
    assert play.state.coming == (tuple(SECOND),)
    trouble = take_back(play).told.trouble
    assert trouble is not None
    assert trouble.reasons[0].case == "nothing-to-take-back"
    for _ in range(8):
        redo(play)
    assert play.state.table == end


def test_a_take_back_replays_from_the_journal() -> None:
    play, rows = Play(EIGHT, [RED_FIRST, SECOND]), list[Row]()
    start = play.state
    give = play.give

    def noting(given: object) -> Step:
        step = give(given)  # type: ignore[arg-type]
        rows.extend(step.rows)
        return step

    play.give = noting  # type: ignore[method-assign, assignment]
    play.look()
    first_round(play)
    for act in (take_back, redo, take_back):
        act(play)
        again = REFEREE.replayed(start, rows)
        assert again.table == play.state.table
        assert again.coming == play.state.coming
        assert again.left_over == play.state.left_over


@pytest.mark.parametrize("lang", LANGUAGES)
def test_neither_a_take_back_nor_a_redo_tells_a_plot(lang: str) -> None:
    play = Play(EIGHT, [])
    play.look()
    [note] = plots("black 8C")
    play.give(Act(1.0, note, 7))
    teller = Teller(REFEREE.game, BOARD, lang)
    for act in (take_back, redo):
        step = act(play)
        told = str(list(teller.events(step.rows)))
        assert "black ?" in told
        assert "8C" not in str(step.told)
        assert "8C" not in str([e.get("text") for e in teller.events(step.rows)])


def test_a_game_that_is_over_goes_on_when_its_end_is_taken_back() -> None:
    play = Play({"players": 2}, [])
    play.look()
    play.give(Act(1.0, {"resign": {"player": 0}}))
    assert play.state.phase is Phase.OVER
    play.give(Act(2.0, {"take_back": {"player": 0, "agreed": [0, 1]}}))
    assert play.state.phase is Phase.WAITING


# -- Scorpion --------------------------------------------------------------------------------------


def test_scorpion_a_move_taken_back_is_not_ruled_again_while_the_piece_stands_there() -> None:
    play = MatPlay()
    play.throw(lies("yellow", 3), lies("yellow", 4, (30.0, 0.0)))
    before = play.state.table
    play.put("Y7").wait()
    assert play.state.table != before
    play.give(Act(play.time, {"take_back": {"player": 0, "agreed": [0, 1, 2, 3]}}))
    play.wait()
    assert play.state.table.now == before.now
    assert play.state.phase is Phase.REFUSED
    assert play.state.trouble is not None
    assert play.state.trouble.reasons[0].case == "not-put-back"
    play.lift("Y7").wait()
    assert play.state.table.now == before.now
    play.put("Y7").wait()
    assert set(play.board) == {"Y7"}
