"""Tables and a hub at a real broker: what the journals have is what the hub has."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableref.hosting import mqtt
from tableref.hosting.mqtt import Broker, Publisher
from tableref.hub import desk as desks
from tableref.hub import listening
from tableref.hub.desk import Desk
from tableref.hub.listening import Listener
from tableref.hub.results import Results
from tableref.referee import desk as referee
from tableref.referee.evening import Evening, new_evening
from tableref.referee.inputs import Choose
from tests.hosting.real_broker import MOSQUITTO, RealBroker, play, publisher, told, until
from tests.hosting.real_net import Net
from tests.hub.conftest import KEY, emptied, event, kept_in, state
from tests.rules.harness import FULL, count

paho = pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")
pytestmark = pytest.mark.skipif(MOSQUITTO is None, reason="needs Debian's mosquitto")


class Hub:
    """A hub without its pages."""

    def __init__(self, folder: Path, port: int, key: bytes = b"") -> None:
        self.results = Results(kept_in(folder))
        self.desk = Desk(self.results, lambda *wanted: self.listener.ask(*wanted), key)
        broker = Broker.of(f"mqtt://127.0.0.1:{port}", os.environ, table="hub")
        self.listener = Listener(broker, self.desk.heard, "test")
        self.desk.start()
        self.listener.start()

    def close(self) -> None:
        """Leaves the broker, and writes what is left."""
        self.listener.close()
        self.desk.close()
        self.results.close()

    def numbers(self, table: str = "corner") -> list[int]:
        """Rows of the journal of which the hub heard, in order."""
        [game] = {game for name, game in self.results.counts() if name == table} or {""}
        return [event.number for event in self.results.events(table, game)]


@pytest.fixture
def hub(broker: RealBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setattr(desks, "ASK_S", 0.4)
    emptied(kept_in(tmp_path))
    made = Hub(tmp_path, broker.port)
    yield made
    made.close()


def test_a_hub_has_what_the_journal_has_though_the_broker_is_killed(
    broker: RealBroker, evening: Evening, hub: Hub, tmp_path: Path
) -> None:
    with publisher(broker, evening, tmp_path) as out:
        desk = play(evening, out, 3)
        until(lambda: hub.numbers() == told(evening))
        broker.kill()  # it keeps nothing on a disk: what the hub had not heard is gone
        for move in range(8):
            desk.take(Choose(10.0 + move, 0, desk.state.open))
        broker.start()
        until(lambda: hub.numbers() == told(evening))
        view = hub.desk.table("corner")
    assert view is not None
    assert view.missing == 0


def test_five_tables_of_which_one_is_cut_off_end_as_their_journals_have_it(
    broker: RealBroker, hub: Hub, tmp_path: Path
) -> None:
    """The short form of the bench with two hundred."""
    evenings, outs, desks_ = [], [], []
    for name in "12345":
        own = new_evening(tmp_path / name, "skorpion-deep", {}, [], "")
        own.journal.begin()
        outs.append(Publisher(Broker("127.0.0.1", broker.port, name), own, tmp_path / name))
        outs[-1].start()
        evenings.append(own)
        desks_.append(play(own, outs[-1], 3))
    until(lambda: all(hub.numbers(name) for name in "12345"))
    broker.kill()
    outs[0]._worker.close()  # as when the power is cut: nothing is noted, nobody says goodbye
    outs[0]._client.loop_stop()
    for desk in desks_:
        for move in range(4):
            desk.take(Choose(10.0 + move, 0, desk.state.open))
    broker.start()
    outs[0] = Publisher(Broker("127.0.0.1", broker.port, "1"), evenings[0], tmp_path / "1")
    outs[0].start()
    for name, own in zip("12345", evenings, strict=True):
        until(lambda name=name, own=own: hub.numbers(name) == told(own))
    for out, own in zip(outs, evenings, strict=True):
        out.close()
        own.journal.close()


def move(tables: dict[str, referee.Desk]) -> None:
    """A move at each table."""
    for desk in tables.values():
        desk.take(Choose(time.monotonic(), 0, desk.state.open))


def test_nets_that_are_cut_in_all_ways_neither_lose_nor_double_anything(
    broker: RealBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connections are reset, refused, stall, and die without a word, between tables and broker and
    between broker and hub, while all tables tell."""
    monkeypatch.setattr(desks, "ASK_S", 0.4)
    monkeypatch.setattr(mqtt, "KEEP_ALIVE_S", 1)
    emptied(kept_in(tmp_path))
    nets = [Net(broker.port), Net(broker.port)]
    hub = Hub(tmp_path, nets[0].port)
    names = [str(number) for number in range(count(8, 20))]
    evenings, outs, tables = {}, {}, {}
    for name in names:
        evenings[name] = new_evening(tmp_path / name, "skorpion-deep", {}, [], "")
        evenings[name].journal.begin()
        where = Broker("127.0.0.1", nets[1].port, name)
        outs[name] = Publisher(where, evenings[name], tmp_path / name)
        outs[name].start()
        tables[name] = play(evenings[name], outs[name], 1)
    until(lambda: all(hub.numbers(name) for name in names))
    # In the long form the two are cut one after the other, too.
    for cut in [[net] for net in nets if FULL] + [nets]:
        for how in (Net.reset, Net.stall, Net.refuse, Net.lose):
            move(tables)
            for net in cut:
                net.given_up = 0
                how(net)
            move(tables)
            if how == Net.lose:  # until somebody notices that nothing comes any more
                until(lambda cut=cut: all(net.given_up for net in cut))
            for net in cut:
                net.whole()
    for name in names:
        until(lambda name=name: hub.numbers(name) == told(evenings[name]))
    for name in names:
        outs[name].close()
        evenings[name].journal.close()
    hub.close()
    for net in nets:
        net.close()


