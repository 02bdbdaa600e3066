"""Longer legal ways that look like shorter ones: ruled as the fewest where a hand was seen all the
time, which is told; asked about where it was not; and never refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tableref.referee import verdict
from tableref.referee.evidence import Evidence
from tableref.referee.games import load_game
from tableref.referee.inputs import CameraTrouble, Seen
from tableref.referee.table import Phase, TableState
from tableref.referee.verdict import Verdict, judged
from tableref.rules.explain import Sighting, explain, sighting_of
from tableref.rules.pieces import EMPTY, Piece, Stack
from tableref_vision.observation import Observation
from tests.referee.hands import Table

STARS = {"g1": "white star up", "a9": "black star down"}
LEFT_2 = {
    "pieces": STARS | {"c5": "white star up", "d8": "black arrow down", "e1": "white arrow up"},
    "turn": "white",
    "star_moves": 2,
}
SCORPION = {"players": 4}


def arrows_table() -> Table:
    """A camera over arrows and stars; white has two star moves left. From c5 one leads to b6, or
    two by c6."""
    table = Table("arrows-and-stars", "board", 1)
    begun = table.referee.house.start({}, LEFT_2)
    table.state = TableState(begun, phase=Phase.WAITING, senses=("board",), eye=True)
    table.stands = dict(table.game.board(begun.state))
    table.rest()
    return table


def moved(table: Table, *moves: tuple[str, str]) -> dict[str, Stack]:
    """What stands there after these moves."""
    stands = dict(table.stands)
    for start, to in moves:
        stands[to] = stands.pop(start)
    return stands


def of_kind(table: Table, kind: str) -> list[dict[str, Any]]:
    return [row.data for row in table.rows if row.kind == kind]


def done(table: Table) -> list[str]:
    read = table.referee.house.read
    return [table.game.text(None, read(row["action"])) for row in of_kind(table, "action")]


def flicker(table: Table) -> None:
    """The hand is gone, and nothing lies still yet."""
    table.frame += 1
    shown = {cell: frozenset[str]() for cell in table.board_file.cells}
    table.give(
        Seen(
            Observation(
                table.time, f"{table.frame:04d}", "ok", (), (), frozenset(), False, False,
                cells=shown,
            )
        )
    )  # fmt: skip


# -- arrows and stars ------------------------------------------------------------------------------


def test_one_star_moved_under_one_hand_is_ruled_as_the_fewest_moves_and_that_is_told() -> None:
    table = arrows_table()
    table.move(moved(table, ("c5", "b6")))
    table.rest()
    assert done(table) == ["*c5-b6"]
    assert [row["notice"] for row in of_kind(table, "notice")] == ["fewest"]
    assert not of_kind(table, "question")
    assert table.inner.left == 1


def test_where_no_more_moves_lead_there_nothing_is_told() -> None:
    table = arrows_table()
    table.move(moved(table, ("c5", "d5")))
    table.rest()
    assert done(table) == ["*c5-d5"]
    assert not of_kind(table, "notice")


def test_taken_for_the_fewest_the_other_side_moves_on_as_if_it_had_been_more() -> None:
    table = arrows_table()
    table.move(moved(table, ("c5", "b6")))
    table.rest()
    table.move(moved(table, ("d8", "d7")))
    table.rest()
    assert done(table) == ["*c5-b6", "end", "d8-d7", "end"]
    assert not of_kind(table, "trouble")


def test_after_the_camera_was_away_it_is_asked_how_many_moves_it_was() -> None:
    table = arrows_table()
    table.give(CameraTrouble(table.time, "unplugged."))
    table.move(moved(table, ("c5", "b6")))
    table.rest()
    assert not done(table)
    [question] = [q for q in of_kind(table, "question") if q["question"] == "several"]
    assert len(question["choices"]) == 2
    truth = table.inner
    for text in ("*c5-c6", "*c6-b6", "end"):
        truth = table.game.apply(truth, table.game.parse(truth, text))[0]
    table.answer(truth)
    assert done(table) == ["*c5-c6", "*c6-b6", "end"]


def test_two_hands_one_after_the_other_are_asked_about() -> None:
    table = arrows_table()
    table.look(hand=True)
    flicker(table)
    table.move(moved(table, ("c5", "b6")))
    table.rest()
    assert not done(table)
    assert [q["question"] for q in of_kind(table, "question")] == ["several"]


def test_two_hands_between_which_all_lay_still_are_ruled_one_by_one() -> None:
    table = arrows_table()
    table.look(hand=True)
    table.rest()
    table.move(moved(table, ("c5", "b6")))
    table.rest()
    assert done(table) == ["*c5-b6"]


def test_two_turns_that_nobody_saw_are_ruled_where_nothing_else_leads_there() -> None:
    table = arrows_table()
    table.give(CameraTrouble(table.time, "unplugged."))
    table.move(moved(table, ("c5", "d5"), ("d8", "d7")))
    table.rest()
    assert done(table) == ["*c5-d5", "end", "d8-d7", "end"]
    assert not of_kind(table, "trouble")


def test_what_was_not_seen_and_no_move_explains_is_not_sure_and_not_refused() -> None:
    """White moved a star, black an arrow, and white an arrow again."""
    table = arrows_table()
    table.give(CameraTrouble(table.time, "unplugged."))
    table.move(moved(table, ("c5", "b6"), ("d8", "d7"), ("e1", "e2")))
    table.rest()
    assert not of_kind(table, "trouble")
    assert [q["question"] for q in of_kind(table, "question")][-1] == "not-sure"


def test_it_stays_unseen_until_the_board_is_as_the_rules_have_it() -> None:
    """A piece that went wrong while nobody saw it, and is put right again, settles nothing."""
    table = arrows_table()
    table.give(CameraTrouble(table.time, "unplugged."))
    table.move(moved(table, ("c5", "b6"), ("e1", "e5")))
    table.rest()
    assert of_kind(table, "question")[-1]["question"] == "not-sure"
    table.move(moved(table, ("e5", "e1")))
    table.rest()
    assert not done(table)
    assert of_kind(table, "question")[-1]["question"] == "several"


# -- pieces on places that nobody sees -------------------------------------------------------------


def verdict_on(
    name: str, state: Any, changes: Mapping[str, Stack], *unknown: str, blinded: bool = False
) -> Verdict:
    """The verdict on a board of which these cells are otherwise, and those cannot be seen."""
    game = load_game(name)
    board = {c: s for c, s in (dict(game.board(state)) | dict(changes)).items() if s}
    track = getattr(state, "track", None)
    cells = track.cells[1:-1] if track else game.layout.names
    return judged(game, state, Evidence(sighting_of(board, cells, unknown)), blinded=blinded)


def scorpion(dice: str, **scorpions: list[str]) -> Any:
    """Four players, blue to play, with these dice thrown."""
    game = load_game("scorpion")
    held = {c: cells + ["hand"] * (4 - len(cells)) for c, cells in scorpions.items()}
    state = game.from_position(SCORPION, {"scorpions": held, "opened": [True] * 4})
    for die in dice.split():
        state, _ = game.apply(state, game.parse(state, die))
    return state


BLUE, RED = (Piece("scorpion", "blue"),), (Piece("scorpion", "red"),)


def played(name: str, found: Verdict) -> list[list[str]]:
    return [[load_game(name).text(None, a) for a in one.actions] for one in found.answers]


@pytest.mark.parametrize("blinded", [False, True])
def test_a_scorpion_may_have_come_in_where_nobody_sees_before_another_stung(blinded: bool) -> None:
    """The extra throw is of the sting alone: were it ruled so, the other were refused later."""
    game = load_game("scorpion")
    state = scorpion("y5 y2", blue=["Y1"], red=["Y3"])
    both = game.board(game.apply(state, game.parse(state, "bY1+2"))[0])["Y3"]
    found = verdict_on("scorpion", state, {"Y1": EMPTY, "Y3": both}, "Y5", blinded=blinded)
    assert found.kind == "several"
    assert len(found.answers) == 2


@pytest.mark.parametrize("blinded", [False, True])
def test_a_move_is_ruled_where_another_may_have_followed_it_unseen(blinded: bool) -> None:
    """That one will be seen, and ruled, when its cell is."""
    state = scorpion("y5 y2", blue=["Y1"], red=["Y9"])
    [one] = load_game("scorpion").board(state)["Y1"]
    found = verdict_on("scorpion", state, {"Y1": EMPTY, "Y3": (one,)}, "Y5", blinded=blinded)
    assert (found.kind, played("scorpion", found)) == ("done", [["bY1+2"]])


def test_where_the_search_was_cut_all_that_was_found_is_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verdict, "explain", lambda *given: explain(*given)._replace(cut=True))
    state = scorpion("y5 y2", blue=["Y1"], red=["Y9"])
    [one] = load_game("scorpion").board(state)["Y1"]
    found = verdict_on("scorpion", state, {"Y1": EMPTY, "Y3": (one,)}, "Y5")
    assert found.kind == "several"
    assert len(found.answers) > 1


def squod(hands: list[str]) -> Any:
    placed = {"S11": "0 rock", "S33": "0 paper", "W11": "1 paper"}
    position = {"pieces": placed, "turn": 0, "hands": {"0": hands}}
    return load_game("squod").from_position({"players": 2}, position)


HIDDEN_0 = load_game("squod").board(squod([]))["S11"]


@pytest.mark.parametrize("count", [1, 2])
def test_pieces_may_have_been_put_back_where_nobody_sees_before_a_move(count: int) -> None:
    """Were the move ruled alone, what was put back would be refused: another is in turn then."""
    state = squod(["scissors"] * count)
    changes = {"S11": EMPTY, "S21": HIDDEN_0}
    found = verdict_on("squod", state, changes, "S12", "S13")
    assert found.kind == "several"
    puts = [sum(">" in text for text in way) for way in played("squod", found)]
    assert set(puts) == set(range(count + 1))


def test_with_nothing_in_hand_nothing_was_put_back_unseen() -> None:
    changes = {"S11": EMPTY, "S21": HIDDEN_0}
    found = verdict_on("squod", squod([]), changes, "S12", "S13")
    assert (found.kind, played("squod", found)) == ("done", [["S11-S21"]])


# -- pieces of which the eye cannot tell the kind --------------------------------------------------


def on_c5(*seen: Stack) -> Verdict:
    """The verdict on a star that went from c5 to d5, where one of these is seen."""
    game = load_game("arrows-and-stars")
    state = game.from_position({}, LEFT_2)
    board = {c: s for c, s in game.board(state).items() if c != "c5"}
    look = sighting_of(board, game.layout.masks).cells | {"d5": frozenset(seen)}
    return judged(game, state, Evidence(Sighting(look)))


STAR, ARROW = (Piece("star", "white", "up"),), (Piece("arrow", "white", "up"),)


def test_an_arrow_or_a_star_that_can_only_be_the_one_that_left_is_ruled() -> None:
    assert on_c5(STAR, ARROW).kind == "done"


def test_one_that_may_not_be_there_is_asked_about() -> None:
    assert on_c5(STAR, EMPTY).kind == "several"
