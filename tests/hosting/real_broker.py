"""A real Mosquitto on this computer, a table that tells it, and one who listens there."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tableref.hosting.mqtt import Broker, Publisher
from tableref.referee.desk import Desk
from tableref.referee.evening import Evening
from tableref.referee.inputs import Begin, Choose

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
SOON_S = 20.0


class RealBroker:
    """Mosquitto on this computer, that can be killed and started again. `more`: lines of its
    configuration."""

    more = "allow_anonymous true\n"

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._file = folder / "mosquitto.conf"
        self._file.write_text(f"listener {self.port} 127.0.0.1\n{self.more}")
        self.start()

    def start(self) -> None:
        assert MOSQUITTO is not None
        self._process = subprocess.Popen(
            [MOSQUITTO, "-c", str(self._file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(self._listens)

    def _listens(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1.0).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Listener:
    """Somebody who hears everything of all tables."""

    def __init__(self, port: int, topics: str = "tableref/#") -> None:
        import paho.mqtt.client as paho
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[str, str, bool]] = []
        self._client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self.subscribed = 0
        self._client.on_subscribe = self._on_subscribe
        self._client.on_connect = lambda client, *_: client.subscribe(topics, qos=1)
        self._client.on_message = lambda _c, _u, message: self.heard.append(
            (message.topic, message.payload.decode(), message.retain)
        )
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def _on_subscribe(self, *_: Any) -> None:
        self.subscribed += 1

    def events(self) -> list[dict[str, Any]]:
        """Events as they came."""
        return [json.loads(text) for topic, text, _ in self.heard if topic.endswith("/events")]

    def numbers(self) -> list[int]:
        """Their numbers, each once, as they first came."""
        return list(dict.fromkeys(event["number"] for event in self.events()))

    def last(self, topic: str) -> str:
        """What a topic says now."""
        return next((text for where, text, _ in reversed(self.heard) if where == topic), "")

    def say(self, topic: str, text: str) -> None:
        """Tells everybody."""
        self._client.publish(topic, text, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def until(true: Callable[[], object]) -> None:
    """Waits for another process; fails where it takes far too long."""
    end = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.02)


def publisher(broker: RealBroker, evening: Evening, tmp_path: Path) -> Publisher:
    return Publisher(Broker("127.0.0.1", broker.port, "corner"), evening, tmp_path / "game")


def play(evening: Evening, publisher: Publisher, moves: int) -> Desk:
    """So many moves by the first answer to each question."""
    desk = Desk(evening.referee, evening.state, evening.journal, evening.teller(), [publisher])
    desk.take(Begin(0.0, ()))
    for move in range(moves):
        desk.take(Choose(float(move + 1), 0, desk.state.open))
    return desk


def told(evening: Evening) -> list[int]:
    """Numbers of the rows of the journal of which something is told."""
    teller = evening.teller()
    return [
        line.seq
        for line in evening.journal.lines()
        if any("text" in event for event in teller.events([line.row()]))
    ]
