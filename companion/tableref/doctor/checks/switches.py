"""The switches under the cells."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.link import LinkError
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, issue, ok, warning

TITLE = "switches"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether the board can read their chain, and which flicker."""
    answer = host.board
    if answer is None or isinstance(answer, LinkError):
        return info("no board to ask")
    if not answer.chain:
        return issue(
            "the board cannot read them",
            "Check the ribbon cable, the registers' power, and that SER of the last is at ground.",
        )
    if answer.unsteady:
        return warning(
            f"{' '.join(sorted(answer.unsteady))}: no steady word",
            "Look at the magnet there, then: tableref board selftest",
        )
    return ok("the chain is whole; each one is tried by `tableref board selftest`")
