"""Planning in Autoscooter: numbers, letters, manoeuvres, announcing (AS-3, AS-4.1)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.scooter import CARS, GAME, scene, start

# -- AS-3.1 ------------------------------------------------------------------------------------


def test_as_3_1_the_numbering_snakes_back_and_forth() -> None:
    for column, numbers in enumerate(GAME.layout.numbers, 1):
        for row, number in enumerate(numbers, 1):
            expected = 8 * (row - 1) + (column if row % 2 else 9 - column)
            assert number == expected


def test_as_3_1_every_car_gets_a_number_before_the_round_begins() -> None:
    table = start()
    for car in CARS[:-1]:
        table = table.plot(f"{car} {table.free(car)}-")
    assert table.due == "plot"
    table = table.plot("black 8-")
    assert table.due == "restart red"


def test_as_3_1_a_number_of_another_column_is_refused() -> None:
    assert start().refusal("red 2A") == ["AS-3.1"]


def test_as_3_1_a_number_is_used_once() -> None:
    table = scene("", position={"used": {"red": [1]}})
    assert table.refusal("red 1-") == ["AS-3.1"]
    assert table.refusal("red 16-") == []


def test_as_3_1_a_car_gets_one_number_a_round() -> None:
    assert start().plot("red 1-").refusal("red 16-") == ["AS-3.1"]


def test_as_3_1_only_its_own_player_plots_a_car() -> None:
    assert start(2).refusal("red 1-", player=1) == ["AS-3.1"]
    assert start(2).refusal("red 1-", player=0) == []


def test_as_3_1_others_do_not_see_a_plot() -> None:
    table = start(2).plot("red 16A")
    assert GAME.view(table.state, 1)["plots"]["red"] == {"number": None, "letter": None}
    assert GAME.view(table.state, None)["plots"]["red"] == {"number": None, "letter": None}
    assert GAME.view(table.state, 0)["plots"]["red"] == {"number": 16, "letter": "A"}


# -- AS-3.2 ------------------------------------------------------------------------------------


def test_as_3_2_a_letter_noted_for_a_car_at_speed_0_is_ignored() -> None:
    table = scene("red b3E0").run("red P")
    assert table.due == "restart red"
    assert table.act("red>c3E").car("red") == "c3 E 1"


# -- AS-3.3: from b3 pointing E, at the speed that allows the letter ---------------------------


@pytest.mark.parametrize(
    ("letter", "end"),
    [
        ("A", "c3 NW 1"),
        ("B", "c3 NE 1"),
        ("C", "c3 E 1"),
        ("D", "c3 SE 1"),
        ("E", "c3 SW 1"),
        ("F", "d4 NW 2"),
        ("G", "d4 NE 2"),
        ("H", "d4 E 2"),
        ("J", "d3 NE 2"),
        ("K", "d3 E 2"),
        ("L", "d3 SE 2"),
        ("M", "d2 E 2"),
        ("N", "d2 SE 2"),
        ("O", "d2 SW 2"),
        ("P", "e3 E 3"),
    ],
)
def test_as_3_3_where_a_letter_leads(letter: str, end: str) -> None:
    assert scene("red b3E2").run(f"red {letter}").car("red") == end


def test_as_3_3_letter_i_is_not_used() -> None:
    assert "I" not in GAME.layout.letters
    assert len(GAME.layout.letters) == 15


@pytest.mark.parametrize(
    ("heading", "end"),
    [("NE", "d5"), ("E", "e3"), ("SE", "d1"), ("SW", "b1"), ("W", "a3"), ("NW", "b5")],
)
def test_as_3_3_manoeuvres_go_off_the_cars_nose(heading: str, end: str) -> None:
    assert scene(f"red c3{heading}1").run("red K").car("red") == f"{end} {heading} 2"


# -- AS-3.4, AS-3.5, AS-3.6 --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "letters"), [(1, "ABCDEFGHJKLMNO"), (2, "ABCDEFGHJKLMNOP"), (3, "FGHJKLMNOP")]
)
def test_as_3_4_letters_that_a_speed_allows(speed: int, letters: str) -> None:
    table = scene(f"red a3E{speed}")
    obeyed = "".join(
        letter for letter in "ABCDEFGHIJKLMNOP" if "AS-3.6 straight" not in
        table.run(f"red {letter}").cases
    )  # fmt: skip
    assert obeyed == letters


def test_as_3_5_driving_into_the_barrier_may_be_chosen() -> None:
    assert scene("red e3E1").refusal("red 1C") == []


def test_as_3_5_driving_into_ones_own_car_may_be_chosen() -> None:
    assert scene("red b3E1, yellow c3E1", players=2).run("red C").car("red") == "b3 E 1"


@pytest.mark.parametrize(("speed", "end"), [(1, "b3 E 1"), (2, "c3 E 2"), (3, "d3 E 3")])
def test_as_3_6_without_a_letter_straight_ahead_at_the_present_speed(speed: int, end: str) -> None:
    assert scene(f"red a3E{speed}").run("red -").car("red") == end


@pytest.mark.parametrize(
    ("speed", "letter", "end"), [(1, "P", "b3 E 1"), (3, "A", "d3 E 3"), (2, "I", "c3 E 2")]
)
def test_as_3_6_an_illegal_letter_goes_straight_ahead(speed: int, letter: str, end: str) -> None:
    after = scene(f"red a3E{speed}").run(f"red {letter}")
    assert after.car("red") == end
    assert "AS-3.6 straight" in after.cases


def test_as_3_6_a_phone_accepts_a_letter_that_will_be_punished() -> None:
    assert scene("red a3E1").refusal("red 1P") == []


# -- AS-3.7 ------------------------------------------------------------------------------------


def test_as_3_7_no_number_is_the_highest_still_free() -> None:
    table = scene("red a3E1", position={"used": {"red": [81, 80]}})
    for car in CARS[1:]:
        table = table.plot(f"{car} {table.free(car)}-")
    table = table.plot("red -A")
    assert "AS-3.7 no-number" in table.cases
    assert table.state.plots[0] is not None
    assert table.state.plots[0].number == 65


# -- AS-4.1 ------------------------------------------------------------------------------------


def test_as_4_1_cars_move_in_rising_order_of_their_numbers() -> None:
    plots = ["red 16-", "orange 2-", "yellow 3-", "green 4-"]
    plots += ["blue 5-", "purple 11-", "white 7-", "black 88-"]
    table = start().plot(*plots)
    assert table.order == ["orange", "yellow", "green", "blue", "white", "purple", "red", "black"]


def test_as_4_1_no_car_moves_before_all_numbers_are_announced() -> None:
    table = start().plot("red 1-")
    assert table.refusal("red>b1E") == ["AS-4.1"]
    assert scene("red b3E1").refusal("red!") == ["AS-4.1"]


def test_as_4_1_nothing_is_changed_after_the_announcement() -> None:
    table = start().plot_all()
    assert table.refusal("red 16A")[0] == "AS-4.1"


def test_as_4_1_it_is_one_cars_turn() -> None:
    table = start().plot_all()
    assert table.refusal("orange>d1E") == ["AS-4.1"]
    table = table.act("red>b1NE")
    assert table.refusal("red>c2NE")[0] == "AS-4.1"


def test_as_4_1_a_number_is_crossed_out_once_its_car_has_moved() -> None:
    table = start().plot_all()
    assert table.told["used"]["red"] == []
    assert table.act("red>b1NE").told["used"]["red"] == [1]


def test_as_4_1_numbers_lie_open_after_the_announcement_and_letters_do_not() -> None:
    table = scene("red b3E0, orange c1E1").plot_all(red="A", orange="B")
    plots = GAME.view(table.state, 2)["plots"]
    assert plots["orange"] == {"number": 2, "letter": None}
    after = GAME.view(table.act("red>c3E").settle().state, 2)["plots"]
    assert after["orange"]["letter"] == "B"


def test_as_4_1_the_letter_cannot_be_chosen_on_the_cars_turn() -> None:
    table = scene("red b3E0, orange b1E1").plot_all(orange="A").act("red>c3E")
    assert table.refusal("orange!C") == ["AS-4.1"]
    assert table.refusal("orange!") == []


def test_as_4_1_announcing_takes_what_is_missing_as_not_noted() -> None:
    table = start().plot("orange 2-").act("announce")
    assert table.order[0] == "orange"
    assert table.order[1:] == ["red", "yellow", "green", "blue", "purple", "white", "black"]
    assert table.cases.count("AS-3.7 no-number") == 7


# -- numbers of plots on paper ---------------------------------------------------------------------


def numbered(*texts: str) -> Any:
    """Plots on paper, eight players, of which these numbers are told."""
    state = GAME.start({"players": 8, "paper": True})
    for text in texts:
        state, _ = GAME.apply(state, GAME.parse(state, text))
    return state


def against(state: Any, text: str) -> list[tuple[str, str]]:
    return [fact[:2] for fact in GAME.judge(state, GAME.parse(state, text)).broken]


ALL = ("red #16", "orange #2", "yellow #3", "green #4", "blue #5", "purple #6", "white #7")


def test_on_paper_the_order_is_that_of_the_numbers_once_all_are_told() -> None:
    state = numbered(*ALL)
    assert GAME.due(state).piece == ""
    state, facts = GAME.apply(state, GAME.parse(state, "black #8"))
    order = "orange, yellow, green, blue, purple, white, black, red"
    assert [(f.paragraph, f.case, f.what) for f in facts][1:] == [("AS-4.1", "order", order)]
    assert GAME.due(state).piece == "orange"
    assert against(state, "red>b1E") == [("AS-4.1", "not-its-turn")]


def test_a_number_on_paper_stands_in_the_car_s_column_and_is_used_once() -> None:
    state = numbered()
    assert against(state, "red #2") == [("AS-3.1", "number-of-another")]
    assert against(numbered("red #1"), "red #16") == [("AS-3.1", "plotted-already")]
    state = numbered("red #1")
    state, _ = GAME.apply(state, GAME.parse(state, "red>b1SE"))
    assert against(state, "orange #2") == [("AS-4.1", "plots-closed")]
    for car in CARS[1:]:
        state, _ = GAME.apply(state, GAME.car_actions(state, car)[0])
    assert state.round == 2
    assert against(state, "red #1") == [("AS-3.1", "number-used")]


def test_a_number_is_told_with_its_plot_where_plots_are_noted() -> None:
    state = GAME.start({"players": 8})
    assert against(state, "red #1") == [("AS-3.1", "number-in-plot")]
