"""The referee's step: scripts of what hands do, and what is said to it."""

from __future__ import annotations

import pytest

from tableref.referee.inputs import Act, CameraEnded, CameraTrouble, Choose, LetStand, read_input
from tableref.referee.table import Phase
from tableref.rules.pieces import texts
from tests.referee.conftest import REFEREE, Play, first_state, of_kind, plots, seen

EIGHT = {"players": 8}
RED_FIRST = plots(
    "red 1-", "orange 2-", "yellow 3-", "green 4-", "blue 5-", "purple 6-", "white 7-", "black 8-"
)
SECOND = plots(
    "red 16K", "orange 15C", "yellow 14C", "green 13C", "blue 12C", "purple 11C", "white 10C",
    "black 9C",
)  # fmt: skip


@pytest.fixture
def eight() -> Play:
    """Eight players, the first round plotted, the board set up; red is in turn."""
    play = Play(EIGHT, [RED_FIRST, SECOND])
    play.look()
    return play


def first_round(play: Play) -> None:
    """Everybody restarts, red to b2 pointing E."""
    for car, cell, heading in (
        ("red", "b2", "E"), ("orange", "d2", "NE"), ("yellow", "e2", "NW"), ("green", "e4", "W"),
        ("blue", "e6", "SW"), ("purple", "c6", "SW"), ("white", "b6", "SE"), ("black", "b4", "E"),
    ):  # fmt: skip
        play.put(car, cell, heading)


def test_the_board_must_stand_as_the_game_starts() -> None:
    play = Play(EIGHT, [RED_FIRST])
    play.put("red", "a2", "NE")
    [trouble] = play.rows("trouble")
    assert trouble["paragraphs"] == ["AS-1.5"]
    assert trouble["put"] == [{"id": "red", "cell": "a1", "heading": "NE", "from": "a2"}]
    assert play.state.phase is Phase.SETTING_UP
    play.put("red", "a1", "NE")
    assert play.rows("set-up")
    assert play.state.phase is Phase.WAITING


def test_a_restart_is_read_off_the_board(eight: Play) -> None:
    eight.put("red", "b2", "E")
    [row] = eight.rows("action")
    assert row["action"] == {"restart": {"car": "red", "to": "b2", "heading": "E"}}


def test_a_car_out_of_turn_is_named_with_its_way_back(eight: Play) -> None:
    eight.put("orange", "d2", "NE")
    [trouble] = eight.rows("trouble")
    assert (trouble["piece"], trouble["paragraphs"]) == ("orange", ["AS-4.1"])
    assert trouble["put"] == [{"id": "orange", "cell": "c1", "heading": "NE", "from": "d2"}]
    # The hand puts it back, then red moves: the game goes on.
    eight.put("orange", "c1", "NE")
    assert eight.rows("cleared")
    eight.put("red", "b2", "E")
    assert eight.rows("action")


def test_trouble_is_told_once(eight: Play) -> None:
    eight.put("orange", "d2", "NE")
    eight.look()
    assert not eight.step.rows
    assert eight.step.told.trouble is not None


AWAY = (("orange", "d2"), ("yellow", "e2"), ("green", "e4"), ("blue", "e6"))


def test_with_three_pieces_displaced_one_is_blamed_and_with_four_the_players_are_asked(
    eight: Play,
) -> None:
    for car, cell in AWAY:
        eight.cars[car] = (cell, "E")
        if car == "green":
            eight.look()
            [trouble] = eight.rows("trouble")
            assert (trouble["piece"], len(trouble["put"])) == ("orange", 3)
    eight.look()
    [question] = eight.rows("question")
    assert question["question"] == "lost"
    assert question["who"] == "blue, green, orange, yellow"
    assert eight.step.told.trouble is None


