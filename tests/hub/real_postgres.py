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

URL = "TABLEREF_TEST_POSTGRES"
"""Names an empty database, such as postgresql+psycopg://USER@HOST/NAME; its tables are dropped."""


def programs() -> Path | None:
    """Where Debian's PostgreSQL lies; None without one."""
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


@contextmanager
def scratch() -> Iterator[str]:
    """The URL of a cluster that is gone afterwards. It does not run as root, so nobody runs it."""
    where = programs()
    assert where is not None
    # A socket's path may be 107 letters long.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        data = Path(name)
        user: dict[str, int] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            shutil.chown(data, nobody.pw_uid, nobody.pw_gid)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(
            [where / "initdb", "-D", data / "db", "-A", "trust", "-U", "hub", "-N", "-E", "UTF8"],
            check=True, cwd=data, **quiet, **user,
        )  # fmt: skip
        server = subprocess.Popen(
            [where / "postgres", "-D", data / "db", "-k", data, "-h", "", "-F"],
            cwd=data, **quiet, **user,
        )  # fmt: skip
        try:
            end = time.monotonic() + 20.0
            while subprocess.run([where / "pg_isready", "-q", "-h", data], check=False).returncode:
                assert time.monotonic() < end, "PostgreSQL does not answer"
                time.sleep(0.05)
            yield f"postgresql+psycopg://hub@/postgres?host={data}"
        finally:
            server.terminate()
            server.wait()
