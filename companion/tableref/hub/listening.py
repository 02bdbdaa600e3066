"""The hub at the broker: hears all tables, and asks one for what was missed."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable
from typing import Any

from tableref.devices.worker import Worker
from tableref.hosting import mqtt
from tableref.hosting.mqtt import AGAIN_FORM, ROOT, TOPICS, Broker, client_of
from tableref.hub.reading import LONGEST

HEARD = ("again", "ruling")
"""What tables hear."""
LOOK_AGAIN_S = 20.0
"""Seconds after which a hub has the broker say once more how every game stands: what comes faster
than a hub can take it the broker drops, and a table at rest says nothing that would show it."""
KEPT_S = 24 * 3600
"""Seconds for which a broker keeps what a hub that is away has not heard."""


class Listener:
    """Connects in a thread of its own, and again whenever it is cut. `heard` gets each message."""

    def __init__(self, broker: Broker, heard: Callable[[str, bytes], object], name: str) -> None:
        """`name`: hubs at one broker need different ones. UserError"""
        self._broker, self._heard = broker, heard
        self._client = client_of(broker, f"{ROOT}-hub-{name}")
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._looking = Worker("hub", self._look_again)
        self.trouble = "..."

    def start(self) -> None:
        """Begins to connect."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = KEPT_S
        kept.MaximumPacketSize = LONGEST + 1024
        self._client.connect_async(
            self._broker.host,
            self._broker.port,
            keepalive=mqtt.KEEP_ALIVE_S,
            clean_start=False,
            properties=kept,
        )
        self._client.loop_start()
        self._looking.start()

    def close(self) -> None:
        """Leaves the broker."""
        self._looking.close()
        self._client.disconnect()
        self._client.loop_stop()

    def ask(self, table: str, game: str, after: int) -> None:
        """Has a table send its events again, behind the first so many."""
        told = json.dumps({"form": AGAIN_FORM, "game": game, "after": after})
        with contextlib.suppress(RuntimeError, ValueError):  # asked again soon
            self._client.publish(f"{ROOT}/{table}/again", told, qos=0)

    def rule(self, table: str, payload: str) -> bool:
        """Sends a judge's word; whether the broker is there to take it."""
        if not self._client.is_connected():
            return False
        self._client.publish(f"{ROOT}/{table}/ruling", payload, qos=1)
        return True

    def _on_connect(self, client: Any, *told: Any) -> None:
        if getattr(told[2], "is_failure", False):
            self.trouble = str(told[2])
            return
        self.trouble = ""
        client.subscribe([(f"{ROOT}/+/{name}", 1) for name in TOPICS if name not in HEARD])

    def _look_again(self, _now: float) -> float:
        """The broker keeps how each game stands, and says it to whom subscribes."""
        if self._client.is_connected():
            self._client.subscribe(f"{ROOT}/+/state", qos=1)
        return LOOK_AGAIN_S

    def _on_message(self, _client: Any, _told: Any, message: Any) -> None:
        self._heard(str(message.topic), bytes(message.payload))


def own_name() -> str:
    """What a hub on this computer is called at the broker."""
    return socket.gethostname()
