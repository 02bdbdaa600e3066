"""Seats are taken with the table's code, which nobody guesses."""

from __future__ import annotations

import itertools
import stat
from pathlib import Path

import pytest

from tableref.web.seats import (
    SCORER,
    TRIES,
    WITHIN,
    Seats,
    Taken,
    TooManyTries,
    Viewer,
    WrongCode,
    kept_code,
    new_code,
)


class Hall:
    """Seats whose time is the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        tokens = map(str, itertools.count())
        self.seats = Seats(("red", "blue"), "0421", tokens.__next__, lambda: self.now)


def test_a_code_has_four_digits_and_is_made_by_chance() -> None:
    codes = {new_code() for _ in range(200)}
    assert all(len(code) == 4 and code.isdecimal() for code in codes)
    assert len(codes) > 150


def test_a_seat_belongs_to_who_took_it() -> None:
    hall = Hall()
    token = hall.seats.enter("a", "0421", 1)
    assert hall.seats.viewer(token) == Viewer(token, 1)
    with pytest.raises(Taken):
        hall.seats.enter("b", "0421", 1)


def test_the_scorer_is_no_player() -> None:
    hall = Hall()
    viewer = hall.seats.viewer(hall.seats.enter("a", "0421", SCORER))
    assert not viewer.plays


def test_a_seat_that_is_left_is_free() -> None:
    hall = Hall()
    hall.seats.leave(hall.seats.enter("a", "0421", 0))
    assert hall.seats.taken() == frozenset()
    hall.seats.enter("b", "0421", 0)


def test_who_has_a_seat_given_away_only_looks_on() -> None:
    hall = Hall()
    before = hall.seats.enter("a", "0421", 0)
    after = hall.seats.give(0)
    assert hall.seats.viewer(before) == Viewer()
    assert hall.seats.viewer(after).seat == 0


def test_wrong_codes_are_counted_for_each_address_and_forgotten_after_a_while() -> None:
    hall = Hall()
    for _ in range(TRIES):
        with pytest.raises(WrongCode):
            hall.seats.enter("a", "9999", 0)
    with pytest.raises(TooManyTries):
        hall.seats.enter("a", "0421", 0)  # even the right one: else the wait would tell it
    hall.seats.enter("b", "0421", 0)
    hall.now = WITHIN
    hall.seats.enter("a", "0421", 1)


def test_many_addresses_together_cannot_guess_either() -> None:
    hall, refused = Hall(), 0
    for number in range(1000):
        try:
            hall.seats.enter(f"10.0.0.{number}", "9999", 0)
        except TooManyTries:
            refused += 1
        except WrongCode:
            pass
    assert refused == 1000 - 10 * TRIES


@pytest.mark.parametrize("seat", [-2, 2, 99])
def test_there_are_no_other_seats(seat: int) -> None:
    with pytest.raises(LookupError):
        Hall().seats.enter("a", "0421", seat)


def test_seats_outlive_the_server_in_a_file_that_nobody_else_reads(tmp_path: Path) -> None:
    file = tmp_path / "seats.json"
    before = Seats(("red", "blue"), "0421", file=file)
    red, blue = before.enter("a", "0421", 0), before.enter("b", "0421", 1)
    before.leave(blue)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    after = Seats(("red", "blue"), file=file)
    assert after.code == "0421"
    assert kept_code(file) == "0421"
    assert after.viewer(red).seat == 0
    assert after.viewer(blue) == Viewer()
    assert Seats(("red", "blue"), "1111", file=file).code == "1111"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"code": 5, "seats": 3}', '{"code": "12345", "seats": {}}',
     '{"code": "0421", "seats": {"": 0, "a": 7, "b": "0", "c": null}}', "[" * 9999, "\x00"],
)  # fmt: skip
def test_a_damaged_file_seats_nobody(tmp_path: Path, text: str) -> None:
    file = tmp_path / "seats.json"
    file.write_text(text)
    seats = Seats(("red", "blue"), file=file)
    assert seats.taken() == frozenset()
    assert len(seats.code) == 4
    assert seats.enter("a", seats.code, 0)


def test_a_folder_that_cannot_be_written_costs_no_seat(tmp_path: Path) -> None:
    seats = Seats(("red", "blue"), "0421", file=tmp_path / "missing" / "seats.json")
    assert seats.viewer(seats.enter("a", "0421", 0)).seat == 0
