"""A lock between processes: the kernel's, so it ends with its process however that ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import sys
from pathlib import Path

LONGEST = 200
"""Characters of a command that the lock's file tells."""


class LockHeld(Exception):
    """Another process has the lock: `process` is its number, `command` what was called."""

    def __init__(self, process: str, command: str) -> None:
        super().__init__(f"process {process} ({command})")
        self.process, self.command = process, command


class FileLock:
    """A lock on a file, which tells who holds it. The file stays; only the lock counts."""

    def __init__(self, path: Path, mode: int = 0o600) -> None:
        """Take the lock. LockHeld; OSError where the file cannot be had, or is a link."""
        flags = os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        while True:
            try:
                self._file = os.open(path, os.O_RDWR | flags, mode)
            except PermissionError:  # another user's file: enough to lock, and to read who has it
                self._file = os.open(path, (os.O_RDONLY | flags) & ~os.O_CREAT)
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                os.close(self._file)
                raise OSError(errno.EINVAL, "it is no regular file", str(path))
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                told = os.pread(self._file, 4 * LONGEST, 0).decode("utf-8", "replace").splitlines()
                os.close(self._file)
                process, command = (*told, "unknown", "unknown")[:2]
                raise LockHeld(process or "unknown", command) from error
            except OSError:
                os.close(self._file)
                raise
            if self._is(path):
                break
            os.close(self._file)  # somebody removed the file in between: this one locks nothing
        if fcntl.fcntl(self._file, fcntl.F_GETFL) & os.O_RDWR:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n{_command()}\n".encode(), 0)

    def close(self) -> None:
        """Give the lock back."""
        os.close(self._file)

    def _is(self, path: Path) -> bool:
        with contextlib.suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(self._file), os.lstat(path))
        return False


def _command() -> str:
    """What was called, on one line, as it can be told to people."""
    words = " ".join([Path(sys.argv[0] or "python").name, *sys.argv[1:]])
    return "".join(c if c.isprintable() else "?" for c in words)[:LONGEST]
