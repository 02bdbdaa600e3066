"""The supply: whether the Pi gets or got too little voltage."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import NOT_A_PI, Result, info, issue, ok, warning

TITLE = "power"
FILES = "sys/devices/platform/soc*/*firmware/get_throttled"
LOW_NOW, SLOWED_NOW, LOW_BEFORE = 0x1, 0xE, 0x10000
CURE = "Use the supply that belongs to this Pi, and a short, thick cable."


def check(host: Host, config: DeviceConfig) -> Result:
    """What the firmware has noticed, now and since the start."""
    if not host.model:
        return NOT_A_PI
    bits = _bits(host)
    if bits is None:
        return info("the Pi does not tell", "Tells it: sudo apt install raspi-utils")
    if bits & LOW_NOW:
        return issue(f"the voltage is too low right now ({bits:#x})", CURE)
    if bits & LOW_BEFORE:
        return warning(f"the voltage was too low since the start ({bits:#x})", CURE)
    if bits & SLOWED_NOW:
        return warning(f"the Pi slows itself down ({bits:#x})", "Give it air or a heat sink.")
    return ok("the voltage was never too low since the start")


def _bits(host: Host) -> int | None:
    files = sorted(host.root.glob(FILES))
    text = host.read(str(files[0].relative_to(host.root))) if files else ""
    text = text or host.run(["vcgencmd", "get_throttled"]).out
    try:
        return int(text.removeprefix("throttled="), 16)
    except ValueError:
        return None
