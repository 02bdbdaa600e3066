"""How well the link does: counters, a warning when frames go bad, the last frames on failure."""

from __future__ import annotations

import logging
from collections import deque
from pathlib import Path

from tableref.errors import UserError
from tableref_firmware.framing import Decoder
from tableref_firmware.protocol import NAMES

log = logging.getLogger("tableref.link")

REPORT_S = 60.0
WARN_FRAMES = 100  # frames that a judgement needs
WARN_SHARE = 0.10  # of them bad
LAST_TURNS = 32  # in each of which mostly one frame came or went

_kept: list[logging.Handler] = []


def keep_log(file: Path) -> None:
    """Writes all that the link notes to this file, and its warnings to standard error as before.

    One file at a time: what is kept from now on is no longer of the game before. UserError where
    the file cannot be written.
    """
    try:
        whole = logging.FileHandler(file, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from error
    whole.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    urgent = logging.StreamHandler()
    urgent.setLevel(logging.WARNING)
    for former in _kept:
        log.removeHandler(former)
        former.close()
    _kept[:] = (whole, urgent)
    for handler in _kept:
        log.addHandler(handler)
    log.setLevel(logging.INFO)


class Health:
    """Counts what goes over the link, and says so in the log every REPORT_S seconds."""

    def __init__(self, now: float) -> None:
        self.bytes_in = self.bytes_out = 0
        self.good = self.bad = self.lost = 0
        self.events = self.asked_again = self.snapshots = 0
        self.round_trip = 0.0  # seconds, the last one
        self._last: deque[tuple[float, bytes, bytes]] = deque(maxlen=LAST_TURNS)
        self._report_at = now + REPORT_S
        self._warn_at = now  # no sooner, so that a bad evening does not fill the log
        self._judged = self._judged_bad = 0  # frames, and bad ones, at the last judgement

    def note(self, now: float, came: bytes, went: bytes) -> None:
        """Notes bytes from the board, and those that went back to it."""
        self.bytes_in += len(came)
        self.bytes_out += len(went)
        self._last.append((now, came, went))

    def count(self, now: float, decoder: Decoder) -> None:
        """Takes over a decoder's counters, and warns where too many frames are damaged."""
        self.good += decoder.good
        self.bad += decoder.bad
        self.lost += decoder.lost
        decoder.good = decoder.bad = decoder.lost = 0
        fresh, bad = self.good + self.bad - self._judged, self.bad - self._judged_bad
        if fresh < WARN_FRAMES:
            return
        self._judged, self._judged_bad = self.good + self.bad, self.bad
        if bad >= WARN_SHARE * fresh and now >= self._warn_at:
            self._warn_at = now + REPORT_S
            log.warning(
                "%d of the last %d frames from the board came damaged: try another USB cable, "
                "a shorter one, and a stronger power supply",
                bad,
                fresh,
            )

    def report(self, now: float) -> bool:
        """Writes the counters to the log when it is time, and returns whether it was."""
        if now < self._report_at:
            return False
        self._report_at = now + REPORT_S
        log.info("link: %s", self)
        return True

    def dump(self, why: str) -> None:
        """Writes the last frames of both directions to the log."""
        log.warning("link failed: %s; %s", why, self)
        ways = (("<-", Decoder()), ("->", Decoder()))
        for when, *both in self._last:
            for (way, decoder), data in zip(ways, both, strict=True):
                for kind, payload in decoder.feed(data):
                    log.info("%.6f %s %s %s", when, way, NAMES.get(kind, str(kind)), payload.hex())

    def __str__(self) -> str:
        return (
            f"{self.events} events, {self.good} frames good, {self.bad} bad, {self.lost} lost, "
            f"{self.asked_again} asked again, {self.snapshots} snapshots, "
            f"{self.bytes_in} bytes in, {self.bytes_out} out, "
            f"round trip {self.round_trip * 1000:.1f} ms"
        )
