"""Skorpion Deep, paragraph by paragraph."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.rules.harness import stated
from tests.rules.scorpions import DEEP as GAME
from tests.rules.scorpions import stuck

from tableref.rules.pieces import texts as texts_on
from tableref.rules.skorpion_deep import Pass, Place, SkorpionDeep, Step, layout_from
from tableref.rules.surface import Refused, SetupError, UnreadableAction
from tableref_hardware import load_board

BOARD = load_board("skorpion-deep").data


def position(
    red: str, blue: str, skorpion: str = "e1", tail: str = "gate", turn: str = "red"
) -> Any:
    """Beads on these spots, red to play."""
    pieces = dict.fromkeys(red.split(), "red") | dict.fromkeys(blue.split(), "blue")
    told = {"pieces": pieces, "skorpion": skorpion, "tail": tail, "turn": turn}
    return GAME.from_position({}, told)


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


def texts(state: Any) -> list[str]:
    """All legal actions in short."""
    return [GAME.text(state, action) for action in GAME.legal(state)]


# -- board and turn -------------------------------------------------------------------------------


def test_sd_1_2_skorpion_and_tail_start_on_the_gate() -> None:
    assert texts_on(GAME.board(GAME.start({}))) == {"gate": "skorpion tail"}


def test_sd_2_1_red_begins_on_a_red_start_and_blue_answers_on_a_blue_one() -> None:
    state = GAME.start({})
    assert texts(state) == ["sw3", "s3", "se3"]
    assert refused(state, ">e1") == ["starts-first"]
    assert refused(state, "s2") == ["starts-first", "one-line"]
    state = played(state, "s3")
    assert texts(state) == ["ne3", "n3", "nw3"]
    assert len(texts(played(state, "n3"))) == 7


def test_of_a_spot_that_is_taken_it_is_said_first() -> None:
    assert refused(GAME.start({}), "gate")[:2] == ["gate-guarded", "skorpion-there"]
    state = played(GAME.start({}), "s3")
    assert refused(state, "s3") == ["bead-there", "starts-first", "two-lines"]


def test_sd_2_2_nobody_plays_out_of_turn() -> None:
    state = position("s3", "n3")
    assert refused(state, "n2", player=1) == ["not-your-turn"]
    assert GAME.due(state) == ("act", (0,), "")


def test_sd_2_3_with_all_eight_on_the_board_the_skorpion_must_move() -> None:
    state = position("s1 s2 s3 sw2 sw3 se3 w2 w3", "n3")
    assert refused(state, "e3") == ["no-bead-left"]
    assert all(text.startswith(">") for text in texts(state))


def test_sd_2_4_passing_only_where_neither_is_possible() -> None:
    assert refused(position("s3", "n3"), "-") == ["can-play"]
    game, state = stuck()
    assert list(game.legal(state)) == [Pass()]
    after, facts = game.apply(state, Pass())
    assert [fact.case for fact in facts] == ["passes", "next"]
    assert game.facts(after)["turn"] == "blue"


# -- placing --------------------------------------------------------------------------------------


def test_sd_3_1_only_on_an_empty_spot() -> None:
    state = position("s3 e2", "n3 se2", skorpion="ne2", tail="e1")
    assert refused(state, "s3") == ["bead-there"]
    assert refused(state, "ne2")[0] == "skorpion-there"
    assert refused(state, "e1")[0] == "tail-there"


def test_sd_3_2_on_an_own_start_always() -> None:
    assert refused(position("e3", "n3"), "sw3") == []


def test_sd_3_3_on_own_colour_or_gray_by_one_line() -> None:
    state = position("s3", "n3")
    assert refused(state, "s2") == []
    assert refused(state, "nw2") == ["one-line"]


def test_sd_3_4_on_the_other_colour_by_two_lines_the_others_starts_too() -> None:
    state = position("e3 n3", "s2", skorpion="w2", tail="w1")
    assert refused(state, "ne3") == []
    assert refused(state, "nw3") == ["two-lines"]
    assert stated(GAME.judge(state, Place("nw3")).broken[0]) == (
        "SD-3.4 two-lines who=red what=blue to=nw3 amount=1"
    )


def test_sd_3_5_on_black_and_on_the_gate_by_two_lines() -> None:
    state = position("w2 nw2 s1", "n3", skorpion="e3", tail="e2")
    assert refused(state, "w1") == []
    assert refused(state, "e1") == ["two-lines-black"]
    assert refused(state, "gate") == ["two-lines-gate"]


def test_sd_3_6_not_on_the_gate_beside_skorpion_or_tail() -> None:
    state = position("w1 s1", "n3", skorpion="e1", tail="gate")
    assert refused(state, "gate") == ["gate-guarded", "tail-there"]


# -- the Skorpion ---------------------------------------------------------------------------------


def test_sd_4_1_one_step_along_a_line_and_the_tail_follows() -> None:
    state = position("s3", "n3", skorpion="e1", tail="gate")
    assert refused(state, ">w2") == ["no-line"]
    assert texts_on(GAME.board(played(state, ">e2"))) == {
        "e1": "tail", "e2": "skorpion", "n3": "blue", "s3": "red",
    }  # fmt: skip


def test_sd_4_2_out_of_the_gate_the_tail_stays() -> None:
    state = played(GAME.start({}), "s3", "n3")
    assert "SD-4.2 tail-stays start=gate" in events(state, ">n1")
    assert texts_on(GAME.board(played(state, ">n1")))["gate"] == "tail"


def test_sd_4_3_and_4_4_neither_onto_the_tail_nor_into_the_gate() -> None:
    assert refused(position("s3", "n3", "e2", "e1"), ">e1") == ["onto-tail"]
    assert refused(position("s3", "n3", "e1", "e2"), ">gate") == ["into-gate"]
    assert refused(position("s3", "n3", "e1", "gate"), ">gate") == ["into-gate", "onto-tail"]


def test_sd_4_5_a_bead_it_steps_on_goes_back_to_the_hand_whosever() -> None:
    state = position("s3 e2", "n3 ne2")
    assert "SD-4.5 bead-taken who=red start=e2" in events(state, ">e2")
    assert GAME.facts(played(state, ">ne2"))["pieces"] == {"e2": "red", "s3": "red", "n3": "blue"}


def test_sd_4_6_onto_a_coloured_rim_spot_both_go_to_the_gate() -> None:
    state = position("s3 se3", "n3", skorpion="se2", tail="e1")
    after = played(state, ">se3")
    assert texts_on(GAME.board(after)) == {"gate": "skorpion tail", "n3": "blue", "s3": "red"}
    gray = played(position("s3", "n3", "e2", "e1"), ">e3")
    assert texts_on(GAME.board(gray))["e3"] == "skorpion"


def test_sd_4_6_a_paid_second_step_then_starts_from_the_gate_and_the_tail_stays() -> None:
    state = position("s3 s2", "n3", skorpion="se2", tail="e1")
    after = played(state, ">se3>w1/s3")
    assert texts_on(GAME.board(after)) == {
        "w1": "skorpion",
        "gate": "tail",
        "s2": "red",
        "n3": "blue",
    }
    assert refused(state, ">se3>e3/s3") == ["no-line"]


def test_sd_4_7_a_second_step_costs_an_own_bead_that_lies_on_the_board() -> None:
    state = position("s3 s2", "n3 n2")
    assert refused(state, ">e2>e3") == ["unpaid"]
    assert refused(state, ">e2>e3/n3") == ["no-bead-to-pay"]
    assert refused(state, ">e2>e3/s1") == ["no-bead-to-pay"]
    assert refused(state, ">e2/s3") == ["nothing-to-pay"]
    assert refused(state, ">e2>e3/s3") == []


def test_sd_4_7_the_bead_on_the_spot_stepped_on_may_be_paid() -> None:
    state = position("s3 e3 s2", "n3")
    after = played(state, ">e2>e3/e3")
    assert GAME.facts(after)["pieces"] == {"s3": "red", "s2": "red", "n3": "blue"}


def test_sd_4_8_the_last_own_bead_cannot_be_paid_counted_after_the_first_step() -> None:
    assert refused(position("s3", "n3"), ">e2>e3/s3") == ["last-bead"]
    assert refused(position("s3 e2", "n3"), ">e2>e3/s3") == ["last-bead"]


def test_sd_4_9_no_third_step() -> None:
    assert refused(position("s3 s2", "n3"), ">e2>e3>se3/s3") == ["third-step"]


# -- winning --------------------------------------------------------------------------------------


def test_sd_5_1_a_bead_on_the_gate_wins() -> None:
    state = played(position("s1 w1", "n2", "e3", "e2"), "gate")
    assert GAME.outcome(state) == ((0,), "SD-5.1")
    assert texts(state) == []
    assert refused(state, "s3") == ["over-gate"]


def test_sd_5_2_who_loses_the_last_bead_loses_whoever_moved() -> None:
    assert GAME.outcome(played(position("s3", "e2 "), ">e2")) == ((0,), "SD-5.2")
    assert GAME.outcome(played(position("e2", "n3"), ">e2")) == ((1,), "SD-5.2")
    state = position("s3 s2", "e2")
    assert refused(state, ">e2>e3/s3") == ["no-second-step"]
    assert not any(text.startswith(">e2>") for text in texts(state))


def test_sd_5_3_the_same_position_for_the_third_time_is_drawn() -> None:
    # Four steps along the middle ring and back to the same spots take eight plies.
    def loop(state: Any) -> Any:
        return played(state, ">ne2", ">n1", ">nw2", ">w1", ">sw2", ">s1", ">se2", ">e1")

    state = position("s3", "n3", "e1", "se2")
    once = loop(state)
    assert GAME.outcome(once) is None
    assert GAME.outcome(loop(once)) == ((), "SD-5.3")
    free = GAME.from_position({"repetition": False}, GAME.facts(state))
    assert GAME.outcome(loop(loop(loop(free)))) is None


# -- house paragraphs -----------------------------------------------------------------------------


def test_hr_1_1_who_gives_up_loses() -> None:
    state, facts = GAME.resign(position("s3", "n3"), 0)
    assert GAME.outcome(state) == ((1,), "HR-1.1")
    assert [fact.case for fact in facts] == ["gives-up"]


def test_hr_2_3_a_refused_action_is_let_stand_where_the_table_can_show_it() -> None:
    state = position("s3", "n3")
    after, _ = GAME.force(state, Place("nw2"))
    assert texts_on(GAME.board(after))["nw2"] == "red"
    after, _ = GAME.force(state, Step(("w2",)))
    assert texts_on(GAME.board(after))["w2"] == "skorpion"
    stays = Step(("e2", "e2"), "s3")
    for action in (Place("s3"), Place("e1"), Step(("e2", "e3"), "s2"), Step(("e2",), "s3"), stays):
        with pytest.raises(UnreadableAction):
            GAME.force(state, action)


def test_hr_2_2_a_correction_sets_only_what_it_names() -> None:
    state = GAME.corrected(position("s3", "n3"), {"tail": "e2"})
    assert texts_on(GAME.board(state)) == {
        "e1": "skorpion",
        "e2": "tail",
        "s3": "red",
        "n3": "blue",
    }


# -- set-up, records, notation, board file --------------------------------------------------------


@pytest.mark.parametrize(
    "setup", [{"repetition": 3}, {"repetitions": True}, {"names": ["one", "two", "three"]}]
)
def test_a_wrong_option_is_named(setup: dict[str, Any]) -> None:
    with pytest.raises(SetupError, match=next(iter(setup))):
        GAME.start(setup)


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ({"pieces": {"x9": "red"}}, "x9"),
        ({"pieces": {"s3": "pink"}}, "pink"),
        ({"pieces": ["s3"]}, "pieces"),
        ({"skorpion": "e2", "tail": "e2"}, "tail"),
        ({"pieces": {"e1": "red"}, "skorpion": "e1"}, "skorpion"),
        ({"turn": 0}, "turn"),
        ({"pieces": dict.fromkeys(list(BOARD["spots"])[5:14], "red")}, "8 beads"),
        ({"hand": 3}, "hand"),
    ],
)
def test_a_wrong_position_is_named(told: dict[str, Any], key: str) -> None:
    with pytest.raises(SetupError, match=key):
        GAME.from_position({}, told)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"place": "x9"},
        {"place": ["s3"]},
        {"skorpion": "e1"},
        {"skorpion": []},
        {"skorpion": ["e1", "x9"]},
        {"skorpion": ["e1"], "pay": 3},
        {"pass": False},
        {"place": "s3", "pass": True},
        {"move": "s3"},
    ],
)
def test_a_malformed_action_is_unreadable(record: dict[str, Any]) -> None:
    with pytest.raises(UnreadableAction):
        GAME.read(record)


@pytest.mark.parametrize("text", ["", "x9", ">", ">e1>", ">e1/", "s3>e1", ">x9", ">e1>e2/x9"])
def test_a_text_that_is_no_action_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableAction):
        GAME.parse(GAME.start({}), text)


def test_apply_refuses_and_says_why() -> None:
    with pytest.raises(Refused, match=r"SD-2\.1"):
        GAME.apply(GAME.start({}), Step(("e1",)))


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda data: data.pop("spots"), "spots"),
        (lambda data: data["spots"]["e1"].update(colour="pink"), "spots.e1"),
        (lambda data: data["spots"].update({"a b": {"colour": "red"}}), "letters"),
        (lambda data: data.pop("graph"), "graph"),
        (lambda data: data["graph"]["lines"].append(["e1", "x9"]), "graph.lines"),
        (lambda data: data["graph"]["lines"].append(["e1"]), "graph.lines"),
        (lambda data: data.pop("rim"), "rim"),
        (lambda data: data["starts"].pop("red"), "starts.red"),
        (lambda data: data["starts"]["red"].append("n3"), "starts"),
        (lambda data: data.update(gate="centre"), "gate"),
    ],
)
def test_a_wrong_board_file_is_named(change: Any, key: str) -> None:
    data: Any = copy.deepcopy(BOARD)
    change(data)
    with pytest.raises(SetupError, match=key):
        layout_from(data)


def test_changing_the_board_file_changes_play() -> None:
    data: Any = copy.deepcopy(BOARD)
    data["graph"]["lines"].append(["s3", "e1"])
    data["spots"]["e1"]["colour"] = "red"
    game = SkorpionDeep(layout_from(data))
    state = game.from_position({}, {"pieces": {"s3": "red", "n3": "blue"}})
    assert game.judge(state, Place("e1")).allowed
