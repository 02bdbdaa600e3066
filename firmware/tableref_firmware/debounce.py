"""Debounce for each switch, and the judgement that one flickers.

A change counts when the switch has rested in its new state for the debounce time; it bears the
time at which that rest began. A switch that changes more often than a hand can move a piece, or
never comes to rest, is called unsteady and falls silent until it is calm: no sensor fills the link.
"""

from tableref_firmware.protocol import (
    CALM_MS,
    FLICKER_CHANGES,
    FLICKER_LEAK_MS,
    MAX_REGISTERS,
    ticks_add,
    ticks_diff,
)

STEADY = 0
FLICKERS = 1
CALM_AGAIN = 2

LEAK_US = FLICKER_LEAK_MS * 1000 // MAX_REGISTERS
_LEAKS_TO_CALM = CALM_MS // FLICKER_LEAK_MS


class Debouncer:
    """Turns raw readings (one bit a switch, 1 for a magnet) into changes.

    `scan` is called as often as the switches are read, `leak` every LEAK_US. Both return
    (switch, occupied, word, ticks) with word STEADY, FLICKERS or CALM_AGAIN; times never go back.
    """

    def __init__(self, first: bytes, debounce_us: int) -> None:
        """Takes the reading `first` (a byte for eight switches) as the state, without events."""
        switches = 8 * len(first)
        self._debounce = debounce_us
        self._raw = bytearray(first)  # as read last
        self._state = bytearray(first)  # after debounce
        self._since = [0] * switches  # ticks of the last edge, while raw != state
        self._pending = 0  # switches with raw != state
        self._heat = bytearray(switches)  # changes not yet forgiven
        self._moved = bytearray(switches)  # since the last leak: 1 an edge, 2 a change
        self._restless = bytearray(switches)  # leaks in a row with edges before them and no change
        self._quiet = bytearray(switches)  # leaks in a row without one, while unsteady
        self._unsteady = bytearray(switches)
        self._warm: set[int] = set()  # switches that `leak` must look at
        self._turn = 0  # the register at which it looks next: all at once would take too long

    def occupied(self, switch: int) -> int:
        """1 where a magnet rests on this switch."""
        return self._state[switch >> 3] >> (switch & 7) & 1

    def unsteady(self, switch: int) -> int:
        """1 where this switch flickers."""
        return self._unsteady[switch]

    def waits(self) -> bool:
        """Whether a change waits for its debounce time."""
        return self._pending > 0

    def wait_anew(self, now: int) -> None:
        """Lets what waits begin its debounce time at `now`: nobody knows whether it rested."""
        self._since = [now] * len(self._since)

    def scan(self, raw: bytes, now: int) -> "list[tuple[int, int, int, int]]":
        """Takes one reading at `now` (ticks)."""
        changes: list[tuple[int, int, int, int]] = []
        if not self._pending and raw == self._raw:
            return changes
        before, state = self._raw, self._state
        for register in range(len(before)):
            fresh = raw[register]
            edges = fresh ^ before[register]
            waiting = fresh ^ state[register]
            concerned = edges | waiting
            if not concerned:
                continue
            before[register] = fresh
            switch, mask = (register << 3) - 1, 0
            while concerned:
                switch += 1
                mask = mask << 1 or 1
                if not concerned & mask:
                    continue
                concerned ^= mask
                if edges & mask:
                    self._moved[switch] |= 1
                    self._warm.add(switch)
                    # An edge away from the state starts the wait; one back to it ends the wait.
                    self._since[switch] = now
                    self._pending += 1 if waiting & mask else -1
                elif waiting & mask and ticks_diff(now, self._since[switch]) >= self._debounce:
                    self._pending -= 1
                    self._state[register] ^= mask
                    self._change(switch, changes)
        if len(changes) > 1:
            # The place decides between equals: MicroPython's sort is not stable.
            changes.sort(key=lambda change: (ticks_diff(change[3], now) << 6) + change[0])
        return changes

    def _change(self, switch: int, changes: "list[tuple[int, int, int, int]]") -> None:
        self._moved[switch] = 2
        if self._unsteady[switch]:
            return
        if self._heat[switch] < FLICKER_CHANGES:
            self._heat[switch] += 1
            word = STEADY
        else:
            self._unsteady[switch] = 1
            word = FLICKERS
        changes.append((switch, self.occupied(switch), word, self._since[switch]))

    def leak(self, now: int) -> "list[tuple[int, int, int, int]]":
        """Forgives each switch of the register whose turn it is one change; calls the restless
        unsteady, and the calm steady."""
        changes: list[tuple[int, int, int, int]] = []
        # A change that is still waiting began later than this, so times stay in order.
        when = ticks_add(now, -self._debounce)
        first = 8 * self._turn
        self._turn = (self._turn + 1) % MAX_REGISTERS
        for switch in range(first, first + 8):
            if switch not in self._warm:
                continue
            moved, self._moved[switch] = self._moved[switch], 0
            if self._heat[switch]:
                self._heat[switch] -= 1
            if self._unsteady[switch]:
                self._quiet[switch] = 0 if moved else self._quiet[switch] + 1
                if self._quiet[switch] >= _LEAKS_TO_CALM:
                    self._unsteady[switch] = self._quiet[switch] = self._restless[switch] = 0
                    changes.append((switch, self.occupied(switch), CALM_AGAIN, when))
                continue
            self._restless[switch] = self._restless[switch] + 1 if moved == 1 else 0
            if self._restless[switch] > FLICKER_CHANGES:
                self._unsteady[switch] = 1
                changes.append((switch, self.occupied(switch), FLICKERS, when))
            elif not self._heat[switch] and not moved:
                self._warm.discard(switch)
        return changes
