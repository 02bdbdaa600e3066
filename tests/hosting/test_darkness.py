"""Lights go out for an eye that they would dazzle: no frame that shows one counts as dark."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableref.devices.lights import Light, Meaning
from tableref.hosting.darkness import AGAIN, CALM, LATE, SHINE, Darkness

TROUBLE, LAST = Meaning.TROUBLE.value, Meaning.LAST_MOVE.value


class Table:
    """Lights that shine at once, seen by a camera whose frames are dated late."""

    def __init__(self, late: float = 0.2, rate: float = 0.1) -> None:
        self.time, self.late, self.rate = 0.0, late, rate
        self.shone: list[tuple[float, frozenset[str]]] = [(0.0, frozenset())]
        self.darkness = Darkness(self, lambda: self.time)
        self.dark_looks: list[float] = []

    def show(self, lights: Mapping[str, Light]) -> None:
        self.shone.append((self.time, frozenset(lights)))

    @property
    def shining(self) -> frozenset[str]:
        return self.shone[-1][1]

    def frame(self, hand: bool = False) -> bool:
        """The next frame is read; whether it counts as dark."""
        self.time = round(self.time + self.rate, 6)
        lit = self.darkness.lit(self.time)
        if not lit:
            self.dark_looks.append(self.time)
        self.darkness.seen(self.time, hand)
        return not lit

    def frames(self, seconds: float, hand: bool = False) -> int:
        """Frames for so long; how many counted as dark."""
        return sum(self.frame(hand) for _ in range(round(seconds / self.rate)))

    def exposed(self, time: float) -> frozenset[str]:
        """All that shone at any time while a frame of this time was taken and waited."""
        begun = [cells for at, cells in self.shone if at <= time - self.late][-1:]
        return frozenset().union(
            *begun, *(cells for at, cells in self.shone if time - self.late < at < time)
        )


def test_without_lights_every_frame_is_read() -> None:
    table = Table()
    assert table.frames(1.0) == 10


def test_lights_go_out_for_a_look_and_come_on_again() -> None:
    table = Table()
    table.frames(1.0)
    table.darkness.show({"a1": TROUBLE})
    assert table.shining == {"a1"}
    assert table.frames(SHINE + LATE + 0.3) == 1
    assert table.shining == {"a1"}
    assert frozenset() in [cells for _, cells in table.shone[1:]]


def test_frames_of_the_first_moments_of_the_dark_still_show_the_light() -> None:
    table = Table()
    table.darkness.show({"a1": TROUBLE})
    table.darkness.show({})
    table.time = LATE - 0.05
    assert table.darkness.lit(table.time) == {"a1"}
    assert not table.darkness.lit(LATE + 0.01)


def test_no_look_is_taken_while_a_hand_is_over_the_board() -> None:
    table = Table()
    table.frames(1.0)
    table.darkness.show({"a1": TROUBLE})
    assert not table.frames(AGAIN - 0.2, hand=True)
    assert table.frames(CALM + LATE + 0.3) == 1


def test_where_nothing_changes_it_is_looked_seldom() -> None:
    table = Table()
    table.darkness.show({"a1": LAST})
    table.frames(5.0)
    before = len(table.dark_looks)
    table.frames(30.0)
    assert 30.0 / (AGAIN + LATE + 0.2) - 1 <= len(table.dark_looks) - before <= 30.0 / AGAIN


def test_what_is_to_be_lit_meanwhile_is_lit_after_the_look() -> None:
    table = Table()
    table.darkness.show({"a1": TROUBLE})
    while table.shining:
        table.frame()
    table.darkness.show({"b2": LAST})
    assert not table.shining
    table.frames(LATE + 0.1)
    assert table.shining == {"b2"}


def test_a_camera_that_goes_leaves_the_lights_on() -> None:
    table = Table()
    table.darkness.show({"a1": TROUBLE})
    while table.shining:
        table.frame()
    table.darkness.over()
    assert table.shining == {"a1"}


STEPS = st.one_of(
    st.tuples(st.just("show"), st.sets(st.sampled_from(["a1", "a2", "b1"]))),
    st.tuples(st.just("frame"), st.booleans()),
    st.tuples(st.just("wait"), st.floats(0.01, 4.0)),
)


@settings(deadline=None)
@given(steps=st.lists(STEPS, max_size=60), late=st.floats(0.001, LATE - 0.01))
def test_no_frame_that_a_light_shone_in_counts_as_dark(
    steps: list[tuple[str, object]], late: float
) -> None:
    table = Table(late, rate=0.07)
    for kind, value in steps:
        if kind == "show":
            assert isinstance(value, set)
            table.darkness.show(dict.fromkeys(value, TROUBLE))
        elif kind == "wait":
            assert isinstance(value, float)
            table.time += value
        elif table.frame(bool(value)):
            assert not table.exposed(table.time), table.shone


@pytest.mark.parametrize("rate", [0.03, 0.1, 0.5, 1.0])
def test_a_slow_camera_sees_the_dark_too(rate: float) -> None:
    table = Table(rate=rate)
    table.darkness.show({"a1": TROUBLE})
    assert table.frames(10.0) >= 2
