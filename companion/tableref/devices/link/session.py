"""One conversation with a board: bytes in, bytes and items out. No port, no thread, no clock.

Hello, start, synchronise, and then events in order for as long as the board is heard. All waiting
is done by whoever calls `turn`, when bytes come and at `deadline`.
"""

from __future__ import annotations

import enum
import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tableref import __version__
from tableref.devices.lights import Light
from tableref.devices.link.cells import CellTable
from tableref.devices.link.clock import BoardClock
from tableref.devices.link.errors import (
    FLASH,
    BoardRefused,
    BoardRestarted,
    BoardSilent,
    LinkError,
    WrongFirmware,
)
from tableref.devices.link.health import Health, log
from tableref.devices.link.items import LinkBack, LinkItem
from tableref.devices.link.ledger import Ledger
from tableref_firmware import protocol as p
from tableref_firmware.framing import Decoder, encode

HELLO_S = 3.0  # a board that resets when the port opens needs two
AGAIN_S = 0.2  # a question without an answer is put again
GAP_S = p.RESEND_MS / 1000  # after asking for a missing event, it is not asked for again so soon
# One acknowledgement does for so many frames of events, much as in TCP (RFC 5681, 4.2); but it must
# be there before the board repeats the first of them.
ACK_FRAMES = 2
ACK_S = p.RESEND_MS / 1000 * 2 / 3
BEAT_S = p.HEARTBEAT_MS / 1000
LOST_S = BEAT_S * p.LOST_BEATS
SYNC_S = 1.0  # the clocks are compared so often, even while events say that the board is there

# A host that has slept for so long starts over: the board's counter may have wrapped meanwhile.
ASLEEP_S = 60.0

_NEVER = float("inf")
_ANSWERS = (p.STATS, p.LOG, p.CHECKED, p.BYE)
ANSWERS_KEPT = 64
_PINGS_KEPT = 16
_STATS = next([field[0] for field in message[3]] for message in p.MESSAGES if message[0] == p.STATS)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the board is told: its cells, ms a switch must rest, mA for all lights together."""

    table: CellTable
    debounce_ms: int = 5
    limit_ma: int = 500


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is: its firmware, what it can do, this run of it, the chip's number (hex)."""

    firmware: str
    lights: bool
    boot: int
    cause: str
    unit: str


class Phase(enum.Enum):
    """How far a conversation has come."""

    ASKING = "asking who is there"
    STARTING = "starting the board"
    SYNCING = "waiting for a snapshot"
    READY = "ready"


