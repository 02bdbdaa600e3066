"""Moving in Autoscooter: free, blocked, restarting, stuck (AS-4.2 to AS-4.7)."""

from __future__ import annotations

import pytest
from tests.rules.scooter import GAME, Scene, scene, start

ALL = ["NE", "E", "SE", "SW", "W", "NW"]


def restarts(table: Scene, car: str) -> set[str]:
    """Where a car may restart to: `c3E`."""
    actions = GAME.car_actions(table.state, car)
    return {text.split(">")[1] for text in (GAME.text(table.state, a) for a in actions)}


# -- AS-4.2 ------------------------------------------------------------------------------------


def test_as_4_2_on_free_hexes_the_car_takes_the_manoeuvres_place_heading_and_speed() -> None:
    assert scene("red b3E3").run("red F").car("red") == "d4 NW 2"


def test_as_4_2_a_car_may_end_where_another_just_left() -> None:
    table = scene("red b3E1, orange c3E1").plot_all(red="C", orange="C")
    assert table.car("red") == "b3 E 1"  # orange has not moved yet
    table = scene("red b3E1, orange c3E1")
    plots = ["orange 2C", "red 16C", "yellow 19-", "green 20-", "blue 21-", "purple 22-"]
    after = table.plot(*plots, "white 23-", "black 24-").settle()
    assert (after.car("orange"), after.car("red")) == ("d3 E 1", "c3 E 1")


# -- AS-4.3 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "letter"), [(1, "K"), (2, "C"), (2, "P"), (3, "G")])
def test_as_4_3_first_hex_blocked_the_car_crashes_at_the_speed_it_had(
    speed: int, letter: str
) -> None:
    after = scene(f"red b3E{speed}, orange c3E0").run(f"red {letter}")
    assert after.car("red") == "b3 E 0"
    assert after.gains == {"red": speed, "orange": -speed}


def test_as_4_3_the_barrier_ahead_blocks_the_first_hex() -> None:
    after = scene("red e3E2").run("red A")
    assert (after.car("red"), after.gains) == ("e3 E 0", {"red": -2, "bank": 2})


def test_as_4_3_a_crash_that_does_not_stop_keeps_heading_and_speed() -> None:
    after = scene("red b3E2, orange c3NE1").run("red P")
    assert after.car("red") == "b3 E 2"


# -- AS-4.4 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "blocked", "heading"), [("F", "d4", "NE"), ("K", "d3", "E"), ("O", "d2", "SE")]
)
def test_as_4_4_second_hex_blocked_the_car_stops_before_it_and_points_at_it(
    letter: str, blocked: str, heading: str
) -> None:
    after = scene(f"red b3E1, orange {blocked}{heading}3").run(f"red {letter}")
    assert after.car("red") == f"c3 {heading} 2"


def test_as_4_4_third_hex_blocked() -> None:
    after = scene("red b3E2, orange e3E1").run("red P")
    assert (after.car("red"), after.gains) == ("d3 E 3", {"red": 3, "orange": -3})


def test_as_4_4_it_crashes_at_the_manoeuvres_speed() -> None:
    after = scene("red b3E1, orange d3E0").run("red K")
    assert (after.car("red"), after.gains) == ("c3 E 0", {"red": 2, "orange": -2})


# -- AS-4.5 ------------------------------------------------------------------------------------


def test_as_4_5_a_car_at_speed_0_restarts_with_speed_1() -> None:
    assert scene("red c3E0").run("red -").act("red>b3W").car("red") == "b3 W 1"


def test_as_4_5_any_free_neighbour_turned_up_to_two_hexsides_off_the_step() -> None:
    table = scene("red c3E0").run("red -")
    step_east = {f"d3{heading}" for heading in ("NW", "NE", "E", "SE", "SW")}
    assert {pose for pose in restarts(table, "red") if pose.startswith("d3")} == step_east
    assert len(restarts(table, "red")) == 6 * 5


def test_as_4_5_not_turned_three_hexsides_off_the_step() -> None:
    assert scene("red c3E0").run("red -").refusal("red>d3W") == ["AS-4.5"]


def test_as_4_5_the_old_heading_does_not_matter() -> None:
    tables = [scene(f"red c3{heading}0").run("red -") for heading in ALL]
    assert len({frozenset(restarts(table, "red")) for table in tables}) == 1


