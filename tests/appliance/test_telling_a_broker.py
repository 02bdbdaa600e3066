"""A table with a case tells a broker of its games, and is ruled on by judges who are not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.appliance.table import Table
from tests.hosting.conftest import broker
from tests.hosting.real_broker import Listener, RealBroker, until

from tableref.commands import serve
from tableref.devices.buttons import Button
from tableref.errors import UserError
from tableref.hosting import home
from tableref.hosting.config import Config, LinkOptions, MqttOptions, PictureOptions
from tableref.hosting.judge import KEY, Judged, signed
from tableref.referee.games import load_game

pytest.importorskip("paho.mqtt.client", reason="needs: pip install 'tableref[mqtt]'")

__all__ = ["broker"]
"""The fixture of those that tell a broker."""
JUDGES = "the key of the club"
CORNER = "tableref/corner"


@pytest.fixture
def listener(broker: RealBroker) -> Iterator[Listener]:
    made = Listener(broker.port, "#")
    until(lambda: made.subscribed)
    yield made
    made.close()


def refused(root: Path, options: MqttOptions, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table at which a move was just refused."""
    table = Table(
        root, Config(link=LinkOptions("virtual"), pictures=PictureOptions(0)), monkeypatch
    )
    monkeypatch.setenv(KEY, JUDGES)
    table.publisher = serve._publisher(options)
    table.power()
    table.choose("New game", "Arrows and stars", "Begin")
    table.panel.see("AE-1.2")
    rules = load_game("arrows-and-stars")
    table.put(*rules.board(rules.start({})))
    table.panel.see("AE-2.0")
    table.move("a8", "a5")
    table.panel.see("AE-2.1")
    return table


def state(listener: Listener) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(listener.last(f"{CORNER}/state") or "{}")
    return told


def test_why_held_calls_a_judge_whose_signed_ruling_is_told_at_the_table(
    tmp_path: Path, broker: RealBroker, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = MqttOptions(f"mqtt://127.0.0.1:{broker.port}/corner", home_assistant=True)
    table = refused(tmp_path / "state", options, monkeypatch)
    table.press(Button.WHY, long=True)
    table.panel.see("A judge is called")
    until(lambda: listener.last(f"{CORNER}/call"))
    until(lambda: state(listener)["needs_judge"])
    call = json.loads(listener.last(f"{CORNER}/call"))
    assert "AE-2.1" in {each["id"] for each in call["paragraphs"]}
    # Not allowed, so that it does nothing, and no button is offered.
    assert "command_topic" not in listener.last(home.topic("corner"))
    listener.say(f"{CORNER}/let-stand", home.PRESS)
    table.panel.mark()
    ruling = Judged(call["number"], "Zoe", "It stood there.", True, 1)
    listener.say(f"{CORNER}/ruling", signed(JUDGES.encode(), "corner", call["game"], ruling))
    table.panel.see("Zoe")
    until(lambda: any(ruling.text in " ".join(event["text"]) for event in listener.events()))
    assert state(listener)["refused"]  # nothing has changed yet: the table must agree
    table.stop()
    until(lambda: listener.last(f"{CORNER}/online") == "offline")


def test_home_assistants_button_lets_stand_what_is_refused_where_that_is_allowed(
    tmp_path: Path, broker: RealBroker, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"mqtt://127.0.0.1:{broker.port}/corner"
    table = refused(tmp_path / "state", MqttOptions(url, True, True), monkeypatch)
    until(lambda: state(listener).get("refused"))
    button = json.loads(listener.last(home.topic("corner")))["cmps"]["let_stand"]
    listener.say(button["command_topic"], "anything else")
    listener.say(button["command_topic"], button["payload_press"])
    until(lambda: not state(listener)["refused"])
    table.panel.see("HR-2.3")
    until(lambda: any("HR-2.3" in event["paragraphs"] for event in listener.events()))
    table.stop()


@pytest.mark.parametrize(
    ("key", "authority", "words"),
    [("short", "", KEY), (JUDGES, "/nowhere/ca.pem", "/nowhere/ca.pem")],
)
def test_what_is_missing_for_it_is_said_before_a_game_begins(
    key: str, authority: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, key)
    monkeypatch.setenv("TABLEREF_MQTT_CA", authority)
    with pytest.raises(UserError, match=words):
        serve._publisher(MqttOptions("mqtts://broker.local/corner"))
    assert serve._publisher(MqttOptions()) is None
