"""Room on the disk, and whether it can be written."""

from __future__ import annotations

from pathlib import Path

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, issue, ok, warning

TITLE = "disk"
MEGA = 1_000_000
LEAST, FEW = 100 * MEGA, 500 * MEGA
"""Bytes: an evening's pictures take up to 200 MB."""
CURE = "Delete old games and pictures, or: sudo apt clean"


def check(host: Host, config: DeviceConfig) -> Result:
    """The disk where games are kept."""
    for line in host.read("proc/mounts").splitlines():
        words = line.split()
        if len(words) > 3 and words[1] == "/" and "ro" in words[3].split(","):
            return issue(
                "the disk is mounted read-only, so no game can be kept",
                "sudo mount -o remount,rw / ; if that fails the card is worn out: replace it.",
            )
    free = host.free(_existing(host.state.expanduser()))
    words_ = f"{free // MEGA} MB are free"
    if free < LEAST:
        return issue(words_, CURE)
    return warning(words_, CURE) if free < FEW else ok(words_)


def _existing(folder: Path) -> Path:
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder
