"""Tells an MQTT broker what happens at a table, so that a scoreboard or a home can listen.

    with Publisher(Broker.of("mqtt://broker.local/corner", os.environ), evening, folder) as out:
        game.play([out, ...])

The journal is the queue: what the broker has not acknowledged is sent from it again, after a cut
and after a restart, in order. A listener may hear an event twice, with the same number. Nothing is
told here that the terminal does not tell. Events are counted: who misses some asks for them again.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from itertools import takewhile
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from tableref.devices.worker import Worker
from tableref.durable import write_whole
from tableref.errors import UserError
from tableref.hosting import home
from tableref.hosting.judge import Calls, Judged, judge_key, judged, vouched
from tableref.referee.album import Album
from tableref.referee.chain import Line
from tableref.referee.desk import Feedback
from tableref.referee.evening import Evening
from tableref.referee.inputs import Advised, Input, LetStand
from tableref.referee.standing import StandingWords, standing
from tableref.referee.table import Phase, TableState
from tableref.referee.telling import paragraphs_of

if TYPE_CHECKING:
    from tableref.hosting.opening import Game

log = logging.getLogger(__name__)
ROOT = "tableref"
STATE_FORM, EVENT_FORM, AGAIN_FORM = "table-state/1", "table-event/1", "table-again/1"
WINDOW = 20
"""Events that may be under way; all others wait in the journal."""
AGAIN_S = 1.0
"""Seconds between two times that events are sent again because somebody asks: whoever is at the
broker may ask, and a table has other things to do."""
KEEP_ALIVE_S = 15
"""Seconds after which a line on which nothing comes is asked whether it lives; as many later it is
given up: packets may vanish without anybody being told."""
AGAIN_FROM_S, AGAIN_TO_S = 1, 30
"""Seconds between two tries to connect, first and at most."""
NOTED = "published.json"
PASSWORD, AUTHORITY = "TABLEREF_MQTT_PASSWORD", "TABLEREF_MQTT_CA"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")

TOPICS: Mapping[str, str] = {
    "online": "`online`, or `offline` as the broker says when the table is gone; retained",
    "state": f"how the game stands (`{STATE_FORM}`); retained",
    "events": f"each thing that is told (`{EVENT_FORM}`), in order, at least once",
    "call": "a judge is called (`table-call/1`), empty when none is; retained",
    "ruling": "heard by the table, if it has its judges' key: what one says (`table-ruling/1`)",
    "let-stand": f"heard by the table, if it is allowed: `{home.PRESS}` lets stand what is refused",
    "again": f"heard by the table: events behind one are wanted again (`{AGAIN_FORM}`)",
}
"""Topics below `tableref/TABLE/`, and what each has: the one source of docs/club.md."""
_WITH_PASSWORD = re.compile(r"//[^/@]*:[^@]*@")
_LONGEST = 300
"""Bytes of a payload that a table reads."""


class Broker(NamedTuple):
    """Where the broker is and how this table is called there. `authority`: the file of one for TLS,
    "" for those that this computer trusts."""

    host: str
    port: int = 1883
    table: str = "table"
    user: str = ""
    password: str = ""
    tls: bool = False
    authority: str = ""

    @classmethod
    def of(cls, url: str, environment: Mapping[str, str], table: str = "") -> Broker:
        """The broker of `mqtt://user@host:1883/table`, or of `mqtts://...` by TLS. `table`: what
        to be called where the URL need not say it. UserError

        A password and the file of an authority stand in the environment, which others cannot list.

        >>> Broker.of("mqtts://desk@broker.local/corner", {PASSWORD: "s3"})[:5]
        ('broker.local', 8883, 'corner', 'desk', 's3')
        """
        # Before all else, so that no message repeats it.
        if _WITH_PASSWORD.search(url):
            raise UserError(f"mqtt: write the password into {PASSWORD}, where nobody reads it")
        try:
            told = urlsplit(url)
            port = told.port
        except ValueError:
            told, port = urlsplit(""), None
        named = "" if table else "/TABLE"
        table = told.path.strip("/") or table
        if told.scheme not in ("mqtt", "mqtts") or not told.hostname or not _NAME.fullmatch(table):
            raise UserError(
                f"mqtt: expected mqtt://[USER@]HOST[:PORT]{named} or mqtts://..., found {url!r};"
                " a table's name has 1 to 40 of A-Z, a-z, 0-9, _ and -"
            )
        tls = told.scheme == "mqtts"
        return cls(
            told.hostname, port or (8883 if tls else 1883), table, told.username or "",
            environment.get(PASSWORD, ""), tls, environment.get(AUTHORITY, ""),
        )  # fmt: skip


class Publisher:
    """An outlet that tells a broker. It never lets the game wait: without a broker it is silent."""

    def __init__(
        self,
        broker: Broker,
        evening: Evening,
        folder: Path,
        home: str = "",
        judges: bytes = b"",
        give: Callable[[Input], object] = lambda given: None,
        let_stand: bool = False,
    ) -> None:
        """`home`: where Home Assistant looks for devices, "" for nobody does. `judges`: the key
        with which they and the table sign, empty: what they say is not heard; `give` gets it.
        `let_stand`: whoever may write to the broker may let stand what was refused, as OK held
        does. UserError where paho-mqtt is missing, or a file for TLS."""
        self._key, self._give, self._let_stand = judges, give, let_stand
        self._broker, self._evening, self._folder = broker, evening, folder
        self._home = home
        self._teller = evening.teller()
        self._words = StandingWords(evening.referee.game, evening.board, str(evening.head["lang"]))
        # The client's thread only leaves word here: it holds locks of its own while it calls.
        self._heard: SimpleQueue[tuple[str, int | Judged]] = SimpleQueue()
        self._state: TableState = evening.state
        self._told_state: tuple[object, ...] | None = None
        self._told_call: dict[str, Any] | None = None
        self._calls = Calls(str(evening.head["lang"]), Album(folder))
        self._id, self._acked, self._serial = self._noted()
        self._sent, self._count = self._acked, self._counted(self._acked)
        self._asked_again = float("-inf")
        self._under_way: deque[tuple[int, int]] = deque()  # (id at the broker, row's number)
        self._done: set[int] = set()
        self._connected, self._why_not = False, ""
        self._worker = Worker("mqtt", self._step)
        self._client = client_of(broker, f"{ROOT}-{broker.table}")
        self._client.will_set(self.topic("online"), "offline", qos=1, retain=True)
        self._client.max_inflight_messages_set(WINDOW)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_publish = self._on_publish
        self._client.on_message = self._on_message

    def topic(self, name: str) -> str:
        """The whole topic of one of `TOPICS`."""
        return f"{ROOT}/{self._broker.table}/{name}"

    @property
    def acknowledged(self) -> int:
        """Number of the last row whose events the broker has."""
        return self._acked

    def start(self) -> None:
        """Connects, in a thread of its own, and again whenever it is cut."""
        self._worker.start()
        self._client.connect_async(self._broker.host, self._broker.port, keepalive=KEEP_ALIVE_S)
        self._client.loop_start()

    def close(self) -> None:
        """Says that the table is gone."""
        self._worker.close()
        with contextlib.suppress(RuntimeError, ValueError):
            self._client.publish(self.topic("online"), "offline", qos=1, retain=True)
        self._client.disconnect()
        self._client.loop_stop()
        self._note()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def tell(self, feedback: Feedback) -> None:
        """Takes what a step led to."""
        if feedback.table is not None:
            self._state = feedback.table
        self._calls.tell(feedback)
        self._worker.wake()

    def call(self) -> bool:
        """A judge is called for what was told last, or is no longer; whether one is then."""
        self._calls.toggle()
        self._worker.wake()
        return self._calls.called

    # -- from the client's thread -----------------------------------------------------------------

    def _on_connect(self, *told: Any) -> None:
        if getattr(told[3], "is_failure", False):
            log.warning("mqtt: the broker refuses this table: %s", told[3])
            return
        self._why_not = ""
        self._hear("connected")

    def _on_connect_fail(self, *_: Any) -> None:
        """The broker is not there, or not the one that TLS wants; told once."""
        if (why := str(sys.exception() or "")) != self._why_not:
            self._why_not = why
            where = f"{self._broker.host} port {self._broker.port}"
            log.warning("mqtt: no broker at %s, trying again: %s", where, why)

    def _on_message(self, _client: Any, _told: Any, message: Any) -> None:
        if message.topic == self.topic("again"):
            if (after := asked_again(message.payload, self._id)) is not None:
                self._hear("again", after)
        elif message.topic == self.topic("ruling"):
            ruling = judged(self._key, self._broker.table, self._id, message.payload)
            if ruling is not None:
                self._hear("ruling", ruling)
        elif message.topic == self.topic("let-stand"):
            # One that the broker kept was meant for another refusal.
            meant = message.payload == home.PRESS.encode() and not message.retain
            if self._let_stand and meant:
                self._hear("let-stand")
        elif message.payload == home.BORN.encode():
            self._hear("born")

    def _on_disconnect(self, *_: Any) -> None:
        self._hear("gone")

    def _on_publish(self, _client: Any, _told: Any, number: int, *_: Any) -> None:
        self._hear("acknowledged", number)

    def _hear(self, what: str, number: int | Judged = 0) -> None:
        self._heard.put((what, number))
        self._worker.wake()

    # -- in the worker's thread -------------------------------------------------------------------

    def _step(self, _now: float) -> None:
        """Takes word of the client, then sends what is new."""
        while not self._heard.empty():
            self._took(self._heard.get())
        if self._connected:
            self._send_more()
            stands = (self._state, self._count, self._calls.called)
            before = self._told_state
            if before is None or before[0] is not stands[0] or before[1:] != stands[1:]:
                self._told_state = stands
                self._send_state()
            self._send_call()

    def _took(self, heard: tuple[str, int | Judged]) -> None:
        match heard:
            case "ruling", Judged() as ruling:
                self._ruled(ruling)
            case "acknowledged", int(number):
                self._acknowledged(number)
            case "again", int(after):
                self._rewind(after)
            case "born", _:
                self._send_discovery()
            case "let-stand", _:
                self._stands()
            case "connected", _:
                self._arrived()
            case "gone", _:
                self._connected = False

    def _arrived(self) -> None:
        """What was under way is sent again by the client itself."""
        self._connected = True
        self._client.publish(self.topic("online"), "online", qos=1, retain=True)
        self._told_state, self._told_call = None, {}
        self._client.subscribe(self.topic("again"), qos=1)
        if self._key:
            self._client.subscribe(self.topic("ruling"), qos=1)
        if self._let_stand:
            self._client.subscribe(self.topic("let-stand"), qos=1)
        if self._home:
            self._client.subscribe(f"{self._home}/status", qos=1)
            self._send_discovery()

    def _acknowledged(self, number: int) -> None:
        self._done.add(number)
        before = self._acked
        while self._under_way and self._under_way[0][0] in self._done:
            own, row = self._under_way.popleft()
            self._acked = max(self._acked, row)
            self._done.discard(own)
        self._done &= {own for own, _ in self._under_way}
        if self._acked != before and not self._under_way:
            self._note()

    def _send_state(self) -> None:
        payload = self._signed("state", self._standing())
        self._client.publish(self.topic("state"), payload, qos=1, retain=True)

    def _signed(self, name: str, told: Mapping[str, Any]) -> str:
        return _json(vouched(self._key, self.topic(name), told))

    def _send_discovery(self) -> None:
        stands = standing(self._evening.referee.game, self._state, ())
        unit = "" if stands.score is None else stands.score.unit
        told = home.discovery(
            self._broker.table, stands.players, unit, ROOT, let_stand=self._let_stand
        )
        where = home.topic(self._broker.table, self._home)
        self._client.publish(where, _json(told), qos=1, retain=True)

    def _send_more(self) -> None:
        """Sends rows behind the last one that was sent, as many as may be under way."""
        for line in self._evening.journal.lines(after=self._sent):
            if len(self._under_way) >= WINDOW:
                return
            self._sent = line.seq
            for event in self._told_of(line):
                self._count += 1
                payload = self._signed("events", self._told(line.seq, line.wall, event))
                sent = self._client.publish(self.topic("events"), payload, qos=1)
                self._under_way.append((sent.mid, line.seq))

    def _told_of(self, line: Line) -> list[dict[str, Any]]:
        return [event for event in self._teller.events([line.row()]) if "text" in event]

    def _counted(self, upto: int) -> int:
        """How many events the rows up to this one have."""
        lines = self._evening.journal.lines()
        return sum(len(self._told_of(line)) for line in takewhile(lambda x: x.seq <= upto, lines))

    def _rewind(self, after: int) -> None:
        """Sends the events behind the first so many once more."""
        now = time.monotonic()
        if after >= self._count or now - self._asked_again < AGAIN_S:
            return
        self._asked_again, count = now, 0
        self._sent = 0
        for line in self._evening.journal.lines():
            if count >= after:
                break
            count += len(self._told_of(line))
            self._sent = line.seq
        self._count = count

    def _ruled(self, ruling: Judged) -> None:
        """Hands on what a judge says, once, to what he was called for."""
        if ruling.serial <= self._serial or ruling.number != self._calls.number:
            return
        self._serial = ruling.serial
        self._note()  # it is not taken again after a restart either
        self._give(
            Advised(
                time.monotonic(), ruling.judge, ruling.text, ruling.stands, self._calls.question
            )
        )

    def _stands(self) -> None:
        """All let stand what is refused; where nothing is, nothing happens."""
        state = self._state
        if state.trouble is not None:
            players = self._evening.referee.game.players(state.table.state)
            everybody = tuple(range(len(players)))
            self._give(LetStand(time.monotonic(), everybody, state.open))

    def _send_call(self) -> None:
        told = self._calls.payload() if self._calls.called else None
        if told == self._told_call:
            return
        self._told_call = told
        payload = "" if told is None else self._signed("call", {**told, "game": self._id})
        self._client.publish(self.topic("call"), payload, qos=1, retain=True)

    def _told(self, number: int, wall: str, event: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "form": EVENT_FORM,
            "game": self._id,
            "count": self._count,
            "number": number,
            "at": wall,
            "kind": event["event"],
            "text": event["text"],
            "paragraphs": list(paragraphs_of(event)),
        }

    def _standing(self) -> dict[str, Any]:
        game = self._evening.referee.game
        stands = standing(game, self._state, ())
        score = None if stands.score is None else {stands.score.unit: list(stands.score.of)}
        return {
            "form": STATE_FORM,
            "game": self._id,
            "plays": game.name,
            "players": list(stands.players),
            "round": stands.round,
            "score": score,
            "phase": stands.phase.value,
            "turn": list(stands.due.players),
            "turn_names": [stands.players[player] for player in stands.due.players],
            "text": [*self._words.game(stands), *self._words.turn(stands)],
            "over": stands.phase is Phase.OVER,
            "asks": self._state.open > 0,
            "refused": self._state.trouble is not None,
            "needs_judge": self._calls.called,
            "told": self._count,
        }

    # -- what was acknowledged ---------------------------------------------------------------------

    def _noted(self) -> tuple[str, int, int]:
        """The game's name at the broker, the last row that was acknowledged, and the serial of the
        last ruling."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            told = json.loads((self._folder / NOTED).read_text(encoding="ascii"))
            serial = max(0, int(told.get("ruled", 0)))
            return str(told["game"]), max(0, int(told["acknowledged"])), serial
        return uuid.uuid4().hex[:12], 0, 0

    def _note(self) -> None:
        """Should it fail, events are told once more after a restart."""
        told = _json({"game": self._id, "acknowledged": self._acked, "ruled": self._serial})
        with contextlib.suppress(OSError):
            write_whole(self._folder / NOTED, told)


