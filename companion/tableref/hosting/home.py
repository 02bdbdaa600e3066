"""What Home Assistant is told of a table by MQTT discovery, so that it shows one without a line of
configuration: one device, its sensors read from the retained state.

>>> discovery("corner", ("Ada", "Ben"), "chips", "tableref")["cmps"]["turn"]["platform"]
'sensor'

After https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery (device discovery, one message
a device). A button is there only where the table's owner allows it: whoever may write to the broker
presses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tableref import __version__

PREFIX = "homeassistant"
"""Where Home Assistant looks, unless its owner has changed it."""
PRESS = "PRESS"
"""What its button says."""
BORN = "online"
"""What it says at `PREFIX/status` once it runs: it wants to be told again then."""


def topic(table: str, prefix: str = PREFIX) -> str:
    """Where the message belongs; retained, so that it is there when Home Assistant starts."""
    return f"{prefix}/device/tableref_{table}/config"


def discovery(
    table: str, players: Sequence[str], unit: str, root: str, let_stand: bool = False
) -> dict[str, Any]:
    """The message for a table: a sensor for the turn, the round, how it stands and what each player
    has of what is counted (`unit`, "": nothing is), and whether something is asked or refused; with
    `let_stand` a button that lets stand what was refused."""
    below, own = f"{root}/{table}", f"tableref_{table}"

    def part(key: str, platform: str, name: str, value: str, **more: Any) -> dict[str, Any]:
        told = {"unique_id": f"{own}_{key}", "name": name, "value_template": f"{{{{ {value} }}}}"}
        return {"platform": platform, "qos": 1, **told, **more}

    def yes(what: str) -> str:
        return f"'ON' if value_json.{what} else 'OFF'"

    parts = {
        "turn": part("turn", "sensor", "Turn", "value_json.turn_names | join(', ')"),
        "round": part("round", "sensor", "Round", "value_json.round or 0"),
        "stands": part("stands", "sensor", "State", "value_json.phase"),
        "asks": part("asks", "binary_sensor", "Asks", yes("asks")),
        "judge": part(
            "judge", "binary_sensor", "Needs a judge", yes("needs_judge"), device_class="problem"
        ),
    }
    for number, name in enumerate(players if unit else ()):
        value = f"value_json.score['{unit}'][{number}]"
        parts[f"score_{number}"] = part(
            f"score_{number}", "sensor", f"{name}: {unit}", value, state_class="measurement"
        )
    if let_stand:
        parts["let_stand"] = {
            "platform": "button",
            "qos": 1,
            "unique_id": f"{own}_let_stand",
            "name": "Let stand",
            "command_topic": f"{below}/let-stand",
            "payload_press": PRESS,
        }
    return {
        "dev": {
            "ids": [own],
            "name": f"Table {table}",
            "mf": "Tableref",
            "mdl": "Table",
            "sw": __version__,
        },
        "o": {"name": "tableref", "sw": __version__},
        "cmps": parts,
        "state_topic": f"{below}/state",
        "availability_topic": f"{below}/online",
    }
