"""Pages for the phones at the table, beside a game and, for its host, between games."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tableref.devices.buttons import Press
from tableref.devices.oled import Screen
from tableref.errors import UserError
from tableref.hosting.opening import Game
from tableref.hosting.shelf import Stored, stored
from tableref.referee.desk import Feedback, Outlet

if TYPE_CHECKING:
    from tableref.web.host import Host


SEATS = "seats.json"
"""The file in a game's folder that keeps who sits at which phone."""


class Phones(NamedTuple):
    """Pages as an outlet, what is typed to reach them, the table's code, and both as lines for a
    terminal."""

    outlet: Outlet
    address: str
    code: str
    invitation: tuple[str, ...]


class Nobody:
    """An outlet that tells nobody."""

    def tell(self, feedback: Feedback) -> None:
        """Nothing."""


@contextlib.contextmanager
def phones(game: Game, port: int, judge: Callable[[], bool] | None = None) -> Iterator[Phones]:
    """Serves pages of a game; what is entered there goes into its queue, and `judge` calls one.
    UserError"""
    web = _Web()
    code = web.kept_code(game.folder)  # a game that is taken up again has the code that it had
    with web.host(games=lambda: [stored(game.folder)], code=code).beside(
        game, port, judge
    ) as pages:
        yield pages


class CasePhones:
    """The pages of a table with a case, which come and go with its games. All have one code."""

    def __init__(
        self,
        games: Callable[[], Sequence[Stored]],
        examine: Callable[[], Iterable[tuple[str, str]]],
    ) -> None:
        """`games` that lie here, `examine` says what is wrong. Nothing is opened yet."""
        self._games, self._examine = games, examine
        self._pressed: Callable[[Press], None] | None = None
        self._screen = Screen("")
        self._web: _Web | None = None

    def begin(self, pressed: Callable[[Press], None]) -> None:
        """There are a display and buttons."""
        self._pressed = pressed

    def shown(self, screen: Screen) -> None:
        """The display shows this."""
        self._screen = screen
        if self._web is not None:
            self._web.case.shown(screen)

    @contextlib.contextmanager
    def beside(
        self, game: Game, port: int, judge: Callable[[], bool] | None = None
    ) -> Iterator[Phones]:
        """Pages of a game, the host's among them. UserError"""
        with self._opened().beside(game, port, judge) as pages:
            yield pages

    @contextlib.contextmanager
    def alone(self, lang: str, port: int) -> Iterator[Phones]:
        """The host's pages while no game is played. UserError"""
        with self._opened().alone(lang, port) as pages:
            yield pages

    def _opened(self) -> _Web:
        if self._web is None:
            self._web = _Web().host(self._games, self._examine)
            if self._pressed is not None:
                self._web.case.begin(self._pressed)
            self._web.case.shown(self._screen)
        return self._web


class _Web:
    """The packages of the pages, which are an extra. UserError where they are missing"""

    case: Host

    def __init__(self) -> None:
        try:
            from tableref.web import host, live, seats, server
        except ImportError as error:
            raise UserError(f"web: {error.name} is missing: pip install 'tableref[web]'") from error
        self._host, self._live, self._seats, self._server = host, live, seats, server

    def host(
        self,
        games: Callable[[], Sequence[Stored]],
        examine: Callable[[], Iterable[tuple[str, str]]] = lambda: (),
        code: str | None = None,
    ) -> _Web:
        """With what a host sees."""
        self.case = self._host.Host(games=games, examine=examine, code=code)
        return self

    def kept_code(self, folder: Path) -> str | None:
        """The code of the game in a folder, when it was played last."""
        return self._seats.kept_code(folder / SEATS)

    @contextlib.contextmanager
    def beside(
        self, game: Game, port: int, judge: Callable[[], bool] | None = None
    ) -> Iterator[Phones]:
        """Serves pages of a game."""
        live = self._live.Live(game.evening, game.queue.happened, judge=judge)
        seats = self._seats.Seats(live.players, self.case.code, file=game.folder / SEATS)
        server = self._server.WebServer(live, seats, game.folder, port, case=self.case)
        self.case.looks(game.evening.board, lambda: game.pictures)
        try:
            server.start()
            yield Phones(live, server.address(), seats.code, tuple(server.invitation()))
        finally:
            self.case.looks_no_more()
            server.close()

    @contextlib.contextmanager
    def alone(self, lang: str, port: int) -> Iterator[Phones]:
        """Serves the host's pages."""
        server = self._server.HostServer(self.case, lang, port)
        try:
            server.start()
            yield Phones(Nobody(), server.address(), self.case.code, ())
        finally:
            server.close()
