"""What Home Assistant is told, held against its published schema of device discovery."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tableref.hosting import home
from tableref.hosting.mqtt import ROOT, STATE_FORM, Broker, Publisher
from tableref.referee.evening import new_evening
from tableref.referee.games import GAMES

jinja2 = pytest.importorskip("jinja2", reason="needs: pip install 'tableref[web]'")
pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")

HERE = Path(__file__).parent
SCHEMA: dict[str, Any] = json.loads((HERE / "home_assistant.json").read_text(encoding="ascii"))
"""What Home Assistant's own schema takes and wants, written by `home_assistant.py keys` of its
release 2025.4.4 (Apache-2.0): schemas.py, abbreviations.py, sensor.py, binary_sensor.py and
button.py of homeassistant/components/mqtt."""
PYTHON = "TABLEREF_TEST_HOME_ASSISTANT"
"""Names an interpreter that has Home Assistant."""


def told(
    tmp_path: Path, game: str, let_stand: bool = False
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The message, and the state that it reads."""
    evening = new_evening(tmp_path / game, game, {}, [], "")
    out = Publisher(Broker("127.0.0.1", 9, "corner"), evening, tmp_path / game)
    state = json.loads(json.dumps(out._standing()))
    unit = next(iter(state["score"])) if state["score"] else ""
    evening.journal.close()
    return home.discovery("corner", state["players"], unit, ROOT, let_stand), state


def long(told: dict[str, Any], part: str = "message") -> dict[str, Any]:
    """A message or a part of it, its keys written out."""
    short = SCHEMA["short"][part]
    assert len(told) == len({short.get(key, key) for key in told})
    return {short.get(key, key): value for key, value in told.items()}


def fits(told: dict[str, Any], part: str, beside: frozenset[str] = frozenset()) -> None:
    """It has all that it must have and nothing that is not known. `beside`: keys that the message
    has for its parts."""
    known = SCHEMA["parts"][part]
    assert set(known["must"]) <= told.keys() | beside
    assert told.keys() <= set(known["may"])


@pytest.mark.parametrize("let_stand", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_message_is_as_the_schema_wants_it(tmp_path: Path, game: str, let_stand: bool) -> None:
    message, _ = told(tmp_path, game, let_stand)
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", home.topic("corner"))
    message = long(message)
    fits(message, "message")
    device = long(message["device"], "device")
    fits(device, "device")
    assert device["identifiers"]  # at least one
    fits(long(message["origin"], "origin"), "origin")
    shared = frozenset(message) & frozenset(SCHEMA["shared"])
    platforms = set()
    for key, part in message["components"].items():
        part = long(part)
        platforms.add(platform := part.pop("platform"))
        assert re.fullmatch("[a-zA-Z0-9_-]+", key)
        fits(part, platform, shared)
        assert part["unique_id"] == f"tableref_corner_{key}"
        assert part.get("state_class", "measurement") in SCHEMA["state_classes"]
        assert part.get("device_class", "problem") in SCHEMA["binary_sensor_classes"]
        assert part["qos"] in (0, 1, 2)
        if platform == "button":
            assert part["command_topic"] == "tableref/corner/let-stand"
    assert platforms == {"sensor", "binary_sensor"} | ({"button"} if let_stand else set())


@pytest.mark.skipif(PYTHON not in os.environ, reason=f"needs {PYTHON}")
def test_home_assistant_itself_takes_every_message(tmp_path: Path) -> None:
    messages = [
        told(tmp_path / f"{let_stand}", game, let_stand)[0]
        for game in GAMES
        for let_stand in (False, True)
    ]
    broken = json.loads(json.dumps(messages[-1]))
    broken["cmps"]["judge"]["device_class"] = "judge"
    broken["cmps"]["let_stand"]["payload"] = "PRESS"
    run = subprocess.run(
        [os.environ[PYTHON], HERE / "home_assistant.py", "check"],
        input=json.dumps([*messages, broken]), capture_output=True, text=True, check=True,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
    )  # fmt: skip
    *found, wrong = json.loads(run.stdout)
    assert found == [[]] * len(messages)
    assert len(wrong) == 2


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
