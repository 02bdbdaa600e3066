"""RPi.GPIO beside rpi-lgpio: they overwrite each other's files."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.pins import clashing_packages
from tableref.doctor.host import Host
from tableref.doctor.result import Result, issue, ok

TITLE = "RPi.GPIO"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether both are installed."""
    if both := clashing_packages(lambda: list(host.packages)):
        one, other = both
        return issue(
            f"{one} and {other} are both installed, and both are the module RPi",
            f"{host.pip('uninstall RPi.GPIO rpi-lgpio')}; what apt brought: sudo apt remove "
            "python3-rpi.gpio; then sudo apt install python3-lgpio, which suffices",
        )
    return ok("no two packages that are the module RPi")
