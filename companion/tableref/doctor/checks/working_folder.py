"""The working folder, where lgpio keeps a pipe."""

from __future__ import annotations

import os
from pathlib import Path

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok

TITLE = "working folder"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether it can be written; the panel takes a temporary folder where it cannot."""
    named = host.environ.get("LG_WD")
    if named:
        if writable(Path(named)):
            return ok("lgpio keeps its pipe where LG_WD says")
        return issue(
            f"LG_WD is {named}, where nothing can be written",
            "unset LG_WD, or in a service: Environment=LG_WD=/run/tableref",
        )
    if writable(host.working_folder):
        return ok("can be written")
    where = f"{host.working_folder} cannot be written"
    try:
        temporary: Path | None = Path(host.temporary())
    except OSError:
        temporary = None
    if temporary is None or not writable(temporary):
        return issue(
            f"{where}, nor any temporary folder, so lgpio cannot work",
            "cd ~, or in a service: WorkingDirectory=/var/lib/tableref",
        )
    return info(
        f"{where}; lgpio will keep its pipe in {temporary}",
        "cd ~, or in a service: WorkingDirectory=/var/lib/tableref",
    )


def writable(folder: Path) -> bool:
    """Whether files can be made there: a disk that is read-only says so to `access` as well."""
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
