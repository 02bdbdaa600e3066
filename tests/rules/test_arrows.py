"""Arrows and stars, paragraph by paragraph."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.boards import ARROWS

from tableref.rules.pieces import texts
from tableref.rules.surface import Outcome, UnreadableAction

STARS = {"a1": "white star up", "g1": "white star up", "a9": "black star down"}


def board(turn: str = "white", setup: Any = None, left: int | None = None, **pieces: str) -> Any:
    """A position with these arrows and stars; `W`, `B`: arrows up and down, `w`, `b`: turned
    ones, `ws`, `bs`: stars."""
    words = {
        "W": "white arrow up", "w": "white arrow down", "B": "black arrow down",
        "b": "black arrow up", "ws": "white star up", "bs": "black star down",
    }  # fmt: skip
    named = {cell: words[piece] for cell, piece in pieces.items()}
    position = {"pieces": STARS | named, "turn": turn, "star_moves": left}
    return ARROWS.from_position(setup or {}, position)


def refused(state: Any, text: str) -> list[tuple[str, str]]:
    ruling = ARROWS.judge(state, ARROWS.parse(state, text))
    return [(fact.paragraph, fact.case) for fact in ruling.broken]


def play(state: Any, *texts: str) -> Any:
    for text in texts:
        state, _ = ARROWS.apply(state, ARROWS.parse(state, text))
    return state


def events(state: Any, text: str) -> list[tuple[str, str]]:
    _, facts = ARROWS.apply(state, ARROWS.parse(state, text))
    return [(fact.paragraph, fact.case) for fact in facts]


def test_ae_1_white_begins_with_ten_arrows_and_three_stars_a_side() -> None:
    told = ARROWS.facts(ARROWS.start({}))
    assert told["turn"] == "white"
    assert sorted(told["pieces"].values()).count("black arrow down") == 10
    assert [c for c, p in told["pieces"].items() if p == "white star up"] == ["b1", "d1", "f1"]


def test_ae_2_0_stars_move_only_after_an_arrow() -> None:
    state = board(d5="W", b5="ws")
    assert refused(state, "*b5-b6") == [("AE-2.0", "arrow-first")]
    assert refused(state, "end") == [("AE-2.0", "arrow-first")]
    assert refused(play(state, "d5-d6"), "d6-d7") == [("AE-2.0", "arrow-moved-already")]


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("d5-d4", ("AE-2.1", "backwards")),
        ("d5-f7", ("AE-2.1", "too-far")),
        ("d5-e5", ("AE-2.1", "taken")),
        ("g5-f6", ("AE-2.1", "nothing-there")),
        ("a1-b1", ("AE-2.1", "not-your-arrow")),
        ("b8-b7", ("AE-2.1", "not-your-arrow")),
        ("d5-c5-c6", ("AE-2.1", "step-in-chain")),
        ("d5-c7", ("AE-2.2", "nothing-jumped")),
    ],
)
def test_ae_2_1_and_2_2_an_own_arrow_steps_forward_or_sideways(
    move: str, broken: tuple[str, str]
) -> None:
    state = board(d5="W", e5="W", b8="B")
    assert broken in refused(state, move)


def test_ae_2_1_an_arrow_that_was_turned_moves_the_other_way() -> None:
    state = board(d5="w")
    assert not refused(state, "d5-d4")
    assert refused(state, "d5-d6") == [("AE-2.1", "backwards")]


def test_of_a_way_back_it_is_said_first_that_it_leads_back() -> None:
    state = board(d5="W", e5="ws")
    assert refused(state, "d5-c3") == [("AE-2.1", "backwards"), ("AE-2.2", "nothing-jumped")]
    state = board(left=1, e5="ws")
    assert [case for _, case in refused(state, "*e5-d3")] == [
        "star-backwards",
        "star-jumps-nothing",
    ]


def test_ae_2_2_a_jump_takes_nothing_and_ends_right_behind_the_piece() -> None:
    state = board(d5="W", d6="W", e7="W")
    assert refused(state, "d5-e7") == [("AE-2.2", "landing-taken")]
    state = board(d5="W", d6="ws")
    assert events(state, "d5-e7") == [("AE-2.2", "jumped")]
    assert len(texts(ARROWS.board(play(state, "d5-e7")))) == len(texts(ARROWS.board(state)))


def test_ae_2_2_the_place_where_the_chain_began_counts_as_empty() -> None:
    state = board(d7="W", d8="B", d9="B", c8="B")
    assert texts(ARROWS.board(play(state, "d7-e9-c9-d7")))["d7"] == "white arrow down"


def test_ae_2_3_only_the_first_jump_must_go_forward() -> None:
    state = board(d3="W", d4="B", d5="B")
    assert refused(state, "d3-e5-c5") == []
    assert refused(board(d5="W", e5="B"), "d5-f5") == [("AE-2.3", "first-jump-sideways")]


def test_ae_2_4_no_piece_is_jumped_twice_in_a_chain() -> None:
    state = board(d3="W", d4="B", d5="W")
    assert refused(state, "d3-e5-c5-e5") == [("AE-2.4", "jumped-twice")]


def test_ae_2_5_an_arrow_is_turned_round_on_its_last_row_and_goes_on() -> None:
    state = board(d7="W", d8="B", e8="B")
    assert events(state, "d7-e9-f7") == [
        ("AE-2.2", "jumped"), ("AE-2.2", "jumped"), ("AE-2.5", "turned-round"),
        ("AE-3.1", "stars-earned"),
    ]  # fmt: skip
    assert texts(ARROWS.board(play(state, "d7-e9-f7")))["f7"] == "white arrow down"
    back = play(board(c2="w"), "c2-d1")
    assert texts(ARROWS.board(back))["d1"] == "white arrow up"


def test_ae_2_6_an_opposing_piece_must_be_jumped_first_where_one_can() -> None:
    state = board(d3="W", a3="W", d4="bs")
    assert refused(state, "a3-b3") == [("AE-2.6", "must-jump")]
    assert refused(state, "d3-c4") == [("AE-2.6", "must-jump")]
    assert refused(state, "d3-d2") == [("AE-2.1", "backwards"), ("AE-2.6", "must-jump")]
    assert [ARROWS.text(state, a) for a in ARROWS.legal(state)] == ["d3-e5"]


def test_ae_2_7_the_first_half_is_skipped_only_where_no_arrow_can_move() -> None:
    assert refused(board(d5="W"), "pass") == [("AE-2.7", "arrow-can-move")]
    state = board(b2="ws")
    assert [ARROWS.text(state, a) for a in ARROWS.legal(state)] == ["pass"]
    assert ARROWS.facts(play(state, "pass"))["turn"] == "black"


def test_ae_3_1_each_opposing_arrow_jumped_is_a_star_move_others_are_none() -> None:
    state = board(d3="W", d4="B", d6="W", d8="bs", b5="ws")
    state = play(state, "d3-e5-d7-e9")
    assert ARROWS.facts(state)["star_moves"] == 1
    state = play(state, "*b5-b6")
    assert refused(state, "*b6-b7") == [("AE-3.1", "no-star-moves-left")]
    assert refused(state, "pass") == [("AE-3.1", "no-star-moves-left")]
    assert ARROWS.facts(play(state, "end"))["turn"] == "black"


def test_ae_3_1_fewer_star_moves_are_allowed() -> None:
    assert not refused(board(left=2), "end")


def test_ae_3_2_stars_of_either_colour_or_by_option_one_s_own() -> None:
    assert not refused(board(left=1), "*a9-a8")
    own = board(setup={"star_control": "own"}, left=1)
    assert refused(own, "*a9-a8") == [("AE-3.2", "not-your-star")]
    assert not refused(own, "*a1-a2")
    assert refused(board(left=1, d5="W"), "*d5-d6") == [("AE-3.2", "not-a-star")]
    assert refused(board(left=1), "*d5-d6") == [("AE-3.2", "no-star-there")]


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("*d5-d4", ("AE-3.3", "star-backwards")),
        ("*d5-f9", ("AE-3.3", "star-too-far")),
        ("*d5-e5", ("AE-3.3", "star-place-taken")),
        ("*d5-b5", ("AE-3.3", "star-jumps-nothing")),
    ],
)
def test_ae_3_3_a_star_goes_forward_or_sideways_a_step_or_a_jump(
    move: str, broken: tuple[str, str]
) -> None:
    state = board(left=2, d5="ws", e5="B")
    assert refused(state, move) == [broken]
    assert events(state, "*d5-f5") == [("AE-3.3", "star-jumped")]
    assert events(state, "*d5-d6") == [("AE-3.3", "star-stepped")]


def test_ae_3_4_a_star_on_its_far_edge_is_taken_off() -> None:
    state = board(left=1, c8="ws")
    assert events(state, "*c8-d9") == [("AE-3.3", "star-stepped"), ("AE-3.4", "star-off")]
    after = play(state, "*c8-d9")
    assert "d9" not in texts(ARROWS.board(after))
    assert ARROWS.facts(after)["stars_out"]["white"] == 1


def test_ae_3_5_a_pass_where_no_star_can_move() -> None:
    around = dict.fromkeys(("a2", "b3", "b1", "c1"), "black arrow down")
    pieces = {"a1": "white star up", "g9": "black star down", **around}
    state = ARROWS.from_position(
        {"star_control": "own"}, {"pieces": pieces, "turn": "white", "star_moves": 1}
    )
    assert [ARROWS.text(state, a) for a in ARROWS.legal(state)] == ["end", "pass"]
    assert events(state, "pass") == [("AE-3.5", "no-star-can-move")]
    assert refused(board(left=1), "pass") == [("AE-3.5", "star-can-move")]


def test_ae_4_1_the_side_whose_third_star_is_off_wins_whoever_moved_it() -> None:
    pieces = {"a2": "black star down", "g1": "white star up", "d5": "white arrow up"}
    position = {"pieces": pieces, "stars_out": {"black": 2, "white": 0}, "star_moves": 1}
    state = ARROWS.from_position({}, position | {"turn": "white"})
    after = play(state, "*a2-a1")
    assert ARROWS.outcome(after) == Outcome((1,), "AE-4.1")
    assert ARROWS.facts(after)["winner"] == "black"
    assert refused(after, "end") == [("AE-4.1", "game-over")]


REPEATED = ("d5-e5", "end", "c7-b7", "end", "e5-d5", "end", "b7-c7", "end")


@pytest.mark.parametrize(("often", "draws"), [(3, True), (2, True), (0, False), (False, False)])
def test_ae_4_2_the_same_position_again_is_a_draw(often: int, draws: bool) -> None:
    state = board(d5="W", c7="B", setup={"repetition": often})
    rounds = max(int(often), 3) - 1 if often else 4
    moves = REPEATED * (often - 1 if often else rounds)
    state = play(state, *moves[:-1])
    assert ARROWS.outcome(state) is None
    state = play(state, moves[-1])
    assert (ARROWS.outcome(state) == Outcome((), "AE-4.2")) is draws
    if draws:
        assert refused(state, "d5-e5") == [("AE-4.2", "game-over")]


def test_hr_1_1_giving_up_makes_the_other_side_win() -> None:
    state, facts = ARROWS.resign(ARROWS.start({}), 0)
    assert ARROWS.outcome(state) == Outcome((1,), "HR-1.1")
    assert [fact.case for fact in facts] == ["gave-up"]
    with pytest.raises(UnreadableAction):
        ARROWS.resign(state, 1)


def test_hr_2_2_a_correction_changes_only_what_it_names() -> None:
    state = play(ARROWS.start({}), "c1-d3", "end")
    again = ARROWS.corrected(state, {"turn": "white"})
    assert texts(ARROWS.board(again)) == texts(ARROWS.board(state))
    assert ARROWS.facts(again)["turn"] == "white"


def test_hr_2_3_a_refused_move_is_let_stand_and_counts_what_it_jumped() -> None:
    state = board(d3="W", a3="W", d4="B", a4="B")
    after, facts = ARROWS.force(state, ARROWS.parse(state, "d3-c4"))
    assert [fact.case for fact in facts] == ["set-down"]
    assert ARROWS.facts(after)["star_moves"] == 0
    with pytest.raises(UnreadableAction):
        ARROWS.force(state, ARROWS.parse(state, "d3-d4"))
    with pytest.raises(UnreadableAction):
        ARROWS.force(state, ARROWS.parse(state, "g7-g8"))
