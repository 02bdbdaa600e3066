"""Which Pi it is."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok

TITLE = "computer"
GOOD = (
    "Raspberry Pi 3 Model B Plus",
    "Raspberry Pi 4",
    "Raspberry Pi 5",
    "Raspberry Pi Zero 2",
    "Raspberry Pi 400",
    "Raspberry Pi 500",
    "Raspberry Pi Compute Module 4",
    "Raspberry Pi Compute Module 5",
)


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether it is one of the models that are supported."""
    if not host.model:
        return info("no Raspberry Pi: checks of its pins, power and camera are left out")
    if host.model.startswith(GOOD):
        return ok(host.model)
    return issue(f"{host.model} is not supported", "Use a Pi 3B+, 4, 5 or Zero 2 W.")
