"""The page on the panel says what the configuration and the devices say."""

import re
from dataclasses import replace
from pathlib import Path

from tableref.devices.buttons import LONG, STUCK
from tableref.devices.config import DeviceConfig, read_config
from tableref.devices.lights import Pattern
from tableref.devices.status import Status

PAGE = (Path(__file__).parents[2] / "docs" / "panel.md").read_text(encoding="utf-8")


def test_its_example_is_the_default_configuration_with_every_option():
    [example] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    # Dice have no usual size: it is measured.
    assert replace(read_config(example, "panel.md"), die=None) == DeviceConfig()


def test_its_wiring_table_has_the_default_pins():
    config = DeviceConfig()
    for button, pin in config.buttons.items():
        assert re.search(rf"\| button {button.name}\b.*\| GPIO{pin} \|", PAGE)
    for colour, pin in config.status.numbers().items():
        assert re.search(rf"\| status light, {colour} .*\| GPIO{pin} \|", PAGE)
    assert f"GPIO{config.buzzer.pin} |" in PAGE
    assert f"0x{config.displays[0].address:02X}" in PAGE


def test_it_names_the_pattern_of_every_status_and_the_times_of_presses():
    words = {
        Pattern.STEADY: "steady green",
        Pattern.PULSE: "blue pulse",
        Pattern.SLOW_BLINK: "slow orange",
        Pattern.FAST_BLINK: "fast red",
    }
    for status in Status:
        assert status is Status.OFF or words[status.value.pattern] in PAGE
    assert f"{LONG:g} s" in PAGE
    assert f"{STUCK:g} s" in PAGE
