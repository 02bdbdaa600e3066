"""Board, pieces and set-up of Autoscooter (AS-1, AS-2)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.scooter import CARS, GAME, Scene, chips, scene, start

from tableref.rules.autoscooter import Layout
from tableref.rules.surface import SetupError
from tableref_hardware import load_board

LAYOUT = GAME.layout


def beside(cell: str) -> list[str]:
    """Neighbours of a cell in the order NE, E, SE, SW, W, NW; `-` is the barrier."""
    cells = (*LAYOUT.cells, "-")
    return [cells[index] for index in LAYOUT.neighbours[LAYOUT.cell(cell)]]


def owned_cars(table: Scene) -> list[list[str]]:
    return [
        [car for car, owner in zip(CARS, table.state.owners, strict=True) if owner == player]
        for player in range(table.state.setup.players)
    ]


# -- AS-1.1, AS-1.2 ----------------------------------------------------------------------------


def test_as_1_1_rows_hold_5_6_5_6_5_6_5_hexes() -> None:
    rows = [[cell for cell in LAYOUT.cells if cell[1] == str(row)] for row in range(1, 8)]
    assert [len(row) for row in rows] == [5, 6, 5, 6, 5, 6, 5]
    assert len(LAYOUT.cells) == 38


def test_as_1_1_neighbours_in_a_row_of_five() -> None:
    assert beside("c3") == ["d4", "d3", "d2", "c2", "b3", "c4"]


def test_as_1_1_neighbours_in_a_row_of_six() -> None:
    assert beside("c4") == ["c5", "d4", "c3", "b3", "b4", "b5"]


def test_as_1_1_rows_of_six_stick_out_half_a_hex() -> None:
    assert beside("a4") == ["a5", "b4", "a3", "-", "-", "-"]
    assert beside("a3") == ["b4", "b3", "b2", "a2", "-", "a4"]


def test_as_1_1_a_neighbour_lies_back_the_other_way() -> None:
    for cell in range(38):
        for way, other in enumerate(LAYOUT.neighbours[cell]):
            assert other < 0 or LAYOUT.neighbours[other][(way + 3) % 6] == cell


def test_as_1_2_the_edge_is_the_barrier() -> None:
    assert beside("e1") == ["f2", "-", "-", "-", "d1", "e2"]


# -- AS-1.3 to AS-1.5 --------------------------------------------------------------------------


def test_as_1_3_log_sheet_order_of_the_cars() -> None:
    expected = ["red", "orange", "yellow", "green", "blue", "purple", "white", "black"]
    assert list(CARS) == expected


def test_as_1_5_start_hexes_and_headings() -> None:
    table = start()
    assert [table.car(car)[:-2] for car in CARS] == [
        "a1 NE", "c1 NE", "e1 NW", "f4 W", "e7 SW", "c7 SW", "a7 SE", "a4 E",
    ]  # fmt: skip


@pytest.mark.parametrize("speed", [-1, 4, True, 1.0, "1", None])
def test_as_1_4_no_other_speed_than_0_to_3(speed: Any) -> None:
    with pytest.raises(SetupError, match=r"cars\.red\.speed"):
        GAME.from_position({}, {"cars": {"red": {"speed": speed}}})


# -- AS-2.1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "cars", "each"),
    [(2, 4, 20), (3, 2, 20), (4, 2, 20), (5, 1, 15), (6, 1, 12), (7, 1, 10), (8, 1, 10)],
)
def test_as_2_1_cars_and_chips_for_each_player(players: int, cars: int, each: int) -> None:
    table = start(players)
    assert [len(owned) for owned in owned_cars(table)] == [cars] * players
    assert chips(table.state) == [each] * players + [80 - players * each]


def test_as_2_1_beginners_have_three_cars_each() -> None:
    table = start(2, cars_per_player=3)
    assert owned_cars(table) == [["red", "yellow", "blue"], ["orange", "green", "purple"]]
    assert chips(table.state) == [20, 20, 40]


def test_as_2_1_cars_are_dealt_round_the_players_in_log_sheet_order() -> None:
    assert owned_cars(start(3)) == [["red", "green"], ["orange", "blue"], ["yellow", "purple"]]


@pytest.mark.parametrize("players", [0, 1, 9, "4", 4.0, None, True, [4]])
def test_as_2_1_no_other_number_of_players(players: Any) -> None:
    with pytest.raises(SetupError, match="players"):
        GAME.start({"players": players})


@pytest.mark.parametrize(("players", "cars"), [(2, 2), (3, 3), (5, 2), (4, 4)])
def test_as_2_1_no_other_number_of_cars(players: int, cars: int) -> None:
    with pytest.raises(SetupError, match="cars_per_player"):
        GAME.start({"players": players, "cars_per_player": cars})


@pytest.mark.parametrize(
    "setup",
    [
        {"plyers": 3},
        {"projection": 1},
        {"side_turn": "left"},
        {"side_turn": ["pivot"]},
        {"names": ["Ann"]},
        {"names": ["Ann", "Ann"]},
        {"names": [1, 2]},
        {"players": 8, "ghost": True},
        {"players": 4, "ghost": True},
        {"players": 3, "best_car": True},
        {"players": 5, "best_car": True, "colour_scoring": True},
    ],
)
def test_a_setup_that_cannot_be_played_says_which_option_is_wrong(setup: dict[str, Any]) -> None:
    with pytest.raises(SetupError) as refusal:
        GAME.start(setup)
    assert list(setup)[-1] in str(refusal.value) or "ghost" in str(refusal.value)


# -- AS-2.2, AS-2.3 ----------------------------------------------------------------------------


def test_as_2_2_cars_left_over_belong_to_nobody_and_stay() -> None:
    table = start(6).plot_all()
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.car("white") == "a7 SE 0"
    assert table.car("black") == "a4 E 0"


def test_as_2_2_an_ownerless_car_gets_no_plot_and_does_not_move() -> None:
    table = start(6)
    assert table.refusal("white 7A") == ["AS-2.2"]
    table = table.plot_all()
    assert table.refusal("white!") == ["AS-2.2", "AS-4.5"]
    assert table.refusal("white>b7E")[0] == "AS-2.2"


def test_as_2_2_an_ownerless_car_counts_as_barrier() -> None:
    after = scene("red b3E1, black c3W0", players=6).run("red C")
    assert after.car("red") == "b3 E 0"
    assert after.gains == {"player 1": -1, "bank": 1}
    assert "AS-5.5 ownerless" in after.cases


def test_as_2_3_all_cars_start_at_speed_0() -> None:
    assert set(start().state.speeds) == {0}


# -- positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "named"),
    [
        ({"cars": {"pink": {}}}, "pink"),
        ({"cars": {"red": {"cell": "z9"}}}, "z9"),
        ({"cars": {"red": {"cell": ["a1"]}}}, "a1"),
        ({"cars": {"red": {"heading": "N"}}}, "N"),
        ({"cars": {"red": {"hading": "E"}}}, "hading"),
        ({"cars": {"red": 3}}, "red"),
        ({"cars": []}, "cars"),
        ({"cars": {"red": {"cell": "c1"}}}, "two cars stand on c1"),
        ({"chips": [81, 0]}, "chips"),
        ({"chips": {"x": 1}}, "chips"),
        ({"chips": {"9": 1}}, "chips"),
        ({"chips": [True, 1]}, "chips"),
        ({"chips": "many"}, "chips"),
        ({"used": {"red": [2]}}, "used.red"),
        ({"used": {"red": 1}}, "used.red"),
        ({"round": 12}, "round"),
        ({"round": "2"}, "round"),
        ({"carz": {}}, "carz"),
        ({"colours": {"0": {"red": 1}}}, "colours"),
    ],
)
def test_a_position_that_cannot_be_says_what_is_wrong(position: Any, named: str) -> None:
    with pytest.raises(SetupError) as refusal:
        GAME.from_position({}, position)
    assert named in str(refusal.value)


def test_numbers_used_tell_the_round() -> None:
    state = GAME.from_position({}, {"used": {"red": [1, 16, 17], "orange": [2, 15]}})
    assert state.round == 4


def test_a_car_needs_a_number_for_every_round_to_come() -> None:
    with pytest.raises(SetupError, match="8 numbers are left for 11 rounds"):
        GAME.from_position({}, {"round": 1, "used": {"red": [1, 16, 17]}})


def test_a_position_and_its_facts_are_the_same() -> None:
    table = scene("red c3E1, orange d3W2", position={"chips": [3, 17], "used": {"red": [16]}})
    state = GAME.from_position({"players": 8, "names": list(CARS)}, table.told)
    assert state == table.state


# -- the board file ----------------------------------------------------------------------------


def test_another_board_file_changes_play() -> None:
    data = load_board("autoscooter").data
    data["manoeuvres"]["B"]["turn"] = 2
    assert Layout(data).manoeuvres["B"].turn == 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pieces", []),
        ("cells", {}),
        ("log_sheet", {"numbers": [[1, 2]]}),
        ("log_sheet", {"numbers": [[1] * 8]}),
        ("manoeuvres", None),
        ("manoeuvres", {"A": {"steps": [0, 0, 0, 0], "turn": 0, "speed": 4}}),
        ("manoeuvres", {"ab": {"steps": [0], "turn": 0, "speed": 1}}),
        ("manoeuvres", {"A": {"steps": [0], "turn": 0, "speed": 1}}),
    ],
)
def test_a_board_file_that_cannot_be_played_on_says_what_is_wrong(key: str, value: Any) -> None:
    with pytest.raises(SetupError, match=f"board data: {key}"):
        Layout(load_board("autoscooter").data | {key: value})
