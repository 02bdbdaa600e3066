"""The pages: who may do what, what is told, and what nobody from outside gets to do."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from tableref.referee.album import Album
from tableref.referee.correcting import example
from tableref.referee.desk import Feedback
from tableref.referee.inputs import Act, Choose, PutRight
from tableref.referee.wording import Wording
from tableref.web.app import Pages
from tableref.web.consents import Consents
from tableref.web.gate import BURST, LONGEST, near
from tableref.web.live import Live
from tableref.web.seats import SCORER, Seats
from tests.web.conftest import CODE, Table, drive

Lay = Callable[..., Table]


def test_without_a_seat_one_sees_everything_and_touches_nothing(laid: Lay) -> None:
    table = laid("skorpion-deep")
    phone = table.phone()
    page = phone.page()
    assert "Skorpion Deep" in page
    assert "Take a seat" in page
    assert phone.said("/say", line="s3") == ["Take a seat to answer."]
    assert phone.post("/wish", kind="take-back").status_code == 403
    assert phone.post("/answer", question=table.desk.told.open, choice=0).status_code in (400, 403)
    assert table.given == []


def test_anybody_may_ask(laid: Lay) -> None:
    said = laid("skorpion-deep").phone().said("/say", line="whose turn is it?")
    assert "It is the turn of red." in said


def test_a_seat_wants_the_code(laid: Lay) -> None:
    phone = laid("skorpion-deep").phone()
    assert phone.post("/enter", code="9999", seat=0).status_code == 403
    assert phone.post("/enter", code=CODE, seat=0).status_code == 200
    assert "Your seat: red" in phone.page()


def test_a_question_is_answered_from_a_seat_and_only_while_it_is_open(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red = table.phone(seat=0)
    number = table.desk.told.open
    assert red.post("/answer", question=number, choice=1).status_code == 200
    (given,) = table.given
    assert isinstance(given, Choose)
    assert (given.choice, given.question) == (1, number)
    assert red.said("/answer", question=number, choice=1) == [
        "That question is over; look what is asked now."
    ]
    assert len(table.given) == 1


def test_taking_back_wants_the_consent_of_the_other_seats(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    red.post("/answer", question=table.desk.told.open, choice=0)
    before = len(table.given)
    blue.post("/wish", kind="take-back")
    assert len(table.given) == before
    assert "blue would like to take the last action back (HR-2.1)" in red.page()
    assert "Waiting for the others." in blue.page()
    red.post("/agree", wish=1, agreed="yes")
    (_, taken_back) = table.given
    assert isinstance(taken_back, Act)
    assert taken_back.action == {"take_back": {"player": 1, "agreed": [0, 1]}}
    assert "would like" not in red.page()


def test_one_no_ends_a_wish(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    red.post("/answer", question=table.desk.told.open, choice=0)
    before = len(table.given)
    blue.post("/wish", kind="take-back")
    red.post("/agree", wish=1, agreed="no")
    assert "would like" not in blue.page()
    assert len(table.given) == before


def test_undo_typed_at_a_phone_asks_the_others_too(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    red.post("/answer", question=table.desk.told.open, choice=0)
    before = len(table.given)
    blue.post("/say", line="undo")
    assert len(table.given) == before
    assert "would like to take the last action back" in red.page()


def test_a_taken_seat_is_given_by_one_who_sits(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue, other = table.phone(seat=0), table.phone(seat=1), table.phone()
    answer = other.post("/enter", code=CODE, seat=0)
    assert answer.status_code == 202
    assert "The table is asked" in answer.text
    assert "Take a seat" in other.page()
    blue.post("/agree", wish=1, agreed="yes")
    assert "Your seat: red" in other.page()
    assert "Take a seat" in red.page()  # the phone that had it looks on


def test_a_move_typed_at_the_wrong_seat_is_refused_by_the_rules(laid: Lay) -> None:
    table = laid("skorpion-deep")
    blue = table.phone(seat=1)
    blue.post("/say", line="s3")
    ruled = [row for row in table.evening.journal.rows() if row.kind == "action"]
    assert ruled == []


def test_a_form_from_another_site_does_nothing(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red = table.phone(seat=0)
    told = {"question": table.desk.told.open, "choice": 0, "sign": ""}
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}, {}):
        assert red.client.post("/answer", data=told, headers=headers).status_code == 403
    assert table.given == []


@pytest.mark.parametrize("address", ["8.8.8.8", "2001:4860:4860::8888", "", "somewhere"])
def test_other_networks_are_left_outside(laid: Lay, address: str) -> None:
    phone = laid("skorpion-deep").phone(address)
    assert phone.client.get("/").status_code == 403


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "192.168.1.20", "10.1.2.3", "::1", "fe80::1%wlan0", "::ffff:10.0.0.1"]
)
def test_phones_of_the_own_network_come_in(address: str) -> None:
    assert near(address)


def test_who_asks_too_often_waits(laid: Lay) -> None:
    table = laid("skorpion-deep")
    table.pages.rates.clock = lambda: 0.0
    many, other = table.phone("10.0.0.1"), table.phone("10.0.0.2")
    found = [many.client.get("/static/table.css").status_code for _ in range(int(BURST) + 20)]
    assert 429 in found
    assert other.client.get("/").status_code == 200


def test_what_is_too_long_is_not_read(laid: Lay) -> None:
    phone = laid("skorpion-deep").phone()
    assert phone.client.post("/say", data={"line": "x" * LONGEST}).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/nothing", "/rules/AS-99.9", "/pictures/1/board-before.jpg", "/pictures/1/..%2f..%2fetc",
        "/static/../app.py", "/static/%2e%2e/app.py", "/pictures/x/y", "/rules/%00",
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_without_a_word_of_the_inside(laid: Lay, path: str) -> None:
    answer = laid("skorpion-deep").phone().client.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
    assert "/tableref/" not in answer.text


def test_no_script_and_no_style_of_others_can_run(laid: Lay) -> None:
    headers = laid("skorpion-deep").phone().client.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_the_cookie_is_out_of_scripts_reach(laid: Lay) -> None:
    phone = laid("skorpion-deep").phone()
    answer = phone.client.post(
        "/enter",
        data={"code": CODE, "seat": "0"},
        headers={"sec-fetch-site": "same-origin"},
        follow_redirects=False,
    )
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_names_with_signs_of_html_stay_text(laid: Lay) -> None:
    table = laid("autoscooter", players=2, names=["<script>", "b&b"], paper=False)
    page = table.phone().page()
    assert "<script>" not in page.replace('<script type="module"', "")
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(("lang", "word"), [("de", "Platz nehmen"), ("fr", "Prendre place")])
def test_pages_are_in_the_games_language(laid: Lay, lang: str, word: str) -> None:
    page = laid("skorpion-deep", lang=lang).phone().page()
    assert word in page
    assert f'<html lang="{lang}">' in page


def test_a_touched_cell_tells_where_its_piece_may_go(laid: Lay) -> None:
    table = laid("arrows-and-stars")
    phone, game = table.phone(), table.evening.referee.game
    board = game.board(table.desk.state.table.state)
    told = {cell: phone.client.get(f"/cells/{cell}").json()["may"] for cell in list(board)[:6]}
    assert any(told.values())
    empty = next(cell for cell in table.evening.board.cells if cell not in board)
    assert phone.client.get(f"/cells/{empty}").json() == {"may": []}
    assert phone.client.get("/cells/zz9").status_code == 404


def test_a_hidden_piece_tells_nothing_when_touched(laid: Lay) -> None:
    table = laid("squod", players=2)
    phone = table.phone()
    for cell in table.evening.board.cells:
        if cell.startswith(("S1", "N1")):
            assert phone.client.get(f"/cells/{cell}").json() == {"may": []}


def test_rules_are_looked_up_and_nothing_is_said_where_they_say_nothing(laid: Lay) -> None:
    phone = laid("skorpion-deep").phone()
    assert "SD-4.3" in phone.page("/rules?q=may+the+skorpion+step+onto+its+tail")
    assert "No paragraph covers that." in phone.page("/rules?q=where+is+the+toilet")
    assert "The Skorpion may not step onto its Tail" in phone.page("/rules/SD-4.3")


def test_a_correction_wants_the_consent_of_the_other_seats(laid: Lay) -> None:
    """HR-2.2: what was typed is given once all have agreed, as it fits the table then."""
    table = laid("arrows-and-stars")
    one, two = table.phone(seat=0), table.phone(seat=1)
    referee = table.evening.referee
    words = Wording(referee.game, table.evening.board, "en", table.live.players)
    line = example(words, table.desk.state.table.state)
    assert one.said("/say", line=line) == []
    assert table.given == []
    assert f"would like all to agree to this: {line}" in two.page()
    before = table.desk.state.table.state
    two.post("/agree", wish=1, agreed="yes")
    [given] = table.given
    assert isinstance(given, PutRight)
    assert given.agreed == (0, 1)
    assert table.desk.state.table.state != before


def test_a_draw_wants_the_consent_of_all(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    assert red.said("/say", line="draw") == []
    assert table.given == []
    blue.post("/agree", wish=1, agreed="yes")
    [given] = table.given
    assert isinstance(given, Act)
    assert given.action == {"draw": {"agreed": [0, 1]}}
    assert table.live.view().over


@pytest.mark.parametrize("line", ["resign red", "resign 1", "leave red"])
def test_another_is_not_given_up_without_his_consent(laid: Lay, line: str) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    assert blue.said("/say", line=line) == []
    assert table.given == []
    assert f"blue would like all to agree to this: {line}" in red.page()
    red.post("/agree", wish=1, agreed="yes")
    [given] = table.given
    assert isinstance(given, Act)
    [[what, fields]] = given.action.items()
    assert (what, fields["player"]) == (line.split()[0], 0)


def test_who_names_nobody_speaks_for_his_own_seat(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    blue.said("/say", line="leave")
    red.post("/agree", wish=1, agreed="yes")
    blue.said("/say", line="return")
    blue.said("/say", line="resign")
    assert [given.action for given in table.given if isinstance(given, Act)] == [
        {"leave": {"player": 1, "agreed": [0]}},
        {"return": {"player": 1}},
        {"resign": {"player": 1}},
    ]
    assert table.live.view().over
    onlooker = laid("skorpion-deep").phone(seat=SCORER)
    assert onlooker.said("/say", line="resign") == ["resign: say who, as resign red"]


def test_a_game_is_broken_off_and_taken_up_again_from_a_phone(laid: Lay) -> None:
    table = laid("skorpion-deep")
    red = table.phone(seat=0)
    red.said("/say", line="break off")
    assert table.live.view().over
    red.said("/say", line="take up")
    assert not table.live.view().over
    assert [given.player for given in table.given if isinstance(given, Act)] == [0, 0]


@pytest.mark.parametrize("line", ["redo", "let stand"])
def test_what_the_others_have_to_agree_to_is_asked_when_it_is_typed(laid: Lay, line: str) -> None:
    table = laid("skorpion-deep")
    red, blue = table.phone(seat=0), table.phone(seat=1)
    blue.said("/say", line=line)
    assert table.given == []
    assert "blue would like" in red.page()


@pytest.mark.parametrize(
    ("game", "setup"), [("autoscooter", {"players": 2}), ("skorpion-deep", {})]
)
def test_whatever_help_shows_is_understood_at_a_phone(
    laid: Lay, game: str, setup: dict[str, int]
) -> None:
    table = laid(game, **setup)
    table.pages.rates.clock = map(float, itertools.count()).__next__  # nobody hurries
    one, _ = table.phone(seat=0), table.phone(seat=1)
    told = [re.split("  |: ", line)[0] for line in one.said("/say", line="help")]
    shown = [re.sub("<.*?>", "", text) for line in told for text in line.split(", ")]
    assert {"undo", "redo", "draw", "break off", "take up"} <= set(shown)
    for line in sorted(shown, key=lambda text: text.startswith("resign")):
        status = 403 if line == "quit" else 200  # that is for the terminal
        assert one.post("/say", line=line).status_code == status, line
    assert table.live.view().over


def test_the_round_sheet_says_what_each_had_after_each_round(laid: Lay) -> None:
    table = laid("autoscooter", players=2, paper=False)
    drive(table, random.Random(5), rounds=2)
    game = table.evening.referee.game
    sheet = table.live.view().sheet
    assert [round.number for round in sheet] == [1, 2]
    score = game.score(table.desk.state.table.state)
    assert score is not None
    assert sheet[-1].counts == score.of
    page = table.phone().page()
    assert "Score sheet" in page
    assert f"<td>{score.of[0]}</td>" in page
    again = Live(table.evening, table.take)  # as after a restart: the journal knows
    again.tell(Feedback((), (), {}, (), table.desk.state.phase, table=table.desk.state))
    assert again.view().sheet == sheet


def test_a_page_shows_the_time_that_is_left(laid: Lay) -> None:
    table = laid("skorpion-deep", clock=60)
    assert 'role="timer" data-left="60" data-runs' in table.phone().page()
    table.now = 17.5
    assert 'data-left="43"' in table.phone().page()
    assert "Time left: red <b>0:43</b>" in table.phone().page()


def test_nobody_is_timed_without_a_clock(laid: Lay) -> None:
    assert 'role="timer"' not in laid("skorpion-deep").phone().page()


def test_pictures_are_looked_for_once_a_change_whoever_looks(
    laid: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = laid("skorpion-deep")
    for choice in (0, 0, 0):
        table.take(Choose(1.0, choice, table.desk.told.open))
    asked: list[int] = []
    names = Album.names
    monkeypatch.setattr(Album, "names", lambda self, step: asked.append(step) or names(self, step))
    phones = [table.phone(f"10.0.0.{n}") for n in range(5)]
    for phone in phones:
        phone.page()
    assert len(asked) == len(set(asked)) > 0
    asked.clear()
    table.take(Choose(2.0, 0, table.desk.told.open))
    for phone in phones:
        phone.page()
    assert len(asked) == len(set(asked)) > 0


def test_a_picture_that_is_written_after_the_ruling_is_found(laid: Lay) -> None:
    table = laid("skorpion-deep")
    table.take(Choose(1.0, 0, table.desk.told.open))
    phone = table.phone()
    assert "board-after" not in phone.page()
    step = next(one.step for one in table.live.view().log if one.step)
    table.album.add(step, {"board-after": b"\xff\xd8"}, {})
    assert f"/pictures/{step}/board-after.jpg" in phone.page()


def test_a_page_that_was_open_goes_on_when_the_referee_was_started_anew(laid: Lay) -> None:
    """Its seat and its forms outlive the server's process; nobody types the code again."""
    table = laid("skorpion-deep")
    red = table.phone(seat=0)
    found = re.search(r'name="sign" value="(\w+)"', red.page())
    assert found is not None
    seats = Seats(table.live.players, file=table.album.folder.parent / "seats.json")
    assert seats.code == CODE
    pages = Pages(table.live, seats, Consents(), table.album)
    client = TestClient(pages.app(), client=("192.168.0.7", 50000))
    client.cookies.set("seat", red.client.cookies["seat"])
    told = {"sign": found[1], "question": table.desk.told.open, "choice": 0}
    headers = {"sec-fetch-site": "same-origin"}
    assert client.post("/answer", data=told, headers=headers).status_code == 200
    assert len(table.given) == 1


def test_a_seat_calls_a_judge_where_somebody_would_hear_it(laid: Lay) -> None:
    table, called = laid("skorpion-deep"), [False]
    red, watcher = table.phone(seat=0), table.phone("10.0.0.2")
    assert "Call a judge" not in red.page()
    assert red.post("/judge").status_code == 404

    def judge() -> bool:
        called[0] = not called[0]
        return called[0]

    table.live.judge = judge
    assert "Call a judge" in red.page()
    assert watcher.post("/judge").status_code == 403
    assert called == [False]
    assert "A judge is called" in str(red.said("/judge"))
    assert "No judge is called." in str(red.said("/judge"))
    assert "A judge is called" in str(red.said("/say", line="judge"))
    watcher.said("/say", line="judge")
    assert called == [True]
