"""A call for a judge: what was told last that a paragraph says, and what the table saw then; and
what a judge answers.

Somebody holds WHY; the call stands until something else is ruled, or WHY is held again. An answer
counts only where it is signed with the key that table and hub have, fits the call that stands, and
is newer than all before; then it is for the table to agree.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from tableref.errors import UserError
from tableref.referee.album import Album
from tableref.referee.desk import Feedback
from tableref.referee.telling import paragraphs_of
from tableref.rulebook import Rulebook

CALL_FORM, RULING_FORM = "table-call/1", "table-ruling/1"
KEY, SHORTEST_KEY = "TABLEREF_JUDGE_KEY", 16
NAME, WORDS, LONGEST = 15, 200, 2000
"""Letters of a judge's name and of what he says; bytes of a ruling."""
LARGEST = 400_000
"""Bytes of a picture at most: ours have a tenth, and a broker may refuse more."""
_ABOUT = ("trouble", "question", "ruling", "unfinished", "let-stand")
"""Events that a judge can be called for."""


class Judged(NamedTuple):
    """What a judge says to a call: its number, his name, his words, whether what was refused shall
    stand. `serial` is larger for each that is made."""

    number: int
    judge: str
    text: str
    stands: bool
    serial: int


def judge_key(environment: Mapping[str, str]) -> bytes:
    """The key with which rulings are signed; empty: none is taken. UserError where it is short."""
    key = environment.get(KEY, "")
    if key and len(key) < SHORTEST_KEY:
        raise UserError(f"{KEY}: expected {SHORTEST_KEY} characters or more")
    return key.encode("utf-8", "surrogateescape")


def signed(key: bytes, table: str, game: str, ruling: Judged) -> str:
    """The payload of a ruling for a game at a table.

    >>> text = signed(b"k" * 16, "corner", "a1", Judged(7, "Ada", "It is so.", True, 1))
    >>> judged(b"k" * 16, "corner", "a1", text.encode())
    Judged(number=7, judge='Ada', text='It is so.', stands=True, serial=1)
    >>> judged(b"x" * 16, "corner", "a1", text.encode()) is None
    True
    """
    told = {"form": RULING_FORM, "table": table, "game": game, **ruling._asdict()}
    return json.dumps({**told, "sign": _sign(key, told)})


def judged(key: bytes, table: str, game: str, payload: bytes) -> Judged | None:
    """The ruling that a payload has for this game at this table; None where it is none, or is not
    signed with this key."""
    if not key or len(payload) > LONGEST:
        return None
    try:
        told = json.loads(payload)
        sign = told.pop("sign")
        if not isinstance(sign, str) or not hmac.compare_digest(
            sign.encode(), _sign(key, told).encode()
        ):
            return None
        if (told.pop("form"), told.pop("table"), told.pop("game")) != (RULING_FORM, table, game):
            return None
        ruling = Judged(**told)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    kinds = tuple(map(type, ruling))
    if kinds != (int, str, str, bool, int) or len(ruling.judge) > NAME or len(ruling.text) > WORDS:
        return None
    plain = ruling.judge.strip() and (ruling.judge + ruling.text).isprintable()
    return ruling if plain else None


def vouched(key: bytes, topic: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """What a table tells, signed where it has the key: who has it, too, knows that a table says so.

    >>> told = vouched(b"k" * 16, "tableref/corner/state", {"round": 3})
    >>> is_vouched(b"k" * 16, "tableref/corner/state", json.dumps(told).encode())
    True
    >>> is_vouched(b"k" * 16, "tableref/window/state", json.dumps(told).encode())
    False
    """
    return {**told, "sign": _sign(key, {**told, "topic": topic})} if key else dict(told)


def is_vouched(key: bytes, topic: str, payload: bytes) -> bool:
    """Whether a payload is signed with this key for this topic."""
    try:
        told = json.loads(payload)
        sign = told.pop("sign")
        own = _sign(key, {**told, "topic": topic})
        return isinstance(sign, str) and hmac.compare_digest(sign.encode(), own.encode())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False


def _sign(key: bytes, told: Mapping[str, Any]) -> str:
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Calls:
    """The call of one table. `tell` is the referee's, `toggle` the buttons', the rest a sender's
    thread."""

    def __init__(self, lang: str, album: Album) -> None:
        self._book, self._album = Rulebook(lang), album
        self._last: tuple[int, Mapping[str, Any]] | None = None
        self._called: tuple[int, Mapping[str, Any]] | None = None
        self.question = 0
        """The number of what is open; 0 where nothing is."""
        self._lock = threading.Lock()

    def tell(self, feedback: Feedback) -> None:
        """Takes what a step led to; what is ruled anew ends a call."""
        self.question = feedback.question
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

    @property
    def number(self) -> int:
        """The number of the call that stands; 0 where none does."""
        with self._lock:
            return self._called[0] if self._called is not None else 0

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
