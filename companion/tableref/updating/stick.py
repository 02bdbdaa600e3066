"""Releases on a USB stick: one that is there already as a folder, or one that is mounted for it."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tableref.updating.release import ENDING

MOUNTED = ("media", "mnt", "run/media")
"""Below these a desktop or a person has mounted sticks, at most two folders deep."""
OPTIONS = "ro,nosuid,nodev,noexec"
MOST = 100
"""Files that are looked at on one stick."""


@contextlib.contextmanager
def found(root: Path = Path("/")) -> Iterator[list[Path]]:
    """Release files on all sticks, while they are mounted. Needs root where one is not yet."""
    with contextlib.ExitStack() as stack:
        mounts = _mounts(root)
        folders = [Path(place) for _, place in mounts if _is_a_sticks(root, Path(place))]
        taken = {device for device, _ in mounts}
        for device in _partitions(root):
            if str(device) not in taken and (place := stack.enter_context(_mounted(device))):
                folders.append(place)
        yield [path for folder in folders for path in _releases(folder)]


def _mounts(root: Path) -> list[tuple[str, str]]:
    """Device and place of all that is mounted."""
    try:
        lines = (root / "proc/mounts").read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
    # Spaces in a stick's name are written as \040.
    return [
        (words[0], words[1].replace("\\040", " "))
        for words in map(str.split, lines)
        if len(words) > 1
    ]


def _is_a_sticks(root: Path, place: Path) -> bool:
    return any(place.is_relative_to(root / name) for name in MOUNTED)


def _partitions(root: Path) -> list[Path]:
    """Partitions of removable disks; of a disk without any the disk itself."""
    devices = []
    for disk in sorted((root / "sys/block").glob("sd*")):
        with contextlib.suppress(OSError):
            if (disk / "removable").read_text().strip() == "1":
                names = sorted(part.name for part in disk.glob(f"{disk.name}*")) or [disk.name]
                devices += [root / "dev" / name for name in names]
    return devices


@contextlib.contextmanager
def _mounted(device: Path) -> Iterator[Path | None]:
    """A stick's folder, read-only; None where it cannot be mounted (no file system, say)."""
    with tempfile.TemporaryDirectory(prefix="tableref-stick-") as place:
        words = ["mount", "-o", OPTIONS, str(device), place]
        try:
            there = subprocess.run(words, capture_output=True, timeout=60).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            there = False
        try:
            yield Path(place) if there else None
        finally:
            if there:
                subprocess.run(["umount", "--lazy", place], capture_output=True, timeout=60)


def _releases(folder: Path) -> list[Path]:
    """Release files on a stick, and one folder below; hidden ones are what a system left there."""
    names = (f"[!.]*{ENDING}", f"[!.]*/[!.]*{ENDING}")
    try:
        paths = [path for name in names for path in sorted(folder.glob(name)) if path.is_file()]
    except OSError:
        return []
    return paths[:MOST]
