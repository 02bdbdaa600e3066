"""Squod, paragraph by paragraph."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules.boards import SQUOD, dealt

from tableref.rules.pieces import texts
from tableref.rules.squod.state import begins
from tableref.rules.surface import Outcome, SetupError, UnreadableAction

KINDS = {"p": "paper", "r": "rock", "s": "scissors", "x": "?"}


def board(
    pieces: str, turn: int = 0, hands: dict[str, list[str]] | None = None, players: int = 2
) -> Any:
    """A position: `S11:r b2:1p` puts a rock of the ramp's owner on S11, 1's paper on b2."""
    placed = {}
    for word in pieces.split():
        place, _, piece = word.partition(":")
        owner = piece[0] if len(piece) == 2 else str("SWNE".index(place[0]))
        placed[place] = f"{owner} {KINDS[piece[-1]]}"
    position = {"pieces": placed, "turn": turn, "hands": hands or {}}
    return SQUOD.from_position({"players": players}, position)


def refused(state: Any, text: str) -> list[tuple[str, str]]:
    ruling = SQUOD.judge(state, SQUOD.parse(state, text))
    return [(fact.paragraph, fact.case) for fact in ruling.broken]


def play(state: Any, *texts: str) -> Any:
    for text in texts:
        state, _ = SQUOD.apply(state, SQUOD.parse(state, text))
    return state


def events(state: Any, text: str) -> list[tuple[str, str]]:
    _, facts = SQUOD.apply(state, SQUOD.parse(state, text))
    return [(fact.paragraph, fact.case) for fact in facts]


def legal(state: Any) -> list[str]:
    return [SQUOD.text(state, action) for action in SQUOD.legal(state)]


def test_sq_1_2_play_goes_clockwise_from_the_first_player() -> None:
    state = SQUOD.start(dealt(4, 3) | {"first": 2})
    for player in (2, 3, 0, 1, 2):
        assert SQUOD.due(state).players == (player,)
        letter = "SWNE"[player]
        state = play(state, next(t for t in legal(state) if t.startswith(letter)))


def test_sq_1_2_who_is_not_on_turn_is_told_so() -> None:
    state = SQUOD.start(dealt(2, 1) | {"first": 0})
    action = next(SQUOD.legal(state))
    assert SQUOD.judge(state, action, 1).paragraphs == ("SQ-1.2",)


def test_sq_1_3_a_player_has_two_of_each() -> None:
    with pytest.raises(SetupError, match=r"SQ-1\.3"):
        board("S11:r S12:r b2:0r")
    with pytest.raises(SetupError, match=r"SQ-1\.3"):
        SQUOD.start({"placement": [["rock"] * 6, None]})
    with pytest.raises(SetupError, match="placement"):
        SQUOD.start({"placement": [["rock"] * 5, None]})


def test_sq_2_1_the_winner_of_the_showing_begins_equal_is_shown_again() -> None:
    assert begins("paper", "rock") is True
    assert begins("paper", "scissors") is False
    assert begins("rock", "rock") is None


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("S11-S31", ("SQ-3.1", "not-one-line-on")),
        ("S11-S23", ("SQ-3.1", "not-one-line-on")),
        ("S22-S12", ("SQ-3.1", "never-back")),
        ("S22-S21", ("SQ-3.1", "never-back")),
        ("S32-S22", ("SQ-3.1", "never-back")),
        ("S22-S32", ("SQ-3.1", "place-taken")),
        ("S32-a1", ("SQ-3.2", "straight-on")),
        ("S22-b1", ("SQ-3.1", "not-one-line-on")),
        ("W21-W31", ("SQ-3.0", "not-your-piece")),
        ("S13-S23", ("SQ-3.0", "nothing-there")),
    ],
)
def test_sq_3_1_and_3_2_on_the_ramp_one_line_on(move: str, broken: tuple[str, str]) -> None:
    assert broken in refused(board("S11:r S22:p S32:s W21:r"), move)


def test_sq_3_2_a_weaker_opposing_piece_on_the_cell_before_is_taken() -> None:
    state = board("S32:s b1:1p W11:r")
    assert events(state, "S32-b1") == [("SQ-3.2", "took"), ("SQ-3.7", "lost")]
    after = SQUOD.facts(play(state, "S32-b1"))
    assert after["hands"]["1"] == ["paper"]
    assert after["pieces"]["b1"] == "0 scissors"
    assert refused(board("S32:s b1:0p"), "S32-b1") == [("SQ-3.2", "place-taken")]


@pytest.mark.parametrize(
    ("move", "broken"),
    [
        ("b2-c3", ("SQ-3.3", "not-beside")),
        ("b2-b2", ("SQ-3.3", "not-beside")),
        ("b2-a2", ("SQ-3.3", "place-taken")),
        ("b2-c2", ("SQ-3.4", "not-weaker")),
        ("b2-b1", ("SQ-3.4", "not-weaker")),
        ("a2-W31", ("SQ-3.5", "back-on-ramp")),
    ],
)
def test_sq_3_3_to_3_5_on_the_ring(move: str, broken: tuple[str, str]) -> None:
    state = board("b2:0p a2:0r c2:1s b1:1p S11:s W11:p")
    assert broken in refused(state, move)
    assert refused(state, "b2-b3") == []


def test_sq_3_6_partners_share_the_ring_but_not_the_ramps() -> None:
    state = board("S11:r N21:p b2:2p W11:r E11:r", players=4)
    assert refused(state, "N21-N31") == [("SQ-3.6", "partners-ramp")]
    assert refused(state, "b2-b3") == []
    assert refused(state, "E11-E21") == [("SQ-3.0", "not-your-piece")]


def test_sq_3_7_lost_pieces_are_put_back_on_start_line_1_before_the_move() -> None:
    state = board("S11:r W11:p", hands={"0": ["rock", "scissors"]})
    assert refused(state, "r>S21") == [("SQ-3.7", "not-on-line-1")]
    assert refused(state, "r>S11") == [("SQ-3.7", "put-back-taken")]
    assert refused(state, "p>S12") == [("SQ-3.7", "not-in-hand")]
    assert refused(board("S11:r W11:p"), "r>S12") == [("SQ-3.7", "hand-empty")]
    after = SQUOD.facts(play(state, "r>S13", "s>S12", "S13-S23"))
    assert after["hands"]["0"] == []
    assert after["turn"] == 1


def test_sq_3_8_who_can_move_must_also_after_a_put_back() -> None:
    assert refused(board("S11:r W11:p"), "pass") == [("SQ-3.8", "must-move")]
    moving = board("S33:s c1:1r W11:p", hands={"0": ["rock"]})
    assert refused(moving, "pass") == [("SQ-3.8", "could-put-back")]
    alone = board("S33:s c1:1r W11:p")
    assert legal(alone) == ["pass"]
    assert events(alone, "pass") == [("SQ-3.8", "passed")]
    assert refused(board("S33:s c1:1p W11:p"), "pass") == [("SQ-3.8", "can-take")]


DEAD_END = "a1:1r a2:1p a3:1r b3:1p W31:s W32:s b1:0r b2:0p c1:0s c2:0s c3:0p S31:r"
"""All twelve pieces, and no move for either player: the ring is full of them."""


def test_sq_3_9_when_all_pass_one_after_the_other_the_game_is_drawn() -> None:
    state = board(DEAD_END)
    assert legal(state) == ["pass"]
    state = play(state, "pass")
    assert (SQUOD.outcome(state), SQUOD.facts(state)["passed"]) == (None, [0])
    assert events(state, "pass") == [("SQ-3.8", "passed"), ("SQ-3.9", "drawn")]
    drawn = play(state, "pass")
    assert SQUOD.outcome(drawn) == Outcome((), "SQ-3.9")
    assert SQUOD.due(drawn).kind == "over"
    assert refused(drawn, "pass") == [("SQ-3.9", "over-drawn")]
    assert legal(drawn) == []


def test_sq_3_9_a_move_between_two_passes_begins_the_count_anew() -> None:
    state = play(board(DEAD_END.replace("S31", "S21"), turn=1), "pass", "S21-S31", "pass")
    assert SQUOD.outcome(state) is None
    assert SQUOD.outcome(play(state, "pass")) == Outcome((), "SQ-3.9")


def test_sq_3_9_what_is_put_back_between_the_passes_gives_nobody_a_move() -> None:
    ring = "a1:2s a2:2s a3:2p b1:2r b2:2p b3:2r c1:1r c2:1p c3:1r"
    ramp = "S21:r S22:r S31:p S32:p S33:s"
    state = board(f"{ring} {ramp}", turn=1, hands={"0": ["scissors"]}, players=4)
    state = play(state, "pass", "pass", "pass", "s>S11")
    assert SQUOD.facts(state)["passed"] == [1, 2, 3]
    assert SQUOD.outcome(play(state, "pass")) == Outcome((), "SQ-3.9")


def test_sq_3_9_with_four_players_all_four_pass() -> None:
    state = board("", players=4)
    for player in range(4):
        assert (SQUOD.outcome(state), SQUOD.due(state).players) == (None, (player,))
        state = play(state, "pass")
    assert SQUOD.outcome(state) == Outcome((), "SQ-3.9")


def test_sq_3_9_who_gave_up_is_not_asked_to_pass() -> None:
    state, _ = SQUOD.resign(board("", players=4), 2)
    assert SQUOD.outcome(play(state, "pass", "pass")) is None
    assert SQUOD.outcome(play(state, "pass", "pass", "pass")) == Outcome((), "SQ-3.9")


def test_sq_3_9_a_pass_of_who_could_move_counts_for_nothing() -> None:
    state = play(board(DEAD_END.replace("S31", "S21"), turn=1), "pass")
    state, _ = SQUOD.force(state, SQUOD.parse(state, "pass"))
    assert (SQUOD.outcome(state), SQUOD.facts(state)["passed"]) == (None, [])


@pytest.mark.parametrize(
    ("attack", "broken"),
    [
        ("S11/S31xW32", ("SQ-4.1", "not-from-there")),
        ("S22/S22xW32", ("SQ-4.1", "not-by-squod-line")),
        ("S33/S31xW32", ("SQ-4.1", "stays-in-place")),
        ("S22/S31xW21", ("SQ-4.1", "not-at-that")),
        ("S22/S31xW31", ("SQ-4.1", "not-at-that")),
        ("S22/S33xW32", ("SQ-3.1", "place-taken")),
        ("S21/S33xW32", ("SQ-3.1", "not-one-line-on")),
        ("S33/S33xW33", ("SQ-4.2", "crossing-taken")),
        ("W32/W32xS33", ("SQ-3.0", "not-your-piece")),
    ],
)
def test_sq_4_1_and_4_2_who_may_be_attacked_from_where(
    attack: str, broken: tuple[str, str]
) -> None:
    state = board("S11:r S21:s S22:p S33:s W21:p W32:r W33:s c3:1r")
    assert refused(state, attack)[0] == broken


def test_sq_4_1_with_four_only_neighbours_are_opponents() -> None:
    state = board("S32:r N32:s W32:s E33:p", players=4)
    assert refused(state, "S32/S32xN32") == [("SQ-4.1", "not-at-that")]
    assert refused(state, "S32/S32xW32") == []
    assert refused(state, "S32/S32xE33") == []


@pytest.mark.parametrize(
    ("attacker", "case", "crossing", "hand"),
    [("r", "squod-won", "0 rock", "1"), ("p", "squod-lost", "1 scissors", "0")],
)
def test_sq_4_3_the_stronger_goes_to_the_crossing_the_weaker_to_its_owner(
    attacker: str, case: str, crossing: str, hand: str
) -> None:
    state = board(f"S22:{attacker} W33:s S11:p W11:p")
    assert events(state, "S22/S32xW33")[0] == ("SQ-4.3", case)
    after = SQUOD.facts(play(state, "S22/S32xW33"))
    assert after["pieces"]["b3"] == crossing
    assert len(after["hands"][hand]) == 1
    assert set(after["pieces"]) == {"b3", "S11", "W11"}
    assert after["turn"] == 1


def test_sq_4_4_equal_pieces_stay_on_their_squod_lines_and_nobody_is_told() -> None:
    state = board("S22:r W33:r S11:p W11:p")
    after, facts = SQUOD.apply(state, SQUOD.parse(state, "S22/S33xW33"))
    assert SQUOD.facts(after)["pieces"]["S33"] == "0 rock"
    assert SQUOD.view(after, 1)["pieces"]["S33"] == "0 ?"
    assert "rock" not in repr(facts)


def test_sq_5_1_a_line_of_one_side_wins() -> None:
    state = board("a1:0r b1:0p S33:s W11:p")
    after = play(state, "S33-c1")
    assert SQUOD.outcome(after) == Outcome((0,), "SQ-5.1")
    assert SQUOD.facts(after)["winner"] == 0
    assert refused(after, "a1-a2") == [("SQ-5.1", "game-over")]
    assert SQUOD.outcome(play(board("a1:0r b1:0p S33:r W11:p"), "S33-c1")) is None


def test_sq_5_1_with_four_partners_make_a_line_together() -> None:
    state = board("a1:2r b1:0p S33:s W11:p", players=4)
    assert SQUOD.outcome(play(state, "S33-c1")) == Outcome((0, 2), "SQ-5.1")


def test_sq_5_2_a_lost_attack_can_make_the_defender_win() -> None:
    state = board("S32:p W33:s a3:1r c3:1p S11:p")
    after = play(state, "S32/S32xW33")
    assert SQUOD.outcome(after) == Outcome((1,), "SQ-5.2")


def test_hr_1_1_of_two_the_other_wins_of_four_the_partner_plays_on_alone() -> None:
    two, _ = SQUOD.resign(SQUOD.start(dealt(2, 1)), 0)
    assert SQUOD.outcome(two) == Outcome((1,), "HR-1.1")
    four = board("S11:r b2:2p W11:r E11:r N11:p", players=4)
    alone, facts = SQUOD.resign(four, 2)
    assert [fact.case for fact in facts] == ["plays-on-alone"]
    assert SQUOD.outcome(alone) is None
    assert refused(alone, "b2-b3") == [("HR-1.1", "piece-given-up")]
    assert SQUOD.due(play(alone, "S11-S21", "W11-W21")).players == (3,)
    with pytest.raises(UnreadableAction):
        SQUOD.resign(alone, 2)
    lost, _ = SQUOD.resign(alone, 0)
    assert SQUOD.outcome(lost) == Outcome((1, 3), "HR-1.1")


def test_hr_1_1_who_gives_up_on_turn_is_passed_over() -> None:
    state, _ = SQUOD.resign(board("S11:r W11:r E11:r N11:p", players=4), 0)
    assert SQUOD.due(state).players == (1,)


def test_hr_2_2_a_correction_changes_only_what_it_names() -> None:
    state = SQUOD.start(dealt(2, 5))
    again = SQUOD.corrected(state, {"turn": 1 - state.turn})
    assert texts(SQUOD.board(again)) == texts(SQUOD.board(state))
    assert again.turn != state.turn


def test_hr_2_3_a_refused_move_is_let_stand() -> None:
    state = board("b2:0p c2:1s S11:r W11:p")
    after, facts = SQUOD.force(state, SQUOD.parse(state, "b2-c2"))
    assert [fact.case for fact in facts] == ["set-down", "lost"]
    assert SQUOD.facts(after)["pieces"]["c2"] == "0 paper"
    with pytest.raises(UnreadableAction):
        SQUOD.force(state, SQUOD.parse(state, "a1-a2"))
