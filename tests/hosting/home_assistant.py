"""Home Assistant's own schema of MQTT discovery, for an interpreter that has Home Assistant.

    pip install homeassistant paho-mqtt      # in an environment of its own
    python tests/hosting/home_assistant.py keys > tests/hosting/home_assistant.json
    python tests/hosting/home_assistant.py check < messages.json

`keys` writes what the schema takes and wants, which the tests hold messages against where there is
no Home Assistant; `check` takes a list of messages as it does when they come, and prints what it
has against each. Nothing of the project is imported here.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import voluptuous as vol
from homeassistant.components.binary_sensor import BinarySensorDeviceClass
from homeassistant.components.mqtt import (
    abbreviations,
    binary_sensor,
    button,
    discovery,
    schemas,
    sensor,
)
from homeassistant.components.sensor import SensorStateClass
from homeassistant.const import __version__
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame

PLATFORMS = {"sensor": sensor, "binary_sensor": binary_sensor, "button": button}


def keys() -> dict[str, Any]:
    """Which keys each part of a message may and must have."""
    parts = {
        "message": schemas.DEVICE_DISCOVERY_SCHEMA,
        "device": schemas.MQTT_ENTITY_DEVICE_INFO_SCHEMA,
        "origin": schemas.MQTT_ORIGIN_INFO_SCHEMA,
        **{name: module.DISCOVERY_SCHEMA for name, module in PLATFORMS.items()},
    }
    found = {name: _keys(_plain(schema)) for name, schema in parts.items()}
    known = {key for part in found.values() for key in part["may"]}
    short = {
        "device": abbreviations.DEVICE_ABBREVIATIONS,
        "origin": abbreviations.ORIGIN_ABBREVIATIONS,
        "message": abbreviations.ABBREVIATIONS,
    }
    return {
        "version": __version__,
        "parts": found,
        "shared": sorted(schemas.SHARED_OPTIONS),
        "short": {
            part: {key: long for key, long in of.items() if long in known and key != long}
            for part, of in short.items()
        },
        "state_classes": sorted(SensorStateClass),
        "binary_sensor_classes": sorted(BinarySensorDeviceClass),
    }


def _plain(schema: Any) -> vol.Schema:
    while isinstance(schema, vol.All):
        schema = next(one for one in schema.validators if isinstance(one, vol.Schema | vol.All))
    return schema


def _keys(schema: vol.Schema) -> dict[str, list[str]]:
    must = sorted(str(key) for key in schema.schema if isinstance(key, vol.Required))
    return {"must": must, "may": sorted(str(key) for key in schema.schema)}


def check(message: dict[str, Any]) -> list[str]:
    """What Home Assistant has against a message; nothing where it takes it."""
    told = discovery.MQTTDiscoveryPayload(message)
    discovery._replace_all_abbreviations(told)
    try:
        schemas.DEVICE_DISCOVERY_SCHEMA(told)
    except vol.Invalid as error:
        return [str(error)]
    wrong = []
    for name, part in told["components"].items():
        config = discovery.MQTTDiscoveryPayload(part)
        platform = config.pop("platform")
        unknown = set(config) - set(_keys(_plain(PLATFORMS[platform].DISCOVERY_SCHEMA))["may"])
        wrong += [f"{name}: {key} is not known" for key in sorted(unknown)]
        config |= {"device": told["device"], "origin": told["origin"]}
        discovery._merge_common_device_options(config, told)
        try:
            PLATFORMS[platform].DISCOVERY_SCHEMA(dict(config))
        except vol.Invalid as error:
            wrong.append(f"{name}: {error}")
    return wrong


async def main() -> None:
    """In a loop, as templates want it."""
    frame.async_setup(HomeAssistant(""))
    if sys.argv[1:] == ["keys"]:
        json.dump(keys(), sys.stdout, sort_keys=True)
        print()
    else:
        json.dump([check(message) for message in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
