"""The tables as the hub has them: what was told last, and that nothing is missed or doubled.

Events are counted from 1 in each game. One that comes twice is dropped; where some are missing the
table is asked to send those behind the last one again.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from typing import NamedTuple

from tableref.devices.worker import Worker
from tableref.hosting.judge import is_vouched
from tableref.hub import reading
from tableref.hub.reading import Call, Event, State, Unreadable
from tableref.hub.results import Results
from tableref.web.watchers import Watchers

log = logging.getLogger(__name__)
MOST_TABLES = 1000
"""Tables that are shown; whoever may write to the broker could name any number of them."""
WRITE_S = 0.2
"""Seconds in which what is to be written gathers."""
ASK_S = 2.0
"""Seconds that missing events have to come by themselves, and between two requests for them."""
WAITING = 20_000
"""Events that may wait for a database that cannot be written; the tables have them still."""


class View(NamedTuple):
    """A table: what it told last. `missing`: events that were told and have not come."""

    name: str
    online: bool = False
    state: State | None = None
    last: Event | None = None
    call: Call | None = None
    missing: int = 0


class Desk:
    """Takes messages from any thread. `ask` has a table send a game's events again, behind the
    first so many. With a `key` only what a table has signed with it is believed."""

    def __init__(
        self, results: Results, ask: Callable[[str, str, int], object], key: bytes = b""
    ) -> None:
        self._results, self._ask, self._key = results, ask, key
        self._counts = results.counts()
        self._tables: dict[str, View] = {}
        self._missing: dict[tuple[str, str], float] = {}  # table and game -> when to ask
        self._events: list[tuple[str, Event]] = []
        self._stand: dict[str, State] = {}
        self.version, self.unreadable = 0, 0
        self._watchers = Watchers()
        self._lock = threading.Lock()
        self._worker = Worker("results", self._step)

    def start(self) -> None:
        """Begins to write, in a thread of its own."""
        self._worker.start()

    def close(self) -> None:
        """Writes what is left."""
        self._worker.close()
        self._step(float("inf"))

    # -- what is shown ----------------------------------------------------------------------------

    def tables(self) -> list[View]:
        """All tables, by name; 2 comes before 10."""
        with self._lock:
            return sorted(self._tables.values(), key=lambda view: _order(view.name))

    def table(self, name: str) -> View | None:
        """One of them."""
        with self._lock:
            return self._tables.get(name)

    def watch(self, changed: Callable[[], object]) -> Callable[[], None]:
        """Calls `changed` after each change, until what is returned is called."""
        return self._watchers.add(changed)

    def changed(self) -> None:
        """Has everybody look again."""
        self._watchers.call()

    # -- what is told -----------------------------------------------------------------------------

    def heard(self, topic: str, payload: bytes) -> None:
        """A message came. What cannot be read is counted and dropped."""
        try:
            table, about = reading.address(topic)
            signs = bool(self._key) and about in ("state", "events", "call") and payload != b""
            if signs and not is_vouched(self._key, topic, payload):
                raise Unreadable("it is not signed")
            with self._lock:
                before = self._tables.get(table)
                if before is None and len(self._tables) >= MOST_TABLES:
                    raise Unreadable("too many tables")
                after = self._took(before or View(table), about, payload)
                if after == before:
                    return
                self._tables[table] = after
                self.version += 1
        except Unreadable as error:
            self.unreadable += 1
            log.debug("%s: %s", topic[: reading.WORDS], error)
            return
        self._worker.wake()
        self._watchers.call()

    def _took(self, view: View, about: str, payload: bytes) -> View:
        match about:
            case "online":
                return view._replace(online=payload == b"online")
            case "call":
                return view._replace(call=reading.call(payload) if payload else None)
            case "state":
                state = reading.state(payload)
                self._stand[view.name] = state
                if view.state is not None and view.state.game != state.game:
                    view = view._replace(last=None)
                return self._complete(view._replace(state=state), state.game)
        event = reading.event(payload)
        key = (view.name, event.game)
        last = self._counts.get(key, 0)
        if event.nth == last + 1:
            self._counts[key] = event.nth
            self._events.append((view.name, event))
            if view.state is None or view.state.game == event.game:
                view = view._replace(last=event)
        elif event.nth > last:
            self._missing.setdefault(key, 0.0)
        return self._complete(view, event.game)

    def _complete(self, view: View, game: str) -> View:
        """Notes whether events of this game are missing by now."""
        key = (view.name, game)
        told = view.state.told if view.state is not None and view.state.game == game else 0
        missing = max(0, told - self._counts.get(key, 0))
        if missing:
            self._missing.setdefault(key, 0.0)
        elif told:
            self._missing.pop(key, None)
        return view._replace(missing=missing)

    # -- in the worker's thread -------------------------------------------------------------------

    def _step(self, now: float) -> float | None:
        self._write()
        with self._lock:
            for key in [key for key, due in self._missing.items() if due == 0.0]:
                self._missing[key] = now + ASK_S / 2
            due = [key for key, due in self._missing.items() if due <= now]
            wanted = [(*key, self._counts.get(key, 0)) for key in due]
            for key in due:
                self._missing[key] = now + ASK_S
            waits = bool(self._missing or self._events)
        for table, game, after in wanted:
            self._ask(table, game, after)
        return WRITE_S if waits else None

    def _write(self) -> None:
        with self._lock:
            events, self._events = self._events, []
            stand, self._stand = self._stand, {}
        if not events and not stand:
            return
        try:
            self._results.add(events, list(stand.items()))
        except OSError:
            with self._lock:
                self._events, self._stand = events + self._events, stand | self._stand
                if len(self._events) > WAITING:
                    self._events, self._counts = [], self._results.counts()
            raise


def _order(name: str) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
