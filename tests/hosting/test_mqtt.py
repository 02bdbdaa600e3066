"""What happens at a table reaches a real broker in order, through cuts and restarts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableref.errors import UserError
from tableref.hosting import home
from tableref.hosting.mqtt import PASSWORD, TOPICS, Broker, Publisher, asked_again
from tableref.referee.album import Album
from tableref.referee.desk import Desk
from tableref.referee.evening import Evening
from tableref.referee.inputs import Choose
from tableref.referee.resuming import resumed_evening
from tests.hosting.real_broker import (
    MOSQUITTO,
    SOON_S,
    Listener,
    RealBroker,
    play,
    publisher,
    told,
    until,
)

paho = pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")
pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="needs Debian's mosquitto")


@pytest.fixture
def listener(broker: RealBroker) -> Iterator[Listener]:
    made = Listener(broker.port)
    until(lambda: made.subscribed)
    yield made
    made.close()


def test_each_event_is_told_once_and_in_order(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 8)
        until(lambda: listener.numbers() == told(evening))
    assert [event["number"] for event in listener.events()] == told(evening)
    assert {event["form"] for event in listener.events()} == {"table-event/1"}


def test_the_state_is_kept_for_who_comes_later(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 3)
        until(lambda: len(listener.numbers()) == len(told(evening)))
        late = Listener(broker.port)
        until(lambda: late.last("tableref/corner/state"))
        state = json.loads(late.last("tableref/corner/state"))
        until(lambda: late.last("tableref/corner/online") == "online")
        late.close()
    assert state["plays"] == "skorpion-deep"
    assert state["players"] == ["red", "blue"]
    assert state["asks"] is True
    until(lambda: listener.last("tableref/corner/online") == "offline")


def test_a_broker_that_is_killed_hears_all_when_it_is_back(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        desk = play(evening, out, 2)
        until(lambda: listener.numbers() == told(evening))
        broker.kill()
        for move in range(30):  # more than may be under way
            desk.take(Choose(10.0 + move, 0, desk.state.open))
        broker.start()
        until(lambda: listener.subscribed == 2 and out.acknowledged == told(evening)[-1])
        desk.take(Choose(99.0, 0, desk.state.open))
        until(lambda: listener.numbers()[-1:] == told(evening)[-1:])
    assert listener.numbers() == sorted(listener.numbers())


def test_a_table_that_is_started_anew_sends_what_was_not_acknowledged(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 2)
        until(lambda: listener.numbers() == told(evening))
    broker.kill()
    silent = publisher(broker, evening, tmp_path)
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [silent])
    desk.state = resumed_evening_state(evening)
    for move in range(5):
        desk.take(Choose(20.0 + move, 0, desk.state.open))
    evening.journal.close()
    broker.start()
    until(lambda: listener.subscribed == 2)
    again = resumed_evening(tmp_path / "game")
    with publisher(broker, again, tmp_path):
        until(lambda: listener.numbers() == told(again))
        again.journal.close()
    games = {event["game"] for event in listener.events()}
    assert len(games) == 1


def resumed_evening_state(evening: Evening) -> Any:
    """The state after all rows of the journal."""
    return evening.referee.replayed(evening.state, list(evening.journal.rows()))


def test_a_table_that_dies_is_told_gone_by_the_broker(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    out = publisher(broker, evening, tmp_path)
    out.start()
    play(evening, out, 1)
    until(lambda: listener.last("tableref/corner/online") == "online")
    out._client._sock_close()  # as when the power is cut
    out._client.loop_stop()
    until(lambda: listener.last("tableref/corner/online") == "offline")


def test_without_a_broker_the_game_goes_on(evening: Evening, tmp_path: Path) -> None:
    out = Publisher(Broker("127.0.0.1", 9, "corner"), evening, tmp_path / "game")
    with out:
        began = time.monotonic()
        play(evening, out, 5)
        assert time.monotonic() - began < SOON_S
    assert len(told(evening)) >= 5


def test_home_assistant_finds_the_table_also_when_it_starts_later(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    out = Publisher(
        Broker("127.0.0.1", broker.port, "corner"), evening, tmp_path / "game", home.PREFIX
    )
    where = "homeassistant/device/tableref_corner/config"
    with out:
        play(evening, out, 1)
        late = Listener(broker.port, "homeassistant/#")
        until(lambda: late.last(where))  # it was kept
        before = len(late.heard)
        late.say("homeassistant/status", "online")
        until(lambda: sum(topic == where for topic, _, _ in late.heard) == 2)
        late.say("homeassistant/status", "what else")
        late.close()
    assert before >= 1
    assert json.loads(late.last(where))["dev"]["ids"] == ["tableref_corner"]


def test_without_the_option_nothing_is_told_to_home_assistant(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    late = Listener(broker.port, "#")
    until(lambda: late.subscribed)
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 1)
        until(lambda: late.last("tableref/corner/events"))
    late.close()
    assert {topic.split("/")[0] for topic, _, _ in late.heard} == {"tableref"}


def test_events_are_sent_again_to_who_has_missed_some(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 8)
        until(lambda: listener.numbers() == told(evening))
        game = listener.events()[0]["game"]
        asks = {"form": "table-again/1", "game": game, "after": 5}
        for _ in range(20):  # once a second is enough
            listener.say("tableref/corner/again", json.dumps(asks))
        until(lambda: len(listener.events()) >= 2 * len(told(evening)) - 5)
        again = listener.events()[len(told(evening)) :]
    assert [event["count"] for event in again[: len(told(evening)) - 5]] == list(
        range(6, len(told(evening)) + 1)
    )
    assert len(listener.events()) < 4 * len(told(evening))
    state = json.loads(listener.last("tableref/corner/state"))
    assert state["told"] == len(told(evening))


def test_who_asks_again_and_again_has_events_sent_once_a_second(
    evening: Evening, tmp_path: Path
) -> None:
    out = Publisher(Broker("127.0.0.1", 9, "corner"), evening, tmp_path / "game")
    play(evening, out, 4)
    out._sent, out._count = told(evening)[-1], len(told(evening))
    out._rewind(2)
    assert (out._sent, out._count) == (told(evening)[1], 2)
    out._sent, out._count = told(evening)[-1], len(told(evening))
    out._rewind(2)
    assert out._count == len(told(evening))


def test_a_judge_is_called_with_the_paragraph_and_no_longer_once_something_is_ruled(
    broker: RealBroker, listener: Listener, evening: Evening, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        desk = play(evening, out, 2)
        album = Album(tmp_path / "game")
        album.add(desk.told.open, {"board-after": b"\xff\xd8\xff a picture"}, {})
        out.call()
        until(lambda: listener.last("tableref/corner/call"))
        call = json.loads(listener.last("tableref/corner/call"))
        until(lambda: json.loads(listener.last("tableref/corner/state"))["needs_judge"])
        desk.take(Choose(50.0, 0, desk.state.open))
        until(lambda: listener.heard[-1][0] and not listener.last("tableref/corner/call"))
        until(lambda: not json.loads(listener.last("tableref/corner/state"))["needs_judge"])
    assert call["form"] == "table-call/1"
    assert call["text"]


@pytest.mark.parametrize(
    "payload",
    [b"", b"{}", b"[" * 99, b"null", b"\xff", b'{"form": "table-again/1", "game": "a"}',
     b'{"form": "table-again/1", "game": "a", "after": -1}',
     b'{"form": "table-again/1", "game": "a", "after": true}',
     b'{"form": "table-again/1", "game": "b", "after": 1}',
     b'{"form": "table-again/1", "game": "a", "after": 1e9}',
     b'{"form": "table-again/1", "game": "a", "after": 1}' + b" " * 999],
)  # fmt: skip
def test_a_table_hears_no_other_word(payload: bytes) -> None:
    assert asked_again(payload, "a") is None


@pytest.mark.parametrize(
    "url",
    [
        "", "broker", "http://broker/corner", "mqtt://broker", "mqtt:///corner", "mqtt://b/a/b",
        "mqtt://b/%23", "mqtt://b/+", "mqtt://b/" + "x" * 41, "mqtt://b:port/corner", "mqtt://[/x",
    ],
)  # fmt: skip
def test_what_is_no_broker_is_refused_with_the_form_that_is_wanted(url: str) -> None:
    with pytest.raises(UserError, match="expected mqtt://"):
        Broker.of(url, {})


def test_a_password_on_the_command_line_is_refused() -> None:
    with pytest.raises(UserError, match="TABLEREF_MQTT_PASSWORD"):
        Broker.of("mqtt://desk:secret@broker/corner", {})
    assert Broker.of("mqtt://desk@broker/corner", {PASSWORD: "s"}).password == "s"


@pytest.mark.parametrize(
    "url",
    ["mqtt://desk:s3cret@broker/a/b", "mqtt://desk:s3cret@broker:port/a", "http://d:s3cret@b/a"],
)
def test_a_password_in_what_is_no_broker_is_not_repeated(url: str) -> None:
    with pytest.raises(UserError) as told:
        Broker.of(url, {})
    assert "s3cret" not in str(told.value)


def test_the_page_for_clubs_has_every_topic() -> None:
    page = (Path(__file__).parents[2] / "docs" / "club.md").read_text(encoding="utf-8")
    for name, what in TOPICS.items():
        assert f"| `tableref/TABLE/{name}` | {what} |" in page
