"""The one configuration: typed, bounded, errors that name section, option and cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tableref.devices.config import ConfigError, load_config, remember
from tableref.hosting.config import Config, MqttOptions, load, read


def test_an_empty_file_is_a_table_with_its_usual_devices_and_nothing_that_watches() -> None:
    assert read("", "t.toml") == Config()


def test_every_section_is_read() -> None:
    text = """
[camera]
look = ["usb:0", "mat=picamera:1"]
calibration = "lens.json"
[link]
port = "auto"
[game]
lang = "fr"
names = ["Ada", "Zoé"]
bell = 15
[pictures]
keep = 50
[web]
port = 8080
[mqtt]
url = "mqtts://desk@broker.local/"
table = "corner"
home_assistant = true
[setup]
camera = 2
[buzzer]
present = false
"""
    config = read(text, "t.toml")
    assert config.camera.look == ("usb:0", "mat=picamera:1")
    assert config.camera.calibration == "lens.json"
    assert config.link.port == "auto"
    assert (config.game.lang, config.game.names) == ("fr", ("Ada", "Zoé"))
    assert config.game.bell == 15
    assert config.pictures.keep == 50
    assert config.web.port == 8080
    assert config.mqtt == MqttOptions("mqtts://desk@broker.local/corner", True, False)
    assert config.done == {"camera": 2}
    assert config.devices.buzzer is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[camra]\n", r"t\.toml: camra: there is no such option; .*did you mean camera\?"),
        ("[camera]\nlooks = []\n", r"camera\.looks: there is no such option.*did you mean look\?"),
        ("[camera]\nlook = ['webcam']\n", r"camera\.look: expected cameras as usb: or .*'webcam'"),
        ("[camera]\nlook = 'usb:0'\n", r"camera\.look: expected a list of texts"),
        ("[link]\nport = 3\n", r"link\.port: expected a text"),
        ("[game]\nlang = 'it'\n", r"game\.lang: expected 'en' or 'fr' or 'de'"),
        ("[game]\nnames = ['Ada', 'Ada']\n", r"game\.names: 'Ada' is there twice"),
        ("[game]\nbell = -1\n", r"game\.bell: expected 0 to 600, found -1"),
        ("[game]\nbell = true\n", r"game\.bell: expected a whole number"),
        ("[game]\nnames = ['']\n", r"game\.names: expected 1 to 15 letters"),
        ('[game]\nnames = ["A\\nb"]\n', r"game\.names: "),
        ("[pictures]\nkeep = 1e9\n", r"pictures\.keep: expected a whole number"),
        ("[web]\nport = 70000\n", r"web\.port: expected 0 to 65535"),
        ("[mqtt]\nuri = 'mqtt://b/c'\n", r"mqtt\.uri: there is no such option.*did you mean url\?"),
        ("[mqtt]\ntable = 'c'\n", r"mqtt\.url: "),
        ("[mqtt]\nurl = 'mqtt://b'\n", r"mqtt\.url: expected mqtt://.*/TABLE"),
        ("[mqtt]\nurl = 'mqtt://b'\ntable = 'a b'\n", r"mqtt\.url: .*a table's name has 1 to 40"),
        ("[mqtt]\nurl = 'mqtt://u:s3@b/c'\n", r"mqtt\.url: .*TABLEREF_MQTT_PASSWORD"),
        ("[mqtt]\nurl = 'mqtt://b/c'\ntable = 'd'\n", r"mqtt\.table: the url .* leave one out"),
        ("[mqtt]\nurl = 'mqtt://b/c'\nlet_stand = 1\n", r"mqtt\.let_stand: expected true or false"),
        ("[setup]\ncamera = 'done'\n", r"setup\.camera: expected a whole number"),
        ("camera = 3\n", r"camera: expected a section"),
    ],
)
def test_a_slip_names_section_option_and_cure(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(text, "t.toml")


def test_an_option_is_remembered_beside_what_people_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "table.toml"
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    remember("game", {"lang": "de", "names": ("Ada", 'Ben "B"')})
    path.write_text("# ours\n" + path.read_text().replace("[game]", "[game] # evenings"))
    remember("setup", {"camera": 1})
    remember("game", {"lang": "fr"})
    assert path.read_text().startswith("# ours\n[game] # evenings\n")
    config = load()
    assert (config.game.lang, config.game.names) == ("fr", ("Ada", 'Ben "B"'))
    assert config.done == {"camera": 1}
    assert load_config() == config.devices


def test_nothing_is_remembered_where_the_file_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[buttons\n")
    monkeypatch.setenv("TABLEREF_CONFIG", str(path))
    with pytest.raises(ConfigError):
        remember("game", {"lang": "de"})
    assert path.read_text() == "[buttons\n"
