"""What Home Assistant is told, held against its published schema of device discovery."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tableref.hosting import home
from tableref.hosting.mqtt import ROOT, STATE_FORM, Broker, Publisher
from tableref.referee.evening import new_evening
from tableref.referee.games import GAMES

jinja2 = pytest.importorskip("jinja2", reason="needs: pip install 'tableref[web]'")
pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")

# home-assistant/core, homeassistant/components/mqtt: schemas.py, abbreviations.py, sensor.py,
# binary_sensor.py, button.py.
TOP = {"dev", "o", "cmps", "state_topic", "command_topic", "qos", "encoding", "availability_topic"}
DEVICE = {"ids", "cns", "mf", "mdl", "name", "hw", "sn", "sw", "via_device", "sa", "cu"}
ORIGIN = {"name", "sw", "url"}
ENTITY = {"platform", "unique_id", "name", "value_template", "device_class", "icon"}
PARTS = {
    "sensor": ENTITY | {"state_class"},
    "binary_sensor": ENTITY,
    "button": {"platform", "unique_id", "name", "command_topic", "payload_press"},
}


def told(tmp_path: Path, game: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The message, and the state that it reads."""
    evening = new_evening(tmp_path / game, game, {}, [], "")
    out = Publisher(Broker("127.0.0.1", 9, "corner"), evening, tmp_path / game)
    state = json.loads(json.dumps(out._standing()))
    unit = next(iter(state["score"])) if state["score"] else ""
    evening.journal.close()
    return home.discovery("corner", state["players"], unit, ROOT), state


@pytest.mark.parametrize("game", GAMES)
def test_the_message_is_as_the_schema_wants_it(tmp_path: Path, game: str) -> None:
    message, _ = told(tmp_path, game)
    assert message.keys() <= TOP
    assert message["dev"].keys() <= DEVICE
    assert message["dev"]["ids"]  # at least one identifier
    assert message["o"].keys() <= ORIGIN
    assert message["o"]["name"]
    assert message["qos"] in (0, 1, 2)
    for key, part in message["cmps"].items():
        assert re.fullmatch("[a-zA-Z0-9_-]+", key)
        assert part.keys() <= PARTS[part["platform"]]
        assert part["unique_id"] == f"tableref_corner_{key}"
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", home.topic("corner"))


@pytest.mark.parametrize("game", GAMES)
def test_each_sensor_reads_the_state_that_is_published(tmp_path: Path, game: str) -> None:
    message, state = told(tmp_path, game)
    assert state["form"] == STATE_FORM
    assert message["state_topic"] == "tableref/corner/state"
    read = {
        key: jinja2.Template(part["value_template"], undefined=jinja2.StrictUndefined).render(
            value_json=state
        )
        for key, part in message["cmps"].items()
    }
    assert read["asks"] == "OFF"
    assert read["judge"] == "OFF"
    assert read["stands"] == state["phase"]
    assert read["turn"] == ", ".join(state["players"][player] for player in state["turn"])
    if state["score"]:
        [counts] = state["score"].values()
        assert [read[f"score_{number}"] for number, _ in enumerate(counts)] == list(
            map(str, counts)
        )


def test_nothing_can_be_switched_from_there_unless_it_is_allowed(tmp_path: Path) -> None:
    message, _ = told(tmp_path, "squod")
    assert "command_topic" not in json.dumps(message)


def test_the_button_that_is_allowed_is_as_the_schema_wants_it() -> None:
    part = home.discovery("corner", ("Ada", "Ben"), "", ROOT, let_stand=True)["cmps"]["let_stand"]
    assert part.keys() == PARTS["button"]
    assert part["command_topic"] == "tableref/corner/let-stand"
