"""Crashes in Autoscooter: who is paid, who stops, who is turned (AS-5)."""

from __future__ import annotations

import pytest
from tests.rules.scooter import scene

# Red on b3 rams orange on c3; the push goes E. The nose of orange against the push says the side.


# -- AS-5.0 ------------------------------------------------------------------------------------


def test_as_5_0_a_crash_is_settled_before_the_next_car_moves() -> None:
    table = scene("red b3E2, orange c3E0").plot_all(red="C")
    assert table.due == "restart orange"
    assert table.gains == {"red": 2, "orange": -2}


def test_as_5_0_first_chips_then_speeds_and_headings() -> None:
    cases = scene("red b3E1, orange c3NE1").run("red C").cases
    assert cases[-3:] == ["AS-5.4 side", "AS-5.4 pays", "AS-5.4 turned"]


def test_as_5_0_the_push_goes_the_way_the_ramming_car_points() -> None:
    # Red's second step goes NE, along orange's heading: a rear hit, though red came from the W.
    after = scene("red b3E1, orange d4NE1").run("red G")
    assert "AS-5.3 rear" in after.cases


def test_as_5_0_the_struck_cars_speed_is_what_its_markers_show() -> None:
    # Orange noted P but has not moved yet: it still shows 2.
    table = scene("red b3E1, orange c3NE2").plot_all(red="C", orange="P")
    assert "red" in table.gains
    assert table.gains["red"] == 1 + 2


# -- AS-5.1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "orange", "gains"),
    [(1, 3, {"red": -2, "orange": 2}), (3, 1, {"red": 2, "orange": -2}), (2, 2, {})],
)
def test_as_5_1_head_on_the_faster_gets_the_difference_whoever_rammed(
    red: int, orange: int, gains: dict[str, int]
) -> None:
    after = scene(f"red b3E{red}, orange c3W{orange}").run("red -")
    assert after.gains == gains


def test_as_5_1_head_on_both_drop_to_0() -> None:
    after = scene("red b3E1, orange c3W3").run("red C")
    assert (after.car("red"), after.car("orange")) == ("b3 E 0", "c3 W 0")


def test_as_5_1_a_parked_car_that_points_against_the_push_is_no_head_on() -> None:
    assert scene("red b3E2, orange c3W0").run("red C").gains == {"red": 2, "orange": -2}


# -- AS-5.2 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", ["NE", "E", "SE", "SW", "W", "NW"])
def test_as_5_2_a_parked_car_pays_the_ramming_speed_whatever_its_heading(heading: str) -> None:
    after = scene(f"red b3E2, orange c3{heading}0").run("red C")
    assert after.gains == {"red": 2, "orange": -2}
    assert (after.car("red"), after.car("orange")) == ("b3 E 0", f"c3 {heading} 0")


# -- AS-5.3 ------------------------------------------------------------------------------------


def test_as_5_3_rear_the_rammer_gets_his_speed_and_nothing_else_happens() -> None:
    after = scene("red b3E2, orange c3E1").run("red C")
    assert after.gains == {"red": 2, "orange": -2}
    assert (after.car("red"), after.car("orange")) == ("b3 E 2", "c3 E 1")


# -- AS-5.4 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nose", "hit_at", "turned"),
    [
        ("NW", "front left", "clockwise to NE"),
        ("SE", "rear right", "clockwise to SW"),
        ("SW", "front right", "anticlockwise to SE"),
        ("NE", "rear left", "anticlockwise to NW"),
    ],
)
def test_as_5_4_the_struck_corner_swings_away(nose: str, hit_at: str, turned: str) -> None:
    after = scene(f"red b3E1, orange c3{nose}2").run("red C")
    way, _, heading = turned.split()
    assert after.car("orange") == f"c3 {heading} 2"
    [fact] = [f for f in after.facts if f.case == "turned"]
    assert (fact.who, fact.what, fact.other) == ("orange", way, heading)


@pytest.mark.parametrize(("nose", "turned"), [("NW", "NE"), ("SW", "SE"), ("SE", "E"), ("NE", "E")])
def test_as_5_4_other_reading_the_nose_always_turns_away(nose: str, turned: str) -> None:
    after = scene(f"red b3E1, orange c3{nose}2", side_turn="nose-away").run("red C")
    assert after.car("orange") == f"c3 {turned} 2"


@pytest.mark.parametrize("nose", ["NE", "SE", "SW", "NW"])
def test_as_5_4_side_the_rammer_gets_both_speeds_and_speeds_stay(nose: str) -> None:
    after = scene(f"red b3E1, orange c3{nose}2").run("red C")
    assert after.gains == {"red": 3, "orange": -3}
    assert after.car("red") == "b3 E 1"
    assert after.car("orange").endswith("2")


# -- AS-5.5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [1, 2, 3])
def test_as_5_5_at_the_barrier_a_player_pays_his_speed_to_the_bank_and_stops(speed: int) -> None:
    after = scene(f"red e3E{speed}").run("red -")
    assert after.gains == {"red": -speed, "bank": speed}
    assert after.car("red") == "e3 E 0"


def test_as_5_5_an_ownerless_car_is_a_barrier() -> None:
    after = scene("red b3E1, white d3W0", players=6).run("red K")
    assert after.gains == {"player 1": -2, "bank": 2}
    assert (after.car("red"), after.car("white")) == ("c3 E 0", "d3 W 0")


# -- AS-5.6 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("struck", "paid"), [("E1", 2), ("NE1", 3), ("W1", 1), ("E0", 2)])
def test_as_5_6_the_amount_for_ones_own_car_goes_to_the_bank_once(struck: str, paid: int) -> None:
    after = scene(f"red b3E2, yellow c3{struck}", players=2).run("red C")
    assert after.gains == {"player 1": -paid, "bank": paid}
    assert "AS-5.6 own" in after.cases


def test_as_5_6_nothing_is_said_where_nothing_is_owed() -> None:
    after = scene("red b3E2, yellow c3W2", players=2).run("red C")
    assert after.gains == {}
    assert "AS-5.6 own" not in after.cases


def test_as_5_6_the_rest_of_the_crash_is_as_ever() -> None:
    after = scene("red b3E2, yellow c3NE1", players=2).run("red C")
    assert after.car("yellow") == "c3 NW 1"


# -- AS-5.7 ------------------------------------------------------------------------------------

POOR = {"chips": {"1": 1}}


def test_as_5_7_a_player_pays_what_he_has() -> None:
    after = scene("red b3E3, orange c3E0", position=POOR).run("red -")
    assert after.gains == {"red": 1, "orange": -1}
    [short] = [f for f in after.facts if f.case == "short"]
    assert (short.who, short.amount, short.other) == ("orange", 2, "red")


def test_as_5_7_down_to_nothing() -> None:
    after = scene("red b3E3, orange c3E0", position={"chips": {"1": 0}}).run("red -")
    assert after.gains == {}
    assert "AS-5.2 pays" not in after.cases


def test_as_5_7_the_bank_gets_what_there_is() -> None:
    after = scene("orange e3E3", position=POOR).run("orange -")
    assert after.gains == {"orange": -1, "bank": 1}
    assert after.car("orange") == "e3 E 0"
