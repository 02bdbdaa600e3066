"""How worn the card or disk is."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "wear"
CURE = "Copy your games to another card soon, and play on with that."
WORN = 8
"""Tenths of its life that an eMMC has spent."""


def check(host: Host, config: DeviceConfig) -> Result:
    """Errors that the file system has met, and what an eMMC says of its life; SD cards say none."""
    folder = host.path("sys/fs/ext4")
    errors = sum(
        int(text)
        for part in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if (text := host.read(f"sys/fs/ext4/{part.name}/errors_count")).isdecimal()
    )
    if errors:
        return issue(
            f"the file system has met {errors} errors",
            "Add fsck.mode=force to the line in /boot/firmware/cmdline.txt and restart; if errors "
            "come back, the card is worn out: replace it.",
        )
    spent = _tenths_spent(host)
    if spent is None:
        return info("no errors; SD cards do not tell how worn they are")
    if spent >= WORN:
        return warning(f"{min(spent, 10) * 10} % of its life are spent", CURE)
    return ok(f"no errors; at most {spent * 10} % of its life are spent")


def _tenths_spent(host: Host) -> int | None:
    values = host.read("sys/block/mmcblk0/device/life_time").split()
    try:
        return max((int(value, 16) for value in values), default=None)
    except ValueError:
        return None