class HurriedBroker(RealBroker):
    """It keeps twenty messages for who is slow, and drops the others."""

    more = "allow_anonymous true\nmax_inflight_messages 1\nmax_queued_messages 20\n"


def test_what_a_broker_drops_is_asked_for_though_the_table_says_nothing_more(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "ASK_S", 0.4)
    monkeypatch.setattr(listening, "LOOK_AGAIN_S", 0.3)
    monkeypatch.setattr(mqtt, "AGAIN_S", 0.1)
    broker = HurriedBroker(tmp_path)
    net = Net(broker.port)
    hub = Hub(tmp_path, net.port)
    with publisher(broker, evening, tmp_path) as out:
        desk = play(evening, out, 1)
        until(lambda: hub.numbers() == told(evening))
        net.stall()
        for number in range(20):
            desk.take(Choose(10.0 + number, 0, desk.state.open))
        until(lambda: out.acknowledged == told(evening)[-1])
        net.whole()
        until(lambda: hub.numbers() == told(evening))
    hub.close()
    net.close()
    broker.kill()


def test_a_hub_that_comes_late_asks_for_all_of_it(
    broker: RealBroker, evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "ASK_S", 0.4)
    with publisher(broker, evening, tmp_path) as out:
        play(evening, out, 30)  # more than may be under way
        until(lambda: out.acknowledged == told(evening)[-1])
        late = Hub(tmp_path, broker.port)
        until(lambda: late.numbers() == told(evening))
        late.close()


def test_a_hostile_client_neither_ends_anything_nor_enters_a_game(
    broker: RealBroker, evening: Evening, tmp_path: Path
) -> None:
    """The hub believes what is signed; the table takes nothing but what is."""
    from paho.mqtt.enums import CallbackAPIVersion

    rng = random.Random(7)
    hostile = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    hostile.connect("127.0.0.1", broker.port)
    hostile.loop_start()
    emptied(kept_in(tmp_path))
    hub = Hub(tmp_path, broker.port, KEY)
    where = Broker("127.0.0.1", broker.port, "corner")
    with Publisher(where, evening, tmp_path / "game", judges=KEY) as out:
        desk = play(evening, out, 3)
        until(lambda: hub.numbers() == told(evening))
        before = [row.data for row in evening.journal.rows()]
        game = next(game for _, game in hub.results.counts())
        for number in range(300):
            name = rng.choice(
                ("again", "events", "state", "call", "online", "ruling", "say", "x/y")
            )
            told_ = rng.choice(
                (
                    rng.randbytes(rng.randrange(200)),
                    b'{"house_ruling": {"agreed": [0, 1]}}',
                    json.dumps({"form": "table-again/1", "game": game, "after": number}).encode(),
                    event(number, game),
                    state(number, game),
                )
            )
            hostile.publish(f"tableref/{rng.choice(('corner', 'x'))}/{name}", told_, 1)
        hostile.publish("tableref/corner/done", b"", 1).wait_for_publish(10)
        assert [row.data for row in evening.journal.rows()] == before
        until(lambda: hub.desk.unreadable > 100)
        desk.take(Choose(99.0, 0, desk.state.open))
        until(lambda: hub.numbers() == told(evening))
        assert [table.name for table in hub.desk.tables() if table.state] == ["corner"]
    hub.close()
    hostile.disconnect()
    hostile.loop_stop()
