"""Events on their way to the host: numbered, kept until acknowledged, given up only openly.

When more wait than fit, or they have waited too long for their ticks to be told apart, all of them
are dropped at once and `lost` is set: from then on the host must take a snapshot, which tells what
the dropped events led to. Numbers are 16 bits and wrap.
"""

from tableref_firmware.protocol import EVENTS_IN_FRAME, OUTBOX_EVENTS, number_diff

_AT_ONCE = 4 * EVENTS_IN_FRAME  # events in flight before the first acknowledgement must come


class Outbox:
    """A queue of packed events. `next` is the number of the event to come."""

    def __init__(self, first: int = 0) -> None:
        self._waiting: list[bytes] = []
        self._first = first
        self._sent = 0  # of the waiting ones, how many are under way
        self.next = first
        self.lost = True  # the host has never seen the board
        self.overflows = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def oldest(self) -> "bytes | None":
        """The event that has waited longest."""
        return self._waiting[0] if self._waiting else None

    def push(self, event: bytes) -> None:
        """Adds one event; gives all up where there is no room."""
        self.next = (self.next + 1) & 0xFFFF
        self._waiting.append(event)
        if len(self._waiting) > OUTBOX_EVENTS:
            self.overflow()

    def overflow(self) -> None:
        """Gives all up for lack of room, and counts it."""
        self.overflows += 1
        self.give_up()

    def give_up(self) -> None:
        """Forgets all events; only a snapshot helps the host now."""
        self._waiting = []
        self._first = self.next
        self._sent = 0
        self.lost = True

    def begin_anew(self) -> None:
        """Gives all up because the board changed without events.

        The next snapshot gets a number of its own: an acknowledgement of an earlier one, which may
        be under way, must not be taken for one of it.
        """
        self.next = (self.next + 1) & 0xFFFF
        self.give_up()

    def snapshot_taken(self) -> int:
        """The number that a snapshot of this moment must bear, which covers all that waits."""
        if self.lost:
            self._waiting = []
            self._first = self.next
            self._sent = 0
        return self.next

    def holds(self, number: int) -> bool:
        """Whether the events from `number` on can all still be sent."""
        return not self.lost and 0 <= number_diff(number, self._first) <= len(self._waiting)

    def acknowledge(self, number: int) -> bool:
        """Forgets the events before `number`; False where that number says nothing sensible."""
        count = number_diff(number, self._first)
        if self.lost:
            # Only the number of the last snapshot, or one after it, says that it has arrived.
            if not 0 <= count <= len(self._waiting):
                return True
            self.lost = False
        if not 0 <= count <= len(self._waiting):
            return False
        self._waiting = self._waiting[count:]
        self._first = number
        self._sent = max(0, self._sent - count)
        return True

    def rewind(self) -> None:
        """Begins again with the oldest event that waits."""
        self._sent = 0

    def idle(self) -> bool:
        """Whether there is nothing to send and nothing to wait for."""
        return not self._waiting and not self.lost

    def fresh(self) -> bool:
        """Whether an event waits that may be sent now."""
        return not self.lost and self._sent < len(self._waiting) and self._sent < _AT_ONCE

    def fills_frame(self) -> bool:
        """Whether as many events wait to be sent as go into one frame."""
        return len(self._waiting) - self._sent >= EVENTS_IN_FRAME

    def unacknowledged(self) -> bool:
        """Whether the host owes a word."""
        return self._sent > 0 or self.lost

    def take(self) -> "tuple[int, bytes]":
        """Number of the first, and the packed events, of the next frame to send."""
        batch = self._waiting[self._sent : self._sent + EVENTS_IN_FRAME]
        first = (self._first + self._sent) & 0xFFFF
        self._sent += len(batch)
        return first, b"".join(batch)
