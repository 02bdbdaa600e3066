"""The server's thread, and the address that people type or scan."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import os
import socket
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tableref.errors import UserError
from tableref.referee.album import Album
from tableref.web.app import Pages
from tableref.web.consents import Consents
from tableref.web.host import Host
from tableref.web.hostpages import HostPages
from tableref.web.live import Live
from tableref.web.rendering import Rendering
from tableref.web.seats import Seats
from tableref.web.words import labels

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

PORT = 8080
_MOST_WAITING = 64  # connections: sixteen phones, a stream and a few requests each
_ENDS_S = 5.0


class Served(Protocol):
    """Pages that a server has."""

    def app(self) -> Starlette:
        """The application."""
        ...

    def close(self) -> None:
        """Ends the streams."""
        ...


class Server:
    """Serves pages until `close`."""

    def __init__(self, pages: Served, port: int = PORT, host: str = "") -> None:
        """`host` "": every address of this computer. UserError where the port is taken."""
        self._pages = pages
        self._socket = _listening(host, port)
        self.port = int(self._socket.getsockname()[1])
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serves, in a thread of its own."""
        import uvicorn

        config = uvicorn.Config(
            self._pages.app(), http="h11", ws="none", loop="asyncio", lifespan="off",
            log_level="error", access_log=False, server_header=False,
            limit_concurrency=2 * _MOST_WAITING, timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = server = uvicorn.Server(config)

        def serve() -> None:
            with contextlib.suppress(asyncio.CancelledError):
                asyncio.run(server.serve(sockets=[self._socket]))

        self._thread = threading.Thread(target=serve, name="pages", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends it, streams too."""
        self._pages.close()
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(_ENDS_S)
        self._socket.close()

    def address(self) -> str:
        """What people type."""
        return f"http://{own_address()}:{self.port}"


class HostServer(Server):
    """Serves the host's pages while no game is played."""

    def __init__(self, case: Host, lang: str, port: int = PORT, host: str = "") -> None:
        """UserError where the port is taken."""
        super().__init__(HostPages(case, Rendering(lang)), port, host)


class WebServer(Server):
    """Serves the pages of a game while it is played, the host's among them where there may be
    one."""

    def __init__(
        self,
        live: Live,
        seats: Seats,
        folder: Path,
        port: int = PORT,
        host: str = "",
        case: Host | None = None,
    ) -> None:
        """`host` "": every address of this computer. UserError where the port is taken."""
        self.live, self.seats = live, seats
        super().__init__(Pages(live, seats, Consents(), Album(folder), case), port, host)

    def invitation(self) -> list[str]:
        """Lines for a terminal: a QR code, the address and the table's code."""
        import segno

        drawn = io.StringIO()
        segno.make(self.address(), error="m").terminal(drawn, compact=True)
        text = labels(self.live.lang)["invitation"]
        said = text.format(address=self.address(), code=self.seats.code)
        return [*drawn.getvalue().rstrip("\n").split("\n"), said]


def own_address() -> str:
    """This computer's address in its network, else the loopback's. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _listening(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        why = os.strerror(error.errno or errno.EADDRINUSE)
        raise UserError(
            f"web: port {port} cannot be used: {why}; name another with --web PORT"
        ) from error
    made.listen(_MOST_WAITING)
    return made