def test_after_a_resume_it_is_known_that_something_was_not_seen(eight: Play) -> None:
    written = list(Play(EIGHT, [RED_FIRST, SECOND]).look().rows)
    for given, blinded in ((CameraTrouble(1.0, "unplugged"), True), (None, False)):
        written += eight.give(given).rows if given else eight.put("red", "b2", "E").rows
        begun = first_state({"setup": EIGHT, "plots": [RED_FIRST, SECOND]})
        resumed = REFEREE.replayed(begun, written)
        assert (eight.state.blinded, resumed.blinded) == (blinded, blinded)


def test_a_restart_too_far_is_refused_by_its_paragraph(eight: Play) -> None:
    eight.put("red", "c3", "E")
    [trouble] = eight.rows("trouble")
    assert (trouble["piece"], trouble["paragraphs"]) == ("red", ["AS-4.5"])
    assert trouble["put"] == [{"id": "red", "cell": "a1", "heading": "NE", "from": "c3"}]


def test_a_car_that_drives_otherwise_is_told_where_its_letter_leads(eight: Play) -> None:
    first_round(eight)
    assert eight.rows("round")
    # Black (9) drives C to c4, then white (10) should, but another way is taken.
    eight.put("black", "c4", "E")
    eight.put("white", "c7", "E")
    [trouble] = eight.rows("trouble")
    assert (trouble["piece"], trouble["paragraphs"]) == ("white", ["AS-4.2"])
    assert trouble["put"] == [{"id": "white", "cell": "b6", "heading": "SE", "from": "c7"}]
    assert trouble["expected"][0]["cell"] == "b5"


def test_nothing_is_ruled_under_a_hand(eight: Play) -> None:
    eight.cars["red"] = ("b2", "E")
    eight.look(hand=True)
    assert not eight.step.rows
    assert eight.state.phase is Phase.HAND
    eight.look()
    assert eight.rows("action")


def test_nothing_is_ruled_while_something_moves(eight: Play) -> None:
    eight.cars["red"] = ("b2", "E")
    eight.look(still=False)
    assert not eight.step.rows


@pytest.mark.parametrize(("pose", "kind"), [(("b2", None), "askew"), ((None, "E"), "between")])
def test_a_car_that_stands_oddly_is_asked_about(
    eight: Play, pose: tuple[str | None, str | None], kind: str
) -> None:
    eight.put("red", *pose)
    [question] = eight.rows("question")
    assert (question["question"], question["who"]) == (kind, "red")
    assert not eight.rows("action")


def test_a_car_that_is_not_seen_is_asked_about_and_not_ruled(eight: Play) -> None:
    del eight.cars["red"]
    eight.look()
    [question] = eight.rows("question")
    assert (question["question"], question["who"]) == ("unseen", "red")


def test_a_move_is_ruled_though_another_car_is_hidden(eight: Play) -> None:
    hidden = eight.cars.pop("white")
    eight.put("red", "b2", "E")
    assert [row["action"] for row in eight.rows("action")]
    eight.cars["white"] = hidden
    eight.look()
    assert eight.rows("cleared")


def test_without_a_pose_nothing_is_read(eight: Play) -> None:
    eight.cars["red"] = ("b2", "E")
    eight.look(pose="bumped", pieces=())
    assert [row["code"] for row in eight.rows("question")] == ["bumped"]


def test_up_to_three_moves_may_be_missed(eight: Play) -> None:
    eight.cars["red"], eight.cars["orange"] = ("b2", "E"), ("d2", "NE")
    eight.put("yellow", "e2", "NW")
    assert [row["action"]["restart"]["car"] for row in eight.rows("action")] == [
        "red", "orange", "yellow",
    ]  # fmt: skip


def test_a_move_that_shows_nothing_is_ruled_by_itself(eight: Play) -> None:
    """A car that drives into the barrier stays where it is: nobody can be seen doing it."""
    first_round(eight)
    for car, cell, heading in (
        ("black", "c4", "E"), ("white", "b5", "SE"), ("purple", "b5", "SW"),
    ):  # fmt: skip
        eight.put(car, cell, heading)
    assert eight.state.phase in (Phase.WAITING, Phase.REFUSED)


