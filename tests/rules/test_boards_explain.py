"""Arrows and stars, and Squod: what was done, going by what is seen."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_arrows import board as arrows_board
from test_squod import board as squod_board
from tests.rules.boards import ARROWS, SQUOD, dealt
from tests.rules.harness import FULL, random_game

from tableref.referee.evidence import Evidence
from tableref.referee.verdict import judged
from tableref.rules.arrows_and_stars import star_rows
from tableref.rules.arrows_and_stars.actions import Arrow, EndTurn, Star
from tableref.rules.explain import Answer, Explanation, Sighting, explain, sighting_of
from tableref.rules.pieces import spelled
from tableref.rules.pieces import texts as texts_on
from tableref.rules.squod.actions import Move, PutBack, Show, Squod

CELLS = {ARROWS: tuple(ARROWS.layout.masks), SQUOD: SQUOD.layout.names}


def seen(game: Any, board: dict[str, str], unknown: tuple[str, ...] = ()) -> Sighting:
    stacks = spelled((*game.stacks, *game.board(game.start({})).values()))
    return sighting_of({cell: stacks[text] for cell, text in board.items()}, CELLS[game], unknown)


def changed(state: Any, **cells: str) -> dict[str, str]:
    """The board of a state, with some cells otherwise; an empty text takes a piece away."""
    game = SQUOD if hasattr(state, "hands") else ARROWS
    board = texts_on(game.board(state)) | cells
    return {cell: piece for cell, piece in board.items() if piece}


def texts(game: Any, found: Explanation) -> list[list[str]]:
    return [[game.text(None, action) for action in answer.actions] for answer in found.answers]


def pairs(found: Explanation) -> Iterator[tuple[list[str], Answer]]:
    return zip(texts(ARROWS, found), found.answers, strict=True)


def turns(game: Any, setup: dict[str, Any], seed: int) -> Iterator[tuple[Any, list[Any], Any]]:
    """State, what was done in a whole turn or a part of it, and the state after."""
    rng = random.Random(seed)
    before: Any = None
    done: list[Any] = []
    for state, action, _, after in random_game(game, setup, seed):
        if before is None:
            before, done = state, []
        done.append(action)
        if game is ARROWS and after.left > 0 and not after.over and rng.random() < 0.7:
            continue
        if isinstance(action, PutBack) and rng.random() < 0.5:
            continue
        yield before, done, after
        before = None


@settings(max_examples=150 if FULL else 12, deadline=None)
@given(st.integers(0, 2**32))
def test_an_arrow_and_its_star_moves_are_found_by_the_board_alone(seed: int) -> None:
    for before, done, after in turns(ARROWS, {}, seed):
        moves = [a for a in done if isinstance(a, Arrow | Star)]
        if not moves or texts_on(ARROWS.board(before)) == texts_on(ARROWS.board(after)):
            continue
        if isinstance(done[-1], EndTurn):
            after = played(before, done[:-1])
        found = explain(ARROWS, before, seen(ARROWS, texts_on(ARROWS.board(after))))
        assert found.answers, (ARROWS.facts(before), [ARROWS.text(None, a) for a in done])
        assert any(as_played(answer.state, after) for answer in found.answers)
        for answer in found.answers:
            assert texts_on(ARROWS.board(answer.state)) == texts_on(ARROWS.board(after))
            assert played(before, answer.actions) == answer.state


def played(state: Any, actions: Iterable[Any]) -> Any:
    for action in actions:
        state, _ = ARROWS.apply(state, action)
    return state


def as_played(told: Any, after: Any) -> bool:
    """Whether it is the state after what was played, or the same but that the stars came to their
    places in fewer moves."""
    return bool(told.left >= after.left) and told._replace(left=after.left) == after


@settings(max_examples=150 if FULL else 25, deadline=None)
@given(st.sampled_from([2, 4]), st.sampled_from([0.0, 1.0]), st.integers(0, 2**32))
def test_a_turn_of_squod_is_found_by_the_board_alone(
    players: int, hidden: float, seed: int
) -> None:
    for before, done, after in turns(SQUOD, dealt(players, seed, hidden), seed):
        equal = (
            any(isinstance(a, Squod) for a in done)
            and texts_on(SQUOD.board(before)).keys()
            & {a.target for a in done if isinstance(a, Squod)}
            & texts_on(SQUOD.board(after)).keys()
        )
        if any(isinstance(a, Show) for a in done) or equal:
            continue
        if texts_on(SQUOD.board(before)) == texts_on(SQUOD.board(after)):
            continue
        found = explain(SQUOD, before, seen(SQUOD, texts_on(SQUOD.board(after))))
        assert found.answers, (SQUOD.facts(before), [SQUOD.text(None, a) for a in done])
        if not any(isinstance(a, PutBack) for a in done):
            assert any(SQUOD.facts(a.state) == SQUOD.facts(after) for a in found.answers)


def test_an_arrow_move_is_accepted() -> None:
    state = arrows_board(d5="W")
    found = explain(ARROWS, state, seen(ARROWS, changed(state, d5="", d6="white arrow up")))
    assert texts(ARROWS, found) == [["d5-d6"]]


def test_the_end_of_a_turn_with_star_moves_left_shows_by_the_next_arrow() -> None:
    state = arrows_board(left=2, d5="W", d8="B")
    found = explain(ARROWS, state, seen(ARROWS, changed(state, d8="", d7="black arrow down")))
    assert texts(ARROWS, found) == [["end", "d8-d7"]]


def test_a_turn_without_star_moves_ends_by_itself() -> None:
    state, _ = ARROWS.apply(arrows_board(d5="W"), Arrow(("d5", "d6")))
    assert ARROWS.text(state, ARROWS.unseen_move(state)) == "end"
    assert ARROWS.unseen_move(arrows_board(left=1)) is None


def test_two_chains_that_jump_otherwise_call_for_a_question() -> None:
    """By d4 and d6 two opposing arrows are jumped, by c4 and c6 one opposing and one own."""
    state = arrows_board(d3="W", c4="B", d4="B", c6="W", d6="B")
    found = explain(ARROWS, state, seen(ARROWS, changed(state, d3="", d7="white arrow up")))
    assert len(found.answers) == 2
    assert found.question is not None
    assert {answer.state.left for answer in found.answers} == {1, 2}


def test_a_chain_that_came_back_to_its_place_shows_by_the_stars_it_earned() -> None:
    state = arrows_board(d7="W", d8="B", d9="B", c8="B", b5="ws")
    board = changed(state, d7="white arrow down", b5="", b6="white star up")
    found = explain(ARROWS, state, seen(ARROWS, board))
    ways = texts(ARROWS, found)
    assert ways[0] == ["d7-c9-e9-d7", "*b5-b6"]
    assert {way[0] for way in ways} == {"d7-c9-e9-d7"}


def test_a_star_on_a_cell_that_cannot_be_seen_is_explained_too() -> None:
    state = arrows_board(left=1, d5="ws")
    board = changed(state, d5="")
    found = explain(ARROWS, state, seen(ARROWS, board, unknown=("c5",)))
    assert texts(ARROWS, found) == [["*d5-c5"]]


def test_of_two_chains_to_one_cell_each_is_told_with_all_star_moves_that_fit() -> None:
    """By d7 two white arrows are jumped, by f7 and d7 four: two star moves are left over then, or
    one where the star went round; with none left it comes to the same as by d7."""
    state = arrows_board(
        turn="black", f3="B", e2="B", d2="bs", d4="w", d6="bs", d8="W", f5="W", e6="W", e7="W",
        c4="ws", c5="ws", b6="B", g1="W",
    )  # fmt: skip
    board = changed(state, f3="", e9="black arrow down", c4="", b7="white star up")
    found = explain(ARROWS, state, seen(ARROWS, board))
    told = {tuple(words): answer.state.left for words, answer in pairs(found)}
    assert told == {
        ("f3-e1-d3-e5-d7-e9", "*c5-b7", "*c4-c5"): 0,
        ("f3-e1-d3-e5-f7-d7-e9", "*c5-b7", "*c4-c5"): 2,
        ("f3-e1-d3-e5-f7-d7-e9", "*c5-b7", "*c4-d5", "*d5-c5"): 1,
    }


def test_a_star_that_stepped_aside_and_came_back_is_told_too() -> None:
    """The black star on a5 can only jump b5, on whose far side the white one stands."""
    state = arrows_board(left=4, a5="bs", b5="W", a4="W", b3="W", c5="ws")
    board = changed(state, a5="", c4="black star down")
    found = explain(ARROWS, state, seen(ARROWS, board))
    assert texts(ARROWS, found) == [["*c5-d5", "*a5-c5", "*c5-c4", "*d5-c5"]]


@settings(max_examples=100 if FULL else 12, deadline=None)
@given(st.integers(0, 2**32))
def test_two_star_moves_that_look_like_one_are_among_the_answers(seed: int) -> None:
    rng = random.Random(seed)
    for state, *_ in random_game(ARROWS, {}, seed):
        stars = [action for action in ARROWS.legal(state) if isinstance(action, Star)]
        once = played(state, [rng.choice(stars)]) if stars and state.left > 1 else None
        again = [a for a in ARROWS.legal(once) if isinstance(a, Star)] if once else []
        if once is None or once.over or not again:
            continue
        after = played(once, [rng.choice(again)])
        if ARROWS.board(after) == ARROWS.board(state):
            continue
        found = explain(ARROWS, state, seen(ARROWS, texts_on(ARROWS.board(after))))
        assert after in [answer.state for answer in found.answers]


def test_a_longer_row_of_star_moves_wastes_none_on_coming_back() -> None:
    state = arrows_board(left=5, d5="ws")
    board = changed(state, d5="", d6="white star up")
    for actions in texts(ARROWS, explain(ARROWS, state, seen(ARROWS, board))):
        stars = [tuple(text.strip("*").split("-")) for text in actions]
        assert not {(to, start) for start, to in stars} & set(stars)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search for a row of star moves takes too long."""
    monkeypatch.setattr(star_rows, "MOST_STATES", 0)


