"""Throws at the table: a script of what hands and dice do, a comment an action."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableref.referee.inputs import Act, CameraTrouble, MatSeen, TrayChosen, read_input
from tableref.referee.table import Phase
from tableref_vision.dice.seen import SeenDie
from tableref_vision.dice.throw import BLIND, ENDLESS, FRAMES, MatLook
from tests.referee.matplay import FOUR, PERIOD, REFEREE, MatPlay, lies


def position(turn: int = 0, **scorpions: list[str]) -> dict[str, object]:
    """Everybody has had his first turn; scorpions that are not named are in hand."""
    hands = {colour: ["hand"] * 4 for colour in ("blue", "red", "green", "white")}
    for colour, cells in scorpions.items():
        hands[colour] = ["hand"] * (4 - len(cells)) + cells
    return {"scorpions": hands, "opened": [True] * 4, "turn": turn}


@pytest.fixture
def fresh() -> MatPlay:
    """Four players, nothing on the track, blue to throw."""
    play = MatPlay()
    play.told()
    return play


# -- two dice of a turn -------------------------------------------------------------------------


def test_two_dice_thrown_together_are_two_throws(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3), lies("yellow", 4, (30.0, 0.0)))
    assert fresh.told() == ["y3", "y4"]
    assert fresh.facts["throws"] == 0


def test_dice_may_be_thrown_one_after_the_other_on_two_trays() -> None:
    play = MatPlay(position=position(blue=["Y3", "K5"]))
    play.throw(lies("yellow", 3))
    assert play.told() == ["y3"]
    # He has seen the first die, and throws the second on black (SC-2.2).
    play.throw(lies("black", 2))
    assert play.told() == ["k2"]


def test_a_throw_counts_once_however_long_it_lies(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    fresh.look(40)
    # A hand passes over it, then holds so still that it is not seen as one.
    fresh.hand().look(4, dice=()).look(4)
    assert fresh.told() == ["y3"]
    assert fresh.facts["throws"] == 1


def test_what_is_thrown_is_told_only_when_it_rests(fresh: MatPlay) -> None:
    fresh.hand()
    # It rolls, over a five and a two.
    fresh.look(1, dice=(lies("yellow", 5, (-20.0, 0.0)),), still=False)
    fresh.look(1, dice=(lies("yellow", 2, (0.0, 9.0)),), still=False)
    fresh.look(FRAMES - 1, dice=(lies("yellow", 6, (20.0, 9.0)),))
    assert fresh.told() == []
    fresh.look(1, dice=(lies("yellow", 6, (20.0, 9.0)),))
    assert fresh.told() == ["y6"]


def test_the_next_player_picks_the_dice_up_and_throws(fresh: MatPlay) -> None:
    # Blue's first turn is lost on black (SC-2.4), which ends by itself; red throws.
    fresh.throw(lies("black", 3), lies("black", 4, (30.0, 0.0)))
    assert fresh.told() == ["k3", "k4", "."]
    fresh.pick_up()
    fresh.throw(lies("yellow", 1), lies("yellow", 1, (30.0, 0.0)))
    assert fresh.told() == ["y1", "y1"]


# -- thrown again, alone ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("why", "tray", "words"),
    [
        ("cocked", "yellow", "leans"),
        ("rim", "yellow", "rim"),
        ("off-tray", None, "outside"),
    ],
)
def test_a_die_that_lies_badly_is_thrown_again_alone(
    fresh: MatPlay, why: str, tray: str | None, words: str
) -> None:
    bad = lies(tray, None, (40.0, 40.0), why)
    fresh.throw(lies("yellow", 3), bad)
    # The good one counts, the other is named with its paragraph.
    assert fresh.told() == ["y3", "! HR-3.2"]
    assert fresh.state.phase is Phase.REFUSED
    assert fresh.state.trouble is not None
    assert fresh.state.trouble.reasons[0].case == why
    # He picks it up and throws it again; the other lies on.
    fresh.pick_up(bad)
    assert fresh.state.phase is Phase.WAITING
    fresh.throw(lies("yellow", 2, (-30.0, 10.0)))
    assert fresh.told() == ["y2"]


def test_a_leaning_die_that_is_pushed_flat_does_not_count(fresh: MatPlay) -> None:
    leaning = lies("yellow", None, (40.0, 40.0), "cocked")
    fresh.throw(leaning)
    fresh.hand()
    fresh.dice = [lies("yellow", 6, (43.0, 42.0))]
    fresh.look()
    assert fresh.told() == ["! HR-3.2"]
    assert fresh.facts["throws"] == 2


def test_it_may_lean_again(fresh: MatPlay) -> None:
    for _ in range(2):
        leaning = lies("yellow", None, (40.0, 40.0), "cocked")
        fresh.throw(leaning)
        assert fresh.told() == ["! HR-3.2"]
        fresh.pick_up(leaning)
    fresh.throw(lies("yellow", 6))
    assert fresh.told() == ["y6"]


def test_a_tower_is_thrown_again_and_its_lower_die_counts(fresh: MatPlay) -> None:
    # The second die lies on the first: only the upper one is seen, and it is void.
    upper = lies("yellow", None, (0.0, 0.0), "cocked")
    fresh.throw(upper)
    fresh.pick_up(upper)
    fresh.dice = [lies("yellow", 5, (0.0, 5.0))]
    fresh.look()
    assert fresh.told() == ["! HR-3.2", "y5"]


def rolls_two_and_shows_one(fresh: MatPlay, shown: SeenDie) -> None:
    """Two dice roll apart from each other; then one is seen."""
    fresh.hand()
    apart = (lies("yellow", None, (-20.0, 0.0), "moving"), lies("yellow", 3, (15.0, 9.0)))
    fresh.look(2, dice=apart, still=False)
    fresh.dice = [shown]
    fresh.look()


def test_fewer_dice_at_rest_than_rolled_are_asked_about(fresh: MatPlay) -> None:
    # One lies on the other, and is taken for a larger die that lies flat.
    rolls_two_and_shows_one(fresh, lies("yellow", 4))
    assert fresh.told() == ["? fewer"]
    fresh.choose(1)
    assert fresh.told() == ["! HR-3.2"]
    fresh.pick_up()
    fresh.dice = [lies("yellow", 5, (0.0, 5.0))]
    fresh.look()
    assert fresh.told() == ["y5"]


def test_of_dice_that_rolled_what_lies_alone_counts_when_people_say_so(fresh: MatPlay) -> None:
    rolls_two_and_shows_one(fresh, lies("yellow", 4))
    fresh.choose(0)
    assert fresh.told() == ["? fewer", "y4"]
    assert fresh.look(20).told() == []
    fresh.hand(dice=fresh.dice)
    fresh.throw(lies("yellow", 2, (30.0, 20.0)))
    assert fresh.told() == ["y2"]


def test_a_pile_that_is_seen_as_one_needs_no_question(fresh: MatPlay) -> None:
    rolls_two_and_shows_one(fresh, lies("yellow", None, why="cocked"))
    assert fresh.told() == ["! HR-3.2"]


def test_a_hand_before_fewer_dice_rest_is_asked_about_and_then_the_pile(fresh: MatPlay) -> None:
    fresh.hand()
    apart = (lies("yellow", 1, (-20.0, 0.0)), lies("yellow", 3, (15.0, 9.0)))
    fresh.look(2, dice=apart, still=False).hand(dice=apart)
    fresh.dice = [lies("yellow", 4)]
    fresh.look().choose(0)
    assert fresh.told() == ["? reached", "? fewer"]
    fresh.choose(0)
    assert fresh.told() == ["y4"]


def test_dice_that_do_not_come_to_rest_are_asked_about(fresh: MatPlay) -> None:
    for step in range(int(ENDLESS / PERIOD) + 2):
        fresh.look(1, dice=(lies("yellow", 5, (step % 2 * 9.0, 0.0)),), still=False)
    assert fresh.told() == ["? restless"]


def test_a_hand_that_comes_before_the_die_rests_is_asked_about(fresh: MatPlay) -> None:
    rolling = lies("yellow", 5, (10.0, 0.0))
    fresh.hand().look(1, dice=(rolling,), still=False)
    # A hand reaches in and stops it.
    fresh.hand(dice=(rolling,))
    fresh.dice = [lies("yellow", 6, (12.0, 4.0))]
    fresh.look()
    assert fresh.told() == ["? reached"]
    # It was touched: HR-3.2.
    fresh.choose(1)
    assert fresh.told() == ["! HR-3.2"]
    fresh.pick_up()
    fresh.throw(lies("yellow", 1))
    assert fresh.told() == ["y1"]


def test_dice_that_were_left_alone_count_when_the_players_say_so(fresh: MatPlay) -> None:
    rolling = lies("yellow", 5, (10.0, 0.0))
    fresh.hand().look(1, dice=(rolling,), still=False).hand(dice=(rolling,))
    fresh.dice = [lies("yellow", 5, (12.0, 4.0))]
    fresh.look().choose(0)
    assert fresh.told() == ["? reached", "y5"]
    assert fresh.look(20).told() == []


# -- trays --------------------------------------------------------------------------------------


def test_a_tray_that_was_chosen_holds_for_the_next_throw(fresh: MatPlay) -> None:
    # OK on the page of the yellow tray, then the die jumps into the black one.
    fresh.choose(0)
    assert fresh.state.tray == "yellow"
    fresh.throw(lies("black", 3))
    assert fresh.told() == ["! HR-3.2"]
    assert fresh.state.trouble is not None
    assert fresh.state.trouble.reasons[0].case == "other-tray"
    fresh.pick_up()
    fresh.throw(lies("yellow", 3))
    assert fresh.told() == ["y3"]
    # The second die's tray is free again.
    fresh.throw(lies("black", 2))
    assert fresh.told()[0] == "k2"


def test_a_tray_that_no_rule_knows_is_not_chosen(fresh: MatPlay) -> None:
    fresh.give(TrayChosen(fresh.time, "green"))
    assert fresh.told() == ["? unreadable"]


def stung() -> MatPlay:
    """Blue has stung red on Y5 and owes an extra die on yellow."""
    play = MatPlay(position=position(blue=["Y2"], red=["Y5"]))
    play.throw(lies("yellow", 3), lies("yellow", 6, (30.0, 0.0)))
    # Blue is lifted off Y2 and set on Y5, where the magnet of red is felt already.
    play.lift("Y2").wait()
    play.choose(0)
    assert play.told() == ["y3", "y6", "? confirm", "bY2+3"]
    return play


def test_an_extra_die_after_a_sting_moves_the_same_scorpion() -> None:
    play = stung()
    play.pick_up(play.dice[0])
    play.throw(lies("yellow", 4, (0.0, -30.0)))
    assert play.told() == ["y4"]
    assert play.facts["attacker"] == {"colour": "blue", "cell": "Y5", "die": 4}


def test_an_extra_die_on_the_wrong_tray_is_thrown_again() -> None:
    play = stung()
    thrown = lies("black", 4, (0.0, -30.0))
    play.pick_up(play.dice[0])
    play.throw(thrown)
    assert play.told() == ["! SC-3.4"]
    play.pick_up(thrown)
    play.throw(lies("yellow", 4, (0.0, -30.0)))
    assert play.told() == ["y4"]


def test_two_dice_where_one_is_due_are_both_thrown_again() -> None:
    play = stung()
    play.pick_up()
    play.throw(lies("yellow", 4), lies("yellow", 2, (30.0, 0.0)))
    assert play.told() == ["? too-many"]
    play.pick_up()
    play.throw(lies("yellow", 2))
    assert play.told() == ["y2"]


# -- what is no throw ---------------------------------------------------------------------------


def test_a_die_picked_up_after_it_was_read_is_no_throw(fresh: MatPlay) -> None:
    first = lies("yellow", 3)
    fresh.throw(first)
    fresh.pick_up(first)
    assert fresh.told() == ["y3"]
    assert fresh.facts["throws"] == 1


def test_a_die_turned_or_nudged_after_it_was_read_keeps_what_was_read(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    # A sleeve turns it over where it lies, then pushes it 6 mm.
    fresh.hand()
    fresh.dice = [lies("yellow", 6)]
    fresh.look()
    fresh.dice = [lies("yellow", 6, (6.0, 0.0))]
    fresh.look()
    assert fresh.told() == ["y3", "die-touched", "die-touched"]
    assert fresh.facts["dice"] == [{"tray": "yellow", "value": 3}]


def test_a_die_that_knocks_the_first_one_is_asked_about(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    fresh.hand()
    # The second pushes the first across the tray, where it shows a five.
    fresh.dice = [lies("yellow", 5, (35.0, 0.0)), lies("yellow", 2, (-20.0, 0.0))]
    fresh.look()
    assert fresh.told() == ["y3", "? thrown"]


def test_a_die_moved_far_while_it_was_hidden_is_asked_about(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3))
    fresh.hand(8)
    fresh.dice = [lies("yellow", 1, (40.0, 0.0))]
    fresh.look()
    assert fresh.told() == ["y3", "? thrown"]
    # It was only moved. The second die is still owed.
    fresh.choose(1)
    assert fresh.facts["throws"] == 1
    fresh.throw(lies("yellow", 4, (-20.0, 0.0)))
    assert fresh.told() == ["y4"]


def test_dice_that_lay_there_before_anybody_looked_are_asked_about() -> None:
    play = MatPlay()
    play.state = play.state._replace(mat=play.state.mat._replace(watched=False))
    play.dice = [lies("yellow", 3)]
    play.look()
    assert play.told()[-1] == "? thrown"


def test_dice_thrown_while_the_mat_was_out_of_view_are_asked_about(fresh: MatPlay) -> None:
    fresh.look(int(BLIND / PERIOD) + 2, in_view=False)
    assert fresh.told() == ["? no-mat"]
    fresh.dice = [lies("yellow", 3), lies("yellow", 5, (30.0, 0.0))]
    fresh.look()
    assert fresh.told() == ["? thrown"]
    fresh.choose(0)
    assert fresh.told() == ["y3", "y5"]


def test_dice_thrown_while_the_camera_was_away_are_asked_about(fresh: MatPlay) -> None:
    fresh.give(CameraTrouble(fresh.time, "unplugged."))
    fresh.time += 20.0
    fresh.dice = [lies("yellow", 3)]
    fresh.look()
    assert fresh.told() == ["? camera", "? thrown"]


def test_dice_thrown_out_of_turn_do_not_count(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 3), lies("yellow", 4, (30.0, 0.0)))
    # Before blue has entered somebody throws again.
    fresh.pick_up()
    fresh.throw(lies("yellow", 6))
    assert fresh.told() == ["y3", "y4", "! SC-2.2"]
    # Blue enters on Y7. The six still lies there and is no throw of red's.
    fresh.move("", "Y7").choose(0)
    fresh.look(20)
    assert "y6" not in fresh.told()


def test_the_next_players_throw_ends_a_turn_in_which_something_was_moved() -> None:
    """Blue has a six left, and says nothing."""
    scorpions = {colour: ["hand"] * 4 for colour in ("red", "green", "white")}
    scorpions["blue"] = ["Y3", "hand", "hand", "hand"]
    play = MatPlay(position={"scorpions": scorpions, "turn": 0, "mover": 0})
    play.throw(lies("yellow", 3), lies("yellow", 6, (30.0, 0.0)))
    play.move("Y3", "Y6").choose(0)
    assert play.told()[-1] == "bY3+3"
    play.pick_up()
    play.throw(lies("yellow", 6))
    assert play.told() == [".", "y6"]
    assert play.facts["turn"] == 1


def test_beads_and_coins_are_no_throw(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", None, (0.0, 0.0), "not-a-die"))
    assert fresh.told() == []


# -- what cannot be read ------------------------------------------------------------------------


def test_a_die_that_cannot_be_read_is_asked_about_and_told_by_the_players(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"), lies("yellow", 2, (30.0, 0.0)))
    assert fresh.told() == ["y2", "? die"]
    assert fresh.state.ask is not None
    assert len(fresh.state.ask.answers) == 6
    # The third page: it shows a three. It lies on, and counts once.
    fresh.choose(2)
    fresh.look(30)
    assert fresh.told() == ["y3", "asks-more"]


def test_two_dice_that_cannot_be_read_are_asked_about_one_by_one(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"), lies("yellow", 2, (30.0, 0.0), "unclear"))
    fresh.choose(3)
    fresh.look()
    fresh.choose(1)
    fresh.look()
    assert fresh.told() == ["? die", "y4", "? die", "y2"]


def test_a_die_that_is_read_after_all_needs_no_answer(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    # The light is better now.
    fresh.dice = [lies("yellow", 4)]
    fresh.look()
    assert fresh.told() == ["? die", "y4"]


def test_a_throw_that_is_entered_does_not_count_again_when_it_is_seen(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", 4, why="unclear"))
    fresh.enter("y4")
    fresh.dice = [lies("yellow", 4)]
    fresh.look(10)
    assert fresh.told() == ["? die", "y4"]
    assert fresh.facts["throws"] == 1


def test_a_throw_that_is_entered_before_it_is_seen_makes_the_referee_ask(fresh: MatPlay) -> None:
    fresh.enter("y4")
    fresh.throw(lies("yellow", 4))
    assert fresh.told() == ["y4", "? thrown"]


def test_an_answer_that_is_none_is_said(fresh: MatPlay) -> None:
    fresh.choose(7)
    assert fresh.told() == ["no-such-choice"]


# -- invariants, recordings ---------------------------------------------------------------------


def test_what_the_referee_saw_of_dice_can_be_recorded(fresh: MatPlay) -> None:
    fresh.throw(lies("yellow", None, (40.0, 0.0), "rim"), lies("black", 3))
    fresh.give(TrayChosen(fresh.time, "yellow"))
    for given_ in fresh.inputs:
        assert read_input(json.loads(json.dumps(given_.record()))) == given_


@settings(deadline=None)  # cores are shared
@given(st.integers(0, 2**32))
def test_no_throw_is_invented_or_counted_twice(seed: int) -> None:
    """People throw, hover, nudge, turn and pick up at random. What counts was thrown, once."""
    rng = random.Random(seed)
    play = MatPlay(FOUR, position(blue=["Y3"]))
    play.told()
    thrown: list[str] = []
    for _ in range(6):
        match rng.randrange(5):
            case 0 if play.facts["throws"] and len(play.dice) < 2:
                tray, value = rng.choice(("yellow", "black")), rng.randint(1, 6)
                thrown.append(f"{tray[0] if tray == 'yellow' else 'k'}{value}")
                spot = (rng.uniform(-45, 45), rng.uniform(-45, 45))
                play.throw(lies(tray, value, spot))
            case 1:
                play.hand(
                    rng.randrange(1, 5), rng.sample(play.dice, rng.randrange(len(play.dice) + 1))
                )
            case 2 if play.dice:
                play.pick_up(rng.choice(play.dice))
            case 3 if play.dice:  # a sleeve turns one over or pushes it
                number = rng.randrange(len(play.dice))
                tray = play.dice[number].tray
                spot = (rng.uniform(-45, 45), rng.uniform(-45, 45))
                play.dice[number] = lies(tray, rng.randint(1, 6), spot)
                play.hand()
            case _:
                play.look(rng.randrange(1, 6))
        if play.state.ask is not None and play.state.ask.key in ("thrown", "reached"):
            play.choose(1)
    counted = [word for word in play.told() if word[0] in "yk"]
    assert len(counted) <= len(thrown)
    left = list(thrown)
    for word in counted:
        assert word in left, (counted, thrown)
        left.remove(word)


def test_an_entered_throw_that_may_not_be_is_refused(fresh: MatPlay) -> None:
    play = stung()
    play.give(Act(play.time, {"throw": {"tray": "black", "value": 3}}))
    assert play.told() == ["! SC-3.4"]


def test_a_mat_that_is_seen_is_an_input_of_no_other_game() -> None:
    from tests.referee.conftest import Play

    play = Play({"players": 8}, [])
    assert not play.give(MatSeen(MatLook(0.0, "0001", (lies("yellow", 3),)))).rows
    assert REFEREE.board.game == "scorpion"
