"""The link that the referee uses: one thread that reads and enqueues, and one bounded queue.

It finds its board, loses it, finds it again under another name, and tells all that as items.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from tableref.devices.lights import Light
from tableref.devices.link.cells import CellTable
from tableref.devices.link.errors import (
    BoardSilent,
    LinkError,
    LinkFault,
    PortBusy,
    PortForbidden,
    PortNotFound,
    SeveralBoards,
    WrongFirmware,
)
from tableref.devices.link.health import Health
from tableref.devices.link.items import LinkItem, LinkLost
from tableref.devices.link.ledger import Ledger
from tableref.devices.link.ports import Ports
from tableref.devices.link.serial_port import Port
from tableref.devices.link.session import AGAIN_S, ANSWERS_KEPT, Hello, Session, Settings
from tableref.devices.worker import Guard, in_words
from tableref_hardware.board import Board

log = logging.getLogger("tableref.link")

AUTO = "auto"
QUEUE = 512  # items that wait for the reader; beyond, the board keeps its events
_SPARE = 64  # room for snapshots and for lost and found, which nothing can hold back
FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 2.0  # between two searches for a board

Order = Callable[[Session, float], None]  # what a session shall do, and at what time it does

# What a person must do something about: told before other reasons, and even after another.
TO_BE_DONE = (SeveralBoards, WrongFirmware, PortForbidden, PortBusy)


class BoardLink:
    """The board under the table.

        with BoardLink(load_board("autoscooter")) as link:
            for item in link:
                print(item)

    `port` is a device (`/dev/ttyACM0`, better its name in /dev/serial/by-id), `auto` for whichever
    port a board answers on, or a Port. `clock` gives seconds and never goes back. Nothing is
    raised for a board that is not there: that is a LinkLost among the items.
    """

    def __init__(
        self,
        board: Board,
        port: str | Port = AUTO,
        *,
        clock: Callable[[], float] = time.monotonic,
        debounce_ms: int = 5,
        limit_ma: int = 500,
        ports: Ports | None = None,
    ) -> None:
        """Raises DeviceError where the board's wiring is more than one Pico can serve."""
        table = CellTable(board)
        self._settings = Settings(table, debounce_ms, limit_ma)
        self._ledger = Ledger(table)
        self._health = Health(clock())
        self._wanted = port
        self._ports = ports or Ports()
        self._clock = clock
        self._queue: SimpleQueue[LinkItem | None] = SimpleQueue()  # None: look again
        # Guards all below, but not the session: that belongs to the thread, and others say in
        # orders what it shall do, for a lock would be taken with every event.
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._full = False  # the thread waits for room in the queue
        self._session: Session | None = None
        self._port: Port | None = None
        self._orders: dict[str, Order] = {}
        self._answers: deque[tuple[int, tuple[Any, ...]]] = deque(maxlen=ANSWERS_KEPT)
        self._lights: dict[str, Light] = {}
        self._said: type[LinkError] | None = None  # why the link is lost, as told
        self._closed = False
        self._names: list[str] = []  # the last port that was good, by all its names
        self._thread = threading.Thread(target=self._guarded_run, name="board link", daemon=True)
        self._thread.start()

    # For the referee

    def next(self, timeout: float | None = None) -> LinkItem | None:
        """The next item, waiting for it so many seconds (None: for ever); None where none came."""
        try:
            item = self._queue.get(not self._closed, timeout)
        except Empty:
            item = None
        if self._full:
            with self._lock:
                self._changed.notify_all()
        return item

    def __iter__(self) -> Iterator[LinkItem]:
        """Items until the link is closed."""
        while (item := self.next()) is not None:
            yield item

    def show(self, lights: Mapping[str, Light]) -> None:
        """Lights exactly these cells, now or when the board is back; without lights, nothing."""
        with self._lock:
            self._lights = shown = dict(lights)
            self._order("show", lambda session, now: session.show(shown, now))

    def snapshot(self) -> None:
        """Wants a Snapshot among the items."""
        with self._lock:
            self._order("snapshot", Session.ask_snapshot)

    def close(self) -> None:
        """Ends the link and gives the port back."""
        with self._lock:
            self._closed = True
            if self._port:
                self._port.wake()
            self._changed.notify_all()
            self._queue.put(None)
        self._thread.join()

    def __enter__(self) -> BoardLink:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # For the workbench (`tableref board`)

    @property
    def hello(self) -> Hello | None:
        """Who the board is, None while there is none."""
        session = self._session
        return session.hello if session else None

    @property
    def shown(self) -> bool:
        """Whether the board shows the last picture it was given; False where it has no lights."""
        with self._lock:
            session = self._session
            shown = session and session.has_lights and session.shown
            return bool(shown) and "show" not in self._orders

    @property
    def health(self) -> str:
        """The link's counters, in words."""
        return str(self._health)

    @property
    def chain_broken(self) -> bool:
        """Whether the board cannot read its switches."""
        session = self._session
        return bool(session and session.chain_broken)

    def ask(
        self,
        answer: int,
        question: int,
        *values: int,
        timeout: float = 2.0,
        last: Callable[[tuple[Any, ...]], bool] = lambda _fields: True,
    ) -> list[tuple[Any, ...]]:
        """Puts a question of the protocol until its answer has come, and returns the answers.

        `last` tells the last of several. Raises BoardSilent after `timeout` seconds.
        """

        def put(session: Session, _now: float) -> None:
            session.send(question, *values)

        end = self._clock() + timeout
        with self._lock:
            while self._clock() < end:
                answers: list[tuple[Any, ...]] = []
                self._answers.clear()  # to earlier questions
                self._order(f"ask {question}", put)
                again = min(end, self._clock() + AGAIN_S)
                while (left := again - self._clock()) > 0 and not self._closed:
                    self._changed.wait(left)
                    while self._answers:
                        kind, fields = self._answers.popleft()
                        if kind == answer:
                            answers.append(fields)
                    if answers and last(answers[-1]):
                        return answers
        raise BoardSilent("the board does not answer", "See `tableref board status`")

    # The thread

    def _order(self, what: str, order: Order) -> None:
        """Wants this done in the thread, soon, and instead of an earlier order of the kind; there
        is nothing to do without a board."""
        if self._port:
            self._orders[what] = order
            self._port.wake()

    def _guarded_run(self) -> None:
        guard = Guard("the link", lambda text: self._lose(LinkFault(text, "It starts again")))
        while not self._closed:
            with guard:
                self._run()
            with self._lock:
                self._changed.wait_for(lambda: self._closed, guard.pause)

    def _run(self) -> None:
        wait = FIRST_WAIT_S
        while not self._closed:
            reason = self._search()
            if self._closed:
                return
            if reason is None:  # there was a board a moment ago
                wait = FIRST_WAIT_S
                continue
            self._lose(reason)
            with self._lock:
                self._changed.wait_for(lambda: self._closed, wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _search(self) -> LinkError | None:
        """Tries every port; returns why there is no board, or None after having lost one."""
        reasons: list[LinkError] = []
        candidates = self._candidates()
        if self._wanted == AUTO and not self._names and len(candidates) > 1:
            boards = [
                name for name in candidates if isinstance(name, str) and self._answers_on(name)
            ]
            if len(boards) > 1:
                return SeveralBoards(
                    f"{len(boards)} boards answer, on {' and on '.join(boards)}",
                    f"Name the one that is meant: --link {boards[0]}",
                )
            candidates = boards or candidates
        for name in candidates:
            if self._closed:
                return None
            try:
                port = self._ports.open(name) if isinstance(name, str) else name
            except LinkError as error:
                reasons.append(error)
                continue
            reason, served = self._serve(port)
            if served:
                self._said = None  # whatever was told before is over
                self._lose(reason)
                return None
            reasons.append(reason)
        return _telling(reasons)

    def _answers_on(self, name: str) -> bool:
        """Whether a board says hello on this port, which is given back."""
        try:
            with contextlib.closing(self._ports.open(name)) as port:
                now = self._clock()
                session = Session(
                    self._settings, Ledger(self._settings.table), Health(now), now, name, {}
                )
                while not (session.talking or session.failed or self._closed):
                    data = port.read(session.deadline - now)
                    now = self._clock()
                    output, _ = session.turn(data, now, QUEUE)
                    if output:
                        port.write(output)
                return session.talking
        except LinkError:
            return False  # why is told when the port is tried in earnest

    def _candidates(self) -> list[str] | list[Port]:
        if not isinstance(self._wanted, str):
            return [self._wanted]
        if self._wanted != AUTO and not self._names:
            return [self._wanted]
        # A board that came back may have another name, but it has the same number in its hello.
        return list(dict.fromkeys((*self._names, *self._ports.candidates())))

    def _serve(self, port: Port) -> tuple[LinkError, bool]:
        """Talks on this port until it fails; returns why, and whether a board was there."""
        with self._lock:
            session = Session(
                self._settings, self._ledger, self._health, self._clock(), port.name, self._lights
            )
            self._orders.clear()
            self._session, self._port = session, port
        try:
            self._talk(port, session)
            reason = LinkError("the link was closed", "Open it again")
        except LinkError as error:
            reason = error
        except Exception as error:
            reason = LinkFault(f"the link failed: {in_words(error)}", "It is opened anew")
        with self._lock:
            self._session = self._port = None
        served = session.talking
        if self._closed:
            log.info("link closed: %s", self._health)
        elif served:
            self._health.dump(reason.what)
        try:
            port.close()
        except LinkError as error:
            log.info("closing: %s", error)  # it is out of reach anyway
        return reason, served

    def _talk(self, port: Port, session: Session) -> None:
        """Reads, thinks, answers and enqueues until the link fails or is closed.

        All that is done here is done for every event.
        """
        now, greeted = self._clock(), False
        room = 0  # in the queue, at least: whoever reads it makes more
        while not self._closed:
            data = port.read(session.deadline - now)
            now = self._clock()
            if self._orders:
                self._obey(session, now)
            if room < QUEUE // 2:
                room = QUEUE - self._queue.qsize()
            output, items = session.turn(data, now, room)
            room -= len(items)
            if session.talking and not greeted:
                greeted = True
                self._greet(port, session)
            if session.answers:
                self._hand_out(session)
            try:
                if output:
                    port.write(output)
            finally:
                # Last, for whoever waits for items then takes the interpreter while we rest. They
                # have come, even where the port fails now.
                for item in items:
                    self._queue.put(item)
            if room < -_SPARE:
                self._await_room()
            if session.failed:
                raise session.failed

    def _obey(self, session: Session, now: float) -> None:
        with self._lock:
            for order in self._orders.values():
                order(session, now)
            self._orders.clear()

    def _greet(self, port: Port, session: Session) -> None:
        log.info("the board answers on %s: %s", port.name, session.hello)
        if isinstance(self._wanted, str):
            self._names = [self._ports.lasting_name(port.name), port.name]

    def _hand_out(self, session: Session) -> None:
        with self._lock:
            self._answers += session.answers
            self._changed.notify_all()
        session.answers.clear()

    def _await_room(self) -> None:
        with self._lock:
            self._full = True
            self._changed.wait_for(lambda: self._closed or self._queue.qsize() < QUEUE)
            self._full = False

    def _lose(self, reason: LinkError) -> None:
        """Tells that the link is lost, and again only where somebody must now do something."""
        with self._lock:
            new = self._said is None or isinstance(reason, TO_BE_DONE)
            if new and self._said is not type(reason) and not self._closed:
                self._said = type(reason)
                self._queue.put(LinkLost(self._clock(), reason))


def _telling(reasons: list[LinkError]) -> LinkError:
    for kind in TO_BE_DONE:
        for reason in reasons:
            if isinstance(reason, kind):
                return reason
    if len(reasons) == 1:
        return reasons[0]
    tried = "; ".join(reason.what for reason in reasons)
    return PortNotFound(
        "no port has a board that says hello" + (f" ({tried})" if tried else ""),
        "Plug the board in, and see `tableref board status`",
    )
