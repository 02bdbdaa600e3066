"""Whatever is sent to whatever route of the hub: no crash, and nothing changed without the code."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

pytest.importorskip("networkx", reason="the hub needs: pip install 'tableref[hub]'")

from starlette.routing import Match, Route
from starlette.testclient import TestClient

from tableref.hub.pages import HubPages, Judges
from tableref.hub.rounds import Rounds
from tests.hub.conftest import GAME, Heard, call, event, state
from tests.rules.harness import count
from tests.web.test_fuzz import anything

CODE = "0421"
PATHS = (
    "/", "/calls", "/calls/corner", "/calls/none", "/calls/corner.jpg", "/calls/%00.jpg",
    "/tables/corner", "/tables/%ff", f"/tables/corner/{GAME}.csv", "/tables/a/b.csv", "/results",
    "/results.csv", "/tournaments", "/tournaments/enter", "/tournaments/1", "/tournaments/2",
    "/tournaments/" + "9" * 40, "/tournaments/1/standings.csv", "/tournaments/1/pairings.csv",
    "/tournaments/1/players", "/tournaments/1/plays", "/tournaments/1/pair",
    "/tournaments/1/unpair", "/tournaments/1/result", "/tournaments/1/nothing",
    "/hub-static/hub.js", "/hub-static/../pages.py", "/static/table.css", "/static/",
)  # fmt: skip
STREAMS = ("/events", "/calls/events", "/tables/{name}/events", "/tournaments/{number:int}/events")
RIGHT = {
    "number": "9", "judge": "Eva", "text": "So it is.", "ruling": "stands", "name": "Cup",
    "system": "swiss", "players": "Dora\nEmil", "player": "1", "plays": "no", "round": "1",
    "board": "1", "result": "1-0",
}  # fmt: skip


class Sent:
    """A hub at which a judge is called and a tournament goes on; `sent` went to tables."""

    def __init__(self, hub: Heard) -> None:
        self.sent: list[tuple[str, str]] = []
        hub.take("state", state(1))
        hub.take("events", event(1))
        hub.take("call", call())
        send = lambda *told: not self.sent.append(told)  # type: ignore[func-returns-value] # noqa: E731
        judges = Judges(b"the key of the club", send)
        pages = HubPages(hub.desk, hub.results, "en", judges=judges, code=CODE)
        pages.rates.clock = iter(range(0, 10**9, 60)).__next__  # type: ignore[assignment]
        self.rounds = Rounds(hub.results.engine)
        self.rounds.make("Club", "swiss", ["Ada", "Ben", "Cleo"])
        self.rounds.pair(1, 0)
        self.app = pages.app()
        self.client = TestClient(self.app, client=("10.0.0.9", 1), follow_redirects=False)

    def poke(self, rng: random.Random, sign: str = "") -> Any:
        """One request by chance: what would be right, or half of it, with this and that in it."""
        form = {key: value for key, value in RIGHT.items() if rng.random() < 0.8}
        if rng.random() < 0.6:
            form |= {key: anything(rng) for key in rng.sample(list(RIGHT), rng.randrange(5))}
        path, headers = rng.choice(PATHS), {"sec-fetch-site": "same-origin"}
        if rng.random() < 0.5:
            return self.client.post(path, data={"sign": sign} | form, headers=headers)
        method = rng.choice(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])
        return self.client.request(method, path, params=form, headers=headers)


@pytest.mark.parametrize("seed", range(count(2, 60)))
def test_who_has_not_given_the_code_changes_nothing_and_breaks_nothing(
    hub: Heard, seed: int
) -> None:
    sent, rng = Sent(hub), random.Random(seed)
    before = sent.rounds.tournament(1), sent.rounds.all()
    for _ in range(120):
        answer = sent.poke(rng)
        assert answer.status_code < 500
        assert CODE not in answer.text
    assert (sent.rounds.tournament(1), sent.rounds.all()) == before
    assert sent.sent == []


@pytest.mark.parametrize("seed", range(count(2, 60)))
def test_the_desk_breaks_nothing_whatever_it_sends(hub: Heard, seed: int) -> None:
    sent, rng = Sent(hub), random.Random(seed)
    ours = {"sec-fetch-site": "same-origin"}
    sent.client.post("/tournaments/enter", data={"code": CODE}, headers=ours)
    page = sent.client.get("/tournaments").text
    sign = re.search(r'name="sign" value="(\w+)"', page)
    assert sign is not None
    for _ in range(120):
        assert sent.poke(rng, sign[1]).status_code < 500
    assert sent.sent == []  # a judge gives the code each time
    pairs = [{one.first, one.second} for one in sent.rounds.tournament(1).pairings]
    assert all(pairs.count(pair) == 1 for pair in pairs)


def test_every_route_of_the_hub_is_tried(hub: Heard) -> None:
    routes = [one for one in Sent(hub).app.routes if isinstance(one, Route)]
    for route in routes:
        if route.path in STREAMS:
            continue
        method = next(iter(route.methods or {"GET"}))
        scopes = ({"type": "http", "path": path, "method": method} for path in PATHS)
        assert any(route.matches(scope)[0] == Match.FULL for scope in scopes), route.path
