"""Whatever anybody writes to the broker is read, or dropped; never more."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tableref.hub import reading
from tableref.hub.reading import Unreadable
from tests.hub.conftest import GAME, JPEG, Heard, call, event, state
from tests.rules.harness import count

READERS = {
    "state": (reading.state, state(3)),
    "events": (reading.event, event(3)),
    "call": (reading.call, call()),
}
ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e400, float("nan"), "", "x" * 9999, "\ud800", "\x1b[2J", [], {}, [[]],
    {"a": 1, "b": 2}, [None], ["\n"], {"x": "y"}, {"beads": [True]}, {"beads": "33"}, 0,
)  # fmt: skip


def test_what_a_table_sends_is_read() -> None:
    assert reading.state(state(3)).scores == (3, 4)
    assert reading.event(event(3)).game == GAME
    assert reading.call(call()).picture == JPEG


def test_what_would_steer_a_terminal_is_taken_out() -> None:
    assert reading.event(event(1, text=["\x1b[2J\nhi\ud800"])).text == (" [2J hi?",)


@pytest.mark.parametrize("kind", READERS)
def test_payloads_in_which_anything_is_odd_are_read_or_dropped(kind: str, hub: Heard) -> None:
    read, good = READERS[kind]
    rng = random.Random(kind)
    for _ in range(count(300, 5000)):
        told = json.loads(good)
        for key in rng.sample(sorted(told), rng.randint(1, 3)):
            if rng.random() < 0.2:
                del told[key]
            else:
                told[key] = rng.choice(ODD)
        payload = bytearray(json.dumps(told, ensure_ascii=True).encode())
        for _ in range(rng.choice((0, 0, 1, 5))):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        try:
            read(bytes(payload))
        except Unreadable:
            hub.take(kind, bytes(payload))
    hub.desk._step(1.0)


@pytest.mark.parametrize(
    "payload", [b"", b"[", b"[" * 100_000, b"\xff", b"null", b"[]", b"9" * 5000, b"{}"]
)
@pytest.mark.parametrize("kind", READERS)
def test_what_is_no_payload_is_dropped(kind: str, payload: bytes) -> None:
    with pytest.raises(Unreadable):
        READERS[kind][0](payload)


@pytest.mark.parametrize(
    "topic",
    ["", "tableref", "tableref/a", "tableref/a/b", "tableref/a/again", "tableref//state",
     "tableref/a/b/state", "tableref/../state", "tableref/a\n/state", "x/a/state",
     f"tableref/{'a' * 41}/state"],
)  # fmt: skip
def test_what_is_no_table_s_topic_is_dropped(topic: str, hub: Heard) -> None:
    hub.desk.heard(topic, state(1))
    assert hub.desk.tables() == []
    assert hub.desk.unreadable == 1
