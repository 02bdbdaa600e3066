"""The serial port of the board under the table, and who may open it."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok

TITLE = "serial port"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether there is a port, and whether this user may open it."""
    ports = host.ports.candidates()
    if not ports:
        advice = host.ports.no_port
        return info(f"{advice.what}; only boards with switches need one", advice.cure)
    if forbidden := host.ports.forbidden():
        return issue("; ".join(a.what for a in forbidden), forbidden[0].cure)
    return ok(", ".join(ports))
