"""The firmware of the board under the table."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.link import LinkError
from tableref.devices.link.errors import PortBusy
from tableref.devices.link.flash import own_version
from tableref.doctor.checks.pin_holders import tableref_running
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "board"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether it answers, and whether its firmware is the one that came with this Tableref."""
    answer = host.board
    if answer is None:
        return info("no board to ask")
    if isinstance(answer, PortBusy) and tableref_running(host):
        return info("left alone, for Tableref itself runs and has its port")
    if isinstance(answer, LinkError):
        return issue(answer.what, answer.advice)
    if answer.firmware != own_version():
        return warning(
            f"its firmware is {answer.firmware}, this Tableref brought {own_version()}",
            "tableref board flash",
        )
    return ok(f"answers, firmware {answer.firmware}")
