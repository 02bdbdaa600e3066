"""The hub's pages in a browser: a judge and the desk at work, the keyboard, and axe."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.hub.conftest import Heard, call, event, state

playwright = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")
CODE = "0421"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        yield started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def address(hub: Heard) -> Iterator[str]:
    """Where the pages of a hub are, at which a judge is called."""
    from tableref.hub.pages import HubPages, Judges
    from tableref.web.server import Server

    hub.take("online", b"online")
    hub.take("state", state(2))
    hub.take("events", event(1))
    hub.take("call", call())
    judges = Judges(b"the key of the club", lambda table, payload: True)
    pages = HubPages(hub.desk, hub.results, "en", judges=judges, code=CODE)
    server = Server(pages, 0, "127.0.0.1")
    server.start()
    yield f"http://127.0.0.1:{server.port}"
    server.close()


def test_what_a_judge_has_begun_to_write_outlives_another_call(
    browser: Any, hub: Heard, address: str
) -> None:
    page = browser.new_page()
    page.goto(f"{address}/calls")
    page.click("#text-corner")
    page.keyboard.type("It was")
    hub.take("call", call(), table="window")
    page.wait_for_selector("#text-window")
    page.keyboard.type(" agreed.")
    assert page.input_value("#text-corner") == "It was agreed."
    page.close()


def test_the_desk_pairs_a_round_and_somebody_who_looks_sees_it(browser: Any, address: str) -> None:
    """And nothing serious keeps anybody from using the hub's pages."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": 390, "height": 844})
    desk, wall = context.new_page(), browser.new_page()
    desk.goto(f"{address}/tournaments")
    desk.fill("#code", CODE)
    desk.keyboard.press("Enter")
    desk.fill("#name", "Club")
    desk.fill("#players", "Ada\nBen\nCleo")
    assert serious(axe, desk) == []
    desk.click("form[action='/tournaments'] button")
    wall.goto(f"{address}/tournaments/1")
    desk.click("form[action$='/pair'] button")
    wall.wait_for_selector(".pairings")
    desk.click("button[value='½-½']")
    wall.wait_for_function("document.querySelector('.pairings').textContent.includes('½-½')")
    assert desk.get_attribute("button:has-text('½-½')", "aria-pressed") == "true"
    assert serious(axe, desk) == []
    desk.emulate_media(color_scheme="dark")
    assert serious(axe, desk) == []
    for path in ("/", "/calls", "/tables/corner", "/results"):
        wall.goto(f"{address}{path}")
        assert serious(axe, wall) == []
    context.close()
    wall.close()


def serious(axe: Any, page: Any) -> list[tuple[str, str]]:
    """What axe finds that keeps people out."""
    return [
        (each["id"], each["nodes"][0]["html"][:200])
        for each in axe.run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
    ]
