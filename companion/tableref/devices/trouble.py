"""Errors of devices: what happened, and what to do about it."""

from __future__ import annotations

import errno
from pathlib import Path

from tableref.errors import UserError


class DeviceError(UserError):
    """A device cannot be used: `what` happened, and the `advice` that cures it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}. {advice}")
        self.what, self.advice = what, advice


def not_written(path: Path, error: OSError) -> DeviceError:
    """What kept a file in a folder of ours from being written, or the folder from being made."""
    name = error.filename or path
    told = error.strerror or str(error)
    match error.errno:
        case errno.EEXIST | errno.ENOTDIR:
            where = (path, *path.parents)
            file = next((p for p in where if p.is_symlink() or p.is_file()), path)
            return DeviceError(
                f"{file}: is a file, where Tableref needs a folder",
                "Move it elsewhere, or give it another name.",
            )
        case errno.ENOSPC | errno.EDQUOT:
            advice = "The disk is full: delete old games and pictures."
        case errno.EROFS:
            advice = "The disk can only be read: check its lock switch, and whether it is worn."
        case errno.EACCES | errno.EPERM:
            advice = "The folder belongs to somebody else: choose another one, or make it yours."
        case errno.ENOENT:
            advice = "Its folder is gone: was it deleted, or its disk unplugged?"
        case _:
            advice = "Check the disk that it lies on."
    return DeviceError(f"{name}: cannot be written ({told})", advice)
