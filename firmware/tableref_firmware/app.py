"""The firmware's one loop: read the host, read the switches, send what there is to say, light up.

`App` is handed a hardware layer (`hal.Hal`, or a virtual one) and knows no `machine`.
"""

import struct

from tableref_firmware import VERSION, scan
from tableref_firmware import protocol as p
from tableref_firmware.budget import Budget
from tableref_firmware.debounce import CALM_AGAIN, FLICKERS, LEAK_US, Debouncer
from tableref_firmware.framing import FRAME_OVERHEAD, Decoder, encode
from tableref_firmware.lights import PATTERNS, STEP_MS, Lights
from tableref_firmware.outbox import Outbox
from tableref_firmware.protocol import ticks_diff
from tableref_firmware.quick import sketch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tableref_firmware.hardware import Hardware

_CHORE_US = p.FLICKER_LEAK_MS * 1000
_STEP_US = STEP_MS * 1000
_GATHER_US = p.GATHER_MS * 1000
_MAGNET = 3  # where START.magnet is in its settings
_REPLIES = 24  # answers that may wait for the budget; a host that wants more must ask again
_LOG_LINES = 16
# A heap that has filled up stops the board for 11 ms when it is collected; one that has not, for 2.
_TIDY_TURNS = 64
_HURRIED_TURNS = 8  # that what takes long waits for a turn in which nothing else was done
_EVENTS_FRAME = FRAME_OVERHEAD + 2 + 5 * p.EVENTS_IN_FRAME
_SNAPSHOT_FRAME = FRAME_OVERHEAD + 23


