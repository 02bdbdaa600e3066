"""What tables tell, read from payloads: anybody may write to a broker, so nothing is believed."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tableref.hosting.judge import CALL_FORM, LARGEST
from tableref.hosting.mqtt import EVENT_FORM, ROOT, STATE_FORM

LONGEST = 2 * LARGEST
"""Bytes of a payload; what is longer is not looked at."""
WORDS, LINES = 400, 40
"""Letters of a text, and texts of a list, that are taken."""
_TOPIC = re.compile(rf"{ROOT}/([A-Za-z0-9_-]{{1,40}})/(online|state|events|call)")
_GAME = re.compile(r"[0-9a-f]{12}")
_MOST = 2**53


class Unreadable(ValueError):
    """A payload is not what its topic promises."""


class State(NamedTuple):
    """How a game stands: `told` counts the events that were told of it."""

    game: str
    plays: str
    players: tuple[str, ...]
    round: int
    unit: str
    scores: tuple[int, ...]
    turn: tuple[str, ...]
    text: tuple[str, ...]
    over: bool
    refused: bool
    told: int


class Event(NamedTuple):
    """Something that was told, the `nth` of its game; `number` is its row in the journal."""

    game: str
    nth: int
    number: int
    at: str
    kind: str
    text: tuple[str, ...]
    paragraphs: tuple[str, ...]


class Paragraph(NamedTuple):
    """A paragraph in full."""

    id: str
    title: str
    text: str


class Call(NamedTuple):
    """A judge is called: what was told, by which paragraphs, and a JPEG of what was seen; b""
    without one."""

    game: str
    number: int
    text: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    picture: bytes


def address(topic: str) -> tuple[str, str]:
    """The table and what a topic is for. Unreadable"""
    found = _TOPIC.fullmatch(topic)
    if found is None:
        raise Unreadable(topic[:WORDS])
    return found[1], found[2]


def state(payload: bytes) -> State:
    """The retained state. Unreadable"""
    told = _told(payload, STATE_FORM)
    score = told.get("score") or {}
    if not isinstance(score, dict) or len(score) > 1:
        raise Unreadable("score")
    unit, scores = next(iter(score.items()), ("", []))
    return State(
        _game(told), _text(told, "plays"), _texts(told, "players"),
        0 if told.get("round") is None else _whole(told, "round"), _word(unit), _wholes(scores),
        _texts(told, "turn_names"), _texts(told, "text"),
        _flag(told, "over"), _flag(told, "refused"), _whole(told, "told"),
    )  # fmt: skip


def event(payload: bytes) -> Event:
    """An event. Unreadable"""
    told = _told(payload, EVENT_FORM)
    count = _whole(told, "count")
    if count < 1:
        raise Unreadable("count")
    return Event(
        _game(told), count, _whole(told, "number"), _text(told, "at"), _text(told, "kind"),
        _texts(told, "text"), _texts(told, "paragraphs"),
    )  # fmt: skip


def call(payload: bytes) -> Call:
    """A call for a judge. Unreadable"""
    told = _told(payload, CALL_FORM)
    paragraphs = told.get("paragraphs")
    if not isinstance(paragraphs, list) or len(paragraphs) > LINES:
        raise Unreadable("paragraphs")
    if not all(isinstance(one, dict) for one in paragraphs):
        raise Unreadable("paragraphs")
    return Call(
        _game(told), _whole(told, "number"), _texts(told, "text"),
        tuple(Paragraph(_text(p, "id"), _text(p, "title"), _long(p, "text")) for p in paragraphs),
        _picture(told.get("picture")),
    )  # fmt: skip


def _told(payload: bytes, form: str) -> dict[str, Any]:
    if len(payload) > LONGEST:
        raise Unreadable("too long")
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)[:WORDS]) from None
    if not isinstance(told, dict) or told.get("form") != form:
        raise Unreadable(f"expected {form}")
    return told


def _picture(told: object) -> bytes:
    if not isinstance(told, str):
        raise Unreadable("picture")
    try:
        data = base64.b64decode(told, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable("picture") from None
    if data and (len(data) > LARGEST or not data.startswith(b"\xff\xd8\xff")):
        raise Unreadable("picture")
    return data


def _game(told: Mapping[str, Any]) -> str:
    game = told.get("game")
    if not isinstance(game, str) or not _GAME.fullmatch(game):
        raise Unreadable("game")
    return game


def _word(value: object, most: int = WORDS) -> str:
    """A text as it may be shown and kept: no half characters, and nothing that a terminal obeys."""
    if not isinstance(value, str):
        raise Unreadable("expected a text")
    clean = value[:most].encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else " " for c in clean)


def _text(told: Mapping[str, Any], key: str) -> str:
    return _word(told.get(key))


def _long(told: Mapping[str, Any], key: str) -> str:
    return _word(told.get(key), 20 * WORDS)


def _texts(told: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = told.get(key)
    if not isinstance(value, list):
        raise Unreadable(key)
    return tuple(_word(one) for one in value[:LINES])


def _whole(told: Mapping[str, Any], key: str) -> int:
    value = told.get(key)
    if type(value) is not int or not 0 <= value <= _MOST:
        raise Unreadable(key)
    return value


def _wholes(values: object) -> tuple[int, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise Unreadable("score")
    if not all(type(one) is int and abs(one) <= _MOST for one in values):
        raise Unreadable("score")
    return tuple(values[:LINES])


def _flag(told: Mapping[str, Any], key: str) -> bool:
    value = told.get(key)
    if type(value) is not bool:
        raise Unreadable(key)
    return value
