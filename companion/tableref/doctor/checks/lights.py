"""The lights under the cells."""

from __future__ import annotations

from tableref.devices.config import DeviceConfig
from tableref.devices.link import LinkError
from tableref.doctor.host import Host
from tableref.doctor.result import Result, info, ok, warning

TITLE = "lights"


def check(host: Host, config: DeviceConfig) -> Result:
    """Whether the board has some and took a picture of all; only eyes see whether they shine."""
    answer = host.board
    if answer is None or isinstance(answer, LinkError):
        return info("no board to ask")
    if not answer.lights:
        return info("this board has none")
    if not answer.shown:
        return warning(
            "the board did not show a picture in time", "tableref board selftest, and look"
        )
    return ok("the board lit all cells dimly; whether each shines: `tableref board selftest`")
