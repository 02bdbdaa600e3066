"""The Pi camera's software, from within this Python."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.checks.seeing import BOOKWORM
from tableref.doctor.host import Host
from tableref.doctor.result import NOT_A_PI, Result, issue, ok

TITLE = "Pi camera software"
PACKAGE = "python3-picamera2"
VENV = "python3 -m venv --system-site-packages ~/tableref, and install Tableref there again"


def check(host: Host, config: DeviceConfig) -> Result:
    """libcamera and picamera2, loaded in a Python of their own: they may crash it."""
    if not host.model:
        return NOT_A_PI
    said = host.run([host.python, "-c", "import libcamera, picamera2"])
    if said.code == 0:
        return ok("libcamera and picamera2 can be loaded")
    last = (said.err.splitlines() or [f"it ended with code {said.code}"])[-1]
    apt = host.apt(PACKAGE)
    if "No module named" in last:
        if host.sees_system_packages:
            return issue(f"they are not installed ({last})", f"{apt} (a USB camera does without)")
        return issue(
            f"{last}: this virtual environment does not see the system's packages",
            f"{apt}; {VENV} (a USB camera does without)",
        )
    if "numpy" in last.lower() or "binary incompatib" in last:
        return issue(f"they do not go with this NumPy ({last})", host.pip(BOOKWORM))
    return issue(f"they cannot be loaded ({last})", f"{apt} --reinstall")
