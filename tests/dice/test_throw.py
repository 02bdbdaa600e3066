"""A value counts after three still frames that agree; what lies badly is thrown again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import ENDLESS, FRAMES, REASONS, REROLL, Throw, ThrowJudge

PERIOD = 0.1  # s between two frames


def die(value, x=0.0, tray="yellow", why=None):
    middle = -80.0 if tray == "yellow" else 80.0
    sure = why is None
    shown = value if why in (None, "unclear") else None
    return SeenDie(shown, sure, 0.99, (x, 0, 20, 20), tray, why, (middle + x, 0.0))


class Table:
    """A mat in virtual time."""

    def __init__(self, dice=2):
        self.judge, self.time = ThrowJudge(dice), 0.0

    def show(self, *dice, frames=1, still=True) -> Throw:
        for _ in range(frames):
            self.time += PERIOD
            throw = self.judge.look(self.time, dice, still)
        return throw


@pytest.fixture
def table():
    return Table()


LIE = die(5), die(2, tray="black")


def test_three_equal_still_frames_make_a_throw(table):
    assert table.show(*LIE, frames=FRAMES - 1).state == "rolling"
    assert table.show(*LIE) == Throw("thrown", (("black", 2), ("yellow", 5)))


def test_a_throw_is_told_once(table):
    table.show(*LIE, frames=FRAMES)
    assert table.show(*LIE, frames=20).state == "waiting"


def test_frames_that_disagree_start_anew(table):
    table.show(*LIE, frames=FRAMES - 1)
    assert table.show(die(6), LIE[1]).state == "rolling"
    assert table.show(die(6), LIE[1], frames=FRAMES - 1).values == (("black", 2), ("yellow", 6))


def test_a_frame_in_which_something_moves_starts_anew(table):
    table.show(*LIE, frames=FRAMES - 1)
    table.show(*LIE, still=False)
    assert table.show(*LIE, frames=FRAMES - 1).state == "rolling"


def test_dice_that_creep_are_rolling(table):
    for step in range(10):
        assert table.show(die(5, x=3.0 * step), LIE[1]).state == "rolling"


def test_dice_that_never_rest_are_thrown_again(table):
    frames = int(ENDLESS / PERIOD) + 3
    for step in range(frames):
        throw = table.show(die(5, x=step % 2 * 9.0), LIE[1])
    assert (throw.state, throw.reason) == ("re-roll", "moving")
    assert throw.verdict == "re-roll: the dice do not come to rest"


@pytest.mark.parametrize("why", [why for why in REROLL if why != "moving"])
def test_a_die_without_a_value_is_thrown_again_for_its_reason(table, why):
    assert table.show(LIE[0], die(None, why=why), frames=FRAMES - 1).state == "rolling"
    throw = table.show(LIE[0], die(None, why=why))
    assert (throw.state, throw.reason) == ("re-roll", why)
    assert throw.verdict == f"re-roll: {REASONS[why]}"


def test_a_die_that_cannot_be_read_is_asked_about(table):
    throw = table.show(LIE[0], die(3, tray="black", why="unclear"), frames=FRAMES)
    assert (throw.state, throw.reason) == ("ask", "unclear")


def test_picking_up_is_no_throw(table):
    table.show(*LIE, frames=FRAMES)
    assert table.show(LIE[0], frames=FRAMES).state == "waiting"
    assert table.show(frames=FRAMES).state == "waiting"


def test_picking_up_before_it_settles_is_no_throw(table):
    table.show(*LIE, frames=FRAMES - 1)
    assert table.show(frames=5).state == "waiting"


def test_the_next_throw_may_show_the_same(table):
    first = table.show(*LIE, frames=FRAMES)
    table.show(frames=2)
    assert table.show(*LIE, frames=FRAMES) == first


def test_one_die_too_many_is_asked_about(table):
    throw = table.show(*LIE, die(1, x=40.0), frames=FRAMES)
    assert (throw.state, throw.reason) == ("ask", "too-many")


def test_beads_and_coins_are_no_dice(table):
    bead = die(None, x=30.0, why="not-a-die")
    assert table.show(*LIE, bead, frames=FRAMES).state == "thrown"


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()), max_size=30))
def test_no_value_without_three_equal_still_frames_before_it(frames):
    table, history = Table(), []
    for one, two, still in frames:
        throw = table.show(die(one), die(two, tray="black"), still=still)
        history.append((one, two, still))
        if throw.state == "thrown":
            assert throw.values == (("black", two), ("yellow", one))
            assert history[-FRAMES:] == [(one, two, True)] * FRAMES