@pytest.mark.usefixtures("hasty")
def test_star_moves_for_which_a_search_was_cut_are_not_sure_and_never_refused() -> None:
    state = arrows_board(left=2, d5="ws")
    [step] = [a for a in ARROWS.legal(state) if isinstance(a, Star)][:1]
    evidence = Evidence(seen(ARROWS, texts_on(ARROWS.board(ARROWS.apply(state, step)[0]))))
    assert judged(ARROWS, state, evidence).kind == "not-sure"


@pytest.mark.usefixtures("hasty")
def test_nothing_is_sure_where_the_search_on_from_an_open_answer_was_cut() -> None:
    """An arrow moved f5-f6; or it stood there, and the star moved c5-c6."""
    asked = arrows_board(left=1, f6="W", c5="ws")
    state = arrows_board(f5="W", c6="ws")
    look = Evidence(seen(ARROWS, changed(state, f5="", f6="white arrow up")))
    assert judged(ARROWS, state, look).kind == "done"
    assert judged(ARROWS, state, look, supposed=(Answer((), asked),)).kind == "several"


def test_the_star_move_that_wins_is_held_against_other_ways_to_the_same_look() -> None:
    """By switches a star that goes off looks as one that goes onto a taken cell: the game that has
    ended is not ended once more to see whether one way covers the other."""
    pieces = {"a2": "black star down", "g1": "white star up", "d5": "white arrow up"}
    position = {"pieces": pieces, "stars_out": {"black": 2, "white": 0}, "star_moves": 2}
    state = ARROWS.from_position({}, position | {"turn": "white"})
    won = ARROWS.parse(state, "*a2-a1")
    ways = [Answer((one,), ARROWS.apply(state, one)[0]) for one in ARROWS.legal(state)]
    [winning] = [way for way in ways if way.actions == (won,)]
    assert ARROWS.outcome(winning.state) is not None
    others = [way for way in ways if way is not winning and isinstance(way.actions[0], Star)]
    assert others
    assert not any(ARROWS.covers(winning, other) for other in others)
    thrifty = winning._replace(state=winning.state._replace(left=winning.state.left + 1))
    assert ARROWS.covers(thrifty, winning)


