"""The link's pages say what the tables say."""

import re

from tests.link.rigs import ROOT

from tableref.devices.link.page import page
from tableref_firmware import lights, pins


def test_the_protocol_page_is_up_to_date() -> None:
    """If not: python -m tableref.devices.link.page > docs/link-protocol.md"""
    assert (ROOT / "docs/link-protocol.md").read_text(encoding="utf-8") == page()


def test_the_makers_page_names_the_pins_that_the_firmware_uses() -> None:
    text = (ROOT / "docs/firmware.md").read_text(encoding="utf-8")
    for pin, goes_to in (
        (pins.CLOCK, "CLK"),
        (pins.DATA, "QH"),
        (pins.LATCH, "SH/LD"),
        (pins.UNUSED_DATA_OUT, "nothing"),
        (pins.LIGHTS, "DIN"),
        (pins.ESCAPE, "nothing; a wire to ground"),
    ):
        assert re.search(rf"^\| GP{pin}\b.*\| .*{re.escape(goes_to)}", text, re.M), pin
    assert f"{lights.CHANNEL_MA} mA a colour" in text


def test_every_module_of_the_firmware_is_on_the_makers_page() -> None:
    text = (ROOT / "docs/firmware.md").read_text(encoding="utf-8")
    for module in (ROOT / "firmware/tableref_firmware").glob("[a-z]*.py"):
        if module.stem != "hardware":  # for type checkers only
            assert f"`{module.stem}`" in text, module.stem
