"""Pages made of templates, in one language; and what is said where something went wrong."""

from __future__ import annotations

import hashlib
import hmac
import logging
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import jinja2
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tableref.web import words
from tableref.web.gate import same_origin

log = logging.getLogger(__name__)
HERE = Path(__file__).resolve().parent


class Rendering:
    """Makes pages of one language."""

    def __init__(
        self, lang: str, folder: Path = HERE / "templates", said: dict[str, str] | None = None
    ) -> None:
        """`folder` has templates besides those of the phones' pages, `said` words in place of
        theirs."""
        self.lang, self.words = lang, said or words.labels(lang)
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader([folder, HERE / "templates"]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )

    def part(self, name: str, **told: Any) -> str:
        """A template as HTML."""
        return self._templates.get_template(name).render(w=self.words, lang=self.lang, **told)

    def page(self, name: str, status: int = 200, **told: Any) -> Response:
        """A page."""
        return HTMLResponse(self.part(name, **told), status)

    async def form(self, request: Request) -> dict[str, str]:
        """What was sent, where it comes from a page of ours. HTTPException"""
        if not same_origin(request):
            raise HTTPException(403, self.words["not-ours"])
        text = (await request.body()).decode("utf-8", "replace")
        try:
            return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=40))
        except ValueError:  # too many fields
            raise HTTPException(400) from None

    async def failed(self, request: Request, error: Exception) -> Response:
        """What went wrong, without what is inside."""
        if not isinstance(error, HTTPException):
            log.error("a page failed", exc_info=error)
        status = error.status_code if isinstance(error, HTTPException) else 500
        known = isinstance(error, HTTPException) and status != 405
        text = str(error.detail) if known and isinstance(error, HTTPException) else ""
        if status == 404 or not text:
            text = self.words["no-page" if status in (404, 405) else "failed"]
        return self.page("failed.html", status, text=text)


def form_sign(token: str) -> str:
    """What a form carries to show that it is from a page made for who has this token."""
    return hmac.new(b"form", token.encode(), hashlib.sha256).hexdigest()