def test_as_4_5_not_onto_a_car() -> None:
    ruling = scene("red c3E0, orange d3E1").run("red -").ruling("red>d3E")
    assert [(f.paragraph, f.case, f.other) for f in ruling.broken] == [
        ("AS-4.5", "occupied", "orange")
    ]


def test_as_4_5_not_to_a_hex_farther_off() -> None:
    ruling = scene("red c3E0").run("red -").ruling("red>e3E")
    assert [f.case for f in ruling.broken] == ["not-beside"]


def test_as_4_5_a_car_with_speed_does_not_restart() -> None:
    ruling = scene("red c3E0, orange c1E2").plot_all().act("red>d3E").ruling("orange>c2NW")
    assert [f.case for f in ruling.broken] == ["moving"]


def test_as_4_5_only_its_own_player_restarts_it() -> None:
    table = scene("red c3E0", players=2).run("red -")
    assert table.refusal("red>d3E", player=1) == ["AS-4.5"]
    assert table.refusal("red>d3E", player=0) == []


def test_as_4_5_a_car_stopped_earlier_in_the_round_restarts_and_its_letter_is_void() -> None:
    table = scene("red c3E2, orange d3W3").plot_all(red="C", orange="P")
    assert (table.car("orange"), table.due) == ("d3 W 0", "restart orange")
    assert table.refusal("orange!") == ["AS-4.5"]
    assert table.refusal("orange!P") == ["AS-4.5"]
    assert table.act("orange>e3E").car("orange") == "e3 E 1"


# -- AS-4.6 ------------------------------------------------------------------------------------

IN_THE_CORNER = "red e1W0, orange d1E0, yellow e2W0, green f2W0"


def test_as_4_6_without_a_free_neighbour_the_car_stays() -> None:
    after = scene(IN_THE_CORNER).run("red -")
    assert after.car("red") == "e1 W 0"
    assert "AS-4.6 stuck" in after.cases
    assert after.due == "plot"


def test_as_4_6_a_stuck_car_rams_nobody() -> None:
    assert scene(IN_THE_CORNER).run("red P").gains == {}


def test_as_4_6_a_stuck_cars_number_is_crossed_out() -> None:
    assert scene(IN_THE_CORNER).run("red -").told["used"]["red"] == [1]


# -- AS-4.7 ------------------------------------------------------------------------------------


def test_as_4_7_a_turned_car_moves_as_noted_the_way_it_points() -> None:
    table = scene("red b3E1, orange c3NE1").plot_all(red="C", orange="C")
    assert table.car("orange") == "c4 NW 1"  # red turned it to NW


def test_as_4_7_a_pushed_car_moves_as_noted_from_where_it_is() -> None:
    table = scene("red b3E1, orange c3E1", projection=True).plot_all(red="C", orange="C")
    assert table.car("orange") == "e3 E 1"  # pushed to d3, then its own hex


# -- a car with plots on paper -----------------------------------------------------------------


def test_on_paper_any_car_may_be_the_next_and_says_its_letter() -> None:
    table = scene("red b3E1, orange c1E1", paper=True)
    assert table.refusal("orange!C") == []
    assert table.refusal("red!C") == []
    assert table.act("orange!C").refusal("orange!C")[0] == "AS-4.1"


def test_on_paper_a_letter_that_the_speed_forbids_is_refused_by_name() -> None:
    [fact] = scene("red b3E1", paper=True).ruling("red!P").broken
    assert (fact.paragraph, fact.case, fact.what) == ("AS-3.4", "gear", "P")


def test_on_paper_a_letter_must_be_said() -> None:
    assert scene("red b3E1", paper=True).refusal("red!") == ["AS-3.2"]


def test_on_paper_a_car_at_speed_0_restarts() -> None:
    table = start(8, paper=True)
    assert table.refusal("red!K") == ["AS-4.5"]
    assert table.act("red>b1NE").car("red") == "b1 NE 1"


def test_on_paper_nothing_is_plotted() -> None:
    assert start(8, paper=True).refusal("red 1A") == ["AS-4.1"]


def test_on_paper_a_round_ends_when_every_car_has_moved() -> None:
    table = start(8, paper=True)
    for _ in range(8):
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state))))
    assert table.told["round"] == 2


def test_on_paper_stuck_cars_that_are_left_end_the_round_by_themselves() -> None:
    table = scene(IN_THE_CORNER, paper=True)
    state = table.state._replace(queue=(0,))
    assert GAME.text(state, GAME.forced(state)) == "red!"
    assert GAME.forced(table.state) is None
