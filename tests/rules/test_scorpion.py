"""Scorpion, paragraph by paragraph."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.harness import stated
from tests.rules.scorpions import SCORPION as GAME

from tableref.rules.pieces import texts
from tableref.rules.scorpion import EndTurn, Move, Scorpion, Throw, layout_from
from tableref.rules.surface import (
    AmbiguousAction,
    Refused,
    SetupError,
    UnreadableAction,
)

END = EndTurn()


def position(setup: dict[str, Any] | None = None, **scorpions: list[str]) -> Any:
    """Four players, all with their first turn behind them; who is not named has all in hand."""
    setup = {"players": 4} | (setup or {})
    placed = {name: cells + ["hand"] * (4 - len(cells)) for name, cells in scorpions.items()}
    opened = [True] * setup["players"]
    return GAME.from_position(setup, {"scorpions": placed, "opened": opened})


def thrown(state: Any, *dice: str) -> Any:
    """After these throws: `y4` on yellow, `k2` on black."""
    for die in dice:
        state, _ = GAME.apply(state, GAME.parse(state, die))
    return state


def played(state: Any, *texts: str) -> Any:
    """After these actions."""
    for text in texts:
        state, _ = GAME.apply(state, GAME.parse(state, text))
    return state


def refused(state: Any, text: str, player: int | None = None) -> list[str]:
    """The cases that speak against this action."""
    return [fact.case for fact in GAME.judge(state, GAME.parse(state, text), player).broken]


def events(state: Any, text: str) -> list[str]:
    """What this action does, in lines."""
    return [stated(fact) for fact in GAME.apply(state, GAME.parse(state, text))[1]]


# -- throwing and whose turn it is ----------------------------------------------------------------


def test_sc_2_0_the_turn_goes_round_clockwise_and_begins_with_the_first_player() -> None:
    state, seen = position(), []
    for _ in range(5):
        seen.append(GAME.due(state).players)
        state = played(state, "y1", "y1", ".")
    assert seen == [(0,), (1,), (2,), (3,), (0,)]


def test_sc_2_0_nobody_acts_out_of_turn_or_for_others() -> None:
    state = thrown(position(red=["Y3"]), "y1", "y2")
    assert refused(state, "rY3+1") == ["not-your-colour"]
    assert refused(state, "rY3+1", player=1) == ["not-your-turn"]
    assert refused(state, "bY3+1") == ["nobody-there"]


def test_sc_2_2_both_dice_are_thrown_before_a_scorpion_moves() -> None:
    state = thrown(position(), "y4")
    assert refused(state, "bH+4") == ["throw-first"]
    assert refused(state, ".") == ["throw-first"]
    assert refused(thrown(state, "k1"), "y3") == ["thrown"]


def test_sc_2_2_any_tray_and_number_is_legal_while_a_throw_is_due() -> None:
    assert len(list(GAME.legal(position()))) == 12
    assert GAME.due(position()).kind == "throw"


def test_sc_2_1_a_die_moves_what_stands_on_the_colour_of_its_tray() -> None:
    state = thrown(position(blue=["Y5", "K3"]), "y4", "k2")
    assert refused(state, "bK3+4") == ["yellow-die-on-black"]
    assert refused(state, "bY5+2") == ["black-die-on-yellow"]
    assert refused(state, "bH+2") == ["black-die-on-yellow"]
    assert refused(state, "bY5+3") == ["no-die"]
    board = texts(GAME.board(played(state, "bY5+4", "bK3+2")))
    assert board == {"Y9": "blue", "K5": "blue"}


def test_sc_2_3_what_can_move_nothing_is_lost_and_is_told_from_what_is_given_up() -> None:
    state = thrown(position(), "y4", "k2")
    assert events(state, ".")[:2] == [
        "SC-2.5 given-up-die who=blue what=yellow amount=4",
        "SC-2.3 die-lost who=blue what=black amount=2",
    ]
    assert events(thrown(position(), "k4", "k2"), ".")[0] == "SC-2.3 turn-lost who=blue"


def test_sc_2_3_a_scorpion_sent_to_black_by_the_first_die_may_use_a_black_second() -> None:
    state = played(position(blue=["Y8", "Y10"]), "y2", "k4", "bY8+2x", "y1", "bY10+1")
    assert texts(GAME.board(state)) == {"Y11": "blue", "K11": "blue"}
    assert not refused(state, "bK11+4")


def test_sc_2_4_the_first_turn_brings_in_a_scorpion_by_the_sum_of_two_yellow_dice() -> None:
    state = thrown(GAME.start({"players": 3}), "y3", "y2")
    assert list(GAME.legal(state)) == [Move("blue", "hand", 5)]
    assert refused(state, "bH+3") == ["first-adds-both"]
    assert refused(state, ".") == ["entry-owed"]
    assert texts(GAME.board(played(state, "bH+5", "."))) == {"Y5": "blue"}


@pytest.mark.parametrize("dice", [("k3", "k2"), ("y3", "k2"), ("k3", "y2")])
def test_sc_2_4_on_black_the_first_turn_is_lost_and_the_entry_still_owed(
    dice: tuple[str, str],
) -> None:
    state = thrown(GAME.start({"players": 2}), *dice)
    assert refused(state, "bH+3") == ["first-on-black"]
    assert events(state, ".")[0] == "SC-2.4 entry-lost who=blue/green"
    again = thrown(played(state, ".", "y1", "y1", "rH+2", "."), "y6", "y6")
    assert list(GAME.legal(again)) == [Move("blue", "hand", 12), Move("green", "hand", 12)]


def test_sc_2_5_dice_on_one_tray_may_be_added_on_two_they_may_not() -> None:
    one_tray = thrown(position(blue=["Y5"]), "y4", "y2")
    assert texts(GAME.board(played(one_tray, "bY5+6"))) == {"Y11": "blue"}
    two_trays = thrown(position(blue=["Y5"]), "y4", "k2")
    assert refused(two_trays, "bY5+6") == ["trays-differ"]


def test_sc_2_5_two_dice_move_two_different_scorpions() -> None:
    state = played(thrown(position(blue=["Y5", "Y1"]), "y4", "y2"), "bY5+4")
    assert refused(state, "bY9+2") == ["same-scorpion"]
    assert refused(state, "bY1+4") == ["die-used"]
    assert not refused(state, "bY1+2")


def test_sc_2_6_what_crossed_by_the_first_die_is_not_moved_by_a_yellow_one() -> None:
    state = played(position(blue=["Y8", "Y10"]), "y2", "y4", "bY8+2x", "y1", "bY10+1")
    assert refused(state, "bK11+4") == ["changed-sides", "yellow-die-on-black"]


def test_sc_2_7_scorpions_enter_when_their_player_likes_cell_1_being_the_first_step() -> None:
    assert texts(GAME.board(played(thrown(position(blue=["Y9"]), "y1", "k1"), "bH+1"))) == {
        "Y1": "blue",
        "Y9": "blue",
    }


# -- stinging -------------------------------------------------------------------------------------


def test_sc_3_1_ending_on_an_occupied_cell_stings_also_ones_own() -> None:
    state = thrown(position(blue=["Y5", "Y1"], red=["Y8"]), "y3", "y4")
    assert "SC-3.1 stings who=blue to=Y8 other=red" in events(state, "bY5+3")
    assert "SC-3.1 stings who=blue to=Y5 other=blue" in events(state, "bY1+4")


def test_sc_3_2_the_stung_scorpion_is_sent_across_if_the_attacker_says_so() -> None:
    state = thrown(position(blue=["Y5"], red=["Y8"]), "y3", "k4")
    assert texts(GAME.board(played(state, "bY5+3x"))) == {"Y8": "blue", "K13": "red"}
    assert texts(GAME.board(played(state, "bY5+3"))) == {"Y8": "blue red"}


def test_sc_3_2_nobody_is_sent_to_a_taken_cell_and_nobody_where_nobody_is_stung() -> None:
    state = thrown(position(blue=["Y5"], red=["Y8"], green=["K13"]), "y3", "y1")
    assert refused(state, "bY5+3x") == ["opposite-taken"]
    assert refused(state, "bY5+1x") == ["nobody-stung"]


def test_sc_3_2_the_cell_that_the_attacker_left_is_free() -> None:
    state = thrown(position(blue=["Y20"], red=["K1"]), "y1", "k4")
    assert texts(GAME.board(played(state, "bY20+1x"))) == {"K1": "blue", "Y20": "red"}


def test_sc_3_3_ones_own_on_the_first_six_stays_a_partners_may_be_sent() -> None:
    teams = {"teams": True}
    state = thrown(position(teams, blue=["Y2", "Y6"], green=["Y3"]), "y1", "y4")
    assert refused(state, "bY2+4x") == ["own-first-six"]
    assert refused(state, "bY2+1x") == []
    two = thrown(position({"players": 2}, blue=["Y2"], green=["Y3"]), "y1", "y4")
    assert refused(two, "bY2+1x") == ["own-first-six"]
    assert "bY3+4x" not in {GAME.text(two, a) for a in GAME.legal(two)}


def test_sc_3_4_the_attacker_goes_on_by_an_extra_die_before_anything_else() -> None:
    state = played(position(blue=["Y5"], red=["Y8"]), "y3", "y1", "bY5+3")
    assert GAME.due(state)[:1] == ("throw",)
    assert GAME.due(state).piece == "blue"
    assert refused(state, "bH+1") == ["extra-first"]
    assert refused(state, "k3") == ["extra-tray"]
    state = thrown(state, "y3")
    assert refused(state, "bH+1") == ["extra-moves-it"]
    assert refused(state, "y2") == ["extra-moves-it"]
    assert list(GAME.legal(state)) == [Move("blue", "Y8", 3)]
    assert texts(GAME.board(played(state, "bY8+3", "bH+1"))) == {
        "Y1": "blue",
        "Y8": "red",
        "Y11": "blue",
    }


def test_sc_3_4_again_and_again_until_it_ends_on_a_free_cell() -> None:
    state = played(position(blue=["Y5"], red=["Y8", "Y9"]), "y3", "y1", "bY5+3", "y1", "bY8+1")
    assert GAME.due(state).kind == "throw"
    assert texts(GAME.board(state)) == {"Y8": "red", "Y9": "blue red"}


def test_sc_3_5_no_turn_ends_on_a_shared_cell() -> None:
    state = played(position(blue=["Y5"], red=["Y8"]), "y3", "y1", "bY5+3")
    assert refused(state, ".") == ["extra-first", "extra-kept", "shared"]


def test_sc_3_6_cells_passed_over_do_not_matter() -> None:
    state = played(position(blue=["Y5"], red=["Y6", "K14"]), "y2", "y1", "bY5+2")
    assert texts(GAME.board(state))["Y6"] == "red"


def test_sc_4_1_on_a_free_yellow_cell_facing_an_opponent_both_change_places() -> None:
    state = thrown(position(blue=["Y4"], red=["K13"]), "y4", "y1")
    assert texts(GAME.board(played(state, "bY4+4"))) == {"K13": "blue", "Y8": "red"}
    occupied = thrown(position(blue=["Y4"], red=["K13"], green=["Y8"]), "y4", "y1")
    assert texts(GAME.board(played(occupied, "bY4+4"))) == {"K13": "red", "Y8": "blue green"}
    black = thrown(position(blue=["K11"], red=["Y8"]), "k2", "y1")
    assert texts(GAME.board(played(black, "bK11+2"))) == {"K13": "blue", "Y8": "red"}


def test_sc_4_2_from_yellow_7_on_there_is_an_extra_die_on_black_before_there_is_none() -> None:
    late = played(position(blue=["Y4"], red=["K14"]), "y3", "y1", "bY4+3")
    assert refused(late, "y3") == ["extra-tray"]
    early = played(position(blue=["Y4"], red=["K15"]), "y2", "y1", "bY4+2")
    assert texts(GAME.board(early)) == {"K15": "blue", "Y6": "red"}
    assert GAME.due(early).kind == "act"


def test_sc_4_3_own_and_partners_scorpions_are_not_stung_across() -> None:
    own = thrown(position({"players": 2}, blue=["Y4"], green=["K13"]), "y4", "y1")
    assert texts(GAME.board(played(own, "bY4+4"))) == {"Y8": "blue", "K13": "green"}
    partner = thrown(position({"teams": True}, blue=["Y4"], green=["K13"]), "y4", "y1")
    assert texts(GAME.board(played(partner, "bY4+4"))) == {"Y8": "blue", "K13": "green"}


# -- leaving and winning --------------------------------------------------------------------------


def test_sc_5_1_points_left_over_are_lost_unless_the_exit_is_exact() -> None:
    state = thrown(position(blue=["K18"]), "k6", "k3")
    assert GAME.facts(played(state, "bK18+6"))["scorpions"]["blue"][-1] == "out"
    exact = thrown(position({"exact_exit": True}, blue=["K18"]), "k6", "k3")
    assert refused(exact, "bK18+6") == ["exact-exit"]
    assert GAME.facts(played(exact, "bK18+3"))["scorpions"]["blue"][-1] == "out"


def test_sc_5_1_an_extra_die_too_large_for_an_exact_exit_is_thrown_again() -> None:
    state = played(
        position({"exact_exit": True}, blue=["K18"], red=["K19"]), "k1", "k1", "bK18+1", "k4"
    )
    assert GAME.due(state).kind == "throw"
    assert GAME.facts(played(state, "k2", "bK19+2"))["scorpions"]["blue"][-1] == "out"


def test_sc_5_2_four_out_win_at_once_and_the_turn_may_be_closed() -> None:
    state = played(position(blue=["K18", "out", "out", "out"]), "k6", "k6", "bK18+6")
    assert GAME.outcome(state) == ((0,), "SC-5.2")
    assert GAME.due(state).kind == "over"
    assert refused(state, "bH+1") == ["over"]
    assert list(GAME.legal(state)) == [END]
    closed = played(state, ".")
    assert list(GAME.legal(closed)) == []
    assert refused(closed, ".") == ["over"]


def test_sc_5_3_two_players_have_two_colours_each() -> None:
    out = ["out"] * 4
    state = position({"players": 2}, blue=out, green=["K18", *out[:3]])
    assert GAME.players(state) == ("blue/green", "red/white")
    assert GAME.outcome(state) is None
    assert GAME.outcome(played(state, "k6", "k6", "gK18+6")) == ((0,), "SC-5.3")


def test_sc_5_4_a_team_wins_with_both_sets() -> None:
    out = ["out"] * 4
    state = position({"teams": True}, blue=["K18", *out[:3]], green=["K17", *out[:3]])
    state = played(state, "k6", "k6", "bK18+6", ".")
    assert GAME.outcome(state) is None
    state = played(state, "y1", "y1", ".", "k6", "k6", "gK17+6")
    assert GAME.outcome(state) == ((0, 2), "SC-5.4")


def test_sc_5_5_who_has_all_out_is_passed_over_or_throws_for_his_partner() -> None:
    out = ["out"] * 4
    state = position({"teams": True}, red=out, blue=["Y1"])
    assert GAME.due(played(state, "y1", "y1", ".")).players == (2,)
    state = position({"teams": True, "partner_throws": True}, red=out, white=["Y4"])
    state = thrown(played(state, "y1", "y1", "."), "y1", "y2")
    assert GAME.due(state).players == (1,)
    assert {a.colour for a in GAME.legal(state) if isinstance(a, Move)} == {"white"}


# -- giving up, house rulings, corrections --------------------------------------------------------


def test_hr_1_1_of_two_sides_the_other_wins() -> None:
    state, facts = GAME.resign(GAME.start({"players": 2}), 0)
    assert GAME.outcome(state) == ((1,), "HR-1.1")
    assert [fact.case for fact in facts] == ["gives-up", "left-alone"]


def test_hr_1_1_of_more_his_scorpions_stay_and_act_no_more() -> None:
    state = played(position({"players": 3}, blue=["Y5"], red=["Y8"]), "y3", "y1")
    state, _ = GAME.resign(state, 1)
    assert texts(GAME.board(state))["Y8"] == "red"
    assert GAME.due(played(state, ".")).players == (2,)
    assert refused(state, "y1", player=1) == ["given-up", "not-your-turn"]


def test_hr_1_1_a_partner_plays_on_alone_and_wins_alone() -> None:
    out = ["out"] * 4
    state = position({"teams": True}, blue=["K18", *out[:3]])
    state, _ = GAME.resign(state, 2)
    assert GAME.outcome(state) is None
    assert GAME.outcome(played(state, "k6", "k6", "bK18+6")) == ((0,), "SC-5.4")


def test_hr_1_1_a_team_of_which_nobody_can_play_has_given_up() -> None:
    state = position({"teams": True}, blue=["out"] * 4)
    state, _ = GAME.resign(state, 2)
    assert GAME.outcome(state) == ((1, 3), "HR-1.1")


def test_hr_1_1_an_attacker_that_shares_a_cell_goes_back_to_the_hand() -> None:
    state = played(position(blue=["Y5"], red=["Y8"]), "y3", "y1", "bY5+3")
    state, facts = GAME.resign(state, 0)
    assert texts(GAME.board(state)) == {"Y8": "red"}
    assert [fact.case for fact in facts] == ["gives-up", "taken-off", "next"]
    assert GAME.due(state).players == (1,)


def test_hr_2_3_a_refused_move_is_let_stand() -> None:
    state = thrown(position(blue=["Y5", "K3"]), "y4", "k2")
    state, _ = GAME.force(state, Move("blue", "K3", 4))
    assert texts(GAME.board(state)) == {"Y5": "blue", "K7": "blue"}
    assert GAME.facts(state)["dice"] == [{"tray": "black", "value": 2}]


@pytest.mark.parametrize("text", ["bY1+4", "bY5+3x", "y3", "wK2+2"])
def test_hr_2_3_what_the_table_cannot_show_is_not_let_stand(text: str) -> None:
    state = thrown(position(blue=["Y5"], red=["Y8"], green=["K13"]), "y3", "y4")
    with pytest.raises(UnreadableAction):
        GAME.force(state, GAME.parse(state, text))


def test_hr_2_3_two_scorpions_are_never_left_on_a_cell() -> None:
    state = played(position(blue=["Y5"], red=["Y8"]), "y3", "y1", "bY5+3")
    with pytest.raises(UnreadableAction, match="two scorpions"):
        GAME.force(state, END)


def test_hr_2_2_a_correction_sets_only_what_it_names() -> None:
    state = thrown(position(blue=["Y5"], red=["Y8"]), "y3", "y1")
    state = GAME.corrected(state, {"scorpions": {"red": ["Y9", "hand", "hand", "hand"]}})
    assert texts(GAME.board(state)) == {"Y5": "blue", "Y9": "red"}
    assert list(map(str, GAME.facts(state)["dice"])) == [
        "{'tray': 'yellow', 'value': 1}",
        "{'tray': 'yellow', 'value': 3}",
    ]
    assert GAME.due(GAME.corrected(state, {"turn": 2})) == ("throw", (2,), "")


# -- set-up, records, notation --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "key"),
    [
        ({"players": 5}, "players"),
        ({"players": True}, "players"),
        ({"players": 3, "teams": True}, "teams"),
        ({"partner_throws": True}, "partner_throws"),
        ({"cells_per_side": 5}, "cells_per_side"),
        ({"exact_exit": "yes"}, "exact_exit"),
        ({"dice": 3}, "dice"),
        ({"names": ["one"]}, "names"),
    ],
)
def test_a_wrong_option_is_named(setup: dict[str, Any], key: str) -> None:
    with pytest.raises(SetupError, match=key):
        GAME.start(setup)


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ({"scorpions": {"blue": ["Y1", "Y2", "Y3"]}}, "blue"),
        ({"scorpions": {"blue": ["Y1", "Y2", "Y3", "Y21"]}}, "Y21"),
        ({"scorpions": {"pink": ["hand"] * 4}}, "pink"),
        ({"scorpions": {"blue": ["Y1", "Y1", "hand", "hand"]}}, "two scorpions on Y1"),
        ({"turn": 4}, "turn"),
        ({"turn": None}, "turn"),
        ({"dice": [{"tray": "green", "value": 1}]}, "dice"),
        ({"dice": [{"tray": "black", "value": 1}]}, "throws"),
        ({"opened": [True]}, "opened"),
        ({"attacker": {"colour": "blue", "cell": "Y1"}}, "attacker"),
        ({"winds": 3}, "winds"),
    ],
)
def test_a_wrong_position_is_named(told: dict[str, Any], key: str) -> None:
    with pytest.raises(SetupError, match=key):
        GAME.from_position({}, told)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"throw": {"tray": "green", "value": 1}},
        {"throw": {"tray": "yellow", "value": 7}},
        {"throw": {"tray": "yellow", "value": True}},
        {"move": {"colour": "pink", "from": "Y1", "steps": 1}},
        {"move": {"colour": "blue", "from": "Y0", "steps": 1}},
        {"move": {"colour": "blue", "from": "Z3", "steps": 1}},
        {"move": {"colour": "blue", "from": "Y1", "steps": 0}},
        {"move": {"colour": "blue", "from": "Y1", "steps": 1, "cross": "yes"}},
        {"move": {"colour": "blue", "from": "Y1"}},
        {"end_turn": False},
        {"pass": True},
        {"end_turn": True, "throw": {"tray": "yellow", "value": 1}},
    ],
)
def test_a_malformed_action_is_unreadable(record: dict[str, Any]) -> None:
    with pytest.raises(UnreadableAction):
        GAME.read(record)


def test_cells_and_colours_beyond_this_game_are_refused() -> None:
    state = thrown(position({"players": 3}), "y1", "y2")
    assert refused(state, "bY21+1") == ["no-such-cell"]
    assert refused(state, "wH+1") == ["not-in-play"]


def test_the_colour_may_be_left_out_where_it_is_plain() -> None:
    state = thrown(position({"players": 2}, blue=["Y5"]), "y4", "y2")
    assert GAME.parse(state, "Y5+4") == Move("blue", "Y5", 4)
    with pytest.raises(AmbiguousAction, match=r"bH\+4, gH\+4"):
        GAME.parse(state, "H+4")
    with pytest.raises(UnreadableAction):
        GAME.parse(state, "Y6+4")
    with pytest.raises(UnreadableAction):
        GAME.parse(state, "Y5-4")


def test_apply_refuses_and_says_why() -> None:
    with pytest.raises(Refused, match=r"SC-2\.2"):
        GAME.apply(position(), END)
    assert Throw("yellow", 3).record() == {"throw": {"tray": "yellow", "value": 3}}


def test_the_board_file_decides_the_number_of_cells() -> None:
    short = Scorpion(layout_from({"cells": {"cells_per_side": 8}}))
    state = short.from_position({}, {"scorpions": {"blue": ["Y8", "hand", "hand", "hand"]}})
    for text in ("y1", "y2", "bY8+1"):
        state, _ = short.apply(state, short.parse(state, text))
    assert texts(short.board(state)) == {"K1": "blue"}
    for data, key in (
        ({}, "cells"),
        ({"cells": {}}, "per_side"),
        ({"cells": {"cells_per_side": 2}}, "6"),
    ):
        with pytest.raises(SetupError, match=key):
            layout_from(data)
