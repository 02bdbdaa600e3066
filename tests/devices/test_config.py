"""The configuration of devices: defaults, bounds, and errors that name section and option (O4)."""

import pytest

from tableref.devices.buttons import Button
from tableref.devices.config import ConfigError, DeviceConfig, load_config, read_config
from tableref.devices.oled import DisplayOptions


def test_an_empty_file_is_the_reference_wiring():
    assert read_config("", "t.toml") == DeviceConfig()


def test_what_is_not_said_keeps_its_default():
    config = read_config('[[display]]\ndriver = "sh1106"\n[buttons]\nok = 21\n', "t.toml")
    assert config.displays == (DisplayOptions(driver="sh1106"),)
    assert config.buttons == {**DeviceConfig().buttons, Button.OK: 21}


def test_a_device_that_is_not_there_is_left_out():
    text = "".join(f"[{name}]\npresent = false\n" for name in ("buttons", "status", "buzzer"))
    config = read_config("display = []\n" + text, "t.toml")
    assert (config.displays, config.buttons, config.status, config.buzzer) == ((), {}, None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[dispaly]\n", r"t\.toml: dispaly: there is no such option; there are display"),
        ("[[display]]\nadress = 60\n", r"t\.toml: display\[0\]\.adress: there is no such option"),
        ("[[display]]\naddress = 200\n", r"display\[0\]\.address: expected 8 to 119, found 200"),
        ("[[display]]\nheight = 48\n", r"display\[0\]\.height: expected 64 or 32, found 48"),
        ("[[display]]\ndriver = 'ssd1309'\n", r"driver: expected 'ssd1306' or 'sh1106'"),
        ("[buttons]\nok = '5'\n", r"buttons\.ok: expected a whole number"),
        ("[buttons]\nok = 40\n", r"buttons\.ok: expected 2 to 27, found 40"),
        ("[buttons]\nok = 6\n", r"buttons\.back: GPIO6 is in use by buttons\.ok"),
        ("[buzzer]\npin = 3\n", r"buzzer\.pin: GPIO3 is in use by the display's I2C bus"),
        ("[buzzer]\nkind = 'loud'\n", r"buzzer\.kind: expected 'passive' or 'active'"),
        ("[status]\ncommon = 'mode'\n", r"status\.common: expected 'cathode' or 'anode'"),
        ("[status]\npresent = 0\n", r"status\.present: expected true or false"),
        ("[[display]]\n[[display]]\n", r"display\[1\]\.address: .*0x3C on bus 1.*0x3D.*TCA9548A"),
        ("[buttons\n", r"t\.toml: "),
    ],
)
def test_a_slip_is_an_error_that_names_section_and_option(text, words):
    with pytest.raises(ConfigError, match=words):
        read_config(text, "t.toml")


def test_two_displays_on_two_buses_are_fine():
    assert len(read_config("[[display]]\n[[display]]\nbus = 3\n", "t.toml").displays) == 2


def test_the_file_named_by_the_environment_is_read(tmp_path, monkeypatch):
    path = tmp_path / "mine.toml"
    path.write_text("[buzzer]\npin = 12\n")
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    assert load_config().buzzer.pin == 12


def test_a_file_that_was_named_and_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        load_config(tmp_path / "gone.toml")
