"""The wire format between board and host: one table of messages, used by both sides.

`docs/link-protocol.md` is made from it, and HELLO carries its hash, so that two sides which do not
agree find out before the first event. Values are little-endian; cells are numbers in the table
that START carries; ticks are microseconds of the board's clock and wrap at TICKS_PERIOD.
"""

import binascii
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PROTOCOL = 2
TICKS_PERIOD = 1 << 30  # MicroPython's own on 32 bits: the counter wraps after 17.9 minutes
TICKS_MASK = TICKS_PERIOD - 1  # still a small integer on the board, which the period is not
_HALF_PERIOD = TICKS_PERIOD // 2

MAX_CELLS = 64
MAX_REGISTERS = 8
NOWHERE = 255  # in START's table: this cell has no switch, or no light
MAX_PAYLOAD = 240  # bytes: one frame stays one block of COBS

HEARTBEAT_MS = 250  # the host pings this often
LOST_BEATS = 3  # silence for so many heartbeats is a lost link
HOST_GONE_MS = 3000  # the board goes dark when the host has said nothing for so long

# 30 % of the 14.9 kB/s that USB CDC carried when measured is 4470; the rest is the lights' way.
BUDGET_BYTES_PER_S = 4000
BUDGET_BURST = 400

OUTBOX_EVENTS = 256  # events that the board keeps until the host has them
KEEP_EVENTS_S = 300  # older ones could be mistaken for newer ones once the ticks wrap
EVENTS_IN_FRAME = 12
RESEND_MS = 60  # first wait for an acknowledgement; it doubles up to
RESEND_CAP_MS = 480
GATHER_MS = 15  # after a frame of events, for so long more are gathered, unless they fill one

DEBOUNCE_MS = (1, 50)  # least and most that START may ask for
LIMIT_MA = (0, 5000)

FLICKER_CHANGES = 4  # changes in a burst that a hand may make
FLICKER_LEAK_MS = 250  # one of them is forgiven in this time
CALM_MS = 1000  # a flickering cell is trusted again after this long without a change

# HELLO.capabilities
HAS_LIGHTS = 1
# HELLO.cause
CAUSES = ("unknown", "power", "watchdog", "asked")
# An event's first byte
OCCUPIED = 0x80
UNSTEADY = 0x40  # the cell flickers: its state means nothing until it is calm
CELL_MASK = 0x3F
# SHOW.parts
FIRST_PART = 1
LAST_PART = 2
# PROMPT.magic: noise must not take the firmware down
PROMPT_MAGIC = 0x7AB1E0FF
# SELFTEST.test
TEST_STOP = 0
TEST_LIGHTS = 1
TEST_SWITCHES = 2
TEST_READ = 3
# START.magnet
READS_LOW = 0
READS_HIGH = 1
# PONG.chain and CHECKED.chain
CHAIN_OK = 0
CHAIN_BROKEN = 1
CHAIN_IDLE = 2
# REFUSED.code
REFUSALS = ("", "wrong length", "value out of range", "unknown message", "START must come first")
BAD_LENGTH = 1
BAD_VALUE = 2
BAD_TYPE = 3
NOT_STARTED = 4

# Host to board
ASK, START, ACK, PING, SHOW, SNAP, SELFTEST, ASK_STATS, ASK_LOG, PROMPT = range(1, 11)
# Board to host
HELLO, STARTED, EVENTS, SNAPSHOT, PONG, SHOWN, CHECKED, STATS, LOG, REFUSED, BYE = range(65, 76)

