"""Lights: patterns that run on the board, and a current that no picture exceeds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.link.conftest import NewTable, Table

from tableref.devices.lights import Light, Pattern
from tableref.devices.link.cells import CellTable
from tableref.devices.link.session import Session
from tableref_firmware import protocol as p
from tableref_firmware.lights import PATTERNS, Lights, current_ma
from tableref_hardware.board import Board

colours = st.tuples(*[st.integers(0, 255)] * 3, st.integers(0, len(PATTERNS) - 1))
RED, WHITE = (255, 0, 0), (255, 255, 255)


@given(
    st.dictionaries(st.integers(0, 63), colours),
    st.integers(1, 64),
    st.integers(0, 5000),
    st.lists(st.integers(0, 10_000), min_size=1, max_size=8),
)
def test_no_picture_draws_more_than_the_limit_at_any_time(
    picture: dict[int, tuple[int, int, int, int]], count: int, limit: int, steps: list[int]
) -> None:
    lights = Lights(count, limit)
    for place, light in picture.items():
        if place < count:
            lights.put(place, *light)
    lights.show()
    dark = count * 1.0  # what 64 chips draw themselves is no matter of the picture
    for step in steps:
        lights.render(step)
        assert current_ma(lights.words) <= max(limit, dark)


def test_64_white_lights_stay_within_500_ma_and_within_a_twentieth_of_it() -> None:
    lights = Lights(64, 500)
    for place in range(64):
        lights.put(place, *WHITE, 0)
    assert lights.show() < 256
    lights.render(0)
    assert 475 <= current_ma(lights.words) <= 500


def test_a_picture_within_the_limit_is_shown_as_asked() -> None:
    lights = Lights(3, 500)
    lights.put(1, 10, 200, 30, 0)
    assert lights.show() == 256
    lights.render(0)
    assert list(lights.words) == [0, 200 << 16 | 10 << 8 | 30, 0]


def test_steady_lights_do_not_pump_while_others_blink() -> None:
    lights = Lights(40, 300)
    for place in range(40):
        lights.put(place, *WHITE, place % 2 * 3)
    lights.show()
    shown = set()
    for step in range(40):
        lights.render(step)
        shown.add(lights.words[0])
    assert len(shown) == 1


def test_only_a_step_that_changes_something_is_rendered() -> None:
    lights = Lights(2, 500)
    lights.put(0, *RED, 0)
    lights.show()
    assert [lights.render(step) for step in range(4)] == [True, False, False, False]


def test_each_pattern_of_the_referee_has_its_own_course_on_the_board(board: Board) -> None:
    table = CellTable(board)
    numbers = [table.picture({"a1": Light(RED, pattern)})[0][4] for pattern in Pattern]
    assert len({PATTERNS[number][1] for number in numbers}) == len(Pattern)


def test_a_shown_picture_reaches_the_cells_it_names_and_no_others(table: Table) -> None:
    table.link.show({"f2": Light(RED, Pattern.STEADY), "a1": Light((1, 2, 3), Pattern.STEADY)})
    table.wait(0.2)
    pico = table.link.pico
    lit = {cell: pico.light(cell) for cell in table.board.cells if any(pico.light(cell))}
    assert lit == {"f2": RED, "a1": (1, 2, 3)}


def test_a_blinking_light_goes_on_and_off_by_itself(table: Table) -> None:
    table.link.show({"a1": Light(RED, Pattern.FAST_BLINK)})
    table.wait(0.2)
    shown = []
    for _ in range(20):
        table.wait(0.05)
        shown.append(any(table.link.pico.light("a1")))
    assert shown.count(True) == 12
    assert table.link.session.health.bytes_out < 2000


def test_a_picture_of_two_frames_is_shown_only_whole(
    new_table: NewTable, full_board: Board
) -> None:
    table = new_table(board=full_board)
    everything = {cell: Light((5, 5, 5), Pattern.STEADY) for cell in table.board.cells}
    table.faults.drop = 0.004
    for _ in range(5):
        table.link.show({"s0": Light(RED, Pattern.STEADY)})
        table.wait(1.5)
        table.link.show(everything)
        seen = set()
        for _ in range(100):
            table.wait(0.03)
            seen.add(sum(1 for cell in everything if any(table.link.pico.light(cell))))
        assert seen <= {1, len(everything)}
        assert sum(1 for cell in everything if any(table.link.pico.light(cell))) == len(everything)


def test_the_table_goes_dark_when_nobody_referees_and_lights_up_again(table: Table) -> None:
    table.link.show({"a1": Light(RED, Pattern.STEADY)})
    table.wait(0.3)
    table.link.paused = True
    table.wait(4.0)
    assert table.link.pico.light("a1") == (0, 0, 0)
    table.link.paused = False
    table.wait(2.0)
    assert table.link.pico.light("a1") == RED


def test_lights_come_back_after_a_reset(table: Table) -> None:
    table.link.show({"a1": Light(RED, Pattern.STEADY)})
    table.wait(0.3)
    table.faults.reset = True
    table.wait(2.0)
    assert table.link.pico.light("a1") == RED


def test_l1_a_board_without_lights_is_sent_no_picture(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.link.pico.hardware.has_lights = False
    table.link.pico.reset()
    table.wait(2.0)
    assert not table.link.session.has_lights
    sent = []
    monkeypatch.setattr(Session, "send", lambda _self, kind, *_: sent.append(kind))
    table.link.show({"a1": Light(RED, Pattern.STEADY)})
    table.wait(0.5)
    assert p.PING in sent
    assert p.SHOW not in sent


@pytest.mark.parametrize("limit", [0, 20, 100, 500])
def test_the_limit_is_the_hosts_to_set(new_table: NewTable, limit: int) -> None:
    table = new_table(limit_ma=limit)
    everything = {cell: Light(WHITE, Pattern.STEADY) for cell in table.board.cells}
    table.link.show(everything)
    table.wait(0.5)
    words = table.link.pico.hardware.words
    assert current_ma(words) <= max(limit, len(words))