def publishing(
    broker: Broker, environment: Mapping[str, str], home: str = "", let_stand: bool = False
) -> Callable[[Game], Publisher]:
    """What makes a game's publisher, which hears judges where the environment has their key. What
    is missing for it is said now, not when a game begins. UserError"""
    key = judge_key(environment)
    client_of(broker, "")

    def of(game: Game) -> Publisher:
        give = game.queue.happened
        return Publisher(broker, game.evening, game.folder, home, key, give, let_stand)

    return of


def asked_again(payload: bytes, game: str) -> int | None:
    """How many events of this game somebody has who wants those behind them; None where that is
    not what a message says.

    >>> asked_again(b'{"form": "table-again/1", "game": "a1", "after": 3}', "a1")
    3
    """
    if len(payload) > _LONGEST:
        return None
    try:
        told = json.loads(payload)
        after = told["after"] if told["form"] == AGAIN_FORM and told["game"] == game else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return after if type(after) is int and after >= 0 else None


def client_of(broker: Broker, name: str) -> Any:
    """A client of paho that does not connect yet, called so at the broker. UserError"""
    try:
        import paho.mqtt.client as paho
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as error:
        raise UserError("mqtt: paho-mqtt is missing: pip install 'tableref[mqtt]'") from error

    client = paho.Client(
        CallbackAPIVersion.VERSION2,
        client_id=name,
        protocol=paho.MQTTv5,
    )
    client.reconnect_delay_set(AGAIN_FROM_S, AGAIN_TO_S)
    if broker.user:
        client.username_pw_set(broker.user, broker.password)
    if broker.tls:
        try:
            client.tls_set(broker.authority or None)
        except OSError as error:
            raise UserError(f"mqtt: {broker.authority}: {error.strerror or error}") from error
    return client


def _json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=True)
