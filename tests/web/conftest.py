"""A table whose referee runs in the test, and phones that look at its pages."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tableref.devices.buttons import Press
from tableref.hosting.shelf import stored
from tableref.referee.album import Album
from tableref.referee.desk import Desk
from tableref.referee.evening import new_evening
from tableref.referee.inputs import Act, Begin, Input
from tableref.referee.timing import Clock

pytest.importorskip("starlette", reason="the pages need: pip install 'tableref[web]'")

from starlette.testclient import TestClient

from tableref.web.app import Pages
from tableref.web.consents import Consents
from tableref.web.host import Host
from tableref.web.live import Live
from tableref.web.seats import Seats

CODE = "0421"


class Table:
    """A game with its pages. `given` are the inputs that phones made."""

    def __init__(
        self, folder: Path, game: str, lang: str = "en", clock: int = 0, **setup: Any
    ) -> None:
        """`clock`: seconds that a turn may take, 0: as long as one likes."""
        timed = {"clock": Clock(clock).record()} if clock else None
        self.evening = new_evening(folder, game, setup, [], "", lang=lang, handed=timed)
        self.given: list[Input] = []
        self.now = 0.0
        self.live = Live(self.evening, self.take, lambda: self.now)
        file = folder / "seats.json"
        self.seats = Seats(self.live.players, CODE, clock=lambda: self.now, file=file)
        self.album = Album(folder)
        self.pressed: list[Press] = []
        self.host = Host(
            self.pressed.append,
            lambda: [stored(folder)],
            lambda: [("brltty: it takes the port", "Take it off.")],
            CODE,
            lambda: self.now,
        )
        self.pages = Pages(self.live, self.seats, Consents(), self.album, self.host)
        self._app = self.pages.app()
        evening = self.evening
        evening.journal.begin()
        self.desk = Desk(
            evening.referee, evening.state, evening.journal, evening.teller(), [self.live]
        )
        self.desk.take(Begin(0.0, ()))

    def take(self, given: Input) -> bool:
        """What a queue would hand to the referee."""
        self.given.append(given)
        self.desk.take(given)
        return True

    def phone(self, address: str = "192.168.0.7", seat: int | None = None) -> Phone:
        """A phone in the table's network, on a seat where one is named."""
        phone = Phone(TestClient(self._app, client=(address, 50000)))
        if seat is not None:
            assert phone.post("/enter", code=CODE, seat=seat).status_code == 200
        return phone


class Phone:
    """What a person does with a page."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def page(self, path: str = "/") -> str:
        """The page, as HTML."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, page: str = "/", **form: Any) -> Any:
        """Sends a form of a page."""
        found = re.search(r'name="sign" value="(\w+)"', self.page(page))
        told = {"sign": found[1] if found else "", **form}
        return self.client.post(path, data=told, headers={"sec-fetch-site": "same-origin"})

    def be_host(self) -> Phone:
        """Becomes the host."""
        assert self.post("/host/enter", code=CODE).status_code == 200
        return self

    def said(self, path: str, **form: Any) -> list[str]:
        """The lines that come back."""
        return re.findall(r'<p class="said">(.*?)</p>', self.post(path, **form).text)


def drive(table: Table, rng: random.Random, rounds: int) -> None:
    """Whole rounds before, driven alike each time."""
    game = table.evening.referee.game
    for _ in range(400):
        state = table.desk.state.table.state
        facts: Mapping[str, object] = game.facts(state)
        if game.due(state).kind == "over" or facts.get("round", 0) == rounds + 1:
            return
        table.desk.take(Act(0.0, rng.choice(list(game.legal(state))).record()))


@pytest.fixture
def laid(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Makes tables; their journals are closed at the end."""
    tables: list[Table] = []

    def lay(game: str, **setup: Any) -> Table:
        tables.append(Table(tmp_path / f"{len(tables)}", game, **setup))
        return tables[-1]

    yield lay
    for table in tables:
        table.evening.journal.close()
