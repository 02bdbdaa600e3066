"""Tournaments at the hub: kept, and entered on its pages."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("networkx", reason="the hub needs: pip install 'tableref[hub]'")

from sqlalchemy import text
from starlette.testclient import TestClient

from tableref.hub.desk import Desk
from tableref.hub.pages import HubPages
from tableref.hub.results import Results
from tableref.hub.rounds import RESULTS, NotTaken, Rounds
from tests.hosting.real_broker import until
from tests.hub.conftest import GAME, Heard, event, state
from tests.hub.real_postgres import cluster, programs
from tests.rules.harness import FULL

CODE, OURS = "0421", {"sec-fetch-site": "same-origin"}
NAMES = ["Ada", "Ben", "Cleo", "Dora", "Émile"]


@pytest.fixture
def results(database: str) -> Iterator[Results]:
    made = Results(database)
    yield made
    made.close()


def test_a_tournament_is_kept_as_it_was_entered(results: Results, database: str) -> None:
    rounds = Rounds(results.engine)
    own = rounds.make("Autumn", "swiss", NAMES)
    assert rounds.make("Autumn again", "round-robin", NAMES[:2]) == own + 1
    rounds.pair(own, 0)
    rounds.pair(own, 0)  # somebody else has done it
    rounds.result(own, 1, 1, "½-½")
    rounds.result(own, 1, 2, "0-0")
    rounds.withdraw(own, 2, plays=False)
    rounds.enter(own, ["Fritz"])
    rounds.pair(own, 1)
    before = rounds.tournament(own)
    again = Results(database)
    assert Rounds(again.engine).tournament(own) == before
    assert [(one.number, one.rounds) for one in Rounds(again.engine).all()] == [(2, 0), (1, 2)]
    again.close()
    assert before.pairings[0].points == RESULTS["½-½"]
    assert {one.name: one.plays for one in before.entrants}["Ben"] is False
    assert 2 not in {n for one in before.pairings if one.round == 2 for n in one[2:4]}


def test_what_cannot_be_is_refused_and_nothing_is_changed(results: Results) -> None:
    rounds = Rounds(results.engine)
    for name, system, players in (
        ("", "swiss", []), ("x" * 41, "swiss", []), ("a", "knockout", []),
        ("a", "swiss", ["Ada", "Ada"]), ("a", "swiss", ["x" * 41]), ("a", "swiss", ["\x00"]),
        ("a", "swiss", [str(n) for n in range(501)]),
    ):  # fmt: skip
        with pytest.raises(NotTaken):
            rounds.make(name, system, players)
    assert rounds.all() == []
    own = rounds.make("a", "round-robin", NAMES[:4])
    rounds.pair(own, 0)
    with pytest.raises(NotTaken, match="begun"):
        rounds.enter(own, ["Fritz"])
    rounds.result(own, 1, 1, "1-0")
    with pytest.raises(NotTaken, match="result"):
        rounds.unpair(own, 1)
    with pytest.raises(NotTaken, match="none"):
        rounds.unpair(own, 2)
    with pytest.raises(NotTaken, match="result"):
        rounds.result(own, 1, 1, "2-0")
    with pytest.raises(LookupError):
        rounds.result(own, 1, 7, "1-0")
    with pytest.raises(LookupError):
        rounds.withdraw(own, 9, plays=False)
    rounds.result(own, 1, 1, "")
    rounds.unpair(own, 1)
    assert rounds.tournament(own).pairings == ()


def client(hub: Heard) -> TestClient:
    pages = HubPages(hub.desk, hub.results, "en", code=CODE)
    pages.rates.clock = iter(range(0, 10**6, 60)).__next__  # type: ignore[assignment]
    return TestClient(pages.app(), client=("192.168.0.7", 50000), follow_redirects=False)


def send(seen: TestClient, page: str, path: str, **form: object) -> int:
    """Sends a form of a page."""
    sign = re.search(r'name="sign" value="(\w+)"', seen.get(page).text)
    told = {"sign": sign[1] if sign else "", **form}
    return seen.post(path, data=told, headers=OURS).status_code


def test_a_whole_tournament_is_entered_at_the_desk_and_seen_by_all(hub: Heard) -> None:
    hub.take("state", state(1), table="window")
    desk = client(hub)
    assert desk.post("/tournaments/enter", data={"code": CODE}, headers=OURS).status_code == 303
    names = "\r\n".join([*NAMES, " ", "=1+1"])
    made = {"name": "Club", "system": "swiss", "players": names}
    assert send(desk, "/tournaments", "/tournaments", **made) == 303
    page = "/tournaments/1"
    for number in range(3):
        assert send(desk, page, f"{page}/pair", round=number) == 303
        assert f"Round {number + 1}" in desk.get(page).text
        for board in (1, 2, 3):
            assert send(desk, page, f"{page}/result", round=number + 1, board=board,
                        result="1-0") == 303  # fmt: skip
    assert send(desk, page, f"{page}/unpair", round=3) == 409
    assert 'href="/tables/window"' in desk.get(page).text  # the first board is the first table
    looks = client(hub)
    seen = looks.get(page).text
    assert "<form" not in seen
    assert "Émile" in seen
    rows = list(csv.DictReader(io.StringIO(looks.get(f"{page}/standings.csv").text)))
    assert len(rows) == 6
    assert sum(float(row["points"]) for row in rows) == 9
    assert "'=1+1" in {row["player"] for row in rows}
    told = list(csv.DictReader(io.StringIO(looks.get(f"{page}/pairings.csv").text)))
    assert [row["result"] for row in told] == ["1-0"] * 9


@pytest.mark.parametrize("what", ["players", "plays", "pair", "unpair", "result", "nothing"])
def test_nobody_but_the_desk_enters_anything(hub: Heard, what: str) -> None:
    desk, other = client(hub), client(hub)
    assert other.post("/tournaments/enter", data={"code": "9"}, headers=OURS).status_code == 403
    assert desk.post("/tournaments/enter", data={"code": CODE}, headers=OURS).status_code == 303
    assert send(desk, "/tournaments", "/tournaments", name="a", system="swiss",
                players="Ada\nBen") == 303  # fmt: skip
    before = hub.results.engine
    kept = Rounds(before).tournament(1)
    form = {"round": 0, "board": 1, "result": "1-0", "player": 1, "players": "Cleo"}
    for path in ("/tournaments", f"/tournaments/1/{what}"):
        assert send(other, "/tournaments/1", path, **form) == 403
        assert desk.post(path, data=form, headers=OURS).status_code == 403  # not from its page
    assert Rounds(before).tournament(1) == kept
    assert send(desk, "/tournaments/1", "/tournaments/1/nothing") == 404
    assert send(desk, "/tournaments/1", "/tournaments/7/pair", round=0) == 404
    for number in ("7", "9" * 30):
        assert desk.get(f"/tournaments/{number}").status_code == 404


def test_as_many_players_as_a_tournament_takes_are_entered_at_once(hub: Heard) -> None:
    desk = client(hub)
    desk.post("/tournaments/enter", data={"code": CODE}, headers=OURS)
    names = "\n".join(f"Zoë Müller-Österreich {n}" for n in range(500))
    made = {"name": "Big", "system": "swiss", "players": names}
    assert send(desk, "/tournaments", "/tournaments", **made) == 303
    assert len(Rounds(hub.results.engine).tournament(1).entrants) == 500


def test_results_that_a_hostile_table_tells_are_kept_by_every_database(
    results: Results, tmp_path: Path
) -> None:
    """The largest numbers and the strangest letters that are read at all."""
    from tableref.hub import reading

    odd = "\x00\ud800 \x1b[2J é 棋" * 40
    told = reading.event(event(1, number=2**53, at=odd, kind=odd, text=[odd]))
    stands = reading.state(
        state(2**53, round=2**53, plays=odd, players=[odd], score={odd: [2**53]}, text=[odd])
    )
    results.add([("corner", told)], [("corner", stands)])
    results.add([], [("corner", stands)])
    assert results.counts() == {("corner", told.game): 1}
    [found] = results.events("corner", told.game)
    assert (found.number, found.text) == (2**53, told.text)
    [one] = results.all()
    assert (one.round, one.players, one.over) == (2**53, stands.players, False)


@pytest.mark.parametrize("path", ["/results", "/results.csv", "/tournaments", "/tournaments/1"])
def test_a_database_that_does_not_answer_is_told_to_people(hub: Heard, path: str) -> None:
    desk = client(hub)
    with hub.results.engine.begin() as connection:
        for table in ("games", "tournaments"):
            connection.execute(text(f"drop table {table}"))
    answer = desk.get(path)
    assert answer.status_code == 503
    assert "The database does not answer." in answer.text
    assert "games" not in answer.text  # what is inside stays there


@pytest.mark.skipif(not FULL or programs() is None, reason="needs postgresql and TABLEREF_FULL=1")
def test_what_is_told_while_a_database_is_dead_is_kept_once_it_is_back() -> None:
    pytest.importorskip("psycopg", reason="needs: pip install 'psycopg[binary]'")
    with cluster() as postgres:
        results = Results(postgres.url)
        desk = Desk(results, lambda *wanted: None)
        desk.start()
        for nth in range(1, 50):
            desk.heard("tableref/corner/events", event(nth))
        until(lambda: results.counts() == {("corner", GAME): 49})
        postgres.kill()
        for nth in range(50, 100):
            desk.heard("tableref/corner/events", event(nth))
        with pytest.raises(OSError, match="connection"):
            results.counts()
        postgres.start()
        until(lambda: results.counts() == {("corner", GAME): 99})
        assert [one.nth for one in results.events("corner", GAME)] == list(range(1, 100))
        desk.close()
        results.close()
