"""The head of a game, of a journal as of a recording: all that its replay begins with."""

from __future__ import annotations

from typing import Any

from tableref.rulebook.text import LANGUAGES
from tableref_hardware.reading import Section


def read_head(told: Section) -> dict[str, Any]:
    """The head, each field of its kind; what else it holds is kept. FileError names the field."""
    for key in ("game", "rules_version", "app_version", "board", "camera"):
        told.text(key)
    told.choice("lang", LANGUAGES)
    told.section("setup")
    for plots in told.lists("plots"):
        for action in plots:
            if not isinstance(action, dict):
                raise told.wrong("plots", "expected lists of actions, a list a round")
    return told.values()
