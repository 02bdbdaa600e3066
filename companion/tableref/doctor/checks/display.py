"""The small display: its bus, its address, and whether it answers."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.oled import DisplayError
from tableref.doctor.checks.pin_holders import tableref_running
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, ok, warning, worst

TITLE = "display"


def check(host: Host, config: DeviceConfig) -> Result:
    """Opens each display that is configured, and clears it."""
    if not config.displays:
        return info("none is configured")
    if not host.model and not list(host.path("dev").glob("i2c-*")):
        return info("not a Pi, and no I2C bus: left out")
    if tableref_running(host):
        return info("left alone, for Tableref itself runs")
    results = []
    for options in config.displays:
        where = f"bus {options.bus}, address 0x{options.address:02X}"
        try:
            host.open_display(options).close()
        except DisplayError as error:
            # A game goes on without it.
            results.append(warning(error.what, error.advice))
        else:
            results.append(
                ok(f"answers on {where}; that it is an {options.driver} is shown by `panel`")
            )
    return worst(results)
