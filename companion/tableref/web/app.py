"""The pages' routes. A page is made for the seat that asks; who has none touches nothing."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tableref.referee.album import Album
from tableref.rulebook import Rulebook
from tableref.rulebook.book import UnknownParagraph
from tableref.rulebook.lookup import Lookup
from tableref.rules.surface import RulesError
from tableref.web.consents import Consents, Wish
from tableref.web.gate import Gate, Rates, address_of
from tableref.web.host import Host
from tableref.web.hostpages import HostPages
from tableref.web.live import Live, Private, Time, View
from tableref.web.rendering import HERE, Rendering, form_sign
from tableref.web.seats import SCORER, NotEntered, Seats, Taken, TooManyTries, Viewer
from tableref.web.streaming import event, stream
from tableref.web.voice import SEAT, NotAllowed, Voice

COOKIE, WAITING = "seat", "waiting"
SHOWN = 30
"""Lines of the log that a page shows."""


class Pages:
    """Makes pages and takes forms. `album`: where the pictures of rulings lie."""

    def __init__(
        self, live: Live, seats: Seats, consents: Consents, album: Album, host: Host | None = None
    ) -> None:
        """Without a `host` there are no pages for one."""
        self._live, self._seats, self._consents, self._album = live, seats, consents, album
        self._voice = Voice(live, seats, consents)
        self._book = Rulebook(live.lang)
        self._rendering = Rendering(live.lang)
        self._words = self._rendering.words
        self._host = HostPages(host, self._rendering) if host is not None else None
        self.rates = Rates()
        self._closing = False
        self._logged: tuple[object, str] = (None, "")
        self._watched: tuple[object, str] = (None, "")
        self._waiting: dict[str, Wish] = {}  # token of a phone -> the seat that it waits for

    def close(self) -> None:
        """Ends the streams."""
        self._closing = True
        self._live.changed()
        if self._host is not None:
            self._host.close()

    def app(self) -> Starlette:
        """The application."""
        failed = self._rendering.failed
        return Starlette(
            routes=[
                Route("/", self.home),
                Route("/events", self.events),
                Route("/enter", self.enter, methods=["POST"]),
                Route("/leave", self.leave, methods=["POST"]),
                Route("/answer", self.answer, methods=["POST"]),
                Route("/say", self.say, methods=["POST"]),
                Route("/note", self.note, methods=["POST"]),
                Route("/wish", self.wish, methods=["POST"]),
                Route("/judge", self.judge, methods=["POST"]),
                Route("/agree", self.agree, methods=["POST"]),
                Route("/rules", self.rules),
                Route("/rules/{id}", self.paragraph),
                Route("/cells/{cell}", self.cell),
                Route("/pictures/{step:int}/{name}", self.picture),
                *(self._host.routes if self._host is not None else ()),
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            middleware=[Middleware(Gate, words=self._words, rates=self.rates)],
            exception_handlers={HTTPException: failed, Exception: failed},
        )

    # -- pages ------------------------------------------------------------------------------------

    async def home(self, request: Request) -> Response:
        """The table."""
        return self._page(request, self._viewer(request))

    async def events(self, request: Request) -> Response:
        """The part of the page that changes, each time that it does."""
        viewer = self._viewer(request)
        waiting = request.cookies.get(WAITING, "")

        def part() -> str | None:
            if self._closing:
                return None
            version = self._live.view().version
            seated = waiting in self._waiting and viewer.seat is None
            told = event(version, self._part(self._seats.viewer(viewer.token)))
            return f"event: seated\ndata: \n\n{told}" if seated else told

        return stream(self._live.watch, part, self._album.changed)

    async def rules(self, request: Request) -> Response:
        """Looks a question up."""
        asked = request.query_params.get("q", "")[:400].strip()
        found = await run_in_threadpool(self._looked_up, asked) if asked else []
        return self._rendering.page("rules.html", asked=asked, found=found)

    def _looked_up(self, asked: str) -> list[Any]:
        # Made anew: its index belongs to the thread that opens it.
        answer = Lookup(self._live.lang).ask(asked, self._live.evening.referee.game.name)
        return [] if answer.none else [self._book.paragraph(r.id) for r in answer.results]

    async def paragraph(self, request: Request) -> Response:
        """A paragraph in full."""
        try:
            found = [self._book.paragraph(request.path_params["id"])]
        except UnknownParagraph:
            raise HTTPException(404, self._words["no-page"]) from None
        return self._rendering.page("rules.html", asked="", found=found)

    async def cell(self, request: Request) -> Response:
        """Where the piece on a cell may go, as names of cells; what is hidden is not told."""
        name = request.path_params["cell"]
        if name not in self._live.evening.board.cells:
            raise HTTPException(404, self._words["no-page"])
        found = await run_in_threadpool(self._live.may_go, name)
        return JSONResponse({"may": found})

    async def picture(self, request: Request) -> Response:
        """A picture that was kept of a step."""
        kept = self._album.at(request.path_params["step"])
        path = kept.pictures.get(request.path_params["name"].removesuffix(".jpg")) if kept else None
        if path is None:
            raise HTTPException(404, self._words["no-page"])
        return FileResponse(path, media_type="image/jpeg")

    # -- forms ------------------------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        """Takes a seat, or asks those at the table for one that is taken."""
        form = await self._form(request, checked=False)
        address, code = address_of(request.scope), str(form.get("code", "")).strip()
        try:
            seat = int(str(form.get("seat", "")))
            token = self._seats.enter(address, code, seat)
        except Taken:
            return self._wait_for(request, seat)
        except TooManyTries:
            return self._page(request, Viewer(), [self._words["too-many-tries"]], 429)
        except NotEntered:
            return self._page(request, Viewer(), [self._words["wrong-code"]], 403)
        except (ValueError, LookupError):
            return self._page(request, Viewer(), [self._words["no-such-seat"]], 400)
        self._live.changed()
        return self._seated(token)

    def _wait_for(self, request: Request, seat: int) -> Response:
        """The one who sits there, or any other seat, may let this phone have it."""
        token = secrets.token_urlsafe(24)
        needs = self._seats.taken()
        self._consents.ask(SEAT, None, needs, f"{seat} {token}")
        self._live.changed()
        response = self._page(request, Viewer(), [self._words["seat-asked"]], 202)
        response.set_cookie(WAITING, token, httponly=True, samesite="strict", max_age=600)
        return response

    def _seated(self, token: str) -> Response:
        response = Response(status_code=303, headers={"location": "/"})
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=24 * 3600)
        response.delete_cookie(WAITING)
        return response

    async def leave(self, request: Request) -> Response:
        """Frees the seat."""
        await self._form(request)
        self._seats.leave(self._viewer(request).token)
        self._live.changed()
        return Response(status_code=303, headers={"location": "/"})

    async def answer(self, request: Request) -> Response:
        """The answer to a question."""
        form = await self._form(request)
        number, choice = _whole(form, "question"), _whole(form, "choice")
        return await self._done(request, lambda v: self._voice.answer(v, number, choice))

    async def say(self, request: Request) -> Response:
        """A move, a command or a question in words."""
        form = await self._form(request)
        line = str(form.get("line", ""))[:400]
        return await self._done(request, lambda v: self._voice.say(v, line))

    async def note(self, request: Request) -> Response:
        """What the seat notes in secret."""
        form = await self._form(request)
        return await self._done(request, lambda v: self._voice.note(v, form))

    async def wish(self, request: Request) -> Response:
        """What the others have to agree to."""
        form = await self._form(request)
        kind = str(form.get("kind", ""))
        return await self._done(request, lambda v: self._voice.wish(v, kind) and None)

    async def judge(self, request: Request) -> Response:
        """A judge is called, or no longer."""
        await self._form(request)
        viewer, call = self._viewer(request), self._live.judge
        if call is None:
            raise HTTPException(404, self._words["no-page"])
        if viewer.seat is None:
            return self._page(request, viewer, [self._words["no-seat"]], 403)
        key = "judge_called" if call() else "judge_free"
        return self._page(request, viewer, [self._book.words.labels[key]])

    async def agree(self, request: Request) -> Response:
        """Consent to it, or none."""
        form = await self._form(request)
        number, agreed = _whole(form, "wish"), form.get("agreed") == "yes"
        return await self._done(request, lambda v: self._agreed(v, number, agreed))

    def _agreed(self, viewer: Viewer, number: int, agreed: bool) -> None:
        if not agreed:
            self._voice.refuse(viewer, number)
            return
        wish = self._consent(viewer, number)
        if wish is not None and wish.kind == SEAT:
            self._waiting[wish.what.split()[1]] = wish
            self._live.changed()

    def _consent(self, viewer: Viewer, number: int) -> Wish | None:
        """A seat is given by any one who sits; all else by all."""
        wish = next((one for one in self._consents.open() if one.number == number), None)
        if wish is None or wish.kind != SEAT or viewer.seat not in wish.needs:
            return self._voice.agree(viewer, number)
        self._consents.refuse(number, viewer.seat)
        return wish

    # -- helpers ----------------------------------------------------------------------------------

    def _viewer(self, request: Request) -> Viewer:
        return self._seats.viewer(request.cookies.get(COOKIE, ""))

    async def _form(self, request: Request, checked: bool = True) -> dict[str, str]:
        """What was sent, where it comes from a page of ours."""
        form = await self._rendering.form(request)
        if checked and not hmac.compare_digest(
            form.get("sign", "").encode(), self._sign(self._viewer(request)).encode()
        ):
            raise HTTPException(403, self._words["not-ours"])
        return form

    def _sign(self, viewer: Viewer) -> str:
        """Only the phone's own pages have it; it outlives the server, as the seat does."""
        return form_sign(viewer.token)

    async def _done(self, request: Request, do: Callable[[Viewer], list[str] | None]) -> Response:
        """What came of a form. The referee may let the server wait, so a thread does it."""
        viewer = self._viewer(request)
        try:
            said = await run_in_threadpool(do, viewer)
        except NotAllowed as error:
            return self._page(request, viewer, [self._words[str(error)]], 403)
        except RulesError as error:
            return self._page(request, viewer, [str(error)], 400)
        if not said:
            return Response(status_code=303, headers={"location": "/"})
        return self._page(request, viewer, said)

    def _page(
        self, request: Request, viewer: Viewer, said: list[str] | None = None, status: int = 200
    ) -> Response:
        waiting = self._waiting.pop(request.cookies.get(WAITING, ""), None)
        if waiting is not None and viewer.seat is None:
            token = self._seats.give(int(waiting.what.split()[0]))
            self._live.changed()
            return self._seated(token)
        told: dict[str, Any] = {"part": self._part(viewer), "viewer": viewer, "said": said or []}
        host = self._host is not None
        return self._rendering.page(
            "table.html", status, host=host, **told, **self._seating(viewer)
        )

    def _log(self, view: View) -> str:
        """What happened, with its pictures: made once a change, not once a phone."""
        of = (view.log, self._album.changed())
        if self._logged[0] != of:
            log = view.log[:SHOWN]
            steps = {one.step for one in log}
            pictures = {step: self._album.names(step) if step else () for step in steps}
            self._logged = of, self._rendering.part("log.html", log=log, pictures=pictures)
        return self._logged[1]

    def _part(self, viewer: Viewer) -> str:
        """What changes; for those who only look made once a change, not once a phone."""
        view, time, wishes = self._live.view(), self._live.time(), self._consents.open()
        if viewer.seat is not None:
            return self._made(viewer, view, time, wishes)
        of = (view.version, self._album.changed(), time, wishes)
        if self._watched[0] != of:
            self._watched = of, self._made(viewer, view, time, wishes)
        return self._watched[1]

    def _made(self, viewer: Viewer, view: View, time: Time | None, wishes: Sequence[Wish]) -> str:
        return self._rendering.part(
            "part.html",
            view=view,
            time=time,
            wishes=[self._wished(wish) for wish in wishes],
            private=self._live.private(viewer.seat)
            if viewer.plays and viewer.seat is not None
            else Private(),
            headings=self._book.words.headings,
            value=self._book.value,
            viewer=viewer,
            log=self._log(view),
            **self._seating(viewer),
        )

    def _seating(self, viewer: Viewer) -> dict[str, Any]:
        taken = self._seats.taken()
        names = [self._book.value(name, name=True) for name in self._seats.players]
        seats = [(number, name, number in taken) for number, name in enumerate(names)]
        seats.append((SCORER, self._words["scorer"], SCORER in taken))
        own = next((name for number, name, _ in seats if number == viewer.seat), "")
        judge = self._live.judge is not None
        return {"seats": seats, "own": own, "sign": self._sign(viewer), "judge": judge}

    def _wished(self, wish: Wish) -> dict[str, Any]:
        """A wish in words, with the seats that may still speak to it."""
        who = "" if wish.by is None else self._seat_name(wish.by)
        text = self._words[f"wish-{wish.kind}"]
        if wish.kind == SEAT:
            who = self._seat_name(int(wish.what.split()[0]))
        told = text.format(who=who, what=wish.what)
        return {"number": wish.number, "text": told, "needs": wish.needs}

    def _seat_name(self, seat: int) -> str:
        if seat == SCORER:
            return self._words["scorer"]
        return self._book.value(self._seats.players[seat], name=True)


def _whole(form: dict[str, str], key: str) -> int:
    text = form.get(key, "")
    if not text.isdecimal() or len(text) > 9:
        raise HTTPException(400)
    return int(text)
