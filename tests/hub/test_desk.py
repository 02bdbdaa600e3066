"""Each event is kept once and in order, whatever the way did to it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tableref.errors import UserError
from tableref.hosting.judge import vouched
from tableref.hub.desk import ASK_S, MOST_TABLES
from tableref.hub.results import Results
from tests.hub.conftest import GAME, KEY, OTHER, Heard, call, event, state


def test_what_comes_twice_is_kept_once(hub: Heard) -> None:
    hub.take("events", *(event(n) for n in (1, 2, 2, 1, 3, 3)))
    assert hub.kept() == [1, 2, 3]


def test_what_is_missing_is_asked_for_until_it_comes(hub: Heard) -> None:
    hub.take("events", event(1), event(4))
    hub.desk._step(100.0)
    assert hub.asked == []  # it may be under way
    hub.desk._step(100.0 + ASK_S)
    assert hub.asked == [("corner", GAME, 1)]
    hub.desk._step(100.1 + ASK_S)
    assert len(hub.asked) == 1
    hub.take("state", state(4))
    view = hub.desk.table("corner")
    assert view is not None
    assert view.missing == 3
    hub.take("events", *(event(n) for n in (2, 3, 4)))
    hub.desk._step(200.0)
    assert len(hub.asked) == 1
    assert hub.kept() == [1, 2, 3, 4]


def test_a_state_tells_that_the_last_events_have_not_come(hub: Heard) -> None:
    hub.take("state", state(2))
    hub.desk._step(100.0)
    hub.desk._step(100.0 + ASK_S)
    assert hub.asked == [("corner", GAME, 0)]


def test_a_hub_that_is_started_anew_goes_on_where_it_was(hub: Heard, tmp_path: Path) -> None:
    hub.take("events", event(1), event(2))
    assert hub.kept() == [1, 2]
    again = Heard(tmp_path)
    again.take("events", event(2), event(3))
    assert again.kept() == [1, 2, 3]
    again.results.close()


def test_a_new_game_at_a_table_begins_to_count_anew(hub: Heard) -> None:
    hub.take("events", event(1), event(2), event(1, OTHER))
    assert hub.kept() == [1, 2]
    assert hub.kept(game=OTHER) == [1]


@pytest.mark.parametrize("seed", range(10))
def test_events_lost_doubled_and_exchanged_end_as_the_journal_has_them(
    hub: Heard, seed: int
) -> None:
    """A table that sends again what it is asked for, over a bad way."""
    rng, now = random.Random(seed), 0.0
    told = {table: rng.randrange(1, 30) for table in ("1", "2", "10")}
    for table, count in told.items():
        hub.take("state", state(count), table=table)
    sent = [(table, nth) for table, count in told.items() for nth in range(1, count + 1)]
    while sent:
        for table, nth in sent:
            if rng.random() < 0.8:
                for _ in range(rng.choice((1, 1, 2))):
                    hub.take("events", event(nth), table=table)
        hub.asked.clear()
        hub.desk._step(now := now + ASK_S)
        hub.desk._step(now := now + ASK_S)
        sent = [
            (table, nth)
            for table, _, after in hub.asked
            for nth in range(after + 1, told[table] + 1)
        ]
    for table, count in told.items():
        assert hub.kept(table) == list(range(1, count + 1))
    assert [view.name for view in hub.desk.tables()] == ["1", "2", "10"]


def test_a_database_that_cannot_be_written_loses_nothing(
    hub: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(hub.results, "add", full)
        hub.take("events", event(1), event(2))
        with pytest.raises(OSError, match="disk full"):
            hub.desk._step(1.0)
    hub.take("events", event(3))
    assert hub.kept() == [1, 2, 3]


def test_a_call_stands_until_it_is_empty(hub: Heard) -> None:
    hub.take("call", call())
    view = hub.desk.table("corner")
    assert view is not None
    assert view.call is not None
    assert view.call.paragraphs[0].id == "SD-3.1"
    hub.take("call", b"")
    assert hub.desk.table("corner") == view._replace(call=None)


def test_nobody_fills_the_desk_with_tables(hub: Heard) -> None:
    for number in range(MOST_TABLES + 5):
        hub.take("online", b"online", table=f"t{number}")
    assert len(hub.desk.tables()) == MOST_TABLES
    assert hub.desk.unreadable == 5


@pytest.mark.parametrize("url", ["", "results.db", "nosuch://x", "sqlite:////no/such/folder/x.db"])
def test_what_is_no_database_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(UserError, match="hub: "):
        Results(url)


def test_a_password_is_in_no_message() -> None:
    with pytest.raises(UserError) as refused:
        Results("nosuch://desk:secret@host/name")
    assert "secret" not in str(refused.value)


def test_with_a_key_only_what_a_table_has_signed_is_believed(tmp_path: Path) -> None:
    hub = Heard(tmp_path, KEY)

    def signed(payload: bytes, name: str, key: bytes = KEY, table: str = "corner") -> bytes:
        told = vouched(key, f"tableref/{table}/{name}", json.loads(payload))
        return json.dumps(told).encode()

    hub.take("events", event(1), signed(event(1), "events", b"another key of a hall"))
    hub.take("events", signed(event(1), "events", table="window"), signed(event(1), "state"))
    hub.take("state", state(1))
    hub.take("call", call())
    assert hub.desk.tables() == []
    assert hub.desk.unreadable == 6
    hub.take("online", b"online")
    hub.take("state", signed(state(1), "state"))
    hub.take("events", signed(event(1), "events"))
    hub.take("call", signed(call(), "call"))
    view = hub.desk.table("corner")
    assert view is not None
    assert (view.online, view.missing, view.call is not None) == (True, 0, True)
    hub.take("call", b"")
    assert hub.kept() == [1]
    hub.results.close()
