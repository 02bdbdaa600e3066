"""The tables of the quick references say what the paragraphs say, and have words."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref.referee.games import GAMES, load_game
from tableref.rulebook import Rulebook
from tableref.rulebook.sheet import Sheet
from tableref.rulebook.tables import Table, crash, tables
from tableref.rulebook.text import LANGUAGES
from tableref.rules.autoscooter import Autoscooter

game_of = cache(load_game)


def table(game: str, name: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """First cells of each row, two where they are not enough -> the others."""
    (found,) = (table for table in tables(game_of(game)) if table.name == name)
    return {row[:2]: row[2:] for row in found.rows}


def scooter() -> Autoscooter:
    game = game_of("autoscooter")
    assert isinstance(game, Autoscooter)
    return game


speeds = st.integers(1, 3)
HEAD_ON, REAR = 3, 0
SIDES = (1, 2, 4, 5)


@given(speed=speeds, struck=speeds)
def test_head_on_the_faster_gets_the_difference_and_both_stop(speed: int, struck: int) -> None:
    met = crash(scooter(), "other", speed, struck, HEAD_ON)
    assert met[:4] == ("AS-5.1", "head-on", speed - struck, False)
    assert (met.speed, met.struck_speed, met.turn) == (0, 0, 0)


@given(speed=speeds, side=st.integers(0, 5))
def test_a_parked_car_pays_the_speed_from_any_side(speed: int, side: int) -> None:
    met = crash(scooter(), "other", speed, 0, side)
    assert met == ("AS-5.2", "parked", speed, False, 0, 0, 0)


@given(speed=speeds, struck=speeds)
def test_in_the_rear_the_speed_is_paid_and_nothing_else_happens(speed: int, struck: int) -> None:
    met = crash(scooter(), "other", speed, struck, REAR)
    assert met == ("AS-5.3", "rear", speed, False, speed, struck, 0)


@given(speed=speeds, struck=speeds, side=st.sampled_from(SIDES))
def test_in_the_side_the_sum_is_paid_and_the_struck_corner_swings_away(
    speed: int, struck: int, side: int
) -> None:
    # Hit at the rear right (1) or the front left (4) the car turns clockwise.
    turn = 1 if side in (1, 4) else -1
    met = crash(scooter(), "other", speed, struck, side)
    assert met == ("AS-5.4", "side", speed + struck, False, speed, struck, turn)


@given(speed=speeds, struck=st.sampled_from(["barrier", "ownerless"]))
def test_barrier_and_ownerless_cars_cost_the_speed(speed: int, struck: str) -> None:
    met = crash(scooter(), struck, speed, 0, 0)
    assert met[:5] == ("AS-5.5", struck, -speed, True, 0)


@given(speed=speeds, struck=st.integers(0, 3), side=st.integers(0, 5))
def test_own_cars_cost_what_the_table_says_and_end_like_others(
    speed: int, struck: int, side: int
) -> None:
    other = crash(scooter(), "other", speed, struck, side)
    own = crash(scooter(), "own", speed, struck, side)
    assert own.gets == -abs(other.gets)
    assert own.bank == (own.gets != 0)
    assert (own.kind, own.speed, own.struck_speed, own.turn) == (
        other.kind, other.speed, other.struck_speed, other.turn,
    )  # fmt: skip


def test_the_crash_table_has_a_row_for_every_kind() -> None:
    rows = table("autoscooter", "crashes")
    assert rows["side", "2"][:3] == ("+3", "+4", "+5")
    assert rows["head-on", "2"][:3] == ("-1", "0", "+1")
    assert [row[0] for row in rows].count("head-on") == 3
    assert {row[0] for row in rows} == {
        "parked", "rear", "side", "head-on", "barrier", "ownerless",
    }  # fmt: skip


def test_the_set_up_names_the_cars_of_beginners_too() -> None:
    rows = table("autoscooter", "set-up")
    assert rows["cars", "4 (3)"] == ("2", "2", "1", "1", "1", "1", "AS-2.1")
    assert rows["chips", "20"] == ("20", "20", "15", "12", "10", "10", "")


def test_stings_differ_on_the_first_six_and_for_friends() -> None:
    rows = table("scorpion", "stings")
    assert rows["opponent", "Y1-Y6"] == ("yes", "yellow", "yes", "no")
    assert rows["opponent", "Y7-Y20"] == ("yes", "yellow", "yes", "black")
    assert rows["own", "Y1-Y6"] == ("no", "yellow", "no", "no")
    assert rows["partner", "Y1-Y20"] == ("yes", "yellow", "no", "no")


def test_beads_need_as_many_lines_as_the_spot_asks_for() -> None:
    rows = table("skorpion-deep", "placing")
    assert {key[0]: key[1] for key in rows} == {
        "own start": "0", "gray": "1", "own colour": "1", "other colour": "2", "other start": "2",
        "black": "2", "gate": "2",
    }  # fmt: skip


def test_only_a_first_jump_has_to_go_forward_and_nothing_goes_back() -> None:
    rows = {key[0]: (key[1], *row) for key, row in table("arrows-and-stars", "steps").items()}
    assert rows["arrow first jump"][:3] == ("yes", "no", "no")
    for kind in ("arrow step", "arrow later jump", "star step", "star jump"):
        assert rows[kind][:3] == ("yes", "yes", "no")


def test_kinds_beat_each_other_in_a_circle() -> None:
    (fights,) = tables(game_of("squod"))
    for own, *cells in fights.rows:
        assert sorted(cells[3:]) == ["squod-equal", "squod-lost", "squod-won"]
        won = cells[3:].index("squod-won")
        assert [i for i in range(3) if cells[i] == "yes"] == [won], own


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_table_and_section_has_its_words_and_real_paragraphs(game: str, lang: str) -> None:
    book, found = Rulebook(lang), tables(game_of(game))
    sheet = Sheet(book, game, found)
    for one in found:
        assert sheet.table_title(one.name)
        for id in cited(one):
            assert book.paragraph(id)
        for cell in {cell for row in (one.head, *one.rows) for cell in row}:
            for part in cell.split(" / "):
                assert part in sheet.words or not re.search("[a-z]", part)
    sections = list(sheet.sections())
    assert all(section.title and section.lines for section in sections)
    said = {line.id.strip("*?") for section in sections for line in section.lines}
    instead = {id for one in found for id in one.instead}
    assert set(book.ids(game)) <= said | instead
    assert instead <= {id for one in found for id in cited(one)}


def cited(table: Table) -> set[str]:
    rows = {id for row in table.rows for id in row[-1].split(", ") if id[2:3] == "-"}
    return {*table.ids, *rows}
