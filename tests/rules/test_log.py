"""The house paragraphs (HR-1, HR-2) as logged actions around the rules of a game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rules.scooter import CARS, GAME

from tableref.referee.games import load_game
from tableref.rules.house import (
    BreakOff,
    Correct,
    Draw,
    HouseRuling,
    Leave,
    Redo,
    Resign,
    Return,
    TakeBack,
    TakeUp,
)
from tableref.rules.log import House, Table
from tableref.rules.pieces import texts
from tableref.rules.records import Logged, read_record, replay, write_record
from tableref.rules.surface import Refused, UnreadableAction

ALL = tuple(range(3))
HOUSE = House(GAME)
EASTWARD = {"cell": "a3", "heading": "E", "speed": 1}
DEEP = House(load_game("skorpion-deep"))


class Sitting:
    """Three players at a table; every action goes into the log."""

    def __init__(self, players: int = 3, house: House = HOUSE, **setup: Any) -> None:
        self.house = house
        self.setup = setup if house is DEEP else {"players": players, **setup}
        self.table = house.start(self.setup)
        self.log: list[Any] = []
        self.facts: list[str] = []

    def do(self, *actions: Any, player: int | None = None) -> Sitting:
        """Actions, or their texts."""
        for action in actions:
            if isinstance(action, str):
                action = self.house.game.parse(self.table.state, action)
            self.table, facts = self.house.apply(self.table, action, player)
            self.log.append(Logged(action))
            self.facts += [f"{fact.paragraph} {fact.case}" for fact in facts]
        return self

    def plot(self) -> Sitting:
        """The lowest number of every car that a player at the table drives, and no letter."""
        for index, car in enumerate(CARS):
            owner = self.table.state.owners[index]
            if owner >= 0 and owner not in self.table.now.passed:
                used = self.table.state.used[index]
                free = [n for r, n in enumerate(GAME.layout.numbers[index]) if not used >> r & 1]
                self.do(f"{car} {min(free)}-", player=owner)
        return self

    def first(self) -> Sitting:
        """The first legal action."""
        return self.do(next(iter(self.house.game.legal(self.table.state))))

    def refusal(self, action: Any, player: int | None = None) -> str:
        """Paragraph and case that refuse an action, and who has still to agree."""
        if isinstance(action, str):
            action = self.house.game.parse(self.table.state, action)
        ruling = self.house.judge(self.table, action, player)
        if ruling.allowed:
            return ""
        with pytest.raises(Refused):
            self.house.apply(self.table, action, player)
        fact = ruling.broken[0]
        return f"{fact.paragraph} {fact.case} {fact.other}".strip()

    @property
    def due(self) -> str:
        due = self.house.due(self.table)
        return f"{due.kind} {due.piece}".strip()


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    """A game of three; what was logged in it replays, as records and as a record."""
    sitting = Sitting()
    yield sitting
    for action, _ in sitting.log:
        assert sitting.house.read(json.loads(json.dumps(action.record()))) == action
    written = write_record(sitting.house.game, sitting.setup, sitting.log)
    steps = list(replay(sitting.house.game, read_record(json.dumps(written))))
    assert [step.mismatch for step in steps if step.mismatch] == []
    if steps:
        assert settled(steps[-1].table).now == settled(sitting.table).now


def settled(table: Table) -> Table:
    """A record goes on by itself; a test stops where it likes."""
    while (action := GAME.forced(table.state)) is not None and HOUSE.judge(table, action).allowed:
        table, _ = HOUSE.apply(table, action)
    return table


# -- HR-1.1 ------------------------------------------------------------------------------------


def test_hr_1_1_who_gave_up_does_nothing_more(sitting: Sitting) -> None:
    sitting.do(Resign(1))
    assert sitting.refusal("orange 2-") == "AS-2.2 plot-ownerless"
    assert sitting.refusal(Resign(1)) == "HR-1.1 given-up"
    assert sitting.refusal(Leave(1)) == "HR-1.1 given-up"


def test_hr_1_1_who_gave_up_is_not_asked_any_more(sitting: Sitting) -> None:
    sitting.do(Resign(1))
    assert sitting.refusal(Draw((0,))) == "HR-1.3 not-all-agree player 3"
    assert sitting.refusal(Draw((0, 2))) == ""


def test_hr_1_1_giving_up_can_be_taken_back_by_who_gave_up(sitting: Sitting) -> None:
    before = sitting.table.now
    sitting.do(Resign(1))
    assert sitting.refusal(TakeBack(0)) == "HR-2.1 not-yours player 1, player 3"
    sitting.do(TakeBack(1))
    assert sitting.table.now == before


def test_hr_1_1_in_the_middle_of_a_round(sitting: Sitting) -> None:
    sitting.plot()
    assert sitting.due == "restart red"
    sitting.do(Resign(0))
    assert sitting.due == "restart orange"


def test_hr_1_1_of_two_sides_the_other_wins() -> None:
    sitting = Sitting(house=DEEP)
    sitting.do(Resign(0))
    outcome = DEEP.outcome(sitting.table)
    assert outcome is not None
    assert (outcome.winners, outcome.paragraph) == ((1,), "HR-1.1")


def test_hr_1_1_after_the_end_nobody_gives_up() -> None:
    sitting = Sitting(players=2).do(Resign(0))
    assert sitting.refusal(Resign(1)) == "HR-1.1 over"
    assert sitting.due == "over"


def test_hr_1_1_there_is_no_player_beyond_the_last() -> None:
    for action in (Resign(3), Leave(3), Return(3), TakeBack(3)):
        with pytest.raises(UnreadableAction, match="no player 3"):
            Sitting().refusal(action)


# -- HR-1.2 ------------------------------------------------------------------------------------


def test_hr_1_2_the_table_waits_for_who_is_away(sitting: Sitting) -> None:
    sitting.plot().do(Leave(0))
    assert sitting.refusal("red>b1NE") == "HR-1.2 away"
    sitting.do(Return(0))
    assert sitting.refusal("red>b1NE") == ""


def test_hr_1_2_others_plot_meanwhile(sitting: Sitting) -> None:
    sitting.do(Leave(0))
    assert sitting.refusal("orange 2-", player=1) == ""
    assert sitting.refusal("red 1-", player=0) == "HR-1.2 away"


def test_hr_1_2_a_car_that_drives_as_noted_does_not_wait_for_its_player(sitting: Sitting) -> None:
    cars = {"red": EASTWARD}
    sitting.do(Correct.to({"cars": cars}, ALL)).plot().do(Leave(0))
    assert sitting.due == "drive red"
    assert sitting.refusal("red!") == ""


def test_hr_1_2_if_all_others_agree_he_is_passed_over(sitting: Sitting) -> None:
    assert sitting.refusal(Leave(0, (1,))) == "HR-1.2 not-all-agree player 3"
    sitting.do(Leave(0, (1, 2)))
    assert sitting.refusal("red 1-") == "HR-1.2 passed"
    sitting.plot()
    assert sitting.due == "restart orange"


def test_hr_1_2_others_may_agree_later(sitting: Sitting) -> None:
    sitting.plot().do(Leave(0))
    assert sitting.refusal(Leave(0)) == "HR-1.2 away"
    sitting.do(Leave(0, (1, 2)))
    assert sitting.due == "restart orange"
    assert sitting.refusal(Leave(0, (1, 2))) == "HR-1.2 passed"


def test_hr_1_2_back_again_he_plays_on(sitting: Sitting) -> None:
    sitting.do(Leave(0, (1, 2)), Return(0))
    assert sitting.refusal("red 1-") == ""
    assert sitting.table.away == frozenset()


def test_hr_1_2_who_is_passed_over_is_not_asked(sitting: Sitting) -> None:
    sitting.do(Leave(0, (1, 2)))
    assert sitting.refusal(Draw((1, 2))) == ""


def test_hr_1_2_somebody_has_to_stay(sitting: Sitting) -> None:
    sitting.do(Leave(0, (1, 2)), Leave(1, (2,)))
    assert sitting.refusal(Leave(2, (0, 1))) == "HR-1.2 cannot-pass-over"
    assert sitting.refusal(Leave(2)) == ""


def test_hr_1_2_who_is_not_away_does_not_come_back(sitting: Sitting) -> None:
    assert sitting.refusal(Return(1)) == "HR-1.2 not-away"


def test_hr_1_2_a_game_of_turns_by_two_cannot_go_on_without_one() -> None:
    sitting = Sitting(house=DEEP)
    assert sitting.refusal(Leave(0, (1,))) == "HR-1.2 cannot-pass-over"
    sitting.do(Leave(0))
    assert sitting.refusal("s3") == "HR-1.2 away"


def test_hr_1_2_who_is_away_is_told_with_the_facts(sitting: Sitting) -> None:
    sitting.do(Leave(2))
    assert HOUSE.facts(sitting.table)["away"] == [2]


# -- HR-1.3 ------------------------------------------------------------------------------------


def test_hr_1_3_a_draw_needs_all(sitting: Sitting) -> None:
    assert sitting.refusal(Draw((0, 2))) == "HR-1.3 not-all-agree player 2"
    sitting.do(Draw(ALL))
    outcome = HOUSE.outcome(sitting.table)
    assert outcome is not None
    assert (outcome.winners, outcome.paragraph) == (ALL, "HR-1.3")


def test_hr_1_3_after_a_draw_nothing_is_played(sitting: Sitting) -> None:
    sitting.do(Draw(ALL))
    assert sitting.due == "over"
    assert sitting.refusal("red 1-") == "HR-1.3 ended"
    assert sitting.refusal(Resign(0)) == "HR-1.3 ended"
    assert HOUSE.facts(sitting.table)["ended"] == "HR-1.3"


# -- HR-1.4 ------------------------------------------------------------------------------------


def test_hr_1_4_a_game_broken_off_has_no_result(sitting: Sitting) -> None:
    sitting.do(BreakOff())
    outcome = HOUSE.outcome(sitting.table)
    assert outcome is not None
    assert (outcome.winners, outcome.paragraph) == ((), "HR-1.4")
    assert sitting.refusal("red 1-") == "HR-1.4 ended"
    assert sitting.refusal(BreakOff()) == "HR-1.4 ended"


def test_hr_1_4_it_can_be_taken_up_again_where_it_was(sitting: Sitting) -> None:
    sitting.plot()
    before = sitting.table.now
    sitting.do(BreakOff(), TakeUp())
    assert sitting.table.now == before
    assert sitting.facts[-1] == "HR-1.4 taken-up"
    assert sitting.refusal("red>b1NE") == ""


def test_hr_1_4_only_a_game_broken_off_is_taken_up(sitting: Sitting) -> None:
    assert sitting.refusal(TakeUp()) == "HR-1.4 not-broken-off"
    sitting.do(Draw(ALL))
    assert sitting.refusal(TakeUp()) == "HR-1.4 not-broken-off"


# -- HR-2.1 ------------------------------------------------------------------------------------


def test_hr_2_1_the_last_action_is_taken_back_by_who_made_it(sitting: Sitting) -> None:
    before = sitting.table.state
    sitting.do("red 1-", player=0)
    assert sitting.refusal(TakeBack(1)) == "HR-2.1 not-yours player 1, player 2, player 3"
    sitting.do(TakeBack(0))
    assert sitting.table.state == before


def test_hr_2_1_what_another_did_needs_all(sitting: Sitting) -> None:
    sitting.do("red 1-", player=0)
    assert sitting.refusal(TakeBack(1, ALL)) == ""


def test_hr_2_1_across_an_announcement_all_must_agree(sitting: Sitting) -> None:
    sitting.plot()
    assert sitting.refusal(TakeBack(2)).startswith("HR-2.1 shown-since")
    assert sitting.refusal(TakeBack(2, (0, 1))) == "HR-2.1 shown-since player 3"
    sitting.do(TakeBack(2, ALL))
    assert sitting.due == "plot"


def test_hr_2_1_across_a_letter_that_was_shown_all_must_agree(sitting: Sitting) -> None:
    cars = {"red": EASTWARD}
    sitting.do(Correct.to({"cars": cars}, ALL)).plot().do("red!")
    assert sitting.refusal(TakeBack(0)).startswith("HR-2.1 shown-since")


def test_hr_2_1_a_restart_shows_nothing(sitting: Sitting) -> None:
    sitting.plot().do("red>b1NE")
    assert sitting.refusal(TakeBack(0)) == ""


def test_hr_2_1_across_a_throw_all_must_agree() -> None:
    house = House(load_game("scorpion"))
    table = house.start({"players": 2})
    table, _ = house.apply(table, next(iter(house.game.legal(table.state))))
    assert house.judge(table, TakeBack(0)).paragraphs == ("HR-2.1",)
    assert house.judge(table, TakeBack(0, (0, 1))).allowed


def test_hr_2_1_a_house_ruling_that_shows_a_letter_needs_all(sitting: Sitting) -> None:
    cars = {
        car: {"cell": cell, "heading": "E", "speed": 1}
        for car, cell in zip(CARS, ("a3", "a4", "a5", "a2", "a6", "b1"), strict=False)
    }
    sitting.do(Correct.to({"cars": cars | {"black": {"cell": "c3"}}}, ALL)).plot()
    sitting.do(HouseRuling(GAME.parse(sitting.table.state, "orange!"), ALL))
    assert sitting.table.past[-1][0].revealed


def test_hr_2_1_taking_back_is_undone_in_order(sitting: Sitting) -> None:
    sitting.do("red 1-", "orange 2-")
    done = sitting.table
    sitting.do(TakeBack(0, ALL), TakeBack(0, ALL))
    assert sitting.refusal(Redo((0,))) == "HR-2.1 not-all-agree player 2, player 3"
    sitting.do(Redo(ALL), Redo(ALL))
    assert sitting.table == done
    assert sitting.refusal(Redo(ALL)) == "HR-2.1 nothing-to-redo"


def test_hr_2_1_what_followed_by_itself_is_taken_back_and_done_again_with_it() -> None:
    table = HOUSE.start({"players": 2})
    one, two = (GAME.parse(table.state, text) for text in ("red 1-", "orange 2-"))
    start, (chosen, _) = table, HOUSE.apply(table, one)
    table, _ = HOUSE.apply(chosen, two, followed=True)
    back, _ = HOUSE.apply(table, TakeBack(0, (0, 1)))
    assert (back.now, back.past) == (start.now, ())
    assert HOUSE.apply(back, Redo((0, 1)))[0] == table


def test_hr_2_1_what_followed_at_the_start_is_nobody_s_to_take_back() -> None:
    table = HOUSE.start({"players": 2})
    table, _ = HOUSE.apply(table, GAME.parse(table.state, "red 1-"), followed=True)
    [broken] = HOUSE.judge(table, TakeBack(0, (0, 1))).broken
    assert broken.case == "nothing-to-take-back"


def test_hr_2_1_what_followed_may_have_shown_something() -> None:
    sitting = Sitting()
    sitting.do(Correct.to({"cars": {"red": EASTWARD}}, ALL)).plot()
    drive = GAME.parse(sitting.table.state, "red!")
    sitting.table, _ = HOUSE.apply(sitting.table, drive, followed=True)
    assert sitting.refusal(TakeBack(0)).startswith("HR-2.1 shown-since")


@pytest.mark.parametrize(
    ("game", "text", "public"),
    [
        ("autoscooter", "black 8C", "black ?"),
        ("autoscooter", "ghost 1K", "player 2 ?"),
        ("autoscooter", "prefer 1blue", "player 2 ?"),
        ("squod", "r>S12", "?>S12"),
        ("squod", "S11=p", "S11=?"),
        ("squod", "S32/S32xW31=?s", "S32/S32xW31"),
        ("squod", "S32-b1=p", "S32-b1=p"),
    ],
)
def test_hr_2_1_what_is_hidden_is_not_told(game: str, text: str, public: str) -> None:
    rules: Any = load_game(game)
    state = rules.start({"players": 2})
    assert rules.public_text(state, rules.parse(state, text)) == public


def test_hr_2_1_a_new_action_ends_what_could_be_done_again(sitting: Sitting) -> None:
    sitting.do("red 1-", TakeBack(0, ALL), "orange 2-")
    assert sitting.refusal(Redo(ALL)) == "HR-2.1 nothing-to-redo"


def test_hr_2_1_at_the_beginning_there_is_nothing_to_take_back(sitting: Sitting) -> None:
    assert sitting.refusal(TakeBack(0, ALL)) == "HR-2.1 nothing-to-take-back"


def test_hr_2_1_the_end_of_a_game_can_be_taken_back() -> None:
    sitting = Sitting(players=2).do(Resign(0), TakeBack(0))
    assert HOUSE.outcome(sitting.table) is None


# -- HR-2.2 ------------------------------------------------------------------------------------

MOVED = {"cars": {"red": {"cell": "c4", "heading": "W", "speed": 2}}}


def test_hr_2_2_a_correction_needs_all(sitting: Sitting) -> None:
    assert sitting.refusal(Correct.to(MOVED, (0, 1))) == "HR-2.2 not-all-agree player 3"
    sitting.do(Correct.to(MOVED, ALL))
    assert texts(GAME.board(sitting.table.state))["c4"] == "red W"
    assert sitting.facts == ["HR-2.2 corrected"]


def test_hr_2_2_the_record_shows_it_as_a_correction(sitting: Sitting) -> None:
    sitting.do(Correct.to(MOVED, ALL))
    [step] = write_record(GAME, sitting.setup, sitting.log)["steps"]
    assert step["do"] == [{"correct": {"position": MOVED, "agreed": [0, 1, 2]}}]


def test_hr_2_2_chips_come_from_the_bank(sitting: Sitting) -> None:
    sitting.do(Correct.to({"chips": {"1": 25}}, ALL))
    assert HOUSE.facts(sitting.table)["chips"] == [20, 25, 20]
    assert sitting.table.state.purses[-1] == 15


def test_hr_2_2_in_the_middle_of_a_round_it_goes_on(sitting: Sitting) -> None:
    sitting.plot().do(Correct.to(MOVED, ALL))
    assert sitting.due == "drive red"


def test_hr_2_2_a_position_that_cannot_be_is_none(sitting: Sitting) -> None:
    with pytest.raises(ValueError, match="two cars stand on c1"):
        sitting.do(Correct.to({"cars": {"red": {"cell": "c1"}}}, ALL))


# -- HR-2.3 ------------------------------------------------------------------------------------


def test_hr_2_3_a_refused_action_is_let_stand_if_all_agree(sitting: Sitting) -> None:
    sitting.plot()
    far = GAME.parse(sitting.table.state, "red>c4NE")
    assert sitting.refusal(HouseRuling(far, (0, 1))) == "HR-2.3 not-all-agree player 3"
    sitting.do(HouseRuling(far, ALL))
    assert texts(GAME.board(sitting.table.state))["c4"] == "red NE"
    assert sitting.due == "restart orange"


def test_hr_2_3_the_paragraph_that_was_set_aside_is_told(sitting: Sitting) -> None:
    sitting.plot()
    ruling = HouseRuling(GAME.parse(sitting.table.state, "red>c4NE"), ALL)
    _, facts = HOUSE.apply(sitting.table, ruling)
    assert (facts[0].paragraph, facts[0].case, facts[0].what) == ("HR-2.3", "let-stand", "AS-4.5")


def test_hr_2_3_what_is_legal_needs_no_ruling(sitting: Sitting) -> None:
    action = GAME.parse(sitting.table.state, "red 1-")
    assert sitting.refusal(HouseRuling(action, ALL)) == "HR-2.3 not-refused"


def test_hr_2_3_a_number_used_twice(sitting: Sitting) -> None:
    sitting.do(Correct.to({"used": {"red": [1]}, "round": 2}, ALL))
    sitting.do(HouseRuling(GAME.parse(sitting.table.state, "red 1-"), ALL))
    assert sitting.table.state.plots[0] is not None


def test_hr_2_3_a_number_of_another_car_is_let_stand_and_nothing_crossed_out() -> None:
    sitting = Sitting().do(HouseRuling(GAME.parse(Sitting().table.state, "red 10-"), ALL))
    for car, number in zip(CARS[1:6], (2, 3, 4, 5, 6), strict=True):
        sitting.do(f"{car} {number}-")
    while sitting.due != "plot":
        sitting.first()
    assert HOUSE.facts(sitting.table)["used"]["red"] == []
    assert HOUSE.facts(sitting.table)["used"]["orange"] == [2]


def test_hr_2_3_a_letter_changed_after_the_announcement(sitting: Sitting) -> None:
    sitting.do(Correct.to(MOVED, ALL)).plot()
    sitting.do(HouseRuling(GAME.parse(sitting.table.state, "red -C"), ALL)).do("red!")
    assert texts(GAME.board(sitting.table.state))["b4"] == "red W"
    assert sitting.table.state.order[0] == 0


def test_hr_2_3_the_order_that_is_announced_stays(sitting: Sitting) -> None:
    sitting.plot()
    with pytest.raises(UnreadableAction, match="only a letter"):
        sitting.do(HouseRuling(GAME.parse(sitting.table.state, "red 16-"), ALL))


def test_hr_2_3_on_paper_a_letter_that_the_speed_forbids() -> None:
    sitting = Sitting(paper=True).do(Correct.to({"cars": {"red": EASTWARD}}, ALL))
    sitting.do(HouseRuling(GAME.parse(sitting.table.state, "red!P"), ALL))
    assert sitting.table.state.speeds[0] == 3


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("white!", "belongs to nobody"),
        ("white>b7E", "belongs to nobody"),
        ("orange>a1E", "two cars cannot stand on a1"),
        ("orange!", "only a restart moves it"),
        ("announce", "only plots, drives and restarts"),
        ("white 7A", "nobody tells the referee a plot for white"),
    ],
)
def test_hr_2_3_what_the_table_cannot_show_is_no_ruling(action: str, why: str) -> None:
    sitting = Sitting().plot()
    with pytest.raises(UnreadableAction, match=why):
        sitting.do(HouseRuling(GAME.parse(sitting.table.state, action), ALL))


# -- reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        {"resign": 1},
        {"resign": {"player": -1}},
        {"resign": {"player": True}},
        {"leave": {"player": 0, "agreed": "all"}},
        {"draw": {"agreed": [True]}},
        {"break_off": 1},
        {"take_up": None},
        {"take_back": {}},
        {"redo": []},
        {"correct": {"position": [], "agreed": []}},
        {"house_ruling": {"agreed": [0]}},
        {"house_ruling": {"action": {"fly": {}}, "agreed": [0]}},
        {},
        {"resign": {"player": 0}, "draw": {}},
    ],
)
def test_what_is_no_action_is_unreadable(record: dict[str, Any]) -> None:
    with pytest.raises(UnreadableAction):
        HOUSE.read(record)
