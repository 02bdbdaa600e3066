"""NumPy and OpenCV, whose versions must fit each other and the camera's software."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, issue, ok, warning

TITLE = "NumPy, OpenCV"
HEADLESS = "opencv-python-headless"
OTHERS = ("opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless")
BOOKWORM = "install 'numpy<2' 'opencv-python-headless==4.11.0.86'"
"""What pip has to do there: hardware/constraints/bookworm.txt, which is not everywhere."""


def check(host: Host, config: DeviceConfig) -> Result:
    """Read from what is installed, without loading either."""
    numpy, opencv = host.packages.get("numpy"), host.packages.get(HEADLESS)
    if numpy is None or opencv is None:
        missing = " and ".join(n for n, v in (("numpy", numpy), (HEADLESS, opencv)) if v is None)
        usual = f"install 'numpy<3' '{HEADLESS}>=4.10,<6'"
        cure = host.pip(BOOKWORM if host.release == "bookworm" else usual)
        return issue(f"{missing} not installed", cure)
    found = f"NumPy {numpy}, OpenCV {opencv}"
    if twice := [name for name in OTHERS if name in host.packages]:
        return warning(
            f"{found}, and {' and '.join(twice)}, which overwrites it",
            host.pip(f"uninstall {' '.join(twice)}")
            + f"; {host.pip(f'install --force-reinstall {HEADLESS}')}",
        )
    if _numbers(opencv) < (4, 10) or _numbers(opencv) >= (6,):
        return issue(
            f"{found}: OpenCV 4.10 to 5 is needed", host.pip(f"install '{HEADLESS}>=4.10,<6'")
        )
    bookworms = bool(host.model) and host.release == "bookworm"
    if bookworms and _numbers(numpy) >= (2,):
        return issue(f"{found}: bookworm's camera software needs NumPy 1", host.pip(BOOKWORM))
    if _numbers(opencv) >= (4, 12) and _numbers(numpy) < (2,):
        cure = host.pip(BOOKWORM if bookworms else "install 'numpy>=2,<3'")
        return issue(f"{found}: OpenCV from 4.12 on needs NumPy 2", cure)
    return ok(found)


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version."""
    numbers = []
    for part in version.split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part))
    return tuple(numbers)
