"""Phones at the table, in a real browser: Debian's Chromium, as large as a phone."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tableref.devices.buttons import Button
from tableref.devices.oled import Screen
from tableref.rulebook import Rulebook
from tableref.rules.defaults import may_go
from tableref.web.server import WebServer
from tests.rules.harness import FULL
from tests.web.conftest import CODE, Table, drive

playwright = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
expect = playwright.expect
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Debian's chromium")

PHONE = {"width": 390, "height": 844}
FOCUSED = "document.activeElement.dataset.cell"
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
        self.port = 0
        self.contexts: list[Any] = []
        self.server = self._server()
        self.port = self.server.port
        self.server.start()

    def _server(self) -> WebServer:
        live, seats, album = self.table.live, self.table.seats, self.table.album
        return WebServer(
            live, seats, album.folder.parent, self.port, "127.0.0.1", case=self.table.host
        )

    def again(self) -> None:
        """The server is started anew on the same port, with the same seats."""
        self.server.close()
        self.server = self._server()
        self.server.start()

    def close(self) -> None:
        """The phones go, then the server."""
        for context in self.contexts:
            context.close()
        self.server.close()


@pytest.fixture
def served(laid: Callable[..., Table]) -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def serve(game: str, **setup: Any) -> Served:
        made.append(Served(laid(game, **setup)))
        return made[-1]

    yield serve
    for one in made:
        one.close()


def phone(browser: Any, served: Served, seat: int | None = None) -> Any:
    """A page on a phone, sitting where a seat is named."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    served.contexts.append(context)
    page = context.new_page()
    page.set_default_timeout(SOON)
    address = f"http://127.0.0.1:{served.port}/"
    if seat is not None:
        context.request.post(f"{address}enter", form={"code": CODE, "seat": str(seat)})
    page.goto(address)
    return page


def sit(page: Any, seat: int) -> None:
    """Takes a seat by the keyboard alone."""
    tab_to(page, "#code")
    page.keyboard.type(CODE)
    tab_to(page, "input[name=seat]")
    page.keyboard.press("Space")
    for _ in range(seat):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("section[aria-labelledby=seat-title]")


def tab_to(page: Any, selector: str) -> None:
    """Presses Tab until it has come to what is looked for."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_what_is_typed_before_the_reply_comes_stays(
    browser: Any, served: Callable[..., Served]
) -> None:
    page = phone(browser, served("skorpion-deep"), 0)
    held: list[Any] = []
    page.route("**/say", lambda route: held.append(route))
    page.focus("#line")
    page.keyboard.type("help")
    with page.expect_request("**/say"):
        page.keyboard.press("Enter")
    page.keyboard.type("wh")
    held[0].continue_()
    expect(page.locator("#said")).to_contain_text("undo", timeout=SOON)
    page.keyboard.type("y")
    assert page.input_value("#line") == "why"


HEARS = """
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    this.addEventListener("message", () => { document.documentElement.dataset.heard = ""; });
  }
};
addEventListener("DOMContentLoaded", () => { document.querySelector("#part .board").old = true; });
"""
"""Marks the board that a page came with, and the page once it was told anything."""


def told_anew(page: Any, served: Served) -> None:
    """The table tells the page what changes, though nothing of it did; the page has taken it."""
    page.evaluate("document.querySelector('#part .board').setAttribute('data-old', '')")
    served.table.live.changed()
    page.locator("#part .board[data-old]").wait_for(state="detached")


def lock(page: Any) -> None:
    """Locks what is noted, by the keyboard."""
    tab_to(page, "section[aria-labelledby=note-title] button")
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"  # whoever tabs sees where he is
    page.keyboard.press("Enter")


def keys_to(page: Any, cell: str) -> list[str]:
    """The arrow keys that lead from the cell that has the focus to another one."""
    ways = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.cell[data-ways]')]"
        ".map((one) => [one.dataset.cell, one.dataset.ways.split(',')]))"
    )
    start = page.evaluate(FOCUSED)
    led: dict[str, list[str]] = {start: []}
    for there in (ahead := [start]):
        for key, to in zip(("Left", "Right", "Up", "Down"), ways[there], strict=True):
            if to and to not in led:
                led[to] = [*led[there], f"Arrow{key}"]
                ahead.append(to)
    return led[cell]


class Evening:
    """Skorpion Deep on two phones, and one that looks on. A test goes on where the last one was."""

    def __init__(self, browser: Any, table: Table) -> None:
        self.served, self.lang = Served(table), table.live.lang
        self.seats = [phone(browser, self.served, seat) for seat in (0, 1)]
        self.watcher = phone(browser, self.served)
        self.phones = [*self.seats, self.watcher]

    @property
    def due(self) -> int:
        """The player whose turn it is."""
        table = self.served.table
        game, state = table.evening.referee.game, table.desk.state.table.state
        return int(game.due(state).players[0])

    @property
    def own(self) -> Any:
        """The phone of the player whose turn it is."""
        return self.seats[self.due]

    def move(self) -> None:
        """First answers are given on the phone whose turn it is by the keyboard, until the
        players see that it is over."""
        before, page = self.due, self.own
        while self.due == before:
            asked = page.input_value("input[name=question]")
            tab_to(page, ".asked button")
            page.keyboard.press("Enter")
            newer = f"input[name=question]:not([value='{asked}'])"
            page.wait_for_selector(newer, state="attached")
        self.turn(1 - before, *self.seats)

    def turn(self, player: int, *phones: Any) -> None:
        """Waits until these phones say that it is a player's turn."""
        name = Rulebook(self.lang).value(self.served.table.live.players[player], name=True)
        for page in phones or self.phones:
            expect(page.locator("#turn")).to_contain_text(name, timeout=SOON, ignore_case=True)


