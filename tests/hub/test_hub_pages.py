"""The hub's pages, in three languages."""

from __future__ import annotations

import csv
import io
import re

import pytest

from tests.hub.conftest import GAME, JPEG, Heard, call, event, state

pytest.importorskip("starlette", reason="the pages need: pip install 'tableref[web]'")

from starlette.testclient import TestClient

from tableref.hub.pages import HubPages
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
