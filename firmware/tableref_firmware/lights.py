"""The picture that the lights show: patterns that run by themselves, and a limit on the current.

The limit is kept by dimming the whole picture, reckoned with every light at the brightest step of
its pattern, so that no moment of any picture goes above it and nothing pumps while others blink.
"""

from array import array

from tableref_firmware.quick import shine, tally

STEP_MS = 50

# (name, one brightness a step, 255 full): pattern number is the place in this table.
PATTERNS = (
    ("steady", b"\xff"),
    ("pulse", bytes([255 - abs(step - 16) * 14 for step in range(32)])),
    ("slow blink", b"\xff" * 10 + b"\x00" * 10),
    ("fast blink", b"\xff" * 3 + b"\x00" * 2),
)
PATTERN_NAMES = tuple([name for name, _levels in PATTERNS])

# A WS2812B draws 20 mA a colour at full brightness, and 1 mA when dark (its data sheet).
CHANNEL_MA = 20
DARK_MA = 1
FULL_SCALE = 256


class Lights:
    """A strip of `count` lights under a limit of `limit_ma`, addressed by place in the strip.

    A light is one number, as SHOW has it in four bytes: red | green << 8 | blue << 16 |
    pattern << 24. Small numbers in an array are nothing that garbage collection must look at.
    """

    def __init__(self, count: int, limit_ma: int) -> None:
        self.count = count
        self.scale = FULL_SCALE
        self.words = array("I", [0] * count)  # green << 16 | red << 8 | blue, for the hardware
        self._limit = limit_ma
        self._dark = array("I", self.words)
        self._next = array("I", self.words)  # is made
        self._lit = self._next  # is shown
        self._spare = array("I", self.words)
        self._patterns = 0  # that shine, one bit each
        self._step = -1  # rendered last
        self._levels = b""  # of each pattern at that step
        self._stale = True  # `words` are not what should be shown

    def clear(self) -> None:
        """Begins a new picture, all dark, that `show` will bring to light."""
        if self._next is self._lit:
            self._next, self._spare = self._spare, self._next
        self._next[:] = self._dark

    def sketch(self) -> "array[int]":
        """The picture that is being made."""
        return self._next

    def put(self, place: int, red: int, green: int, blue: int, pattern: int) -> None:
        """Sets one light of the picture that is being made."""
        self._next[place] = red | green << 8 | blue << 16 | pattern << 24

    def show(self) -> int:
        """Makes the new picture the shown one; returns its scale, FULL_SCALE where undimmed."""
        self._lit = self._next
        asked, self._patterns = tally(self._lit)
        allowed = max(0, self._limit - self.count * DARK_MA) * 255 // CHANNEL_MA
        self.scale = FULL_SCALE if asked <= allowed else FULL_SCALE * allowed // asked
        self._stale = True
        return self.scale

    def redraw(self) -> None:
        """Makes the next `render` fill in everything, whatever was shown meanwhile."""
        self._stale = True

    def render(self, step: int) -> bool:
        """Fills `words` for this step (of STEP_MS); False where nothing changed since the last."""
        if step != self._step:
            self._step = step
            levels = bytes([pattern[step % len(pattern)] for _name, pattern in PATTERNS])
            if self._differs(levels):
                self._stale = True
            self._levels = levels
        if not self._stale:
            return False
        self._stale = False
        shine(self._lit, self._levels, self.scale, self.words)
        return True

    def _differs(self, levels: bytes) -> bool:
        for number, before in enumerate(self._levels):
            if self._patterns >> number & 1 and levels[number] != before:
                return True
        return False


def current_ma(words: "array[int]") -> float:
    """What a strip draws when it shows these words, by the data sheet's figures."""
    channels = sum([(word >> 16 & 255) + (word >> 8 & 255) + (word & 255) for word in words])
    return channels * CHANNEL_MA / 255 + len(words) * DARK_MA