@pytest.fixture(scope="module", params=["en", "de"])
def evening(request: Any, browser: Any, tmp_path_factory: Any) -> Iterator[Evening]:
    table = Table(tmp_path_factory.mktemp("evening") / "game", "skorpion-deep", request.param)
    made = Evening(browser, table)
    yield made
    made.served.close()
    table.evening.journal.close()


@pytest.mark.parametrize("lang", ["en", "de"])
def test_two_phones_note_a_round_in_secret_and_see_it_begin(
    browser: Any, served: Callable[..., Served], lang: str
) -> None:
    table = served("autoscooter", players=2, paper=False, lang=lang)
    one, two = (phone(browser, table) for _ in range(2))
    sit(one, 0)
    sit(two, 1)
    tab_to(one, "#n0number")
    one.keyboard.press("ArrowDown")
    assert one.input_value("#n0number") == "1"
    lock(one)
    # The other sees that one has locked, and nothing else.
    expect(two.locator("#turn")).not_to_contain_text(" 1", timeout=SOON)
    lock(two)
    for page in (one, two):
        page.wait_for_selector(".log .ruling")
        assert "AS-4.1" in page.inner_text(".log .ruling")
    assert two.get_attribute("html", "lang") == lang


def test_a_choice_that_is_not_locked_outlives_what_happens_meanwhile(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("autoscooter", players=2, paper=False)
    one, two = (phone(browser, table, seat) for seat in (0, 1))
    one.select_option("#n0number", "17")
    two.click("section[aria-labelledby=note-title] button")
    expect(one.locator("#turn")).not_to_contain_text("player 2", timeout=SOON)
    assert one.input_value("#n0number") == "17"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_round_with_a_crash_in_place_is_played_by_two_phones(
    browser: Any, served: Callable[..., Served], lang: str
) -> None:
    """AS-4.3: red is blocked where it stands, and no board shows that: the plots tell it."""
    table = served("autoscooter", players=2, paper=False, lang=lang)
    drive(table.table, random.Random(1), rounds=1)
    pages = [phone(browser, table, seat) for seat in (0, 1)]
    for page in pages:
        lock(page)
    for page in pages:
        expect(page.locator(".log a.id", has_text="AS-4.3").first).to_be_visible(timeout=SOON)
    assert pages[0].inner_text(".log") == pages[1].inner_text(".log")
    if lang == "en":  # by the keyboard to its end
        game, desk = table.table.evening.referee.game, table.table.desk
        while game.facts(state := desk.state.table.state)["round"] == 2:
            page = pages[game.due(state).players[0]]
            line, rows = game.text(state, next(iter(game.legal(state)))), len(table.table.given)
            if not page.evaluate("document.activeElement.matches('#line')"):
                tab_to(page, "#line")
            with page.expect_response("**/say"):
                page.keyboard.type(line)
                page.keyboard.press("Enter")
            assert len(table.table.given) > rows
        expect(pages[1].locator(".stands")).to_contain_text("round 3", timeout=SOON)


@pytest.mark.parametrize(("lang", "said"), [("en", "Squod: equal"), ("de", "Squod: gleich")])
def test_an_attack_is_judged_by_pieces_that_were_told_in_secret(
    browser: Any, served: Callable[..., Served], lang: str, said: str
) -> None:
    """SQ-4.4: both are rocks; nobody says so, and the log does not tell it."""
    table = served("squod", players=2, lang=lang)
    south, west = (phone(browser, table, seat) for seat in (0, 1))
    kinds = ["rock", "paper", "scissors", "rock", "paper", "scissors"]
    for page, side in ((south, "S"), (west, "W")):
        cells = [f"{side}{line}{lane}" for line in (1, 2) for lane in (1, 2, 3)]
        for cell, kind in zip(cells, kinds, strict=True):
            page.select_option(f"#n0{cell}", kind)
        page.click("section[aria-labelledby=note-title] button")
        expect(page.locator(".own")).to_have_count(1, timeout=SOON)
    south.click(".asked button >> nth=0")
    expect(west.locator(".log")).to_contain_text("S31", timeout=SOON)
    for page, line in ((west, "W21-W31"), (south, "S31/S31xW31")):
        page.fill("#line", line)
        page.press("#line", "Enter")
        expect(west.locator(".log")).to_contain_text("W31", timeout=SOON)
    for page in (south, west):
        expect(page.locator(".log")).to_contain_text(said, timeout=SOON)
    secret = Rulebook(lang).value("rock")
    assert secret not in west.inner_text(".log")
    west.click(".own summary")
    assert secret in west.inner_text(".own")
    told_anew(west, table)
    assert secret in west.inner_text(".own")


def test_what_a_piece_may_do_is_lit_where_it_is_touched_or_keys_lead_to_it(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("arrows-and-stars")
    page = phone(browser, table)
    game, state = table.table.evening.referee.game, table.table.desk.state.table.state
    cell = next(one for one in game.board(state) if len(may_go(game, state, one)) == 2)
    lit = page.locator(".board .cell.may")
    page.locator(f".board .piece[data-cell={cell}]").click()
    expect(lit).to_have_count(len(may_go(game, state, cell)), timeout=SOON)
    tab_to(page, ".cell")
    page.keyboard.press("Enter")
    first = page.evaluate(FOCUSED)
    expect(lit).to_have_count(len(may_go(game, state, first)), timeout=SOON)
    assert len(may_go(game, state, first)) != len(may_go(game, state, cell))
    for key in keys_to(page, cell):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(lit).to_have_count(len(may_go(game, state, cell)), timeout=SOON)
    expect(page.locator("#may")).to_contain_text(may_go(game, state, cell)[0], timeout=SOON)
    told_anew(page, table)
    expect(lit).to_have_count(len(may_go(game, state, cell)), timeout=SOON)


def test_a_page_that_says_nothing_new_is_left_as_it_is(
    browser: Any, served: Callable[..., Served]
) -> None:
    """A finger may be on a button that would be put in its place."""
    page = phone(browser, served("arrows-and-stars"))
    page.add_init_script(HEARS)
    page.reload()
    page.locator("html[data-heard]").wait_for()
    assert page.evaluate("document.querySelector('#part .board').old")


def test_a_clock_counts_down_on_the_page(browser: Any, served: Callable[..., Served]) -> None:
    page = phone(browser, served("skorpion-deep", clock=600))
    expect(page.locator(".clock b")).not_to_have_text("10:00", timeout=SOON)
    assert page.inner_text(".clock b").startswith("9:5")


def test_the_host_presses_a_button_of_the_case_and_sees_its_display_change(
    browser: Any, served: Callable[..., Served]
) -> None:
    table = served("skorpion-deep")
    page = phone(browser, table)
    page.click("nav a[href='/host']")
    page.fill("#code", CODE)
    page.press("#code", "Enter")
    page.wait_for_selector(".keys")
    table.table.host.shown(Screen("Health", ("all is well",)))
    expect(page.locator(".display")).to_contain_text("all is well", timeout=SOON)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.click(".keys .down")
    table.table.host.shown(Screen("Rules", ()))  # as the case would
    expect(page.locator(".display")).to_contain_text("Rules", timeout=SOON)
    assert [press.button for press in table.table.pressed] == [Button.DOWN]


def test_a_question_is_answered_on_one_phone_and_gone_from_the_other(evening: Evening) -> None:
    evening.turn(before := evening.due)
    assert evening.watcher.is_disabled(".asked button >> nth=0")
    evening.move()
    evening.turn(1 - before)


def test_a_round_is_played_by_the_keyboard_alone(evening: Evening) -> None:
    for _ in evening.seats:
        evening.turn(before := evening.due)
        tab_to(evening.watcher, ".cell")
        evening.watcher.keyboard.press("ArrowRight")
        cell = evening.watcher.evaluate(FOCUSED)
        assert cell
        evening.move()
        evening.turn(1 - before)
        assert evening.watcher.evaluate(FOCUSED) == cell  # what is new does not take it away
        evening.watcher.evaluate("document.activeElement.blur()")


def test_a_dispute_is_settled_by_consent_with_the_pictures_before_everybody(
    evening: Evening,
) -> None:
    cv2: Any = pytest.importorskip("cv2")
    np: Any = pytest.importorskip("numpy")
    evening.turn(before := evening.due)
    mover, other = evening.own, evening.seats[1 - before]
    evening.move()
    table = evening.served.table
    step = next(one.step for one in table.live.view().log if one.step)
    drawn = bytes(cv2.imencode(".jpg", np.full((60, 80, 3), 90, np.uint8))[1])
    # Written after the ruling was told, as at a real table: the page finds it by itself.
    table.album.add(step, {"board-before": drawn, "board-after": drawn}, {})
    other.locator(".log details summary").first.click(timeout=SOON)
    expect(other.locator(".log details img").first).to_be_visible(timeout=SOON)
    other.wait_for_function("document.querySelector('.log details img').naturalWidth === 80")
    other.click("button[value=take-back]")
    mover.click("button[value=yes]")
    evening.turn(before)


def test_a_rule_is_looked_up_from_a_ruling(evening: Evening) -> None:
    evening.move()
    page = evening.watcher
    page.click(".log a.id >> nth=0")
    paragraph = page.inner_text("article h2").split()[0]
    assert Rulebook(evening.lang).paragraph(paragraph).title in page.inner_text("article h2")
    page.go_back()


def test_a_phone_that_slept_wakes_to_the_game_as_it_is(evening: Evening) -> None:
    evening.turn(before := evening.due)
    evening.watcher.context.set_offline(True)
    evening.move()
    evening.watcher.context.set_offline(False)
    evening.turn(1 - before)


def test_a_server_that_is_started_anew_is_found_again(evening: Evening) -> None:
    evening.turn(before := evening.due)
    evening.served.again()
    evening.move()
    evening.turn(1 - before)
    for page in evening.phones:
        expect(page.locator("body.lost")).to_have_count(0, timeout=SOON)


def test_nothing_serious_keeps_anybody_from_using_the_pages(
    browser: Any, served: Callable[..., Served]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    table = served("autoscooter", players=2, paper=False)
    page = phone(browser, table, 0)
    page.goto(f"http://127.0.0.1:{table.port}/host")
    page.fill("#code", CODE)
    page.press("#code", "Enter")
    page.wait_for_selector(".keys")
    for path in ("/", "/rules?q=bump", "/host", "/host/games", "/host/health"):
        page.goto(f"http://127.0.0.1:{table.port}{path}")
        for scheme in ("light", "dark") if FULL or path == "/" else ("light",):
            page.emulate_media(color_scheme=scheme)
            found = axe.Axe().run(page).response["violations"]
            serious = [each for each in found if each["impact"] in ("serious", "critical")]
            assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []
