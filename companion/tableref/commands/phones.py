"""Pages for the phones at the table, beside a game."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from tableref.errors import UserError
from tableref.hosting.opening import Game
from tableref.referee.desk import Outlet


class Phones(NamedTuple):
    """Pages as an outlet, what is typed to reach them, the table's code, and both as lines for a
    terminal."""

    outlet: Outlet
    address: str
    code: str
    invitation: tuple[str, ...]


@contextlib.contextmanager
def phones(game: Game, port: int) -> Iterator[Phones]:
    """Serves pages of a game; what is entered there goes into its queue. UserError"""
    try:
        from tableref.web.live import Live
        from tableref.web.seats import Seats
        from tableref.web.server import WebServer
    except ImportError as error:
        raise UserError(f"web: {error.name} is missing: pip install 'tableref[web]'") from error

    live = Live(game.evening, game.queue.happened)
    seats = Seats(live.players)
    server = WebServer(live, seats, game.folder, port)
    try:
        server.start()
        yield Phones(live, server.address(), seats.code, tuple(server.invitation()))
    finally:
        server.close()
