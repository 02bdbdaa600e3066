"""The operating system: 64-bit Raspberry Pi OS, bookworm or trixie."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "system"
RELEASES = ("trixie", "bookworm")


def check(host: Host, config: DeviceConfig) -> Result:
    """Which release it is, and that programs are of 64 bits: a 32-bit system may run on a 64-bit
    kernel, so only Python itself can tell."""
    named = host.release or "unknown"
    if host.bits < 64:
        return issue(
            f"{named}, 32-bit: there is no OpenCV for it",
            "Write the 64-bit Raspberry Pi OS on the card, with Raspberry Pi Imager.",
        )
    if host.release in RELEASES:
        return ok(f"{named}, 64-bit")
    if not host.model:
        return info(f"{named}, 64-bit")
    return warning(f"{named} was never tried", "Use 64-bit Raspberry Pi OS, trixie or bookworm.")