def test_a_star_on_a_cell_that_cannot_be_seen_may_have_gone_off_it() -> None:
    state = arrows_board(left=1, d8="ws")
    found = explain(ARROWS, state, seen(ARROWS, texts_on(ARROWS.board(state)), unknown=("d8",)))
    assert sorted(texts(ARROWS, found)) == [["*d8-d9"]]
    moved = arrows_board(d8="ws", d5="W", d6="B")
    board = changed(moved, d5="", e7="white arrow up")
    found = explain(ARROWS, moved, seen(ARROWS, board, unknown=("d8",)))
    assert sorted(texts(ARROWS, found)) == [["d5-e7"], ["d5-e7", "*d8-d9"]]
    assert found.question is not None
    assert found.question.cell == "d8"


@pytest.mark.parametrize(
    ("cells", "paragraphs", "text"),
    [
        ({"d3": "", "c4": "white arrow up"}, ("AE-2.6",), "d3-c4"),
        ({"d3": "", "d2": "white arrow up"}, ("AE-2.1", "AE-2.6"), "d3-d2"),
        ({"a1": "", "a2": "white star up"}, ("AE-2.0",), "*a1-a2"),
    ],
)
def test_what_fits_no_legal_move_is_refused_by_the_nearest_one(
    cells: dict[str, str], paragraphs: tuple[str, ...], text: str
) -> None:
    state = arrows_board(d3="W", d4="B")
    found = explain(ARROWS, state, seen(ARROWS, changed(state, **cells)))
    assert not found.answers
    assert found.nearest is not None
    assert found.nearest.ruling.paragraphs == paragraphs
    assert ARROWS.text(state, found.nearest.action) == text
    assert len(found.put_back) == 1


