"""Setting up the table by display and buttons alone, a module a step.

A step has a `VERSION`, and `run(table) -> bool`: whether it was gone through. The version that was
is kept in the configuration, so that after an update the menu marks only what is to be done anew.
What is found out is written into the configuration at once.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from tableref.appliance.steps.table import SetUp

STEPS = ("language", "display", "camera", "lens", "aim", "dice", "switches", "wiring")
"""In the order in which they are done."""


def version(step: str) -> int:
    """The version of a step."""
    return int(importlib.import_module(f"{__name__}.{step}").VERSION)


def is_done(step: str, done: Mapping[str, int]) -> bool:
    """Whether the present version of a step was gone through."""
    return done.get(step, 0) >= version(step)


def run(step: str, table: SetUp) -> bool:
    """Goes through a step; notes it where it was gone through. UserError"""
    module = importlib.import_module(f"{__name__}.{step}")
    if not module.run(table):
        return False
    table.remember("setup", {step: module.VERSION})
    return True