class Session:
    """A conversation; it is over when `failed` is set."""

    # A turn is mostly waiting for memory that the caches have lost since the last event, and an
    # object with so many attributes is slow to look into without slots.
    __slots__ = (
        "_ack_at",
        "_again_at",
        "_beat_at",
        "_decoder",
        "_due_at",
        "_first_lights",
        "_frame",
        "_gap_at",
        "_give_up_at",
        "_heard",
        "_id",
        "_items",
        "_ledger",
        "_output",
        "_parts",
        "_pings",
        "_port",
        "_sequence",
        "_settings",
        "_snapshot_wanted",
        "_sync_at",
        "_token",
        "_unanswered",
        "answers",
        "chain_broken",
        "deadline",
        "failed",
        "health",
        "hello",
        "phase",
        "room",
        "shown",
        "starved",
        "talking",
    )

    def __init__(
        self,
        settings: Settings,
        ledger: Ledger,
        health: Health,
        now: float,
        port: str = "",
        lights: Mapping[str, Light] | None = None,
    ) -> None:
        """`port` is its name for people; `lights` are shown as soon as there is a board."""
        self.phase = Phase.ASKING
        self.talking = False  # the board has been started: it says what happens
        self.hello: Hello | None = None
        self.failed: LinkError | None = None
        self.room = p.OUTBOX_EVENTS
        self.starved = False  # events wait on the board for lack of room here
        self.chain_broken = False
        self.shown = True  # the board shows the last picture
        self.answers: deque[tuple[int, tuple[Any, ...]]] = deque(maxlen=ANSWERS_KEPT)
        self.deadline = now  # when `turn` must be called at the latest
        self.health = health
        ledger.clock = BoardClock(ledger.clock.told)
        self._settings, self._ledger = settings, ledger
        self._port, self._first_lights = port, lights
        self._decoder = Decoder()
        self._sequence = 0
        self._output = b""
        self._items: list[LinkItem] = []
        self._id = random.randrange(0x10000)
        self._give_up_at = now + HELLO_S
        self._heard = self._again_at = self._due_at = self._sync_at = now
        self._beat_at = _NEVER
        self._pings: dict[int, float] = {}
        self._token = random.randrange(0x100)
        self._gap_at = now
        self._ack_at = _NEVER
        self._unanswered = 0  # frames of events since the last acknowledgement
        self._snapshot_wanted = True
        self._parts: list[bytes] = []
        self._frame = 0

    # For whoever carries the bytes

    def turn(self, data: bytes, now: float, room: int) -> tuple[bytes, list[LinkItem]]:
        """Takes the bytes that have arrived by `now` and does what is due. Returns bytes for the
        board, and what has been learnt, in order: not more than `room` events."""
        self.room = room
        if data:
            self._hear(data, now)
        if now >= self._ack_at:
            self._acknowledge(now)
        if now >= self._due_at:
            self._tick(now)
        self.deadline = self._ack_at if self._ack_at < self._due_at else self._due_at
        output, self._output = self._output, b""
        items, self._items = self._items, []
        if data or output:
            self.health.note(now, data, output)
        return output, items

    def send(self, kind: int, *values: int | bytes) -> None:
        """Says something to the board, once; whoever wants to be sure waits for the answer."""
        self._output += encode(kind, self._sequence, p.pack(kind, *values))
        self._sequence = (self._sequence + 1) & 0xFF

    def _hear(self, data: bytes, now: float) -> None:
        if now - self._heard > ASLEEP_S:
            self._silent(now, now - self._heard)
            return
        for kind, payload in self._decoder.feed(data):
            self._heard = now
            try:
                if kind == p.EVENTS:
                    self._events(now, payload)
                elif kind == p.HELLO:
                    self._hello(now, payload)
                elif not self.failed:
                    self._receive(now, kind, p.unpack(kind, payload))
            except p.Malformed as error:
                log.warning("the board sent something that does not fit: %s", error)
        if self.failed:
            self.health.count(now, self._decoder)

    def _tick(self, now: float) -> None:
        """Does all that is due but acknowledging."""
        if now >= self._beat_at and not self.failed:
            self._beat(now)
        if now >= self._again_at and not self.failed:
            (self._again if self.talking else self._ask)(now)
        self._due_at = min(self._beat_at, self._again_at)

    def _repeat_at(self, at: float) -> None:
        self._again_at = at
        self._due_at = min(self._due_at, at)

    def _again(self, now: float) -> None:
        """Asks again for what has not come."""
        waits = self.starved or self._snapshot_wanted or not self.shown
        self._again_at = now + AGAIN_S if waits else _NEVER
        if self.starved and self.room > 0:
            self.starved = False
            self._acknowledge(now, resend=True)
        if self._snapshot_wanted:
            self.send(p.SNAP)
        if not self.shown:
            self._show(now)

    # For whoever plays

    @property
    def has_lights(self) -> bool:
        """Whether the board has lights, and its cells are wired to some."""
        return bool(self.hello and self.hello.lights and self._settings.table.lights)

    def show(self, lights: Mapping[str, Light], now: float) -> None:
        """Lights exactly these cells, and sees to it that the board really does."""
        if self.has_lights:
            self._parts = self._settings.table.picture(lights)
            self._frame = (self._frame + 1) & 0xFF
            self.shown = False
            self._repeat_at(now + AGAIN_S)
            if self.phase is Phase.READY:
                self._show(now)

    def ask_snapshot(self, now: float) -> None:
        """Wants a Snapshot among the items, as soon as nothing is missing before it."""
        self._snapshot_wanted = True
        self._repeat_at(now + AGAIN_S)
        if self.phase is Phase.READY:
            self.send(p.SNAP)

    # Hello and start

    def _ask(self, now: float) -> None:
        if now >= self._give_up_at:
            self._silent(now, HELLO_S)
            return
        if self.phase is Phase.ASKING:
            self._again_at = min(now + AGAIN_S, self._give_up_at)
            self.send(p.ASK)
        else:
            self._beat(now)
            self._start(now)

    def _start(self, now: float) -> None:
        self._repeat_at(min(now + AGAIN_S, self._give_up_at))
        ledger, settings = self._ledger, self._settings
        boot, number = (0, 0) if ledger.next is None else (ledger.boot, ledger.next)
        limits = settings.debounce_ms, settings.limit_ma, settings.table.magnet
        self.send(p.START, self._id, boot, number, *limits, settings.table.packed)

    def _silent(self, now: float, seconds: float) -> None:
        self.health.count(now, self._decoder)
        self.failed = BoardSilent(
            f"the board has said nothing for {seconds:.1f} s ({self.phase.value})",
            "Unplug it, wait 5 s and plug it in again; `tableref board status` tells more",
        )

    def _hello(self, now: float, payload: bytes) -> None:
        if len(payload) < 8:
            raise p.Malformed(f"HELLO of {len(payload)} bytes")
        version, digest = payload[0], int.from_bytes(payload[1:5], "little")
        firmware = ".".join(str(number) for number in payload[5:8])
        if (version, digest) != (p.PROTOCOL, p.HASH):
            self.failed = WrongFirmware(
                f"the board's firmware {firmware} speaks link protocol {version} ({digest:08x}), "
                f"and Tableref {__version__} speaks {p.PROTOCOL} ({p.HASH:08x})",
                f"Flash the firmware that came with this Tableref: {FLASH}",
            )
            return
        capabilities, boot, cause, unit = p.unpack(p.HELLO, payload)[5:]
        hello = Hello(
            firmware,
            bool(capabilities & p.HAS_LIGHTS),
            boot,
            p.CAUSES[cause] if cause < len(p.CAUSES) else p.CAUSES[0],
            unit.hex(),
        )
        if self._ledger.unit not in ("", hello.unit):
            self.failed = BoardSilent(
                f"another board ({hello.unit}) answers here",
                f"Plug in the one that the game began on ({self._ledger.unit})",
            )
        elif self.phase is Phase.ASKING:
            self.hello = hello
            self.phase = Phase.STARTING
            self._give_up_at = now + HELLO_S
            self._beat(now)  # an event needs a clock, so let the answer be here first
            self._start(now)
        elif self.hello and hello.boot != self.hello.boot:
            self._restarted(hello.cause)

    def _restarted(self, cause: str) -> None:
        self._decoder.lost = 0  # its sequence began anew, nothing is missing
        self.failed = BoardRestarted(
            f"the board has started anew (cause: {cause})",
            "It goes on by itself; if it happens again, check cable and power, "
            "and see `tableref board log`",
        )

    def _started(self, now: float, session: int, resumed: int) -> None:
        if self.phase is not Phase.STARTING or session != self._id or self.hello is None:
            return
        self._ledger.begin(self.hello.unit, self.hello.boot, bool(resumed))
        self.phase, self.talking = Phase.SYNCING, True
        self._items.append(LinkBack(now, self._port))
        if self._first_lights is not None:
            self.show(self._first_lights, now)
        self._repeat_at(now + (0.0 if resumed else AGAIN_S))

    # What the board says

    def _receive(self, now: float, kind: int, fields: tuple[Any, ...]) -> None:
        if kind == p.SNAPSHOT:
            self._snapshot(now, *fields)
        elif kind == p.PONG:
            self._pong(now, *fields)
        elif kind == p.STARTED:
            self._started(now, *fields)
        elif kind == p.REFUSED:
            self._refused(*fields)
        elif kind == p.SHOWN:
            self.shown = self.shown or fields[0] == self._frame
        elif kind in _ANSWERS and self.talking:
            if kind == p.STATS:
                log.info("board: %s", dict(zip(_STATS, fields, strict=True)))
            self.answers.append((kind, fields))

    def _refused(self, kind: int, code: int) -> None:
        name = p.NAMES.get(kind, str(kind))
        reason = p.REFUSALS[code] if code < len(p.REFUSALS) else f"code {code}"
        if code == p.NOT_STARTED and self.talking:
            self._restarted("unknown")
        elif kind == p.START:
            self.failed = BoardRefused(
                f"the board refuses {name}: {reason}", "Check [wiring] in the board file"
            )
        else:
            log.warning("the board refuses %s: %s", name, reason)

    def _beat(self, now: float) -> None:
        silence = now - self._heard if self.talking else 0.0
        if silence >= LOST_S:
            self._silent(now, silence)
            return
        self.health.count(now, self._decoder)
        self._beat_at = now + BEAT_S
        if self._listening() and silence < BEAT_S / 2 and now < self._sync_at:
            return  # events come, and say as well as an answer that the board is there
        self._sync_at = now + SYNC_S
        if silence > 1.1 * BEAT_S:
            # An answer that is late may have been damaged: ask more often before giving up.
            self._beat_at = min(now + BEAT_S / 4, self._heard + LOST_S)
        self._token = (self._token + 1) & 0xFF
        self._pings[self._token] = now
        self._pings.pop((self._token - _PINGS_KEPT) & 0xFF, None)
        self.send(p.PING, self._token)
        if self.phase is Phase.READY and self.health.report(now):
            self.send(p.ASK_STATS)

    def _pong(self, now: float, token: int, ticks: int, chain: int) -> None:
        sent = self._pings.pop(token, None)
        if sent is None:
            return
        self.health.round_trip = now - sent
        self._ledger.clock.ping(sent, ticks, now)
        self.chain_broken = chain == p.CHAIN_BROKEN
        if chain == p.CHAIN_IDLE and self.phase is Phase.READY:
            self._restarted("unknown")

    def _listening(self) -> bool:
        """Whether a word on the switches counts. It does not while it may be the end of an earlier
        conversation, nor without a clock, for then it has no time. It comes again."""
        return self.talking and self._ledger.clock.known and not self.failed

    def _events(self, now: float, payload: bytes) -> None:
        if not self._listening():
            return
        if self.room <= 0:
            self._starve(now)
            return
        items = self._ledger.events(payload, self.room)
        if items is None:
            # One gap shows in every frame behind it, and is asked for once.
            if now >= self._gap_at:
                self._gap_at = now + GAP_S
                self.health.asked_again += 1
                self._acknowledge(now, resend=True)
            return
        self._items += items
        self.health.events += len(items)
        self.room -= len(items)
        if self.room <= 0:
            self._starve(now)
        self._unanswered += 1
        # What brings nothing new says that the last acknowledgement did not arrive.
        if self._unanswered == ACK_FRAMES or not items:
            self._acknowledge(now)
        elif self._unanswered == 1:
            self._ack_at = now + ACK_S

    def _starve(self, now: float) -> None:
        """There is no room for more events: they wait on the board, which will be asked again."""
        self.starved = True
        self._repeat_at(min(self._again_at, now + AGAIN_S))

    def _snapshot(
        self, now: float, number: int, ticks: int, lost: int, occupied: bytes, unsteady: bytes
    ) -> None:
        if not self._listening():
            return
        snapshot, taken = self._ledger.snapshot(
            number, ticks, bool(lost), occupied, unsteady, self._snapshot_wanted
        )
        if taken:
            self._acknowledge(now)
        if snapshot:
            self._items.append(snapshot)
            self._snapshot_wanted = False
            self.health.snapshots += 1
            if self.phase is Phase.SYNCING:
                self.phase = Phase.READY
                if not self.shown:
                    self._show(now)

    def _acknowledge(self, now: float, resend: bool = False) -> None:
        self._ack_at = _NEVER
        self._unanswered = 0
        if self._ledger.next is not None:
            self.send(p.ACK, self._ledger.next, int(resend))

    def _show(self, now: float) -> None:
        last = len(self._parts) - 1
        for number, part in enumerate(self._parts):
            ends = (p.FIRST_PART if number == 0 else 0) | (p.LAST_PART if number == last else 0)
            self.send(p.SHOW, self._frame, ends, part)
