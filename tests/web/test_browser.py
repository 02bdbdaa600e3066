"""Phones at the table, in a real browser: Debian's Chromium, as large as a phone."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tableref.rulebook import Rulebook
from tableref.web.server import WebServer
from tests.web.conftest import CODE, Table

playwright = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
expect = playwright.expect
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")

PHONE = {"width": 390, "height": 844}
SOON = 10_000
"""Milliseconds that a busy computer may take; nobody waits that long where all is well."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Served:
    """A table whose pages are served on this computer."""

    def __init__(self, table: Table) -> None:
        self.table, lock = table, threading.Lock()
        take = table.take

        def one_at_a_time(given: Any) -> bool:
            with lock:
                return take(given)

        table.live.give = one_at_a_time
        self.server = WebServer(table.live, table.seats, table.album.folder.parent, 0, "127.0.0.1")
        self.port = self.server.port
        self.server.start()

    def again(self) -> None:
        """The server is started anew on the same port, with the same seats."""
        self.server.close()
        table = self.table
        self.server = WebServer(
            table.live, table.seats, table.album.folder.parent, self.port, "127.0.0.1"
        )
        self.server.start()


@pytest.fixture
def served(laid: Callable[..., Table]) -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def serve(game: str, **setup: Any) -> Served:
        made.append(Served(laid(game, **setup)))
        return made[-1]

    yield serve
    for one in made:
        one.server.close()


def phone(browser: Any, served: Served, seat: int | None = None) -> Any:
    """A page on a phone, sitting where a seat is named."""
    page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
    page.set_default_timeout(SOON)
    page.goto(f"http://127.0.0.1:{served.port}/")
    if seat is not None:
        page.fill("#code", CODE)
        page.check(f"input[name=seat][value='{seat}']")
        page.click("section[aria-labelledby=enter-title] button")
        page.wait_for_selector("section[aria-labelledby=seat-title]")
    return page


@pytest.mark.parametrize("lang", ["en", "de"])
def test_two_phones_note_a_round_in_secret_and_see_it_begin(
    browser: Any, served: Callable[..., Served], lang: str
) -> None:
    table = served("autoscooter", players=2, paper=False, lang=lang)
    one, two = (phone(browser, table, seat) for seat in (0, 1))
    one.select_option("#n0number", "1")
    one.click("section[aria-labelledby=note-title] button")
    # The other sees that one has locked, and nothing else.
    expect(two.locator("#turn")).not_to_contain_text(" 1", timeout=SOON)
    two.click("section[aria-labelledby=note-title] button")
    for page in (one, two):
        page.wait_for_selector(".log .ruling")
        assert "AS-4.1" in page.inner_text(".log .ruling")
    assert two.title()


def test_a_choice_that_is_not_locked_outlives_what_happens_meanwhile(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("autoscooter", players=2, paper=False)
    one, two = (phone(browser, table, seat) for seat in (0, 1))
    one.select_option("#n0number", "17")
    two.click("section[aria-labelledby=note-title] button")
    expect(one.locator("#turn")).not_to_contain_text("player 2", timeout=SOON)
    assert one.input_value("#n0number") == "17"


def test_a_question_is_answered_on_one_phone_and_gone_from_the_other(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("skorpion-deep")
    red, watcher = phone(browser, table, 0), phone(browser, table)
    assert watcher.is_disabled(".asked button >> nth=0")
    first = red.inner_text(".asked button >> nth=0")
    red.click(".asked button >> nth=0")
    expect(watcher.locator(".asked button", has_text=first)).to_have_count(0, timeout=SOON)
    assert "blue" in watcher.inner_text("#turn")


def test_a_dispute_is_settled_by_consent(browser: Any, served: Callable[..., Served]) -> None:
    table = served("skorpion-deep")
    red, blue = phone(browser, table, 0), phone(browser, table, 1)
    red.click(".asked button >> nth=0")
    expect(blue.locator("#turn")).to_contain_text("blue", timeout=SOON)
    blue.click("button[value=take-back]")
    red.click("button[value=yes]")
    expect(blue.locator("#turn")).to_contain_text("red", timeout=SOON)


def test_a_server_that_is_started_anew_is_found_again(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("skorpion-deep")
    watcher = phone(browser, table)
    watcher.wait_for_selector("#turn")
    table.again()
    red = phone(browser, table, 0)
    red.click(".asked button >> nth=0")
    expect(watcher.locator("#turn")).to_contain_text("blue", timeout=SOON)
    expect(watcher.locator("body.lost")).to_have_count(0, timeout=SOON)


def test_a_phone_that_slept_wakes_to_the_game_as_it_is(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("skorpion-deep")
    sleeper, red = phone(browser, table), phone(browser, table, 0)
    sleeper.context.set_offline(True)
    red.click(".asked button >> nth=0")
    expect(red.locator("#turn")).to_contain_text("blue", timeout=SOON)
    sleeper.context.set_offline(False)
    expect(sleeper.locator("#turn")).to_contain_text("blue", timeout=SOON)


def test_a_rule_is_looked_up_from_a_ruling(browser: Any, served: Callable[..., Served]) -> None:
    table = served("skorpion-deep")
    red = phone(browser, table, 0)
    red.click(".asked button >> nth=0")
    red.click(".log a.id >> nth=0")
    paragraph = red.inner_text("article h2").split()[0]
    assert Rulebook("en").paragraph(paragraph).title in red.inner_text("article h2")


def test_the_keyboard_alone_is_enough(browser: Any, served: Callable[..., Served]) -> None:
    table = served("skorpion-deep")
    page = phone(browser, table)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "code":
            break
    page.keyboard.type(CODE)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_selector("section[aria-labelledby=seat-title]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_keeps_anybody_from_using_the_pages(
    browser: Any, served: Callable[..., Served], scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    table = served("autoscooter", players=2, paper=False)
    page = phone(browser, table, 0)
    page.emulate_media(color_scheme=scheme)
    for path in ("/", "/rules?q=bump"):
        page.goto(f"http://127.0.0.1:{table.port}{path}")
        found = axe.Axe().run(page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []
