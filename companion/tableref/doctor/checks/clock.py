"""Whether the clock is right; a Pi without a network starts in the past."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "clock"
OLDEST = 1_767_225_600.0
"""2026-01-01: no Tableref is older, so no right clock can be before it."""
CURE = "Connect to a network once: sudo timedatectl set-ntp true"


def check(host: Host, config: DeviceConfig) -> Result:
    """The year, and whether a time server has set it."""
    if host.now() < OLDEST:
        return issue("the clock is years behind, so journals get wrong dates", CURE)
    told = host.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
    if told.code or told.out not in ("yes", "no"):
        return info("the clock runs; whether it is set by a time server is not told here")
    if told.out == "no":
        return warning("no time server has set the clock since the start", CURE)
    return ok("set by a time server")
