"""The hub's pages, in three languages."""

from __future__ import annotations

import csv
import io
import re

import pytest

from tests.hub.conftest import GAME, JPEG, Heard, call, event, state

pytest.importorskip("starlette", reason="the pages need: pip install 'tableref[web]'")

from starlette.testclient import TestClient

from tableref.hosting.judge import judged
from tableref.hub.pages import HubPages, Judges
from tableref.rulebook.text import LANGUAGES
from tableref.web.words import labels


def client(hub: Heard, lang: str = "en", trouble: str = "") -> TestClient:
    """Somebody in the hub's network."""
    pages = HubPages(hub.desk, hub.results, lang, lambda: trouble)
    return TestClient(pages.app(), client=("192.168.0.7", 50000))


def test_all_tables_stand_on_one_page(hub: Heard) -> None:
    for table in ("10", "2"):
        hub.take("online", b"online", table=table)
        hub.take("state", state(1), table=table)
        hub.take("events", event(1), table=table)
    page = client(hub).get("/").text
    assert re.findall(r'href="/tables/(\w+)"', page) == ["2", "10"]
    assert "It is red&#39;s turn." in page
    assert "Move 1. (SD-3.1)" in page
    hub.take("events", event(2, kind="question", text=["Which one?", "1: this"]), table="2")
    assert "Which one?" in client(hub).get("/").text
    assert "1: this" not in client(hub).get("/").text  # its answers are for the table


def test_a_player_who_stands_alone_has_a_capital_as_on_the_display(hub: Heard) -> None:
    hub.take("state", state(1, players=["red", "yellow"]))
    seen = client(hub, "fr")
    assert "Rouge <b>3</b>, Jaune <b>4</b>" in seen.get("/").text
    assert '<th scope="row">Rouge</th>' in seen.get("/tables/corner").text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_is_there_in_every_language(hub: Heard, lang: str) -> None:
    hub.take("state", state(4))
    hub.take("call", call())
    for path in ("/", "/calls", "/results", "/tables/corner"):
        page = client(hub, lang, "refused").get(path)
        assert page.status_code == 200
        assert f'<html lang="{lang}">' in page.text
    page = client(hub, lang).get("/").text
    assert labels(lang, "hub")["calls-judge"].replace("'", "&#39;") in page
    assert labels(lang, "hub")["missing"].format(amount=4) in page
    assert labels(lang, "hub").keys() == labels("en", "hub").keys()


def test_a_call_has_its_paragraphs_and_its_picture(hub: Heard) -> None:
    hub.take("call", call())
    seen = client(hub)
    page = seen.get("/calls").text
    assert "A bead goes one way." in page
    picture = re.search(r'src="(/calls/corner.jpg[^"]*)"', page)
    assert picture is not None
    assert seen.get(picture[1]).content == JPEG
    hub.take("call", b"")
    assert "corner" not in seen.get("/calls").text


def test_results_are_saved_as_csv(hub: Heard) -> None:
    hub.take("state", state(1, players=["=1+1", "Ben"], over=True))
    hub.take("events", event(1))
    hub.desk.close()
    seen = client(hub)
    rows = list(csv.DictReader(io.StringIO(seen.get("/results.csv").text)))
    assert [(row["player"], row["score"]) for row in rows] == [("'=1+1", "3"), ("Ben", "4")]
    told = seen.get(f"/tables/corner/{GAME}.csv")
    assert "Move 1. (SD-3.1)" in told.text
    assert seen.get("/tables/corner/ffffffffffff.csv").status_code == 404


def test_what_a_hostile_table_says_is_text(hub: Heard) -> None:
    hub.take("state", state(1, players=["<script>", "b"], text=["<b>x</b>"], plays="<i>"))
    hub.take("events", event(1, text=["<img src=x>"]))
    for path in ("/", "/tables/corner"):
        page = client(hub).get(path).text
        assert "<img src" not in page
        assert "<b>x" not in page
        assert "&lt;b&gt;x" in page


def test_nobody_from_elsewhere_comes_in(hub: Heard) -> None:
    pages = HubPages(hub.desk, hub.results, "en")
    assert TestClient(pages.app(), client=("8.8.8.8", 1)).get("/").status_code == 403
    for path in ("/tables/none", "/calls/none.jpg", "/nothing"):
        assert client(hub).get(path).status_code == 404


KEY, CODE = b"the key of the club", "0421"


def ruled(hub: Heard, sent: list[tuple[str, str]]) -> TestClient:
    """Somebody at a hub from which judges rule."""
    send = lambda *told: not sent.append(told)  # noqa: E731
    pages = HubPages(hub.desk, hub.results, "en", judges=Judges(KEY, send), code=CODE)
    return TestClient(pages.app(), client=("192.168.0.7", 50000), follow_redirects=False)


FORM = {"number": "9", "judge": "Ada", "text": "So it is.", "code": CODE, "ruling": "stands"}
OURS = {"sec-fetch-site": "same-origin"}


def test_a_judge_rules_from_the_page_with_the_code(hub: Heard) -> None:
    sent: list[tuple[str, str]] = []
    hub.take("call", call())
    seen = ruled(hub, sent)
    assert 'name="judge"' in seen.get("/calls").text
    assert 'name="judge"' not in client(hub).get("/calls").text
    assert seen.post("/calls/corner", data=FORM, headers=OURS).status_code == 303
    [(table, payload)] = sent
    found = judged(KEY, table, GAME, payload.encode())
    assert found is not None
    assert found[:4] == (9, "Ada", "So it is.", True)


@pytest.mark.parametrize(
    ("form", "headers", "status"),
    [
        (FORM | {"code": "9999"}, OURS, 403),
        (FORM, {"sec-fetch-site": "cross-site"}, 403),
        (FORM | {"number": "8"}, OURS, 409),
        (FORM | {"judge": " "}, OURS, 400),
        (FORM | {"judge": "x" * 16}, OURS, 400),
        ({}, OURS, 403),
    ],
)
def test_nobody_else_rules(
    hub: Heard, form: dict[str, str], headers: dict[str, str], status: int
) -> None:
    sent: list[tuple[str, str]] = []
    hub.take("call", call())
    seen = ruled(hub, sent)
    assert seen.post("/calls/corner", data=form, headers=headers).status_code == status
    assert client(hub).post("/calls/corner", data=form, headers=OURS).status_code == 404
    assert sent == []
