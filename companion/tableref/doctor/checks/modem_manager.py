"""ModemManager, which talks to new serial ports."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, ok, warning

TITLE = "ModemManager"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether it is installed."""
    advice = host.ports.modem_manager()
    return warning(advice.what, advice.cure) if advice else ok("not installed")