# (type, name, sender, ((field, struct code, meaning), ...), tail (name, meaning) or None, meaning)
MESSAGES = (
    (ASK, "ASK", "host", (), None, "Who is there? The board answers HELLO."),
    (
        START,
        "START",
        "host",
        (
            ("session", "H", "chosen by the host; STARTED says it back"),
            ("boot", "I", "HELLO.boot of the run whose events the host has, 0 for none"),
            ("next", "H", "the event that the host wants next, if boot is this run"),
            ("debounce", "B", "ms that a switch must rest before a change counts"),
            ("limit", "H", "mA that all lights together may draw"),
            ("magnet", "B", "how an input reads with a magnet over its switch: 0 low, 1 high"),
        ),
        ("table", "two bytes a cell: its place in the switch chain, in the light strip, 255 none"),
        "Begin to scan. The board answers STARTED, and then either sends events from `next` on "
        "or, where it cannot, a SNAPSHOT.",
    ),
    (
        ACK,
        "ACK",
        "host",
        (
            ("next", "H", "all events before this one have arrived"),
            ("resend", "B", "1: one is missing, send again from `next` on"),
        ),
        None,
        "Sent for EVENTS, some frames at a time, and for each SNAPSHOT. The board forgets what it "
        "acknowledges. A number that the board has already forgotten is answered with a SNAPSHOT.",
    ),
    (PING, "PING", "host", (("token", "B", "comes back in PONG"),), None, "The heartbeat."),
    (
        SHOW,
        "SHOW",
        "host",
        (
            ("frame", "B", "number of the picture, comes back in SHOWN"),
            (
                "parts",
                "B",
                "1 first part (all dark before), 2 last part (now show it), 3 the only one",
            ),
        ),
        ("lights", "five bytes each: cell, red, green, blue, pattern"),
        "A picture of lights; what it does not name is dark. Repeated until SHOWN comes.",
    ),
    (SNAP, "SNAP", "host", (), None, "Asks for a SNAPSHOT."),
    (
        SELFTEST,
        "SELFTEST",
        "host",
        (
            (
                "test",
                "B",
                "0 stop, 1 light after light, 2 each magnet lights its cell, 3 only read",
            ),
        ),
        None,
        "The board answers CHECKED at once; the pictures run until stopped or SHOW comes. 3 leaves "
        "the lights as they are.",
    ),
    (ASK_STATS, "ASK_STATS", "host", (), None, "Asks for STATS."),
    (ASK_LOG, "ASK_LOG", "host", (), None, "Asks for the board's log: one LOG a line."),
    (
        PROMPT,
        "PROMPT",
        "host",
        (("magic", "I", "0x7AB1E0FF"),),
        None,
        "The board says BYE and restarts into MicroPython's prompt, without watchdog, for "
        "mpremote. The next reset starts the firmware again. The same in all versions.",
    ),
    (
        HELLO,
        "HELLO",
        "board",
        (
            ("protocol", "B", "version of this table; this field to `patch` never change"),
            ("hash", "I", "CRC-32 of this table"),
            ("major", "B", "version of the firmware"),
            ("minor", "B", ""),
            ("patch", "B", ""),
            ("capabilities", "B", "1: has lights"),
            ("boot", "I", "differs with every start of the board, never 0"),
            ("cause", "B", "of the last start: 0 unknown, 1 power, 2 watchdog, 3 asked"),
            ("unit", "8s", "the chip's own number"),
        ),
        None,
        "Answers ASK; also said once when the board starts.",
    ),
    (
        STARTED,
        "STARTED",
        "board",
        (
            ("session", "H", "START's"),
            ("resumed", "B", "1: events go on where the host left off"),
        ),
        None,
        "Answers START. The host heeds nothing but HELLO before it.",
    ),
    (
        EVENTS,
        "EVENTS",
        "board",
        (("first", "H", "number of the first event; numbers go up by one and wrap"),),
        ("events", "five bytes each: cell + 64 if flickering + 128 if occupied, then ticks"),
        "Changes, oldest first; ticks say when the switch came to rest. Kept until acknowledged.",
    ),
    (
        SNAPSHOT,
        "SNAPSHOT",
        "board",
        (
            ("next", "H", "the event that follows"),
            ("ticks", "I", "when"),
            ("lost", "B", "1: events before this were given up; take it, and go on from `next`"),
            ("occupied", "8s", "one bit a cell, cell 0 lowest"),
            ("unsteady", "8s", "likewise: cells that flicker"),
        ),
        None,
        "The whole board. Repeated until acknowledged where `lost` is 1.",
    ),
    (
        PONG,
        "PONG",
        "board",
        (
            ("token", "B", "PING's"),
            ("ticks", "I", "the board's clock when it read the PING"),
            ("chain", "B", "0 good, 1 the switch chain cannot be read, 2 not started"),
        ),
        None,
        "Answers PING.",
    ),
    (
        SHOWN,
        "SHOWN",
        "board",
        (
            ("frame", "B", "SHOW's"),
            ("scale", "H", "256: as asked; less: dimmed to stay within the current limit"),
        ),
        None,
        "Answers the last part of a picture.",
    ),
    (
        CHECKED,
        "CHECKED",
        "board",
        (
            ("test", "B", "SELFTEST's"),
            ("chain", "B", "as in PONG"),
            ("tail", "B", "the byte after the chain, 0 in a whole one"),
            ("raw", "8s", "the chain as it reads, one bit a place, 1 for high"),
        ),
        None,
        "Answers SELFTEST.",
    ),
    (
        STATS,
        "STATS",
        "board",
        (
            ("good", "I", "frames received well"),
            ("bad", "I", "frames received damaged"),
            ("resent", "I", "frames of events sent again"),
            ("overflows", "H", "times that events were given up"),
            ("turns", "I", "turns of the main loop"),
            ("longest", "I", "us, the longest turn since the last STATS"),
            ("free", "I", "bytes of memory free after collecting"),
        ),
        None,
        "Counters since the board started.",
    ),
    (
        LOG,
        "LOG",
        "board",
        (("age", "I", "ms ago"), ("left", "B", "lines that follow")),
        ("text", "ASCII"),
        "One line of the board's log, oldest first.",
    ),
    (
        REFUSED,
        "REFUSED",
        "board",
        (
            ("type", "B", "of the message refused"),
            (
                "code",
                "B",
                "1 wrong length, 2 value out of range, 3 unknown, 4 no START yet",
            ),
        ),
        None,
        "A message that came through whole and cannot be obeyed.",
    ),
    (BYE, "BYE", "board", (), None, "Answers PROMPT."),
)


