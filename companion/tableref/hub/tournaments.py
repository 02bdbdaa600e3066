"""The hub's pages of tournaments: anybody looks, those who have given the code enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tableref.hub.desk import View
from tableref.hub.pairing import NOBODY, SYSTEMS, NotPaired, Tournament, standings
from tableref.hub.rounds import NAME, RESULTS, NotTaken, Rounds, players_of
from tableref.hub.sheets import sheet
from tableref.hub.stewards import COOKIE, Stewards
from tableref.web.rendering import Rendering
from tableref.web.streaming import event, stream

_SAID = {points: said for said, points in RESULTS.items()}


class TournamentPages:
    """Makes these pages. `tables`: the hub's, in the order in which boards stand there."""

    def __init__(
        self,
        rounds: Rounds,
        rendering: Rendering,
        stewards: Stewards,
        tables: Callable[[], Sequence[View]],
    ) -> None:
        self._rounds, self._rendering, self._stewards = rounds, rendering, stewards
        self._tables, self._words = tables, rendering.words
        self._made: dict[int, tuple[int, str]] = {}
        self._closing = False
        one = "/tournaments/{number:int}"
        self.routes = [
            Route("/tournaments", self.all),
            Route("/tournaments", self.make, methods=["POST"]),
            Route("/tournaments/enter", self.enter, methods=["POST"]),
            Route(one, self.tournament),
            Route(f"{one}/events", self.events),
            Route(f"{one}/standings.csv", self.standings_sheet),
            Route(f"{one}/pairings.csv", self.pairings_sheet),
            Route(f"{one}/{{what}}", self.change, methods=["POST"]),
        ]

    def close(self) -> None:
        """Ends the streams."""
        self._closing = True
        self._rounds.changed()

    # -- pages ------------------------------------------------------------------------------------

    async def all(self, request: Request) -> Response:
        """All tournaments, and a form for a new one."""
        found = await run_in_threadpool(self._rounds.all)
        return self._rendering.page(
            "tournaments.html", found=found, systems=SYSTEMS, most=NAME,
            sign=self._stewards.sign(request),
        )  # fmt: skip

    async def tournament(self, request: Request) -> Response:
        """Pairings and standings; who may enter something has forms there."""
        number, sign = _number(request), self._stewards.sign(request)
        found = await run_in_threadpool(self._found, number)
        return self._rendering.page(
            "tournament.html", part=self._part(number, found, sign), sign=sign, what=found.name,
            number=number, source="" if sign else f"/tournaments/{number}/events",
        )  # fmt: skip

    async def events(self, request: Request) -> Response:
        """The same for those who look, each time that it changes."""
        number = _number(request)
        await run_in_threadpool(self._found, number)

        def part() -> str | None:
            return None if self._closing else event(self._rounds.version, self._shown(number))

        return stream(self._rounds.watch, part)

    async def standings_sheet(self, request: Request) -> Response:
        """How all stand, as CSV; points are whole ones."""
        found = await run_in_threadpool(self._found, _number(request))
        head = ("place", "player", "points", "buchholz", "wins", "games", "plays")
        rows = (
            (
                one.place, one.entrant.name, one.points / 2, one.buchholz / 2, one.wins, one.games,
                int(one.entrant.plays),
            )
            for one in standings(found)
        )  # fmt: skip
        return sheet("standings", head, rows)

    async def pairings_sheet(self, request: Request) -> Response:
        """All rounds, as CSV."""
        found = await run_in_threadpool(self._found, _number(request))
        names = _names(found)
        rows = (
            (one.round, one.board, names[one.first], names.get(one.second, ""), _said(one.points))
            for one in found.pairings
        )
        return sheet("pairings", ("round", "board", "first", "second", "result"), rows)

    # -- forms ------------------------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        """Becomes a steward, with the code."""
        form = await self._rendering.form(request)
        token = self._stewards.enter(request, form.get("code", ""), self._words)
        response = RedirectResponse("/tournaments", 303)
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=24 * 3600)
        return response

    async def make(self, request: Request) -> Response:
        """A new tournament."""
        form = await self._form(request)
        name, system = " ".join(form.get("name", "").split()), form.get("system", "")
        players = players_of(form.get("players", ""))
        number = await self._done(lambda: self._rounds.make(name, system, players))
        return RedirectResponse(f"/tournaments/{number}", 303)

    async def change(self, request: Request) -> Response:
        """One of the forms of a tournament's page."""
        number, form = _number(request), await self._form(request)
        rounds, round_, at = self._rounds, _whole(form, "round"), ""
        match request.path_params["what"]:
            case "players":
                names = players_of(form.get("players", ""))
                await self._done(lambda: rounds.enter(number, names))
            case "plays":
                player, plays = _whole(form, "player"), form.get("plays") == "yes"
                await self._done(lambda: rounds.withdraw(number, player, plays))
            case "pair":
                await self._done(lambda: rounds.pair(number, round_))
            case "unpair":
                await self._done(lambda: rounds.unpair(number, round_))
            case "result":
                board, said = _whole(form, "board"), form.get("result", "")
                at = f"#b{round_}-{board}"  # among hundreds nobody looks for it anew
                await self._done(lambda: rounds.result(number, round_, board, said))
            case _:
                raise HTTPException(404, self._words["no-page"])
        return RedirectResponse(f"/tournaments/{number}{at}", 303)

    # -- helpers ----------------------------------------------------------------------------------

    async def _form(self, request: Request) -> dict[str, str]:
        form = await self._rendering.form(request)
        if not self._stewards.signed(request, form):
            raise HTTPException(403, self._words["desk-only"])
        return form

    async def _done(self, do: Callable[[], object]) -> object:
        """What came of it; what cannot be is said. A thread does it: a database takes its time."""
        try:
            return await run_in_threadpool(do)
        except LookupError:
            raise HTTPException(404, self._words["no-page"]) from None
        except (NotPaired, NotTaken) as error:
            raise HTTPException(409, self._words[f"not-{error}"]) from None

    def _found(self, number: int) -> Tournament:
        try:
            return self._rounds.tournament(number)
        except LookupError:
            raise HTTPException(404, self._words["no-page"]) from None

    def _shown(self, number: int) -> str:
        """For those who look, made once a change, not once a page."""
        version = self._rounds.version
        if self._made.get(number, (-1, ""))[0] != version:
            self._made[number] = version, self._part(number, self._found(number), "")
        return self._made[number][1]

    def _part(self, number: int, found: Tournament, sign: str) -> str:
        last = found.rounds
        boards = [view.name for view in self._tables()]
        return self._rendering.part(
            "tournament-part.html",
            number=number,
            found=found,
            standings=standings(found),
            rounds=[
                (round_, [one for one in found.pairings if one.round == round_])
                for round_ in range(last, 0, -1)
            ],
            boards=dict(enumerate(boards, 1)),
            names=_names(found),
            nobody=NOBODY,
            said=_said,
            results=tuple(RESULTS),
            whole=_whole_points,
            sign=sign,
        )


def _number(request: Request) -> int:
    """The tournament's; -1, which none has, for what a database does not take."""
    number: int = request.path_params["number"]
    return number if number < 1_000_000 else -1


def _names(found: Tournament) -> dict[int, str]:
    return {one.number: one.name for one in found.entrants}


def _said(points: tuple[int, int] | None) -> str:
    return "" if points is None else _SAID[points]


def _whole_points(halves: int) -> str:
    """3 halves are 1½."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else f"{whole}"


def _whole(form: dict[str, str], key: str) -> int:
    """A number of a form; -1, which nothing has, where there is none."""
    told = form.get(key, "")
    return int(told) if told.isascii() and told.isdecimal() and len(told) < 7 else -1
