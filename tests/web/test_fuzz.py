"""Whatever is sent to whatever route: no crash, no secret, nothing changed without the right to."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.routing import Match, Route

from tableref.web.gate import BURST
from tests.rules.harness import count
from tests.web.conftest import CODE, Phone, Table
from tests.web.test_hidden_pieces import dealt
from tests.web.test_secrets import chosen

Lay = Callable[..., Table]

PATHS = (
    "/", "/enter", "/leave", "/answer", "/say", "/note", "/wish", "/agree", "/judge", "/rules",
    "/rules/AS-4.1", "/pictures/1/board-after.jpg", "/pictures/-1/x",
    "/host", "/host/enter", "/host/leave", "/host/press", "/host/display.png", "/host/camera.jpg",
    "/host/health", "/host/games", "/host/games/0/record", "/host/games/%2e%2e/sheet",
    "/static/table.js", "/static/", "/cells/a1", "/cells/%00",
    "/%ff", "/..%2f..%2fetc%2fpasswd", "//", "/rules/" + "a" * 2000,
)  # fmt: skip
KEYS = (
    "button",
    "held",
    "0.S11",
    "question",
    "choice",
    "wish",
    "agreed",
    "kind",
    "line",
    "code",
    "seat",
    "0.number",
    "sign",
)
VALUES = (
    "", "0", "1", "-1", "99999999999999", "½", "٣", "yes", "take-back", "let-stand", "seat", "red",
    "undo", "draw", "let stand", "resign red", "break off", "1", "help", "\x00", "\ud7ff", "%s{0}",
    "<b>", "'; DROP TABLE row; --", "A" * 3000, "NaN", "1e9", "red>b1NE",
    "ok", "why", "paper", "S11 is rock", "S12 is empty", "0:S11=r", "r>S11", "S21-S31", "pass",
    "what may south do?", "may the piece on S21 take a1?",
)  # fmt: skip


def anything(rng: random.Random) -> str:
    """A value: one of those that break things, or signs by chance."""
    if rng.random() < 0.7:
        return rng.choice(VALUES)
    return "".join(rng.choices(string.printable, k=rng.randrange(60)))


def poke(table: Table, phone: Phone, rng: random.Random) -> Any:
    """One request by chance; its answer."""
    later = table.pages.rates.clock() + 60.0
    table.pages.rates.clock = lambda: later
    form = {key: anything(rng) for key in rng.sample(KEYS, rng.randrange(5))}
    path, headers = rng.choice(PATHS), {"sec-fetch-site": "same-origin"}
    if rng.random() < 0.5:
        return phone.post(path, **form)
    method = rng.choice(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])
    return phone.client.request(method, path, params=form, headers=headers)


@pytest.mark.parametrize("seed", range(count(2, 40)))
def test_an_onlooker_changes_nothing_and_breaks_nothing(laid: Lay, seed: int) -> None:
    table, rng = laid("autoscooter", players=2, paper=False), random.Random(seed)
    phone, called = table.phone(), []
    table.live.judge = lambda: not called.append(1)
    before = len(list(table.evening.journal.rows()))
    for _ in range(120):
        assert poke(table, phone, rng).status_code < 500
    assert table.given == []
    assert table.pressed == called == []
    assert len(list(table.evening.journal.rows())) == before


@pytest.mark.parametrize("seed", range(count(2, 40)))
def test_another_seat_breaks_nothing_and_speaks_for_itself_alone(laid: Lay, seed: int) -> None:
    table, rng = laid("autoscooter", players=2, paper=False), random.Random(seed)
    one, two = table.phone(seat=0), table.phone("10.0.0.2", seat=1)
    one.post("/note", **chosen(table, 0, rng))
    noted = len(table.given)
    for _ in range(120):
        assert poke(table, two, rng).status_code < 500
    assert table.pressed == []
    for given in table.given[noted:]:
        assert getattr(given, "player", 1) == 1
        assert "agreed" not in str(given)


@pytest.mark.parametrize("seed", range(count(2, 40)))
def test_whatever_another_seat_sends_it_hears_the_same_whatever_lies_hidden(
    laid: Lay, seed: int
) -> None:
    heard: list[list[tuple[int, str]]] = []
    west = dealt(random.Random(seed))
    for deal in (1, 2):
        rng, south = random.Random(seed), dealt(random.Random(f"{seed} {deal}"))
        table = laid("squod", players=2, placement=[south, west])
        table.phone("10.0.0.3", seat=0)  # who could agree, and never does
        phone = table.phone("10.0.0.2", seat=1)
        answers = [poke(table, phone, rng) for _ in range(count(60, 200))]
        heard.append([(a.status_code, re.sub(r"\w{64}", "", a.text)) for a in answers])
    assert heard[0] == heard[1]
    assert all(status < 500 for status, _ in heard[0])


def test_every_route_is_tried(laid: Lay) -> None:
    """But for the streams, which do not end."""
    for route in laid("skorpion-deep").pages.app().routes:
        if not isinstance(route, Route) or route.path.endswith("/events"):
            continue
        method = next(iter(route.methods or {"GET"}))
        scopes = ({"type": "http", "path": unquote(path), "method": method} for path in PATHS)
        assert any(route.matches(scope)[0] == Match.FULL for scope in scopes), route.path


def test_the_bound_on_requests_is_the_bound(laid: Lay) -> None:
    table = laid("skorpion-deep")
    table.pages.rates.clock = lambda: 0.0
    phone = table.phone()
    found = [phone.client.get("/rules").status_code for _ in range(int(BURST) + 5)]
    assert found == [200] * int(BURST) + [429] * 5
    assert CODE not in phone.client.get("/rules").text
