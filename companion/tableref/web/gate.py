"""Who may come in, how much, how often: what no route has to think of."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST = 4096
"""Bytes of a form at the table."""
RATE, BURST = 10.0, 40.0
"""Requests a second that one address may make in the long run, and at once."""
MOST_ADDRESSES = 256
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Rates:
    """How often an address may ask: a bucket for each that fills with time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def may(self, address: str) -> bool:
        """Whether it may ask once more now; then it has."""
        now = self.clock()
        left, at = self._left.pop(address, (BURST, now))
        left = min(BURST, left + (now - at) * RATE)
        self._left[address] = (left - 1.0 if left >= 1.0 else left), now
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1.0


class Gate:
    """What no route has to think of: who may come in, how much, how often, and safe headers."""

    def __init__(
        self, app: ASGIApp, words: dict[str, str], rates: Rates, longest: int = LONGEST
    ) -> None:
        """`longest`: bytes of a form."""
        self._app, self._words, self._rates, self._longest = app, words, rates, longest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        address, size = address_of(scope), _length(scope)
        if not near(address):
            await self._refuse(403, "not-here", scope, receive, send)
        elif size is None or size > self._longest:
            await self._refuse(413, "too-long", scope, receive, send)
        elif not self._rates.may(address):
            await self._refuse(429, "too-often", scope, receive, send)
        else:
            await self._app(scope, receive, _headed(send))

    async def _refuse(
        self, status: int, key: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        await Response(self._words[key], status, media_type="text/plain")(
            scope, receive, _headed(send)
        )


def _headed(send: Send) -> Send:
    async def headed(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in message["headers"]}
            message["headers"] += [
                (name.encode(), value.encode())
                for name, value in HEADERS.items()
                if name.encode() not in own
            ]
        await send(message)

    return headed


def near(address: str) -> bool:
    """Whether an address is of this computer or of its own network."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    ip = mapped or ip
    return ip.is_loopback or ip.is_private or ip.is_link_local


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _length(scope: Scope) -> int | None:
    """Bytes that a request sends; None where it does not say so though it sends some."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    told = headers.get(b"content-length", b"0")
    return int(told) if told.isdigit() else None


def same_origin(request: Request) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")