class App:
    """The board. `turn` is one turn of its loop."""

    def __init__(self, hal: "Hardware") -> None:
        self._hal = hal
        now = hal.ticks()
        self._decoder = Decoder()
        self._budget = Budget(now)
        self._sequence = 0
        self._replies: list[bytes] = []
        self.outbox = Outbox(hal.boot & 0xFFFF)  # numbers of one run say nothing in another
        self._lights = Lights(0, 0)
        self._config = b""  # START's settings and table, as they came
        self._cells = b""  # of each place in the switch chain, NOWHERE for none
        self._strip = bytes([p.NOWHERE] * 256)  # cell -> place in the light strip
        self._wire = bytearray(1)
        self._before = bytearray()  # the last reading; empty where it was not sound
        self._debouncer: "Debouncer | None" = None  # None until two sound readings are alike
        self._sound = now  # ticks of the last sound reading
        self._chain = p.CHAIN_IDLE
        self._heard = now  # ticks of the host's last frame
        self._gone = True  # nobody listens
        self._chores = self._leaked = self._stepped = self._resend_at = now
        self._resend_ms = p.RESEND_MS
        self._told = now  # ticks of the last frame of events
        self._gathering = False  # that was a moment ago
        self._quarters = 0  # chores done: the log's clock
        self._step = 0
        self._littered = False  # garbage is to be collected
        self._hurried = 0  # turns in a row in which the host was heard or told
        self._fresh = False  # a picture has come that is not shown yet
        self._picture = -1  # number of the picture that is being received
        self._test = p.TEST_STOP
        self._touched: set[int] = set()
        self._log: list[tuple[int, str]] = []
        self._resent = self._turns = self._longest = 0
        self.log("started: %s" % p.CAUSES[hal.cause])
        for line in hal.last_words():
            self.log(line)
        self._hello()

    def log(self, text: str) -> None:
        """Keeps one line for whoever asks."""
        self._log = self._log[1 - _LOG_LINES :] + [(self._quarters, text)]

    def turn(self) -> None:
        """Reads, scans, sends and lights once; to be called without end."""
        hal = self._hal
        hal.feed()
        data = hal.read()
        now = hal.ticks()
        if self._config:
            self._scan(now)
        if data:
            for kind, payload in self._decoder.feed(data):
                self._receive(kind, payload, now)
            now = hal.ticks()
        if ticks_diff(now, self._leaked) >= LEAK_US:
            self._leak(now)
        said, fresh = self._sequence, self._fresh
        if fresh:
            self._light()
            self._littered = True
            self._scan(hal.ticks())
        self._send(now)
        hurried = data or fresh or said != self._sequence
        self._hurried = self._hurried + 1 if hurried else 0
        if self._hurried % _HURRIED_TURNS == 0 and self._take_turns(now) and self._config:
            self._scan(hal.ticks())
        self._turns += 1
        if self._turns % _TIDY_TURNS == 0:
            self._littered = True
        self._longest = max(self._longest, ticks_diff(hal.ticks(), now))

    def _take_turns(self, now: int) -> bool:
        """Does one thing that takes long, where one is due; the switches are read in between."""
        if self._littered:
            self._littered = False
            self._hal.collect()
        elif ticks_diff(now, self._chores) >= _CHORE_US:
            self._chores = now
            self._do_chores(now)
        elif ticks_diff(now, self._stepped) >= _STEP_US:
            self._stepped = now
            self._step += 1
            self._light()
        else:
            return False
        return True

    def busy(self) -> bool:
        """Whether turns must follow each other closely, for something is under way."""
        if self._replies or (self._config and not self._debouncer):
            return True
        waits = self._debouncer is not None and self._debouncer.waits()
        return waits or not (self._gone or self.outbox.idle())

    # What the switches say

    def _scan(self, now: int) -> None:
        self._hal.read_switches(self._wire)
        again = self._wire == self._before
        if again and self._debouncer and not self._debouncer.waits():
            self._sound = now
            return
        magnets = scan.magnets(self._wire, self._config[_MAGNET])
        shaken = not self._before
        if magnets is None:
            self._before[:] = b""
            if ticks_diff(now, self._sound) >= scan.BROKEN_AFTER_US:
                self._sound = now
                self._break_chain()
            return
        self._sound = now
        self._before[:] = self._wire
        # A line that comes back within a reading makes it look sound, with magnets missing.
        if self._debouncer is None:
            if not again:
                return
            self._debouncer = Debouncer(magnets, self._config[0] * 1000)
            self.outbox.begin_anew()
            self._resend_at = now
            self._chain = p.CHAIN_OK
            return
        if shaken:
            self._debouncer.wait_anew(now)
        for change in self._debouncer.scan(magnets, now):
            self._push(*change)

    def _break_chain(self) -> None:
        if self._chain != p.CHAIN_BROKEN:
            self.log("switch chain cannot be read, tail %d" % self._wire[-1])
            self._chain = p.CHAIN_BROKEN
            self._debouncer = None
            self.outbox.begin_anew()
            self._resend_at = self._sound

    def _push(self, place: int, occupied: int, word: int, ticks: int) -> None:
        cell = self._cells[place]
        if cell == p.NOWHERE:
            return
        if word == FLICKERS:
            self.log("cell %d flickers" % cell)
        elif word == CALM_AGAIN:
            self.log("cell %d is calm" % cell)
        flags = (p.OCCUPIED if occupied else 0) | (p.UNSTEADY if word == FLICKERS else 0)
        lost = self.outbox.lost
        self.outbox.push(struct.pack("<BI", cell | flags, ticks))
        if self.outbox.lost and not lost:
            self.log("too many events wait: given up")

    def _leak(self, now: int) -> None:
        due = ticks_diff(now, self._leaked) // LEAK_US
        self._leaked = p.ticks_add(self._leaked, due * LEAK_US)
        if self._debouncer:
            for _ in range(min(due, p.MAX_REGISTERS)):  # more than one where turns are few
                for change in self._debouncer.leak(now):
                    self._push(*change)

    def _do_chores(self, now: int) -> None:
        self._quarters += 1
        self._gathering = False  # before the ticks of the last frame could wrap
        oldest = self.outbox.oldest()
        if oldest:
            (ticks,) = struct.unpack("<I", oldest[1:])
            if ticks_diff(now, ticks) > p.KEEP_EVENTS_S * 1_000_000:
                self.log("events grew too old: given up")
                self.outbox.give_up()
        if not self._gone and ticks_diff(now, self._heard) > p.HOST_GONE_MS * 1000:
            self.log("host is silent")
            self._gone = True
            self._hal.show(Lights(self._lights.count, 0).words)
        self._budget.earn(now)  # which wants to be asked now and then

    # What the host says

    def _receive(self, kind: int, payload: bytes, now: int) -> None:
        self._heard = now
        if self._gone:
            self._gone = False
            self._lights.redraw()
        if kind not in p.FROM_HOST:
            self._refuse(kind, p.BAD_TYPE)
            return
        try:
            fields = p.unpack(kind, payload)
        except p.Malformed:
            self._refuse(kind, p.BAD_LENGTH)
            return
        if kind == p.ASK:
            self._hello()
        elif kind == p.START:
            self._start(now, payload[8:], *fields)
        elif kind == p.PING:
            self._reply(p.PONG, fields[0], now, self._chain)
        elif kind == p.ASK_STATS:
            self._stats()
        elif kind == p.ASK_LOG:
            for index, (quarters, text) in enumerate(self._log):
                age = (self._quarters - quarters) * p.FLICKER_LEAK_MS
                self._reply(p.LOG, age, len(self._log) - 1 - index, text.encode())
        elif kind == p.PROMPT:
            self._prompt(fields[0])
        elif not self._config:
            self._refuse(kind, p.NOT_STARTED)
        elif kind == p.ACK:
            self._acknowledge(now, *fields)
        elif kind == p.SNAP:
            self._snapshot(now)
        elif kind == p.SHOW:
            self._show(*fields)
        elif kind == p.SELFTEST:
            self._selftest(fields[0])

    def _start(
        self,
        now: int,
        config: bytes,
        session: int,
        boot: int,
        number: int,
        debounce: int,
        limit: int,
        magnet: int,
        table: bytes,
    ) -> None:
        cells = range(len(table) // 2)
        places = {cell: table[2 * cell] for cell in cells if table[2 * cell] != p.NOWHERE}
        strip = {cell: table[2 * cell + 1] for cell in cells if table[2 * cell + 1] != p.NOWHERE}
        if (
            len(table) % 2
            or len(cells) > p.MAX_CELLS
            or not _apart(places)
            or not _apart(strip)
            or not p.DEBOUNCE_MS[0] <= debounce <= p.DEBOUNCE_MS[1]
            or limit > p.LIMIT_MA[1]
            or magnet > p.READS_HIGH
        ):
            self._refuse(p.START, p.BAD_VALUE)
            return
        resumed = config == self._config and boot == self._hal.boot and self.outbox.holds(number)
        if resumed:
            self.outbox.acknowledge(number)
            self.outbox.rewind()
        else:
            self.outbox.give_up()
        if config != self._config:
            self._config = config
            cells_of = {place: cell for cell, place in places.items()}
            self._cells = bytes([cells_of.get(place, p.NOWHERE) for place in range(p.MAX_CELLS)])
            self._strip = bytes([strip.get(cell, p.NOWHERE) for cell in range(256)])
            self._wire = bytearray(scan.registers(list(places.values())) + 1)
            self._before[:] = b""
            self._debouncer = None
            self._sound = now
            self._lights = Lights(max(strip.values()) + 1 if strip else 0, limit)
            self._picture = -1
        self._test = p.TEST_STOP
        self._resend_ms = p.RESEND_MS
        self._resend_at = now
        self._reply(p.STARTED, session, 1 if resumed else 0)

    def _acknowledge(self, now: int, number: int, resend: int) -> None:
        if not self.outbox.acknowledge(number):
            self.log("host wants event %d, which is gone" % number)
            self.outbox.give_up()
        if resend:
            self.outbox.rewind()
        self._resend_ms = p.RESEND_MS
        self._resend_at = now if self.outbox.lost else p.ticks_add(now, p.RESEND_MS * 1000)

    def _show(self, frame: int, parts: int, entries: bytes) -> None:
        if not self._hal.has_lights or len(entries) % 5:
            self._refuse(p.SHOW, p.BAD_TYPE if not self._hal.has_lights else p.BAD_LENGTH)
            return
        self._test = p.TEST_STOP
        if parts & p.FIRST_PART:
            self._picture = frame
            self._lights.clear()
        elif frame != self._picture:
            return  # its first part was lost: the host will send both again
        if not sketch(entries, self._strip, self._lights.sketch(), len(PATTERNS)):
            self._refuse(p.SHOW, p.BAD_VALUE)
            return
        if parts & p.LAST_PART:
            self._reply(p.SHOWN, frame, self._lights.show())
            self._fresh = True

    def _selftest(self, test: int) -> None:
        if test != p.TEST_READ:
            self._test = test
            self._touched = set()
            self._lights.clear()
            self._lights.show()
        self._hal.read_switches(self._wire)
        raw = bytes(self._wire[:-1])
        raw += b"\xff" * (p.MAX_REGISTERS - len(raw))
        self._reply(p.CHECKED, test, self._chain, self._wire[-1], raw)

    def _prompt(self, magic: int) -> None:
        if magic != p.PROMPT_MAGIC:
            self._refuse(p.PROMPT, p.BAD_VALUE)
            return
        self._hal.write(self._frame(p.BYE, b""))
        self._hal.restart(True)

    # What the board says

    def _frame(self, kind: int, payload: bytes) -> bytes:
        frame = encode(kind, self._sequence, payload)
        self._sequence = (self._sequence + 1) & 0xFF
        return frame

    def _reply(self, kind: int, *values: "int | bytes") -> None:
        if len(self._replies) < _REPLIES:
            self._replies.append(bytes((kind,)) + p.pack(kind, *values))

    def _refuse(self, kind: int, code: int) -> None:
        self._reply(p.REFUSED, kind, code)

    def _hello(self) -> None:
        hal = self._hal
        self._reply(
            p.HELLO,
            p.PROTOCOL,
            p.HASH,
            *VERSION,
            p.HAS_LIGHTS if hal.has_lights else 0,
            hal.boot,
            hal.cause,
            hal.unit,
        )

    def _stats(self) -> None:
        self._reply(
            p.STATS,
            self._decoder.good,
            self._decoder.bad,
            self._resent,
            self.outbox.overflows,
            self._turns,
            self._longest,
            self._hal.free(),
        )
        self._longest = 0

    def _send(self, now: int) -> None:
        if not self._replies and self.outbox.idle():
            return
        left = self._budget.earn(now)
        while self._replies and left >= FRAME_OVERHEAD + len(self._replies[0]) - 1:
            reply = self._replies.pop(0)
            left = self._write(self._frame(reply[0], reply[1:]), now)
        if self._gone or not self._config:
            return
        outbox = self.outbox
        if outbox.unacknowledged() and ticks_diff(now, self._resend_at) >= 0:
            if outbox.lost:
                if self._chain != p.CHAIN_IDLE and left >= _SNAPSHOT_FRAME:
                    self._snapshot(now)
                    self._wait_longer(now)
            else:
                outbox.rewind()
                self._resent += 1
                self._wait_longer(now)
        if self._gathering and ticks_diff(now, self._told) >= _GATHER_US:
            self._gathering = False
        while outbox.fresh() and left >= _EVENTS_FRAME:
            # Each frame wakes the host up, and that costs it more than all that is in the frame.
            if self._gathering and not outbox.fills_frame():
                return
            self._told, self._gathering = now, True
            if not outbox.unacknowledged():
                self._resend_at = p.ticks_add(now, self._resend_ms * 1000)
            first, events = outbox.take()
            left = self._write(self._frame(p.EVENTS, p.pack(p.EVENTS, first, events)), now)

    def _write(self, frame: bytes, now: int) -> int:
        self._hal.write(frame)
        self._budget.spend(len(frame))
        return self._budget.earn(now)

    def _wait_longer(self, now: int) -> None:
        self._resend_at = p.ticks_add(now, self._resend_ms * 1000)
        self._resend_ms = min(2 * self._resend_ms, p.RESEND_CAP_MS)

    def _snapshot(self, now: int) -> None:
        occupied, unsteady = bytearray(8), bytearray(8)
        for place, cell in enumerate(self._cells):
            if cell == p.NOWHERE:
                continue
            if self._debouncer is None or self._debouncer.unsteady(place):
                unsteady[cell >> 3] |= 1 << (cell & 7)
            if self._debouncer and self._debouncer.occupied(place):
                occupied[cell >> 3] |= 1 << (cell & 7)
        lost = 1 if self.outbox.lost else 0
        number = self.outbox.snapshot_taken()
        self._reply(p.SNAPSHOT, number, now, lost, bytes(occupied), bytes(unsteady))

    def _light(self) -> None:
        self._fresh = False
        if self._gone or not self._hal.has_lights:
            return
        if self._test:
            self._draw_test()
        if self._lights.render(self._step):
            self._hal.show(self._lights.words)

    def _draw_test(self) -> None:
        lights = self._lights
        lights.clear()
        if self._test == p.TEST_LIGHTS and lights.count:
            lights.put(self._step // 4 % lights.count, 60, 60, 60, 0)
        elif self._debouncer:
            for place, cell in enumerate(self._cells):
                if cell == p.NOWHERE:
                    continue
                if self._debouncer.occupied(place):
                    self._touched.add(cell)
                    self._put(cell, 0, 90, 0)
                elif cell in self._touched:
                    self._put(cell, 0, 0, 25)
        lights.show()

    def _put(self, cell: int, red: int, green: int, blue: int) -> None:
        if self._strip[cell] != p.NOWHERE:
            self._lights.put(self._strip[cell], red, green, blue, 0)


def _apart(places: "dict[int, int]") -> bool:
    """Whether no two cells share a place, and no place is beyond the chain."""
    return len(set(places.values())) == len(places) and all(
        [place < p.MAX_CELLS for place in places.values()]
    )
