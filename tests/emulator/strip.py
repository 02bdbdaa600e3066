"""A strip of WS2812B on a pin of the emulated Pico: takes the pulses apart, and judges each.

The limits are where two data sheets agree, WorldSemi's first of the WS2812B (T0H 0.4, T0L 0.85,
T1H 0.8, T1L 0.45 us, each within 0.15) and the one of the WS2812B-V5 (T0H 220 to 380 ns, T0L, T1H
and T1L 580 to 1000 ns); a picture ends after 280 us at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.gpio_pin import GPIOPinState

HIGH_NS = ((250, 380), (650, 950))  # of a 0, of a 1
LOW_NS = ((700, 1000), (580, 600))
REST_NS = 280_000
# The emulator tells an edge when the processor's instruction is over, up to this much late. On the
# average that cancels out, so that the mean of each kind of pulse must keep the limits themselves.
BLUR_NS = 80
# While the processor sleeps the emulator would jump over edges; so it is woken this often.
_TICK_NS = 16


class Strip:
    """Decodes pictures: `pictures` counts them, `words` is the last, `when` its last edge, in ns.

    `wrong` keeps the first pulses that are outside the limits, in words; `rest` is the shortest
    time at rest between two pictures, in ns.
    """

    def __init__(self, mcu: Any, pin: int) -> None:
        self.pictures = self.bits = self.wrong_pulses = 0
        self.words: list[int] = []
        self.when = 0.0
        self.rest = float("inf")
        self.wrong: list[str] = []
        self._sums: dict[str, tuple[float, int]] = {}
        self.on_picture: Callable[[list[int]], None] = lambda words: None
        self._clock = mcu.clock
        self._rose = self._fell = 0.0
        self._word = self._count = 0
        self._reading: list[int] = []
        self._value: int | None = None  # of the bit whose low is going on
        self._alarm = mcu.clock.create_alarm(self._tick)
        mcu.gpio[pin].add_listener(self._edge)

    def means(self) -> dict[str, float]:
        """The mean length of each kind of pulse, in ns; one outside its limits is wrong, too."""
        means = {kind: total / count for kind, (total, count) in self._sums.items()}
        for kind, mean in means.items():
            least, most = (HIGH_NS if kind.startswith("high") else LOW_NS)[int(kind[-1])]
            if not least <= mean <= most:
                self.wrong.append(f"{kind} is {mean:.1f} ns on the average")
        return means

    def _edge(self, new: GPIOPinState, old: GPIOPinState) -> None:
        now = self._clock.nanos
        if new == GPIOPinState.HIGH:
            low = now - self._fell
            if self._value is None:
                self.rest = min(self.rest, low) if self.pictures else self.rest
                self._alarm.schedule(_TICK_NS)
            else:
                self._judge("low", self._value, low, LOW_NS)
            self._rose = now
        elif new == GPIOPinState.LOW and old == GPIOPinState.HIGH:
            high = now - self._rose
            self._fell = now
            self._value = int(high > 500)
            self._judge("high", self._value, high, HIGH_NS)
            self._push(self._value)

    def _judge(
        self, name: str, value: int, length: float, limits: tuple[tuple[int, int], ...]
    ) -> None:
        least, most = limits[value]
        kind = f"{name} of a {value}"
        total, count = self._sums.get(kind, (0.0, 0))
        self._sums[kind] = total + length, count + 1
        if not least - BLUR_NS <= length <= most + BLUR_NS:
            self.wrong_pulses += 1
            if len(self.wrong) < 10:
                at = f"picture {self.pictures}, light {len(self._reading)}, bit {self._count}"
                self.wrong.append(f"{kind} is {length:.0f} ns ({at})")

    def _push(self, value: int) -> None:
        self.bits += 1
        self._word = self._word << 1 | value
        self._count += 1
        if self._count == 24:
            self._reading.append(self._word)
            self._word = self._count = 0

    def _tick(self) -> None:
        quiet = self._clock.nanos - max(self._fell, self._rose)
        if quiet < 2_000:
            self._alarm.schedule(_TICK_NS)
        elif quiet < REST_NS:
            self._alarm.schedule(REST_NS - quiet)
        else:
            self._finish()

    def _finish(self) -> None:
        if self._count:
            self.wrong_pulses += 1
            self.wrong.append(f"picture {self.pictures} ends within a light")
        self.words, self._reading = self._reading, []
        self._word = self._count = 0
        self._value = None
        self.pictures += 1
        self.when = self._fell
        self.on_picture(self.words)