def test_a_chain_that_is_refused_only_for_another_one_that_must_be_made_says_so() -> None:
    state = arrows_board(d3="W", d4="B", a3="W", a4="W")
    found = explain(ARROWS, state, seen(ARROWS, changed(state, a3="", b5="white arrow up")))
    assert found.nearest is not None
    assert found.nearest.ruling.paragraphs == ("AE-2.6",)


def test_a_piece_put_back_and_a_move_are_seen_at_once() -> None:
    state = squod_board("S11:r W11:p", hands={"0": ["paper"]})
    board = changed(state, S12="0 ?", S11="", S21="0 ?")
    found = explain(SQUOD, state, seen(SQUOD, board))
    assert texts(SQUOD, found) == [["p>S12", "S11-S21"]]


def test_pieces_may_have_been_put_back_on_places_that_nobody_sees_before_a_move() -> None:
    state = squod_board("S11:r W11:p", hands={"0": ["paper", "paper"]})
    board = changed(state, S11="", S21="0 ?")
    found = texts(SQUOD, explain(SQUOD, state, seen(SQUOD, board, unknown=("S12", "S13"))))
    assert ["S11-S21"] in found
    assert ["p>S13", "S11-S21"] in found
    assert ["p>S12", "p>S13", "S11-S21"] in found


def test_a_piece_put_back_may_have_moved_on_to_a_place_that_nobody_sees() -> None:
    state = squod_board("S11:r W11:p", hands={"0": ["paper", "paper"]})
    board = changed(state, S12="0 ?")
    found = texts(SQUOD, explain(SQUOD, state, seen(SQUOD, board, unknown=("S23",))))
    assert ["p>S12"] in found
    assert ["p>S12", "p>S13", "S13-S23"] in found


def test_which_piece_was_put_back_is_asked() -> None:
    state = squod_board("S11:r W11:p", hands={"0": ["paper", "rock"]})
    found = explain(SQUOD, state, seen(SQUOD, changed(state, S12="0 ?")))
    assert texts(SQUOD, found) == [["p>S12"], ["r>S12"]]
    assert found.question is not None


def test_an_attack_that_was_won_is_seen_by_its_crossing() -> None:
    state = squod_board("S22:r W33:s S11:p W11:p")
    board = changed(state, S22="", W33="", b3="0 rock")
    assert ["S22/S32xW33"] in texts(SQUOD, explain(SQUOD, state, seen(SQUOD, board)))


def test_a_step_to_the_squod_line_is_not_taken_for_an_attack() -> None:
    state = squod_board("S22:x W33:x S11:p W11:p")
    board = changed(state, S22="", S33="0 ?")
    found = explain(SQUOD, state, seen(SQUOD, board))
    assert texts(SQUOD, found) == [["S22-S33"]]


def test_a_hidden_piece_is_known_once_it_lies_on_the_ring() -> None:
    state = squod_board("S32:x W11:x")
    found = explain(SQUOD, state, seen(SQUOD, changed(state, S32="", b1="0 paper")))
    assert texts(SQUOD, found) == [["S32-b1=p"]]


def test_a_hidden_piece_that_may_not_take_is_refused_and_known() -> None:
    state = squod_board("S32:x b1:1p W11:x")
    found = explain(SQUOD, state, seen(SQUOD, changed(state, S32="", b1="0 rock")))
    assert found.nearest is not None
    assert found.nearest.ruling.paragraphs == ("SQ-3.4",)
    assert [s.kind for s in SQUOD.learned(state, found.nearest.action)] == ["rock"]


def test_a_diagonal_move_is_refused() -> None:
    state = squod_board("b2:0p S11:r W11:r")
    found = explain(SQUOD, state, seen(SQUOD, changed(state, b2="", c3="0 paper")))
    assert found.nearest is not None
    assert found.nearest.action == Move("b2", "c3")
    assert found.nearest.ruling.paragraphs == ("SQ-3.3",)


def test_a_pass_follows_by_itself_where_nothing_else_is_possible() -> None:
    """Nothing of South's is on the board, nor in his hand."""
    assert SQUOD.unseen_move(squod_board("W11:p")) is not None
    assert SQUOD.unseen_move(squod_board("W11:p c1:0r")) is None


def test_no_pass_follows_by_itself_where_it_would_tell_what_lies_hidden() -> None:
    """SQ-1.5: that the piece before the rock is scissors, as the referee knows."""
    for hidden in "sxp":
        assert SQUOD.unseen_move(squod_board(f"S33:{hidden} c1:1r W11:p")) is None
