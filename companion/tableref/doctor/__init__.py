"""Looks at this computer and its devices, and says what is wrong and how to cure it.

One module of `checks` is one check: `TITLE`, and `check(host, config) -> Result`. CHECKS is their
order, for the command, the menu and the page alike.

>>> for finding in examine(Host(), DeviceConfig()):
...     print(finding.title, finding.result.what)
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from tableref.devices.config import DeviceConfig
from tableref.devices.worker import in_words
from tableref.doctor.host import Host
from tableref.doctor.result import Level, Result

__all__ = ["CHECKS", "Finding", "Host", "Level", "Result", "examine"]

CHECKS = (
    "model",
    "system",
    "power",
    "temperature",
    "clock",
    "disk",
    "wear",
    "seeing",
    "camera",
    "pin_library",
    "rpi_gpio",
    "working_folder",
    "pin_holders",
    "display",
    "serial",
    "brltty",
    "modem_manager",
    "firmware",
    "switches",
    "lights",
)
"""Modules of `checks`, each a check, in the order in which they are told."""


class Finding(NamedTuple):
    """One check's name and title, and what it says."""

    name: str
    title: str
    result: Result


def examine(host: Host, config: DeviceConfig) -> Iterator[Finding]:
    """All checks, one after the other. A check that fails itself is an issue; the others go on."""
    for name in CHECKS:
        module = importlib.import_module(f"tableref.doctor.checks.{name}")
        try:
            result: Result = module.check(host, config)
        except Exception as error:  # whatever a strange computer makes it meet
            result = Result(
                Level.ISSUE,
                f"this check itself failed: {in_words(error)}",
                "Please send us `tableref doctor --report report.json`.",
            )
        if host.is_root:  # there may be no sudo, and there need not be
            result = replace(result, cure=result.cure.replace("sudo ", ""))
        yield Finding(name, module.TITLE, result)
