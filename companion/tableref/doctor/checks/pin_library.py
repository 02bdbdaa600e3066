"""A library for the pins, and the chip that the header hangs on."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.pins import FACTORIES, header_chip
from tableref.doctor.host import Host
from tableref.doctor.result import NOT_A_PI, Result, issue, ok, warning

TITLE = "pins"
LIBRARIES = {"lgpio": "lgpio", "rpigpio": "RPi.GPIO", "pigpio": "pigpio"}


def check(host: Host, config: DeviceConfig) -> Result:
    """Which of the libraries that `panel` tries can be loaded; GPIOZERO_PIN_FACTORY names one."""
    if not host.model:
        return NOT_A_PI
    wanted = host.environ.get("GPIOZERO_PIN_FACTORY")
    if wanted and wanted not in FACTORIES:
        return warning(
            f"GPIOZERO_PIN_FACTORY is {wanted}, which is not used at a table",
            "unset GPIOZERO_PIN_FACTORY",
        )
    number = header_chip(host.path("dev"), host.label_of)
    if number is None:
        return issue(
            "no /dev/gpiochip is the header's, or none may be opened",
            "sudo usermod -aG gpio $USER, then log out and in again",
        )
    for name in [wanted] if wanted else list(FACTORIES):
        if host.run([host.python, "-c", f"import {LIBRARIES[name]}"]).code == 0:
            return ok(f"{name} on gpiochip{number}")
    return issue(
        f"no pin library can be loaded ({', '.join(LIBRARIES.values())})",
        f"{host.apt('python3-lgpio')}, and a virtual environment made with --system-site-packages",
    )
