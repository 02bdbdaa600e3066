"""How hot the processor is."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "temperature"
WARM, HOT = 70.0, 80.0
"""Degrees; a Pi slows itself down from 80."""
CURE = "Give it air: a heat sink, a fan, or an open case."


def check(host: Host, config: DeviceConfig) -> Result:
    """The first thermal zone, in degrees."""
    text = host.read("sys/class/thermal/thermal_zone0/temp")
    if not text.lstrip("-").isdecimal():
        return info("this computer does not tell")
    degrees = int(text) / 1000
    if degrees >= HOT:
        return issue(f"{degrees:.0f} °C: the processor slows itself down", CURE)
    if degrees >= WARM:
        return warning(f"{degrees:.0f} °C is warm", CURE)
    return ok(f"{degrees:.0f} °C")
