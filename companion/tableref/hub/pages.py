"""The hub's pages: all tables at a glance, one large for a projector, judge calls, results."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tableref.hosting.judge import WORDS, Judged, judged, signed
from tableref.hub.desk import Desk, View
from tableref.hub.results import Results
from tableref.hub.rounds import Rounds
from tableref.hub.sheets import sheet
from tableref.hub.stewards import Stewards
from tableref.hub.tournaments import TournamentPages
from tableref.rulebook import Rulebook
from tableref.rulebook.text import title
from tableref.web.gate import Gate, Rates
from tableref.web.rendering import HERE as WEB
from tableref.web.rendering import Rendering
from tableref.web.streaming import event, stream
from tableref.web.words import labels

HERE = Path(__file__).resolve().parent
LONGEST = 65_536
"""Bytes of a form: the players of a tournament may be many."""
REST = 0.1
"""Seconds between two news to a page: many tables may tell something at once."""


class Judges(NamedTuple):
    """How judges rule from here: the key with which it is signed, and what sends it to a table,
    where it can be sent."""

    key: bytes
    send: Callable[[str, str], bool]


class HubPages:
    """Makes the pages. `trouble` says why nothing comes from the broker; "" where all is well.
    `code`: of those who may change something here. Without `judges` nobody rules from here."""

    def __init__(
        self,
        desk: Desk,
        results: Results,
        lang: str,
        trouble: Callable[[], str] = str,
        judges: Judges | None = None,
        code: str | None = None,
    ) -> None:
        self._judges = judges
        self.stewards = Stewards(code)
        self._desk, self._results, self._trouble = desk, results, trouble
        self._lang, self._book = lang, Rulebook(lang)
        self._rendering = Rendering(lang, HERE / "templates", labels(lang) | labels(lang, "hub"))
        self._words = self._rendering.words
        self._made: dict[str, tuple[object, str]] = {}
        self._tournaments = TournamentPages(
            Rounds(results.engine), self._rendering, self.stewards, desk.tables
        )
        self._closing = False
        self.rates = Rates()

    def app(self) -> Starlette:
        """The application."""
        failed = self._rendering.failed
        return Starlette(
            routes=[
                *self._live("/", "tables.html", lambda request: self._tables),
                *self._live("/calls", "calls.html", lambda request: self._called),
                *self._live("/tables/{name}", "table-large.html", self._one),
                Route("/calls/{name}.jpg", self.picture),
                Route("/calls/{name}", self.rule, methods=["POST"]),
                Route("/tables/{name}/{game}.csv", self.events_sheet),
                Route("/results", self.results),
                Route("/results.csv", self.results_sheet),
                *self._tournaments.routes,
                Mount("/hub-static", StaticFiles(directory=HERE / "static")),
                Mount("/static", StaticFiles(directory=WEB / "static")),
            ],
            middleware=[Middleware(Gate, words=self._words, rates=self.rates, longest=LONGEST)],
            exception_handlers={HTTPException: failed, OSError: self._away, Exception: failed},
        )

    async def _away(self, request: Request, error: Exception) -> Response:
        """The database does not answer; the desk says so in the log, too."""
        return self._rendering.page("failed.html", 503, text=self._words["no-database"])

    def close(self) -> None:
        """Ends the streams."""
        self._closing = True
        self._desk.changed()
        self._tournaments.close()

    # -- pages ------------------------------------------------------------------------------------

    def _live(
        self, path: str, template: str, part: Callable[[Request], Callable[[], str]]
    ) -> list[Route]:
        """A page, and the part of it that changes each time that it does."""

        async def page(request: Request) -> Response:
            source = f"{request.url.path.rstrip('/')}/events"
            what = request.path_params.get("name", "")
            return self._rendering.page(template, source=source, part=part(request)(), what=what)

        async def changes(request: Request) -> Response:
            return self._stream(part(request))

        return [Route(path, page), Route(f"{path.rstrip('/')}/events", changes)]

    def _one(self, request: Request) -> Callable[[], str]:
        """One table, large."""
        name: str = request.path_params["name"]
        if self._desk.table(name) is None:
            raise HTTPException(404, self._words["no-page"])
        return lambda: self._table(name)

    async def picture(self, request: Request) -> Response:
        """What a table saw that calls a judge."""
        view = self._desk.table(request.path_params["name"])
        if view is None or view.call is None or not view.call.picture:
            raise HTTPException(404, self._words["no-page"])
        return Response(view.call.picture, media_type="image/jpeg")

    async def rule(self, request: Request) -> Response:
        """A judge says what he thinks of a call; the table has to agree."""
        form = await self._rendering.form(request)
        view, judges = self._desk.table(request.path_params["name"]), self._judges
        if judges is None or view is None:
            raise HTTPException(404, self._words["no-page"])
        self.stewards.check(request, form.get("code", ""), self._words)
        judge, text = (" ".join(form.get(key, "").split()) for key in ("judge", "text"))
        if view.call is None or form.get("number") != str(view.call.number):
            raise HTTPException(409, self._words["call-over"])
        stands = form.get("ruling") == "stands"
        ruling = Judged(view.call.number, judge, text[:WORDS], stands, time.time_ns())
        payload = signed(judges.key, view.name, view.call.game, ruling)
        if judged(judges.key, view.name, view.call.game, payload.encode()) is None:
            raise HTTPException(400, self._words["judge-name"])
        if not judges.send(view.name, payload):
            raise HTTPException(503, self._words["no-broker"])
        return RedirectResponse("/calls", 303)

    async def results(self, request: Request) -> Response:
        """How each game stands or ended."""
        found = await run_in_threadpool(self._results.all)
        return self._rendering.page("results.html", results=found, title=self._title)

    async def results_sheet(self, request: Request) -> Response:
        """The same as CSV: a line for each player."""
        found = await run_in_threadpool(self._results.all)
        head = ("table", "game", "plays", "round", "over", "player", "score", "unit")
        rows = (
            (one.table, one.game, one.plays, one.round, int(one.over), player, score, one.unit)
            for one in found
            for player, score in zip(
                one.players, one.scores or ("",) * len(one.players), strict=False
            )
        )
        return sheet("results", head, rows)

    async def events_sheet(self, request: Request) -> Response:
        """What was told of a game as CSV."""
        name, game = request.path_params["name"], request.path_params["game"]
        found = await run_in_threadpool(lambda: list(self._results.events(name, game)))
        if not found:
            raise HTTPException(404, self._words["no-page"])
        head = ("nth", "row", "at", "kind", "text", "paragraphs")
        rows = (
            (e.nth, e.number, e.at, e.kind, " ".join(e.text), " ".join(e.paragraphs)) for e in found
        )
        return sheet(f"{name}-{game}", head, rows)

    # -- helpers ----------------------------------------------------------------------------------

    def _stream(self, make: Callable[[], str]) -> Response:
        def part() -> str | None:
            return None if self._closing else event(self._desk.version, make())

        return stream(self._desk.watch, part, self._trouble, rest=REST)

    def _tables(self) -> str:
        return self._once("tables", "tables-part.html", lambda: {"tables": self._desk.tables()})

    def _called(self) -> str:
        def told() -> dict[str, Any]:
            return {"tables": [view for view in self._desk.tables() if view.call is not None]}

        return self._once("calls", "calls-part.html", told)

    def _table(self, name: str) -> str:
        view = self._desk.table(name) or View(name)
        return self._once(f"table {name}", "table-part.html", lambda: {"view": view})

    def _once(self, key: str, template: str, told: Callable[[], dict[str, Any]]) -> str:
        """Made once a change, not once a page that shows it."""
        of = (self._desk.version, trouble := self._trouble())
        before, html = self._made.get(key, (None, ""))
        if before != of:
            html = self._rendering.part(
                template,
                trouble=trouble,
                title=self._title,
                named=self._book.named,
                judges=self._judges is not None,
                **told(),
            )
            self._made[key] = of, html
        return html

    def _title(self, game: str) -> str:
        return title(self._lang, game) or game
