"""Who may change something at the hub: those who have given its code."""

from __future__ import annotations

import hmac
import secrets
from collections import deque

from starlette.exceptions import HTTPException
from starlette.requests import Request

from tableref.web.gate import address_of
from tableref.web.rendering import form_sign
from tableref.web.seats import SCORER, NotEntered, Seats, TooManyTries

COOKIE, MOST = "desk", 64
"""The cookie of one who has given the code, and how many of them there may be."""


class Stewards:
    """The hub's code and those who have given it; wrong ones are counted as at a table."""

    def __init__(self, code: str | None = None) -> None:
        """`code` None: one by chance."""
        self._seats = Seats((), code)
        self._tokens: deque[str] = deque(maxlen=MOST)

    @property
    def code(self) -> str:
        """Four digits."""
        return self._seats.code

    def check(self, request: Request, code: str, words: dict[str, str]) -> None:
        """HTTPException where it is not the code, or is not looked at for a while."""
        try:
            token = self._seats.enter(address_of(request.scope), code.strip(), SCORER)
        except TooManyTries:
            raise HTTPException(429, words["too-many-tries"]) from None
        except NotEntered:
            raise HTTPException(403, words["wrong-code"]) from None
        self._seats.leave(token)

    def enter(self, request: Request, code: str, words: dict[str, str]) -> str:
        """The token of a new steward. HTTPException"""
        self.check(request, code, words)
        token = secrets.token_urlsafe(24)
        self._tokens.append(token)
        return token

    def sign(self, request: Request) -> str:
        """What the forms of this steward's own pages carry; "" for somebody who is none."""
        token = request.cookies.get(COOKIE, "")
        return form_sign(token) if token in self._tokens else ""

    def signed(self, request: Request, form: dict[str, str]) -> bool:
        """Whether a form is from such a page."""
        sign = self.sign(request)
        return bool(sign) and hmac.compare_digest(form.get("sign", "").encode(), sign.encode())
