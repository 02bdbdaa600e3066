"""A PostgreSQL for the hub: one that is named, or a scratch one of this computer."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

URL = "TABLEREF_TEST_POSTGRES"
"""Names an empty database, such as postgresql+psycopg://USER@HOST/NAME; its tables are dropped."""


def programs() -> Path | None:
    """Where Debian's PostgreSQL lies; None without one."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class Cluster:
    """A scratch one below a folder, that can be killed and started again. It does not run as root,
    so nobody runs it."""

    def __init__(self, folder: Path) -> None:
        where = programs()
        assert where is not None
        self._programs, self._folder = where, folder
        self._how: dict[str, Any] = {
            "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL
        }  # fmt: skip
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            shutil.chown(folder, nobody.pw_uid, nobody.pw_gid)
            self._how |= {"user": nobody.pw_uid, "group": nobody.pw_gid}
        told = ["-D", folder / "db", "-A", "trust", "-U", "hub", "-N", "-E", "UTF8"]
        subprocess.run([where / "initdb", *told], check=True, **self._how)
        self.url = f"postgresql+psycopg://hub@/postgres?host={folder}"
        self.start()

    def start(self) -> None:
        """Until it answers."""
        (self._folder / "db" / "postmaster.pid").unlink(missing_ok=True)
        told = ["-D", self._folder / "db", "-k", self._folder, "-h", ""]
        self._server = subprocess.Popen([self._programs / "postgres", *told], **self._how)
        end = time.monotonic() + 30.0
        ready = [self._programs / "pg_isready", "-q", "-h", self._folder]
        while subprocess.run(ready, check=False).returncode:
            assert time.monotonic() < end, "PostgreSQL does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        """As when the power is cut."""
        self._server.kill()
        self._server.wait()

    def close(self) -> None:
        """Ends it."""
        self._server.terminate()
        self._server.wait()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """One that is gone afterwards."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:  # a socket's path has 107 letters at most
        made = Cluster(Path(name))
        try:
            yield made
        finally:
            made.close()
