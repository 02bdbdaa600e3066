"""Debounce and flicker: what a switch does, and what is told of it."""

from hypothesis import given
from hypothesis import strategies as st

from tableref_firmware.debounce import CALM_AGAIN, FLICKERS, LEAK_US, STEADY, Debouncer
from tableref_firmware.protocol import (
    CALM_MS,
    FLICKER_CHANGES,
    FLICKER_LEAK_MS,
    TICKS_PERIOD,
    ticks_diff,
)

MS = 1000
DEBOUNCE = 5 * MS
START = TICKS_PERIOD - 50 * MS  # the counter wraps during each test


class Bench:
    """One register of switches, read every millisecond."""

    def __init__(self) -> None:
        self.us = 0
        self.debouncer = Debouncer(b"\0", DEBOUNCE)
        self.told: list[tuple[int, int, int, int]] = []

    def hold(self, raw: int, ms: int) -> None:
        """The switches read so for so long."""
        for _ in range(ms):
            now = (START + self.us) % TICKS_PERIOD
            self.told += self.debouncer.scan(bytes((raw,)), now)
            self.us += MS
            if self.us // LEAK_US > (self.us - MS) // LEAK_US:
                self.told += self.debouncer.leak(now)

    def words(self) -> list[int]:
        return [word for _switch, _occupied, word, _ticks in self.told]


def test_a_change_counts_after_the_debounce_time_and_bears_the_time_of_its_edge() -> None:
    bench = Bench()
    bench.hold(0, 10)
    bench.hold(1, 5)
    assert bench.told == []
    bench.hold(1, 1)
    assert bench.told == [(0, 1, STEADY, (START + 10 * MS) % TICKS_PERIOD)]


def test_a_spike_shorter_than_the_debounce_time_is_nothing() -> None:
    bench = Bench()
    for _ in range(3):
        bench.hold(1, 4)
        bench.hold(0, 20)
    assert bench.told == []


def test_a_bouncing_change_is_one_event() -> None:
    bench = Bench()
    for raw in (1, 0, 1, 0, 1):
        bench.hold(raw, 2)
    bench.hold(1, 20)
    assert [(switch, occupied) for switch, occupied, *_ in bench.told] == [(0, 1)]


def test_switches_are_independent() -> None:
    bench = Bench()
    bench.hold(0b10, 2)
    bench.hold(0b11, 20)
    bench.hold(0b01, 20)
    assert [(s, o) for s, o, *_ in bench.told] == [(1, 1), (0, 1), (1, 0)]


def test_m10_a_flickering_switch_is_told_once_and_again_when_calm() -> None:
    for hertz in (5, 10, 20):
        bench = Bench()
        for _ in range(3 * hertz):
            bench.hold(1, 500 // hertz)
            bench.hold(0, 500 // hertz)
        flicker = [STEADY] * FLICKER_CHANGES + [FLICKERS]
        assert len(bench.told) <= 2 * FLICKER_CHANGES + 1
        assert bench.words()[:FLICKER_CHANGES] == flicker[:FLICKER_CHANGES]
        assert bench.words().count(FLICKERS) == 1
        bench.hold(1, CALM_MS + 2 * FLICKER_LEAK_MS)
        assert bench.told[-1][:3] == (0, 1, CALM_AGAIN)


def test_a_switch_that_never_comes_to_rest_is_unsteady() -> None:
    bench = Bench()
    for _ in range(400):
        bench.hold(1, 2)
        bench.hold(0, 2)
    assert bench.words() == [FLICKERS]
    bench.hold(0, 2 * CALM_MS)
    assert bench.words() == [FLICKERS, CALM_AGAIN]


def test_a_hand_that_lifts_and_puts_twice_is_no_flicker() -> None:
    bench = Bench()
    for raw in (1, 0, 1, 0):
        bench.hold(raw, 150)
    bench.hold(0, 2000)
    assert bench.words() == [STEADY] * 4


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(1, 40)), max_size=60))
def test_whatever_the_switches_do_what_is_told_adds_up(steps: list[tuple[int, int]]) -> None:
    bench = Bench()
    for raw, ms in steps:
        bench.hold(raw, ms)
    last = steps[-1][0] if steps else 0
    bench.hold(last, 2 * CALM_MS)
    state = unsteady = 0
    times = []
    for switch, occupied, word, ticks in bench.told:
        mask = 1 << switch
        assert word != STEADY or bool(state & mask) != bool(occupied), "told twice"
        assert word != STEADY or not unsteady & mask, "told while unsteady"
        state = state & ~mask | mask * occupied
        unsteady = unsteady | mask if word == FLICKERS else unsteady & ~mask
        times.append(ticks_diff(ticks, START))
    assert state == last
    assert not unsteady
    assert times == sorted(times)