def _format(fields: "Iterable[tuple[str, str, str]]") -> str:
    return "<" + "".join([code for _name, code, _meaning in fields])


FORMATS = {message[0]: _format(message[3]) for message in MESSAGES}
NAMES = {message[0]: message[1] for message in MESSAGES}
FROM_HOST = tuple([message[0] for message in MESSAGES if message[2] == "host"])
_TAILS = tuple([message[0] for message in MESSAGES if message[4]])
_SHAPES = {kind: (text, struct.calcsize(text), kind in _TAILS) for kind, text in FORMATS.items()}


def _table_hash() -> int:
    """CRC-32 of everything in the table that changes bytes on the wire or what they mean."""
    text = ";".join(
        [
            "%d %s %s %s" % (message[0], message[1], FORMATS[message[0]], message[0] in _TAILS)
            + "".join([" " + field[0] for field in message[3]])
            for message in MESSAGES
        ]
    )
    return binascii.crc32((text + " %d %d" % (PROTOCOL, TICKS_PERIOD)).encode())


HASH = _table_hash()


class Malformed(ValueError):
    """A payload does not have the shape that the table gives its type."""


def pack(kind: int, *values: "int | bytes") -> bytes:
    """The payload of a message: its fields in the table's order, then its tail if it has one."""
    if kind in _TAILS:
        return struct.pack(FORMATS[kind], *values[:-1]) + bytes(values[-1])
    return struct.pack(FORMATS[kind], *values)


def unpack(kind: int, payload: bytes) -> tuple:  # type: ignore[type-arg]  # fields differ by kind
    """The fields of a message, then its tail as bytes if it has one. Raises Malformed."""
    if kind not in _SHAPES:
        raise Malformed("there is no message of type %d" % kind)
    text, size, tail = _SHAPES[kind]
    more = len(payload) - size
    if more < 0 or (more and not tail):
        raise Malformed("%s of %d bytes" % (NAMES[kind], len(payload)))
    fields = struct.unpack_from(text, payload)
    return fields + (payload[size:],) if tail else fields


def ticks_diff(later: int, earlier: int) -> int:
    """Microseconds from `earlier` to `later`, right while they are less than 8.9 minutes apart."""
    return ((later - earlier + _HALF_PERIOD) & TICKS_MASK) - _HALF_PERIOD


def ticks_add(ticks: int, us: int) -> int:
    """The ticks `us` microseconds later."""
    return (ticks + us) & TICKS_MASK


def number_diff(later: int, earlier: int) -> int:
    """Events from number `earlier` to number `later`; negative where `later` came before."""
    return ((later - earlier + 0x8000) & 0xFFFF) - 0x8000
