"""The display's driver: an SH1106 that is driven as an SSD1306 shows noise at one edge, and neither
can be asked its name."""

from __future__ import annotations

from dataclasses import replace

from tableref.appliance.steps.table import SetUp
from tableref.devices.oled import DRIVERS, Marker, Screen

VERSION = 1


def run(table: SetUp) -> bool:
    """Whether somebody has seen a whole frame; else all is as it was."""
    displays = table.config.devices.displays
    if not displays:
        table.say("step-display", table.words.text("no-display"))
        return False
    words = table.words
    for driver in DRIVERS:
        table.panel.drive([replace(options, driver=driver) for options in displays])
        asked = Screen.of(words.label("step-display"), words.text("frame"), Marker.ASK, driver)
        if table.dialogue.answer(replace(asked, framed=True)):
            table.remember("display", {"driver": driver})
            return True
    table.panel.drive(displays)
    table.dialogue.hidden()
    table.say("step-display", words.text("no-frame"))
    return False
