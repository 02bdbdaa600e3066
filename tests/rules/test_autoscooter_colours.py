"""Colour scoring and the best car (AS-7.4, AS-7.5)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.scooter import CARS, GAME, Scene, scene, start

from tableref.rules.surface import SetupError


def coloured(cars: str, players: int = 8, **position: Any) -> Scene:
    return scene(cars, players=players, colour_scoring=True, position=position)


def held(table: Scene, who: str) -> dict[str, int]:
    """Chips by colour, of a player (`0`) or with the best car of a car (`red`)."""
    found: dict[str, int] = table.told["colours"][who]
    return found


# -- AS-7.4 ------------------------------------------------------------------------------------


def test_as_7_4_everyone_starts_with_ten_chips_of_his_first_cars_colour() -> None:
    table = start(3, colour_scoring=True)
    assert [held(table, who) for who in "012"] == [{"red": 10}, {"orange": 10}, {"yellow": 10}]


def test_as_7_4_the_bank_has_the_other_colours() -> None:
    bank = start(3, colour_scoring=True).state.colours[-1]
    assert dict(zip(CARS, bank, strict=True)) == {c: 10 * (c not in CARS[:3]) for c in CARS}


def test_as_7_4_the_score_is_chips_times_colours_held() -> None:
    table = coloured(
        "", colours={"0": {"red": 8, "blue": 2, "black": 1}, "4": {"blue": 8}, "7": {}}
    )
    assert table.told["scores"][0] == 11 * 3
    assert table.told["scores"][4] == 8


def test_as_7_4_a_payment_goes_in_the_colour_held_most() -> None:
    table = coloured("red e3E2", colours={"0": {"red": 2, "orange": 5}, "1": {"orange": 5}})
    assert held(table.run("red C"), "0") == {"red": 2, "orange": 3}


def test_as_7_4_chip_by_chip_in_the_colour_held_most_just_then() -> None:
    table = coloured("red e3E3", colours={"0": {"red": 4, "orange": 5}, "1": {"orange": 5}})
    # Orange first; then both have 4 and the own colour goes; then orange again.
    assert held(table.run("red P"), "0") == {"red": 3, "orange": 3}


def test_as_7_4_a_colour_is_lost_only_when_no_colour_has_two() -> None:
    table = coloured("red e3E1", colours={"0": {"orange": 1, "red": 2}, "1": {"orange": 9}})
    assert held(table.run("red C"), "0") == {"orange": 1, "red": 1}
    table = coloured("red e3E1", colours={"0": {"orange": 1, "black": 1}, "1": {}, "7": {}})
    assert held(table.run("red C"), "0") == {"black": 1}


def test_as_7_4_equally_held_the_own_colour_goes_first() -> None:
    table = coloured("blue e3E1", colours={"4": {"red": 3, "blue": 3}, "0": {"red": 7}})
    assert held(table.run("blue C"), "4") == {"red": 3, "blue": 2}


def test_as_7_4_then_log_sheet_order() -> None:
    table = coloured("red e3E1", colours={"0": {"black": 3, "orange": 3}, "1": {}, "7": {}})
    assert held(table.run("red C"), "0") == {"orange": 2, "black": 3}


def test_as_7_4_ties_are_the_payers_choice() -> None:
    table = coloured("red e3E1", colours={"0": {"black": 3, "red": 3}, "7": {}})
    assert held(table.act("prefer 0black").run("red C"), "0") == {"black": 2, "red": 3}


def test_as_7_4_a_choice_does_not_stand_above_the_colour_held_most() -> None:
    table = coloured("red e3E1", colours={"0": {"black": 2, "red": 3}, "7": {}})
    assert held(table.act("prefer 0black").run("red C"), "0") == {"black": 2, "red": 2}


def test_as_7_4_colours_go_from_payer_to_payee() -> None:
    after = coloured("red b3E2, orange c3E0").run("red C")
    assert held(after, "0") == {"red": 10, "orange": 2}
    assert held(after, "1") == {"orange": 8}
    assert after.told["scores"][:2] == [24, 8]


def test_as_7_4_the_bank_pays_in_the_ghosts_colour_first() -> None:
    table = scene("red b3E2, purple c3E0", players=5, ghost=True, colour_scoring=True)
    assert held(table.run("red C"), "0") == {"red": 10, "purple": 1, "white": 1}
    # One purple makes white the colour held most of: chip by chip.


def test_as_7_4_without_the_option_no_colour_is_preferred() -> None:
    assert start().refusal("prefer 0red") == ["AS-7.4"]


def test_as_7_4_there_are_ten_chips_of_a_colour() -> None:
    with pytest.raises(SetupError, match="10 chips of a colour"):
        coloured("", colours={"1": {"red": 1}})


def test_as_7_4_chips_without_their_colours_are_no_position() -> None:
    with pytest.raises(SetupError, match="give `colours`"):
        coloured("", chips=[9])


# -- AS-7.5 ------------------------------------------------------------------------------------


def best(cars: str, players: int = 2, **position: Any) -> Scene:
    options = {"colour_scoring": True, "best_car": True}
    return scene(cars, players=players, position=position, **options)


def test_as_7_5_every_car_starts_with_ten_of_its_colour() -> None:
    table = best("", players=3)
    assert table.told["colours"] == {car: {car: 10} for car in CARS[:6]}
    assert table.told["chips"] == [20, 20, 20]


def test_as_7_5_a_car_pays_from_its_own_chips() -> None:
    after = best("red b3E2, orange c3E0").run("red C")
    assert held(after, "red") == {"red": 10, "orange": 2}
    assert held(after, "orange") == {"orange": 8}
    assert held(after, "yellow") == {"yellow": 10}


def test_as_7_5_only_the_best_car_counts() -> None:
    after = best("red b3E2, orange c3E0").run("red C")
    assert after.told["scores"] == [12 * 2, 10]


def test_as_7_5_a_car_without_chips_pays_nothing_though_its_player_has_some() -> None:
    after = best("red e3E2", colours={"red": {"red": 1}}).run("red C")
    assert after.told["chips"] == [39 - 9 - 1 + 1, 40]
    assert held(after, "red") == {}


def test_as_7_5_for_ones_own_car_the_struck_car_pays_the_bank() -> None:
    after = best("red b3E2, yellow c3E0").run("red C")
    assert held(after, "yellow") == {"yellow": 8}
    assert held(after, "red") == {"red": 10}
    assert after.state.colours[-1][CARS.index("yellow")] == 2


def test_as_7_5_the_winner_has_the_best_car() -> None:
    used = {car: list(GAME.layout.numbers[i][:10]) for i, car in enumerate(CARS)}
    table = best("", used=used, colours={"red": {"red": 9, "orange": 1}, "orange": {"orange": 9}})
    table = table.plot_all()
    while table.state.queue:
        table = table.act(GAME.text(table.state, next(GAME.legal(table.state)))).settle()
    assert table.told["winners"] == [0]


def test_hr_1_1_the_coloured_chips_of_who_gave_up_go_to_the_bank() -> None:
    state, _ = GAME.resign(best("", players=3).state, 1)
    assert GAME.facts(state)["chips"] == [20, 0, 20]
    assert state.colours[-1][CARS.index("orange")] == 10
