"""Options of Autoscooter: ghost car, projection (AS-7.1 to AS-7.3)."""

from __future__ import annotations

import pytest
from tests.rules.scooter import CARS, GAME, Scene, scene, start

from tableref.rules.surface import UnreadableAction

GHOST_LETTERS = [f"ghost {player}-" for player in range(5)]


def five(cars: str, **options: object) -> Scene:
    """Five players with a ghost, purple; white and black belong to nobody."""
    return scene(cars, players=5, ghost=True, **options)


def numbers(table: Scene, *cars: str) -> list[str]:
    """Plots without a letter; these cars get the round's lowest numbers in this order."""
    return [f"{car} {table.free(car)}-" for car in cars]


# -- AS-7.1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "ghost"), [(3, "white"), (5, "purple"), (6, "white")])
def test_as_7_1_the_first_ownerless_car_is_the_ghost(players: int, ghost: str) -> None:
    table = start(players, ghost=True)
    assert CARS[table.state.owners.index(-1)] == ghost


def test_as_7_1_every_player_notes_one_letter_for_it() -> None:
    table = start(5, ghost=True).plot(*numbers(start(5), *CARS[:5]))
    assert table.due == "plot"
    table = table.plot(*GHOST_LETTERS[:4])
    assert GAME.due(table.state).players == (4,)
    assert table.refusal("ghost 3A") == ["AS-7.1"]
    assert table.plot("ghost 4A").due == "restart red"


def test_as_7_1_it_gets_no_number() -> None:
    assert start(5, ghost=True).refusal("purple 6A") == ["AS-7.1"]


def test_as_7_1_without_a_ghost_nobody_notes_for_it() -> None:
    assert start(5).refusal("ghost 0A") == ["AS-7.1"]


def test_as_7_1_it_moves_by_the_letter_of_the_highest_numbers_player_right_after_him() -> None:
    table = five("purple b3E1, red e1NW0")
    table = table.plot("red 81-", *numbers(table, *CARS[1:5]))
    table = table.plot("ghost 0K", "ghost 1A", "ghost 2A", "ghost 3A", "ghost 4A")
    while table.state.queue:
        assert table.car("purple") == "b3 E 1"
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.car("purple") == "d3 E 2"


def test_as_7_1_rammed_the_bank_pays() -> None:
    assert five("red b3E2, purple c3E1").run("red C").gains == {"player 1": 2, "bank": -2}


def test_as_7_1_ramming_the_bank_is_paid() -> None:
    table = five("purple b3E2, red c3E1").plot("ghost 0C")
    assert table.run("purple -").gains == {"player 1": -2, "bank": 2}


def test_as_7_1_against_a_barrier_it_only_stops() -> None:
    after = five("purple e3E2").plot("ghost 0C").run("purple -")
    assert (after.car("purple"), after.gains) == ("e3 E 0", {})


def test_as_7_1_against_an_ownerless_car_it_only_stops() -> None:
    after = five("purple b3E2, white c3W0").plot("ghost 0C").run("purple -")
    assert (after.car("purple"), after.gains) == ("b3 E 0", {})


@pytest.mark.parametrize("letter", ["-", "P"])
def test_as_7_1_a_missing_or_illegal_letter_is_straight_ahead(letter: str) -> None:
    after = five("purple b3E1").plot(f"ghost 0{letter}").run("purple -")
    assert after.car("purple") == "c3 E 1"
    assert "AS-3.6 straight" in after.cases


def test_as_7_1_at_speed_0_the_highest_numbers_player_restarts_it() -> None:
    table = five("purple b3E0").run("purple -")
    assert table.due == "restart purple"
    assert GAME.due(table.state).players == (0,)
    assert table.act("purple>c3E").car("purple") == "c3 E 1"


def test_as_7_1_the_bank_pays_what_it_has() -> None:
    after = five("red b3E3, purple c3E0", position={"chips": [19, 20, 20, 20, 0]}).run("red -")
    assert after.gains == {"player 1": 1, "bank": -1}
    assert "AS-5.7 short" in after.cases


def test_as_7_1_an_announcement_does_without_letters_that_are_missing() -> None:
    table = five("purple b3E1").plot(*numbers(start(5), *CARS[:5])).act("announce")
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.car("purple") == "c3 E 1"


def test_as_7_1_on_paper_the_ghost_moves_last() -> None:
    table = five("purple b3E1, red a1NE1", paper=True)
    assert table.refusal("purple!C") == ["AS-7.1"]
    ghost = CARS.index("purple")
    alone = table.state._replace(queue=(ghost,))
    assert GAME.judge(alone, GAME.parse(alone, "purple!C")).allowed


def test_as_7_1_nobody_else_sees_the_letter() -> None:
    state = start(5, ghost=True).plot("ghost 2K").state
    assert GAME.view(state, 2)["ghost_letter"] == "K"
    assert "ghost_letter" not in GAME.view(state, 1)
    assert "ghost_letter" not in GAME.view(state, None)


