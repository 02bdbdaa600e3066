"""A call for a judge: what was told last that a paragraph says, and what the table saw then.

Somebody holds WHY; the call stands until something else is ruled, or WHY is held again.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping
from typing import Any

from tableref.referee.album import Album
from tableref.referee.desk import Feedback
from tableref.referee.telling import paragraphs_of
from tableref.rulebook import Rulebook

CALL_FORM = "table-call/1"
LARGEST = 400_000
"""Bytes of a picture at most: ours have a tenth, and a broker may refuse more."""
_ABOUT = ("trouble", "question", "ruling", "unfinished", "let-stand")
"""Events that a judge can be called for."""


class Calls:
    """The call of one table. `tell` is the referee's, `toggle` the buttons', the rest a sender's
    thread."""

    def __init__(self, lang: str, album: Album) -> None:
        self._book, self._album = Rulebook(lang), album
        self._last: tuple[int, Mapping[str, Any]] | None = None
        self._called: tuple[int, Mapping[str, Any]] | None = None
        self._lock = threading.Lock()

    def tell(self, feedback: Feedback) -> None:
        """Takes what a step led to; what is ruled anew ends a call."""
        for event in feedback.events:
            if event["event"] in _ABOUT:
                with self._lock:
                    self._last = feedback.step, event
                    if event["event"] not in ("question", "trouble"):
                        self._called = None

    def toggle(self) -> None:
        """A judge is called, or no longer. Without anything to judge nothing happens."""
        with self._lock:
            self._called = self._last if self._called is None else None

    @property
    def called(self) -> bool:
        """Whether a judge is called."""
        with self._lock:
            return self._called is not None

    def payload(self) -> dict[str, Any] | None:
        """What is told of the call: the text, the paragraphs in full, the picture. None: there is
        none."""
        with self._lock:
            called = self._called
        if called is None:
            return None
        step, event = called
        paragraphs = {id: self._book.paragraph(id) for id in paragraphs_of(event)}
        return {
            "form": CALL_FORM,
            "number": step,
            "text": list(event.get("text", ())),
            "paragraphs": [
                {"id": id, "title": each.title, "text": each.text}
                for id, each in paragraphs.items()
            ],
            "picture": self._picture(step),
        }

    def _picture(self, step: int) -> str:
        """What was seen, as JPEG in base64; "" where no picture is kept."""
        kept = self._album.at(step) if step else None
        for name in ("board-after", "mat-after"):
            path = kept.pictures.get(name) if kept else None
            try:
                data = path.read_bytes() if path is not None else b""
            except OSError:  # the oldest go where there are too many
                data = b""
            if 0 < len(data) <= LARGEST:
                return base64.b64encode(data).decode("ascii")
        return ""