def test_a_struck_car_that_is_not_turned_yet_is_asked_for() -> None:
    play = Play(EIGHT, [RED_FIRST, SECOND])
    play.look()
    for car, cell, heading in (
        ("red", "b2", "E"), ("orange", "c2", "NW"), ("yellow", "e2", "NW"), ("green", "e4", "W"),
        ("blue", "e6", "SW"), ("purple", "c6", "SW"), ("white", "b6", "SE"), ("black", "b4", "E"),
    ):  # fmt: skip
        play.put(car, cell, heading)
    # All drive C in the order black to orange: orange leaves c2 before red comes with K.
    moved = []
    for _ in range(9):
        due = REFEREE.game.due(play.state.table.state)
        if due.kind != "drive" or due.piece == "red":
            break
        drive = REFEREE.game.forced(play.state.table.state)
        assert drive is not None
        after = REFEREE.game.facts(REFEREE.game.apply(play.state.table.state, drive)[0])["cars"]
        before = dict(play.cars)
        play.cars = {car: (pose["cell"], pose["heading"]) for car, pose in after.items()}
        changed = [car for car in play.cars if play.cars[car] != before[car]]
        if len(changed) == 2:
            # Only the rammer's hand has moved so far.
            whole = dict(play.cars)
            other = next(car for car in changed if car != due.piece)
            play.cars[other] = before[other]
            play.look()
            [unfinished] = play.rows("unfinished")
            assert [put["id"] for put in unfinished["put"]] == [other]
            play.cars = whole
        play.look()
        moved.append(due.piece)
        assert play.rows("action"), moved
    assert moved


def test_a_refused_move_may_be_let_stand_when_all_agree(eight: Play) -> None:
    eight.put("red", "c3", "E")
    eight.give(LetStand(9.0, (0, 1, 2)))
    assert eight.rows("trouble")[0]["paragraphs"] == ["HR-2.2"]
    eight.look()
    eight.give(LetStand(9.0, tuple(range(8))))
    assert [row["paragraph"] for row in eight.rows("let-stand")] == ["AS-4.5"]
    assert texts(REFEREE.game.board(eight.state.table.state))["c3"] == "red E"


def test_an_action_may_be_entered_and_taken_back(eight: Play) -> None:
    eight.give(Act(1.0, {"restart": {"car": "red", "to": "b2", "heading": "E"}}))
    assert eight.rows("action")
    eight.give(Act(2.0, {"take_back": {"player": 0, "agreed": []}}))
    assert texts(REFEREE.game.board(eight.state.table.state))["a1"] == "red NE"


def test_an_action_that_is_refused_is_trouble(eight: Play) -> None:
    eight.give(Act(1.0, {"restart": {"car": "red", "to": "c3", "heading": "E"}}))
    assert eight.rows("trouble")[0]["paragraphs"] == ["AS-4.5"]


def test_an_action_that_cannot_be_read_is_a_question(eight: Play) -> None:
    eight.give(Act(1.0, {"fly": {"car": "red"}}))
    assert eight.rows("question")[0]["question"] == "unreadable"


def test_an_answer_to_no_question_is_answered(eight: Play) -> None:
    eight.give(Choose(1.0, 3))
    assert eight.rows("notice")[0]["notice"] == "question-over"


def test_a_camera_that_fails_is_told_and_the_game_waits(eight: Play) -> None:
    eight.give(CameraTrouble(1.0, "unplugged"))
    assert eight.rows("question")[0]["question"] == "camera"
    eight.put("red", "b2", "E")
    assert eight.rows("action")


def test_a_picture_that_cannot_be_read_is_no_camera_that_is_away(eight: Play) -> None:
    eight.give(CameraTrouble(1.0, "a/0001.jpg: is damaged", "0001.jpg"))
    [asked] = eight.rows("question")
    assert (asked["question"], asked["who"]) == ("picture", "0001.jpg")
    assert not eight.state.dark
    eight.put("red", "b2", "E")
    assert eight.rows("action")