def test_as_7_1_there_is_no_player_beyond_the_last() -> None:
    with pytest.raises(ValueError, match="no player 6"):
        start(5, ghost=True).refusal("ghost 6A")
    with pytest.raises(UnreadableAction):
        GAME.read({"plot_ghost": {"player": 8, "letter": "A"}})


# -- AS-7.2 ------------------------------------------------------------------------------------


def pushing(cars: str, **options: object) -> Scene:
    """Red, who stands at the W end of row 3, drives C with projection."""
    return scene(cars, projection=True, **options).run("red C")


def test_as_7_2_a_moving_car_hit_in_the_rear_is_pushed_one_hex_ahead() -> None:
    after = pushing("red a3E1, orange b3E2")
    assert after.car("orange") == "c3 E 2"
    assert after.gains == {"red": 1, "orange": -1}


def test_as_7_2_the_rammer_stays_where_it_is_and_keeps_its_speed() -> None:
    assert pushing("red a3E2, orange b3E1").car("red") == "a3 E 2"


def test_as_7_2_a_parked_car_is_not_pushed() -> None:
    after = pushing("red a3E1, orange b3E0")
    assert (after.car("orange"), after.car("red")) == ("b3 E 0", "a3 E 0")


def test_as_7_2_without_the_option_nobody_is_pushed() -> None:
    assert scene("red a3E1, orange b3E2").run("red C").car("orange") == "b3 E 2"


def test_as_7_2_a_car_ahead_takes_the_push_and_who_passed_it_on_stays_and_pays_nothing() -> None:
    after = pushing("red a3E1, orange b3E2, yellow c3E3")
    assert after.car("orange") == "b3 E 2"
    assert after.car("yellow") == "d3 E 3"
    assert after.gains == {"red": 1, "yellow": -1}


def test_as_7_2_a_push_passes_through_a_whole_row() -> None:
    after = pushing("red a3E1, orange b3E1, yellow c3E1, green d3E1")
    assert after.car("green") == "e3 E 1"
    assert after.gains == {"red": 1, "green": -1}
    assert after.cases.count("AS-7.2 passes-on") == 2


def test_as_7_2_a_parked_car_ends_the_row_as_if_the_first_had_rammed_it() -> None:
    after = pushing("red a3E2, orange b3E1, yellow c3E0")
    assert after.gains == {"red": 2, "yellow": -2}
    assert (after.car("red"), after.car("yellow")) == ("a3 E 0", "c3 E 0")


def test_as_7_2_a_head_on_ends_the_row() -> None:
    after = pushing("red a3E1, orange b3E1, yellow c3W3")
    assert after.gains == {"red": -2, "yellow": 2}
    assert (after.car("red"), after.car("yellow")) == ("a3 E 0", "c3 W 0")
    assert after.car("orange") == "b3 E 1"


def test_as_7_2_a_side_hit_ends_the_row() -> None:
    after = pushing("red a3E1, orange b3E1, yellow c3NE2")
    assert after.gains == {"red": 3, "yellow": -3}
    assert after.car("yellow") == "c3 NW 2"


def test_as_7_2_the_ghost_is_pushed_like_an_owned_car() -> None:
    table = five("red a3E1, purple b3E1", projection=True).run("red C")
    assert table.car("purple") == "c3 E 1"
    assert table.gains == {"player 1": 1, "bank": -1}


def test_as_7_2_pushing_ones_own_car_costs_once() -> None:
    table = scene("red a3E2, yellow b3E1", players=2, projection=True).run("red C")
    assert table.car("yellow") == "c3 E 1"
    assert table.gains == {"player 1": -2, "bank": 2}


# -- AS-7.3 ------------------------------------------------------------------------------------


def test_as_7_3_with_the_barrier_ahead_its_player_pays_twice_and_it_drops_to_0() -> None:
    after = pushing("red d3E1, orange e3E2")
    assert after.gains == {"red": 1, "orange": -3, "bank": 2}
    assert (after.car("orange"), after.car("red")) == ("e3 E 0", "d3 E 1")


def test_as_7_3_an_ownerless_car_ahead_is_a_barrier() -> None:
    after = scene("red a3E1, orange b3E2, white c3E0", players=6, projection=True).run("red C")
    assert after.gains == {"player 1": 1, "player 2": -3, "bank": 2}
    assert after.car("orange") == "b3 E 0"


def test_as_7_3_first_the_rammer_is_paid() -> None:
    after = pushing("red d3E1, orange e3E2", position={"chips": {"1": 2}})
    assert after.gains == {"red": 1, "orange": -2, "bank": 1}


def test_as_7_3_only_the_last_of_a_row_pays() -> None:
    after = pushing("red c3E1, orange d3E2, yellow e3E3")
    assert after.gains == {"red": 1, "yellow": -4, "bank": 3}
    assert (after.car("orange"), after.car("yellow")) == ("d3 E 2", "e3 E 0")


def test_as_7_3_the_ghost_pays_the_rammer_alone() -> None:
    after = five("red d3E1, purple e3E2", projection=True).run("red C")
    assert after.gains == {"player 1": 1, "bank": -1}
    assert after.car("purple") == "e3 E 0"
