"""The end of Autoscooter (AS-6), and giving up or being away in it (HR-1.1, HR-1.2)."""

from __future__ import annotations

from tests.rules.scooter import CARS, GAME, Scene, scene, start

from tableref.referee.games import load_game

LAST_ROUND = {car: list(GAME.layout.numbers[i][:10]) for i, car in enumerate(CARS)}


def played_out(table: Scene) -> Scene:
    """The rest of the round, every choice the first that is legal."""
    table = table.plot_all()
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    return table


# -- AS-6.1 ------------------------------------------------------------------------------------


def test_as_6_1_the_game_ends_after_round_11() -> None:
    table = scene("", position={"used": LAST_ROUND})
    assert table.told["round"] == 11
    assert GAME.outcome(table.state) is None
    table = played_out(table)
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.paragraph == "AS-6.1"
    assert GAME.due(table.state).kind == "over"


def test_as_6_1_after_its_end_nothing_is_legal() -> None:
    table = played_out(scene("", position={"used": LAST_ROUND}))
    assert list(GAME.legal(table.state)) == []
    assert table.refusal("red 81-") == ["AS-6.1"]


def test_as_6_1_most_chips_win() -> None:
    position = {"used": LAST_ROUND, "chips": [9, 9, 12, 10, 10, 10, 10, 10]}
    table = played_out(scene("", position=position))
    assert table.told["winners"] == [2]
    assert "AS-6.1 wins" in table.cases


def test_as_6_1_equal_chips_share_the_win() -> None:
    position = {"used": LAST_ROUND, "chips": [9, 11, 8, 11, 10, 10, 10, 11]}
    table = played_out(scene("", position=position))
    assert table.told["winners"] == [1, 3, 7]
    assert table.cases.count("AS-6.1 shares") == 3


def test_as_6_1_eleven_rounds_use_up_every_number() -> None:
    table = start(3)
    while GAME.outcome(table.state) is None:
        table = played_out(table)
    assert {len(used) for used in table.told["used"].values()} == {11}


# -- HR-1.1 ------------------------------------------------------------------------------------


def gives_up(table: Scene, player: int) -> Scene:
    return table._then(*GAME.resign(table.state, player))


def test_hr_1_1_cars_become_ownerless_where_they_stand() -> None:
    table = gives_up(scene("red b3E1, orange c3W2"), 1)
    assert table.car("orange") == "c3 W 2"
    after = table.run("red C")
    assert "AS-5.5 ownerless" in after.cases
    assert after.gains["red"] == -1


def test_hr_1_1_his_chips_go_to_the_bank() -> None:
    assert gives_up(start(), 1).gains == {"orange": -10, "bank": 10}


def test_hr_1_1_in_the_middle_of_a_round_the_next_car_moves() -> None:
    table = start().plot_all()
    assert table.due == "restart red"
    assert gives_up(table, 0).due == "restart orange"


def test_hr_1_1_the_last_car_of_the_round_ends_it() -> None:
    table = start().plot_all()
    while table.due != "restart black":
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state))))
    assert gives_up(table, 7).told["round"] == 2


def test_hr_1_1_while_planning_his_missing_plot_is_not_awaited() -> None:
    table = start().plot(*(f"{car} {start().free(car)}-" for car in CARS[1:]))
    assert GAME.due(table.state).players == (0,)
    assert gives_up(table, 0).settle().due == "restart orange"


def test_hr_1_1_the_last_one_left_wins() -> None:
    table = gives_up(start(2), 0)
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert (outcome.winners, outcome.paragraph) == ((1,), "HR-1.1")


def test_hr_1_1_who_gave_up_does_not_win_though_he_had_most() -> None:
    table = gives_up(scene("", position={"used": LAST_ROUND, "chips": {"0": 20, "1": 0}}), 0)
    assert 0 not in played_out(table).told["winners"]


# -- HR-1.2 ------------------------------------------------------------------------------------


def away(table: Scene, *players: int) -> Scene:
    return table._then(*GAME.passed_over(table.state, frozenset(players)))


def test_hr_1_2_a_car_that_is_passed_over_gets_no_plot_and_stays() -> None:
    table = away(scene("red b3E1, orange c3W2"), 1)
    assert table.refusal("orange 2A") == ["HR-1.2"]
    plots = [f"{car} {table.free(car)}C" for car in CARS if car != "orange"]
    after = table.plot(*plots).settle()
    assert "orange" not in after.order
    assert "AS-5.1 head-on" in after.cases  # still owned, not a barrier


def test_hr_1_2_back_before_the_plots_are_announced_he_plots_again() -> None:
    table = away(away(start(), 1))
    assert table.refusal("orange 2-") == []


def test_hr_1_2_leaving_in_the_middle_of_a_round_passes_over_his_turn() -> None:
    table = away(start().plot_all(), 0)
    assert table.due == "restart orange"
    assert table.refusal("red>b1NE")[0] == "HR-1.2"
    assert table.told["used"]["red"] == []


def test_hr_1_2_back_in_the_middle_of_a_round_he_waits_for_the_next() -> None:
    table = away(away(start().plot_all(), 0))
    assert table.due == "restart orange"
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.refusal("red 1-") == []


def test_hr_1_2_a_player_who_is_passed_over_may_still_win() -> None:
    table = scene("", position={"used": LAST_ROUND, "chips": {"0": 20, "1": 0}})
    table = away(table, 0)
    table = table.plot(*(f"{car} {table.free(car)}-" for car in CARS[1:]))
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.told["winners"] == [0]


def test_a_round_that_all_gave_up_in_is_not_told_as_played() -> None:
    game = load_game("autoscooter")
    state = game.start({"players": 2})
    after, _ = game.resign(state, 0)
    assert game.outcome(after) is not None
    assert game.milestones(state, after) == ()
