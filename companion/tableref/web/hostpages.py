"""The host's pages, beside a game's and alone: only with the host's role, behind the code."""

from __future__ import annotations

import hmac

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tableref.devices.buttons import Button
from tableref.errors import UserError
from tableref.rulebook.findings import FindingWords
from tableref.rulebook.text import title
from tableref.web.gate import Gate, Rates, address_of
from tableref.web.host import KINDS, Host
from tableref.web.rendering import HERE, Rendering, form_sign
from tableref.web.seats import NotEntered, Taken, TooManyTries
from tableref.web.streaming import event, stream

COOKIE = "host"
BUTTONS = {button.value: button for button in Button}


class HostPages:
    """Makes the pages and takes the presses."""

    def __init__(self, host: Host, rendering: Rendering) -> None:
        self._host, self._rendering = host, rendering
        self._words = rendering.words
        self._closing = False
        self.rates = Rates()

    @property
    def routes(self) -> list[Route]:
        """To be served beside others."""
        return [
            Route("/host", self.home),
            Route("/host/enter", self.enter, methods=["POST"]),
            Route("/host/leave", self.leave, methods=["POST"]),
            Route("/host/press", self.press, methods=["POST"]),
            Route("/host/events", self.events),
            Route("/host/display.png", self.display),
            Route("/host/camera.jpg", self.camera),
            Route("/host/health", self.health),
            Route("/host/games", self.games),
            Route("/host/games/{name}/{kind}", self.game),
        ]

    def app(self) -> Starlette:
        """The application while no game is played."""
        failed = self._rendering.failed
        return Starlette(
            routes=[
                Route("/", self.to_host),
                *self.routes,
                Mount("/static", StaticFiles(directory=HERE / "static")),
            ],
            middleware=[Middleware(Gate, words=self._words, rates=self.rates)],
            exception_handlers={HTTPException: failed, Exception: failed},
        )

    def close(self) -> None:
        """Ends the streams."""
        self._closing = True
        self._host.shown(self._host.screen)

    # -- pages ------------------------------------------------------------------------------------

    async def to_host(self, request: Request) -> Response:
        """While no game is played there is nothing else."""
        return RedirectResponse("/host", 303)

    async def home(self, request: Request) -> Response:
        """The display and the buttons, and what else there is; or the way in."""
        return self._home(request)

    def _home(self, request: Request, said: str = "", status: int = 200) -> Response:
        if not self._is_host(request):
            return self._rendering.page("hosting.html", status, said=said)
        return self._rendering.page(
            "host.html", status,
            said=said, part=self._part(), sign=self._sign(request), case=self._host.has_case,
            camera=self._host.looked is not None,
        )  # fmt: skip

    def _part(self) -> str:
        return self._rendering.part(
            "display.html", screen=self._host.screen, version=self._host.version
        )

    async def events(self, request: Request) -> Response:
        """The display, each time that it shows something else."""
        self._check(request)

        def part() -> str | None:
            if self._closing or not self._is_host(request):
                return None
            return event(self._host.version, self._part())

        return stream(self._host.watch, part)

    async def display(self, request: Request) -> Response:
        """The display as it is drawn."""
        self._check(request)
        try:
            drawn = await run_in_threadpool(self._host.display)
        except ImportError:
            raise HTTPException(404, self._words["no-page"]) from None
        return Response(drawn, media_type="image/png")

    async def camera(self, request: Request) -> Response:
        """What the camera sees, with what was read in it."""
        self._check(request)
        drawn = await run_in_threadpool(self._host.camera)
        if drawn is None:
            raise HTTPException(404, self._words["no-picture"])
        return Response(drawn, media_type="image/jpeg")

    async def health(self, request: Request) -> Response:
        """What is wrong with this computer and its devices."""
        self._check(request)
        found = await run_in_threadpool(lambda: list(self._host.examine()))
        words = FindingWords(self._rendering.lang)
        told = [words.found(what, cure) for what, cure in found]
        return self._rendering.page("health.html", found=told)

    async def games(self, request: Request) -> Response:
        """The games that lie here."""
        self._check(request)
        games = await run_in_threadpool(lambda: list(self._host.games()))
        names = {one.folder: title(self._rendering.lang, one.game) for one in games}
        return self._rendering.page("games.html", games=games, names=names, kinds=list(KINDS))

    async def game(self, request: Request) -> Response:
        """A game as a file."""
        self._check(request)
        name, kind = request.path_params["name"], request.path_params["kind"]
        try:
            made = await run_in_threadpool(self._host.export, name, kind)
        except LookupError:
            raise HTTPException(404, self._words["no-page"]) from None
        except UserError:  # its words name folders of this computer
            raise HTTPException(409, self._words["goes-on"]) from None
        ending = KINDS[kind].rpartition("/")[2]
        told = {"content-disposition": f'attachment; filename="{name}.{ending}"'}
        return Response(made, media_type=KINDS[kind], headers=told)

    # -- forms ------------------------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        """Becomes host, with the code."""
        form = await self._rendering.form(request)
        try:
            token = self._host.enter(address_of(request.scope), form.get("code", "").strip())
        except Taken:
            return self._home(request, self._words["host-there"], 409)
        except TooManyTries:
            return self._home(request, self._words["too-many-tries"], 429)
        except NotEntered:
            return self._home(request, self._words["wrong-code"], 403)
        response = RedirectResponse("/host", 303)
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=24 * 3600)
        return response

    async def leave(self, request: Request) -> Response:
        """Is host no more."""
        await self._form(request)
        self._host.leave(request.cookies.get(COOKIE, ""))
        return RedirectResponse("/host", 303)

    async def press(self, request: Request) -> Response:
        """A button of the case."""
        form = await self._form(request)
        button = BUTTONS.get(form.get("button", ""))
        if button is None or not self._host.has_case:
            raise HTTPException(400)
        await run_in_threadpool(self._host.press, button, form.get("held") == "yes")
        return RedirectResponse("/host", 303)

    # -- helpers ----------------------------------------------------------------------------------

    def _is_host(self, request: Request) -> bool:
        return self._host.is_host(request.cookies.get(COOKIE, ""))

    def _check(self, request: Request) -> None:
        if not self._is_host(request):
            raise HTTPException(403, self._words["host-only"])

    async def _form(self, request: Request) -> dict[str, str]:
        form = await self._rendering.form(request)
        self._check(request)
        if not hmac.compare_digest(form.get("sign", "").encode(), self._sign(request).encode()):
            raise HTTPException(403, self._words["not-ours"])
        return form

    def _sign(self, request: Request) -> str:
        return form_sign(request.cookies.get(COOKIE, ""))
