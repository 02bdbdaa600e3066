"""What a judge says is taken where it is signed, new, and of the call that stands; else never."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tableref.errors import UserError
from tableref.hosting.judge import KEY, Judged, judge_key, judged, signed
from tableref.hosting.mqtt import Broker, Publisher
from tableref.referee.evening import Evening
from tableref.referee.inputs import Advised
from tests.hosting.real_broker import RealBroker, play, until
from tests.rules.harness import count

RIGHT, OTHER = b"the key of the club", b"another key, as long"
RULING = Judged(7, "Ada", "The bead stood there before.", True, 1)


def test_a_ruling_comes_through_as_it_was_made() -> None:
    assert judged(RIGHT, "corner", "a1", signed(RIGHT, "corner", "a1", RULING).encode()) == RULING


@pytest.mark.parametrize(
    ("key", "table", "game"),
    [
        (OTHER, "corner", "a1"),
        (RIGHT, "window", "a1"),
        (RIGHT, "corner", "a2"),
        (b"", "corner", "a1"),
    ],
)
def test_one_for_another_table_or_game_or_of_another_key_is_none(
    key: bytes, table: str, game: str
) -> None:
    assert judged(RIGHT, "corner", "a1", signed(key, table, game, RULING).encode()) is None
    if not key:  # a table without a key hears nobody
        assert judged(b"", "corner", "a1", signed(b"", "corner", "a1", RULING).encode()) is None


def test_nothing_that_is_changed_is_taken() -> None:
    good = signed(RIGHT, "corner", "a1", RULING)
    rng = random.Random(3)
    changes: list[Any] = [None, True, False, 0, 8, "", "Eve", [], {}, 2**70, 1.0, "\ud800"]
    for _ in range(count(400, 20_000)):
        told = json.loads(good)
        key = rng.choice([*told, "more"])
        told[key] = rng.choice(changes)
        payload = bytearray(json.dumps(told).encode())
        if rng.random() < 0.3:
            payload[rng.randrange(len(payload))] ^= 1 << rng.randrange(8)
        found = judged(RIGHT, "corner", "a1", bytes(payload))
        assert found in (None, RULING)
        if found is not None:  # `True` for `true` and the like
            assert json.loads(payload) == json.loads(good)


@pytest.mark.parametrize(
    "ruling",
    [RULING._replace(judge=""), RULING._replace(judge="x" * 16), RULING._replace(text="x" * 201),
     RULING._replace(text="\x1b[2J"), RULING._replace(number="7"), RULING._replace(stands=1)],
)  # fmt: skip
def test_one_that_no_hub_makes_is_none_though_it_is_signed(ruling: Judged) -> None:
    assert judged(RIGHT, "corner", "a1", signed(RIGHT, "corner", "a1", ruling).encode()) is None


def test_a_short_key_is_refused() -> None:
    assert judge_key({}) == b""
    with pytest.raises(UserError, match=KEY):
        judge_key({KEY: "short"})


pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")


def test_a_table_takes_each_ruling_once_also_after_a_restart(
    broker: RealBroker, evening: Evening, tmp_path: Path
) -> None:
    import paho.mqtt.client as paho
    from paho.mqtt.enums import CallbackAPIVersion

    given: list[Any] = []
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()

    def table() -> Publisher:
        own = Broker("127.0.0.1", broker.port, "corner")
        return Publisher(own, evening, tmp_path / "game", judges=RIGHT, give=given.append)

    def say(out: Publisher, ruling: Judged, key: bytes = RIGHT) -> None:
        payload = signed(key, "corner", out._id, ruling)
        client.publish("tableref/corner/ruling", payload, 1).wait_for_publish(10)

    with table() as out:
        play(evening, out, 2)
        out.call()
        called = out._calls.number
        until(lambda: out.acknowledged)
        good = RULING._replace(number=called)
        say(out, good, OTHER)
        say(out, good._replace(number=called + 1, text="To what nobody called for."))
        say(out, good)
        say(out, good)
        until(lambda: given)
        say(out, good._replace(serial=2, text="Once more."))
        until(lambda: len(given) == 2)
    with table() as out:
        out._calls._called = (called, {"event": "trouble"})
        until(lambda: out._connected)
        say(out, good._replace(serial=2))
        say(out, good._replace(serial=3, text="New."))
        until(lambda: len(given) == 3)
    client.disconnect()
    client.loop_stop()
    assert all(isinstance(one, Advised) for one in given)
    assert [one.text for one in given] == [RULING.text, "Once more.", "New."]
