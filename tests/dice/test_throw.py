"""Which dice have been thrown: scripts of hands and dice over a mat, a comment an action."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import (
    BLIND,
    ENDLESS,
    FRAMES,
    NUDGED,
    VOID,
    Lying,
    Mat,
    MatLook,
    Rest,
    follow,
    rest,
    void_reason,
)

PERIOD = 0.1  # s between two frames


def die(value, x=0.0, tray="yellow", why=None):
    middle = -80.0 if tray == "yellow" else 80.0
    shown = value if why in (None, "unclear") else None
    return SeenDie(shown, why is None, 0.99, (x, 0, 20, 20), tray, why, (middle + x, 0.0))


FIVE, TWO = die(5), die(2, tray="black")


class Table:
    """A mat in virtual time. Dice that rest are judged as soon as they do."""

    def __init__(self):
        self.mat, self.time = Mat(watched=True), 0.0
        self.thrown = []

    def show(self, *dice, frames=1, **more) -> Mat:
        for _ in range(frames):
            self.time += PERIOD
            self.mat = follow(self.mat, MatLook(self.time, "", dice, **more))
        return self.mat

    def rests(self, *dice) -> Rest:
        """The dice lie still, three frames agree, and they are judged."""
        self.show(*dice, frames=FRAMES)
        assert self.mat.settled
        found = rest(self.mat)
        self.thrown += [(d.tray, d.value) for d in found.new]
        self.mat = self.mat.remember((*found.lying, *map(Lying.of, found.new)))
        return found

    def hand(self, *dice, frames=2) -> Mat:
        return self.show(*dice, frames=frames, hand=True, still=False)


@pytest.fixture
def table():
    return Table()


def test_three_still_frames_that_agree_settle_a_throw(table):
    assert not table.show(FIVE, TWO, frames=FRAMES - 1).settled
    assert table.show(FIVE, TWO).settled
    assert rest(table.mat).new == (FIVE, TWO)


def test_how_many_rolled_is_remembered_until_they_are_judged(table):
    table.rests(FIVE)
    table.show(FIVE, TWO, die(None, 30.0, why="moving"), still=False)
    table.show(FIVE, TWO, frames=FRAMES)
    assert table.mat.rolled == 2
    table.rests(FIVE, TWO)
    assert table.mat.rolled == 0


def test_dice_that_lie_on_are_no_new_throw(table):
    table.rests(FIVE, TWO)
    assert table.show(FIVE, TWO, frames=20).judged
    # A hand passes over the mat.
    table.hand(FIVE)
    assert table.rests(FIVE, TWO).new == ()


def test_frames_that_disagree_start_anew(table):
    table.show(FIVE, TWO, frames=FRAMES - 1)
    assert not table.show(die(6), TWO).settled
    assert not table.show(die(6), TWO, frames=FRAMES - 2).settled
    assert table.show(die(6), TWO).settled


def test_nothing_settles_under_a_hand_or_while_something_moves(table):
    assert not table.show(FIVE, frames=9, hand=True).settled
    assert not table.show(FIVE, frames=9, still=False).settled


def test_dice_that_creep_do_not_settle_and_are_restless_after_a_while(table):
    for step in range(int(ENDLESS / PERIOD) + 3):
        assert not table.show(die(5, x=step % 2 * 9.0)).settled
    assert table.mat.restless(table.time)


def test_a_hand_that_rests_on_the_mat_is_not_restless(table):
    table.show(FIVE, frames=int(ENDLESS / PERIOD) + 9, hand=True)
    assert not table.mat.restless(table.time)


def test_one_die_after_the_other(table):
    assert table.rests(FIVE).new == (FIVE,)
    # The second is thrown beside the first, which lies on.
    table.show(FIVE, TWO, still=False)
    assert table.rests(FIVE, TWO).new == (TWO,)


def test_a_die_that_is_picked_up_and_thrown_is_a_throw(table):
    table.rests(FIVE)
    table.hand()
    table.rests()  # seen not to lie there
    table.show(die(5, x=30.0), still=False)
    found = table.rests(die(5, x=33.0))
    assert (len(found.new), found.unexplained) == (1, False)


def test_a_die_that_comes_back_to_where_it_lay_and_shows_the_same_was_only_hidden(table):
    table.rests(FIVE)
    table.rests()  # a hand holds so still that three frames agree, and it is not seen as one
    assert table.rests(FIVE).new == ()


def test_the_places_of_the_last_two_dice_that_were_taken_are_remembered(table):
    first, second = die(5), die(2, x=30.0)
    for one in (first, second):
        table.rests(one)
        table.rests()  # taken away
    # Both were only hidden: neither is thrown anew.
    assert table.rests(first, second).new == ()


def test_the_place_of_a_die_that_was_taken_before_the_last_two_is_free_again(table):
    first = die(5)
    for one in (first, die(2, x=30.0), die(4, x=60.0)):
        table.rests(one)
        table.rests()  # taken away
    assert table.rests(first).new == (first,)


def test_a_nudge_is_no_throw(table):
    table.rests(FIVE)
    found = table.rests(die(5, x=NUDGED - 1))
    assert (found.new, found.touched) == ((), True)


def test_a_die_that_is_turned_over_where_it_lies_is_no_throw(table):
    table.rests(FIVE)
    found = table.rests(die(6))
    assert (found.new, found.touched) == ((), True)


def test_a_die_that_lies_elsewhere_and_was_not_seen_to_go_is_unexplained(table):
    table.rests(FIVE)
    table.hand()
    found = table.rests(die(3, x=30.0))
    assert (len(found.new), found.unexplained) == (1, True)


def test_a_die_that_knocks_another_leaves_two_unexplained(table):
    table.rests(FIVE)
    # The second pushes the first across its tray.
    found = table.rests(die(5, x=25.0), die(2, x=-30.0))
    assert (len(found.new), found.unexplained) == (2, True)


def test_a_void_die_stays_void_when_it_is_pushed_flat(table):
    leaning = die(None, why="cocked")
    table.show(leaning, frames=FRAMES)
    table.mat = table.mat.remember((Lying.of(leaning, "cocked"),))
    found = table.rests(die(4, x=5.0))
    assert found.new == ()
    assert [d.void for d in found.lying] == ["cocked"]


def test_beads_and_coins_are_no_dice(table):
    assert table.rests(die(None, why="not-a-die")).new == ()


def test_a_hand_that_comes_before_the_dice_rest_is_noticed(table):
    table.hand()
    assert not table.show(FIVE, still=False).reached  # it rolls
    assert table.hand(FIVE).reached
    assert table.show(FIVE, frames=FRAMES).reached


def test_the_hand_that_throws_is_not_taken_for_one_that_reaches_in(table):
    table.hand(FIVE, frames=3)
    assert not table.show(FIVE, frames=FRAMES).reached


def test_a_mat_that_is_long_out_of_view_is_not_watched(table):
    table.rests(FIVE)
    table.show(in_view=False, frames=int(BLIND / PERIOD))
    assert table.mat.watched
    table.show(in_view=False, frames=3)
    assert not table.mat.watched
    assert table.mat.gone(table.time)


def test_a_mat_of_which_no_frame_came_for_long_was_not_watched(table):
    table.rests(FIVE)
    table.time += BLIND + 1.0  # the camera was unplugged
    assert not table.show(FIVE).watched
    assert not table.mat.judged


@pytest.mark.parametrize("why", VOID)
def test_what_lies_badly_is_void_for_its_reason(why):
    assert void_reason(die(None, why=why)) == why


def test_what_cannot_be_read_is_not_void(table):
    assert void_reason(die(4, why="unclear")) == ""
    assert void_reason(die(None, why="cut-off")) == ""
    assert void_reason(replace(die(None, why="cut-off"), tray=None)) == "off-tray"


@settings(deadline=None)  # cores are shared
@given(st.integers(0, 2**32))
def test_dice_that_nobody_throws_make_no_throw(seed):
    """Whatever is hidden, uncovered, nudged or turned, what is new is unexplained or nothing."""
    rng = random.Random(seed)
    table = Table()
    table.rests(FIVE, TWO)
    dice = [FIVE, TWO]
    for _ in range(12):
        match rng.randrange(4):
            case 0:  # a hand hovers
                table.hand(*rng.sample(dice, rng.randrange(3)))
            case 1:  # a die slides a little
                dice[0] = replace(dice[0], place=(dice[0].place[0] + rng.uniform(-3, 3), 0.0))
            case 2:  # the nets lose one for a frame or two
                table.show(dice[0], frames=rng.randrange(1, FRAMES))
            case 3:
                found = table.rests(*dice)
                assert not found.new or found.unexplained


def test_looks_and_dice_have_records_that_read_back():
    look = MatLook(1.5, "0007", (FIVE, die(None, why="rim")), still=False)
    assert MatLook.from_record(json.loads(json.dumps(look.record()))) == look
    lying = Lying((1.5, -2.0), "black", 3, "cocked", True)
    assert Lying.from_record(json.loads(json.dumps(lying.record()))) == lying


@pytest.mark.parametrize("record", [{}, {"time": "x"}, {"time": 1, "image": "", "dice": [3]}])
def test_a_damaged_record_is_a_value_error(record):
    with pytest.raises(ValueError, match="look at the mat"):
        MatLook.from_record(record)


def test_the_journal_keeps_how_large_the_dice_are():
    mat = follow(Mat(), MatLook(0.0, "0001", (die(4),), die=18.4))
    assert Mat.from_record(mat.remember(()).record()).die == 18.4
    assert Mat.from_record(Mat().record()).die is None
    assert follow(mat, MatLook(0.2, "0002", (die(4),))).die == 18.4


def test_a_die_that_lay_under_another_counts_once_that_one_is_thrown_again():
    pile, under = die(None, why="cocked", x=10.0), die(3, x=11.0)
    again = die(5, x=50.0)
    mat = Mat(last=(pile,), agreed=3).remember((Lying.of(pile, "cocked"),))
    assert not rest(mat._replace(last=(under,))).new
    found = rest(mat._replace(last=(under, again)))
    assert {(new.value, new.middle) for new in found.new} == {(3, (-69.0, 0.0)), (5, (-30.0, 0.0))}
    assert not found.unexplained
    assert not [one for one in found.lying if not one.away]


def test_a_cocked_die_that_nobody_took_up_counts_no_more_than_before():
    cocked = die(None, why="cocked", x=10.0)
    mat = Mat().remember((Lying.of(cocked, "cocked"),))
    found = rest(mat._replace(last=(cocked, die(5, x=50.0))))
    assert [new.value for new in found.new] == [5]


def test_a_die_that_came_to_lie_on_another_is_thrown_again_and_the_lower_one_counts():
    lower, pile = die(3, x=10.0), die(None, why="cocked", x=11.0)
    mat = Mat().remember((Lying.of(lower),))
    rolling = follow(mat, MatLook(0.0, "1", (lower, die(5, x=40.0)), still=False))
    found = rest(rolling._replace(last=(pile,)))
    assert found.new == (pile,)
    assert [one.value for one in found.lying] == [3]
    assert not found.touched