def test_an_illegal_plot_is_refused_and_keeps_its_number_secret() -> None:
    bad = [{"plot": {"car": "red", "number": 2, "letter": None}}, *RED_FIRST[1:]]
    play = Play(EIGHT, [bad])
    play.look()
    [refused] = play.rows("refused")
    assert refused["paragraphs"] == ["AS-3.1"]


def test_players_with_plots_on_paper_are_refereed_by_what_their_cars_do() -> None:
    play = Play({"players": 8, "paper": True}, [])
    play.look()
    first_round(play)
    assert play.rows("round")
    # Any car may be next; a manoeuvre is read off the board: blue steps SW and turns one side.
    play.put("blue", "d5", "W")
    [row] = play.rows("action")
    assert row["action"] == {"drive": {"car": "blue", "letter": "D"}}


def test_every_input_has_a_record_that_reads_back() -> None:
    inputs = [
        seen({"red": ("a1", "NE")}),
        Act(1.0, {"resign": {"player": 0}}, 0),
        LetStand(2.0, (0, 1), 4),
        Choose(3.0, 1, 12),
        CameraTrouble(4.0, "gone"),
        CameraEnded(5.0),
    ]
    assert [read_input(given.record()) for given in inputs] == inputs


@pytest.mark.parametrize("record", [{}, {"seen": {}}, {"fly": 1}, {"choose": {"time": 1}}, []])
def test_a_damaged_input_is_a_value_error(record: object) -> None:
    with pytest.raises(ValueError, match=r"input|observation"):
        read_input(record)  # type: ignore[arg-type]


def test_the_state_is_a_replay_of_the_rows(eight: Play) -> None:
    rows = []
    play = Play(EIGHT, [RED_FIRST, SECOND])
    rows += play.look().rows
    for car, cell in (("red", "c3"), ("red", "b2"), ("yellow", "e2"), ("yellow", "e1")):
        rows += play.put(car, cell, "NW" if car == "yellow" else "E").rows
        again = REFEREE.replayed(Play(EIGHT, [RED_FIRST, SECOND]).state, rows)
        assert again.table == play.state.table
        assert again.told == play.state.told
        assert again.plots == play.state.plots
    assert of_kind(rows, "trouble")


def test_on_paper_a_new_round_begins_when_a_car_moves_again() -> None:
    """Red drove into the barrier, which nobody could see; when orange moves a second time the
    round must be over, so red has crashed (AS-4.3) and paid (AS-5.5)."""
    stand = {
        "red": ("f6", "E"), "orange": ("a1", "E"), "yellow": ("a2", "E"), "green": ("a3", "E"),
        "blue": ("a4", "E"), "purple": ("a5", "E"), "white": ("a6", "E"), "black": ("a7", "E"),
    }  # fmt: skip
    position = {"cars": {c: {"cell": p[0], "heading": p[1], "speed": 1} for c, p in stand.items()}}
    play = Play({"players": 8, "paper": True}, [])
    play.state = play.state._replace(
        table=REFEREE.house.start({"players": 8, "paper": True}, position), phase=Phase.WAITING
    )
    play.cars = dict(stand)
    for car, (cell, _) in stand.items():
        if car != "red":
            play.put(car, f"b{cell[1]}", "E")
            assert play.rows("action"), car
    assert not play.rows("round")
    play.put("orange", "c1", "E")
    assert [row["action"]["drive"]["car"] for row in play.rows("action")] == ["red", "orange"]
    assert play.rows("round")[0]["chips"][0] == 9


def test_nothing_is_blamed_for_a_board_that_resembles_nothing() -> None:
    """Two cars stand wrong at once, with plots on paper: put back, by HR-3.1 or a paragraph."""
    play = Play({"players": 8, "paper": True}, [])
    play.look()
    play.cars["red"] = ("d4", "E")
    play.put("blue", "c3", "E")
    [trouble] = play.rows("trouble")
    assert trouble["paragraphs"]
    assert {put["id"] for put in trouble["put"]} == {"red", "blue"}
