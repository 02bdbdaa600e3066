"""Who else holds a pin that is wired here."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.lock import LockHeld
from tableref.devices.pins import HardwareLock, PinBusy, PinError, header_chip
from tableref.doctor.host import Host
from tableref.doctor.result import NOT_A_PI, Result, info, issue, ok

TITLE = "pins in use"
LOCK = "run/lock/tableref.lock"
SHOWN_WORDS = 2
"""Of a command: the rest may name games and people."""


def check(host: Host, config: DeviceConfig) -> Result:
    """Another Tableref, by its lock; any other program, by what the kernel says of each pin."""
    if running := tableref_running(host):
        return info(
            f"Tableref itself runs ({running}), so its pins and its display were left alone",
            "To have them looked at: sudo systemctl stop tableref, or end it, and try again",
        )
    if not host.model:
        return NOT_A_PI
    number = header_chip(host.path("dev"), host.label_of)
    if number is None:
        return info("not known, for the header's chip cannot be asked")
    chip = host.path(f"dev/gpiochip{number}")
    held = [(pin, host.holder(pin, chip)) for pin in config.pins()]
    taken = [f"GPIO{pin} by {holder}" for pin, holder in held if holder]
    if taken:
        return issue(
            f"held by another program: {', '.join(taken)}",
            "End it (`gpioinfo`, from apt's gpiod, lists them), or configure other pins.",
        )
    return ok("nobody else holds a pin that is wired")


def tableref_running(host: Host) -> str:
    """The process that has the table's hardware, or an empty text. Makes no file."""
    path = host.path(LOCK)
    if not path.is_file():
        return ""
    try:
        HardwareLock(path).close()
    except PinBusy as error:
        held = error.__cause__
        if not isinstance(held, LockHeld):
            raise
        return f"process {held.process}, {' '.join(held.command.split()[:SHOWN_WORDS])}"
    except PinError:
        return ""  # a lock that cannot be opened is told by whoever needs it
    return ""
