"""brltty, which takes serial adapters for braille displays."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, ok, warning

TITLE = "brltty"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether it is installed."""
    advice = host.ports.brltty()
    return warning(advice.what, advice.cure) if advice else ok("not installed")
