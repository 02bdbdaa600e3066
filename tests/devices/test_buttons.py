"""Short and long presses, bounce, buttons that hang (rows G6, G7); time is virtual."""

import random

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from tableref.devices.buttons import (
    LONG,
    QUIET,
    STUCK,
    Button,
    GpioButtons,
    Press,
    VirtualButtons,
)

PINS = {Button.OK: 5, Button.BACK: 6, Button.WHY: 26}


class Bench:
    """Buttons on mock pins, with a clock that only the test moves."""

    def __init__(self, down=()):
        self.now = 100.0
        self.presses = []
        self.factory = MockFactory()
        for button in down:
            pin = self.factory.pin(PINS[button])
            pin.input_with_pull("up")
            pin._set_pull = lambda value: None  # claiming it does not lift the finger
            pin.drive_low()
        self.buttons = GpioButtons(PINS, self.presses.append, self.factory, lambda: self.now)

    def wait(self, seconds):
        """Let time pass, with a step whenever the buttons asked for one."""
        end = self.now + seconds
        wait = self.buttons.step(self.now)
        while wait is not None and self.now + wait <= end:
            self.now += max(wait, 1e-6)  # a timer is never early
            wait = self.buttons.step(self.now)
        self.now = end

    def down(self, button):
        self.factory.pin(PINS[button]).drive_low()

    def up(self, button):
        self.factory.pin(PINS[button]).drive_high()

    def tap(self, button, seconds=0.1):
        self.down(button)
        self.wait(seconds)
        self.up(button)
        self.wait(0.1)

    @property
    def heard(self):
        return [(press.button, press.long) for press in self.presses]


@pytest.fixture
def bench():
    return Bench()


def test_a_tap_is_one_short_press_with_the_time_the_finger_came_down(bench):
    began = bench.now
    bench.tap(Button.OK)
    assert bench.presses == [Press(Button.OK, False, began)]


def test_a_press_is_told_once_while_it_is_held_for_three_seconds(bench):
    bench.down(Button.BACK)
    bench.wait(LONG + QUIET)
    assert bench.heard == [(Button.BACK, True)]
    bench.wait(3.0 - LONG)
    bench.up(Button.BACK)
    bench.wait(0.1)
    assert bench.heard == [(Button.BACK, True)]


def test_a_spike_shorter_than_any_finger_is_nothing(bench):
    bench.down(Button.OK)
    bench.wait(0.004)
    bench.up(Button.OK)
    bench.wait(1.0)
    assert bench.heard == []


def test_of_two_buttons_only_the_one_that_came_first_counts(bench):
    bench.down(Button.OK)
    bench.wait(0.05)
    bench.down(Button.WHY)
    bench.wait(0.05)
    bench.up(Button.OK)
    bench.wait(0.05)
    bench.up(Button.WHY)
    bench.wait(0.1)
    assert bench.heard == [(Button.OK, False)]
    bench.tap(Button.WHY)
    assert bench.heard[1:] == [(Button.WHY, False)]


def test_a_button_that_is_down_at_the_start_is_reported_and_not_heard():
    bench = Bench(down=[Button.WHY])
    bench.wait(60.0)
    assert bench.buttons.stuck == (Button.WHY,)
    assert bench.heard == []


def test_a_button_that_came_loose_is_heard_again():
    bench = Bench(down=[Button.WHY])
    bench.up(Button.WHY)
    bench.wait(0.1)
    assert bench.buttons.stuck == ()
    bench.tap(Button.WHY)
    assert bench.heard == [(Button.WHY, False)]


def test_the_other_buttons_work_beside_one_that_hangs_from_the_start():
    bench = Bench(down=[Button.WHY])
    bench.tap(Button.OK)
    assert bench.heard == [(Button.OK, False)]


def test_a_button_that_stays_down_longer_than_anybody_presses_hangs(bench):
    bench.down(Button.OK)
    bench.wait(STUCK - 0.1)
    assert bench.buttons.stuck == ()
    bench.wait(0.2)
    assert bench.buttons.stuck == (Button.OK,)


def test_nothing_is_due_while_no_button_is_touched(bench):
    assert bench.buttons.step(bench.now) is None
    bench.tap(Button.OK)
    assert bench.buttons.step(bench.now) is None


def burst(bench, button, ends_down, bounces, seconds, read_late):
    """A contact that bounces for some milliseconds before it lies still.

    lgpio hands over every edge with its level. RPi.GPIO tells that there was an edge and the level
    is read later, when it may be another: such edges come with the level of the next one.
    """
    pin = bench.factory.pin(PINS[button])
    rng = random.Random(bounces)
    times = sorted(rng.uniform(0, seconds) for _ in range(2 * bounces))
    levels = [ends_down ^ (n % 2 == 1) for n in range(len(times))]
    levels.append(ends_down)
    if read_late:
        levels = [*levels[1:], ends_down]
    began = bench.now
    for at, down in zip([*times, seconds], levels, strict=True):
        bench.wait(began + at - bench.now)
        pin.drive_low() if down else pin.drive_high()


@settings(max_examples=40, deadline=None)  # cores are shared
@given(
    st.booleans(),
    st.lists(
        st.tuples(st.integers(0, 8), st.floats(0.001, 0.020), st.floats(0.05, 0.6)),
        min_size=1,
        max_size=4,
    ),
)
def test_bursts_of_one_to_twenty_milliseconds_make_one_press_a_tap(read_late, taps):
    bench = Bench()
    for bounces, seconds, held in taps:
        burst(bench, Button.OK, True, bounces, seconds, read_late)
        bench.wait(held)
        burst(bench, Button.OK, False, bounces, seconds, read_late)
        bench.wait(0.2)
    assert bench.heard == [(Button.OK, False)] * len(taps)


def test_presses_come_from_a_thread_once_started():
    heard = []
    factory = MockFactory()
    buttons = GpioButtons(PINS, heard.append, factory)
    buttons.start()
    buttons.close()
    assert factory.pin(5).function == "input"
    assert not buttons.stuck


def test_virtual_buttons_are_pressed_by_a_program():
    heard = []
    VirtualButtons(heard.append, lambda: 7.0).press(Button.UP, long=True)
    assert heard == [Press(Button.UP, True, 7.0)]
