"""The configuration of this table's devices: typed, bounded, with the reference wiring as default.

    [[display]]
    driver = "sh1106"

    [buttons]
    ok = 21

    [buzzer]
    present = false

An option that does not exist is an error, so that a slip of the pen is found before the evening.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, cast

from tableref.devices.buttons import Button
from tableref.devices.oled import DRIVERS, DisplayOptions, Driver
from tableref.devices.status import StatusPins
from tableref.durable import write_whole
from tableref.errors import UserError
from tableref_hardware.dice import LARGEST, SMALLEST
from tableref_hardware.files import FileError, parse_toml, read_text
from tableref_hardware.reading import Section

PLACES = (
    "~/.config/tableref/tableref.toml",
    "/etc/tableref/tableref.toml",
    "/var/lib/tableref/tableref.toml",
)
"""Where the configuration is looked for, after what TABLEREF_CONFIG names; the last is that of the
service."""

FIRST_PIN, LAST_PIN = 2, 27  # BCM numbers that the 40-pin header has
I2C_PINS = (2, 3)  # of bus 1
BuzzerKind = Literal["passive", "active"]


Value = bool | int | float | str | tuple[str, ...]
"""What an option may be."""

TABLE_SECTIONS = ("camera", "link", "game", "pictures", "web", "mqtt", "setup")
"""Sections that say how the table is watched and played on: `hosting.config` reads them."""


class ConfigError(UserError):
    """The configuration cannot be used; the message names file, section and option."""


@dataclass(frozen=True, slots=True)
class BuzzerOptions:
    """BCM number of the buzzer's pin, and whether it has a note of its own (`active`)."""

    pin: int = 18
    kind: BuzzerKind = "passive"


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """What is wired to this Pi. An empty tuple or mapping, or None: there is no such device."""

    displays: tuple[DisplayOptions, ...] = (DisplayOptions(),)
    buttons: Mapping[Button, int] = field(
        default_factory=lambda: {
            Button.OK: 5,
            Button.BACK: 6,
            Button.UP: 13,
            Button.DOWN: 19,
            Button.WHY: 26,
        }
    )
    status: StatusPins | None = field(default_factory=StatusPins)
    buzzer: BuzzerOptions | None = BuzzerOptions()
    die: float | None = None
    """Edge in mm of the dice of this table; None: it is measured."""
    asks: float = 0.0
    """Confidence up to which its dice are asked about, since one that was so read was misread."""
    wiring: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Game -> along the chain the cell whose switch is there, "" for none; of boards that were
    taught (`taught`)."""

    def pins(self) -> tuple[int, ...]:
        """BCM numbers of all pins that are wired, but for those of the display's bus."""
        return tuple(pin for _, pin in _pins(self))


def load_config(path: Path | None = None) -> DeviceConfig:
    """The configuration in this file, or in the first that exists of PLACES; else the defaults.

    ConfigError where it cannot be read or says what it must not.
    """
    path = path or config_path()
    if path is None:
        return DeviceConfig()
    try:
        text = read_text(path)
    except FileError as error:
        raise ConfigError(str(error)) from error
    return read_config(text, str(path))


def config_path() -> Path | None:
    """Where the configuration lies, or should, as TABLEREF_CONFIG says; None where none is."""
    named = os.environ.get("TABLEREF_CONFIG")
    places = [Path(named)] if named else [Path(place).expanduser() for place in PLACES]
    return next((place for place in places if named or place.is_file()), None)


def remember(section: str, options: Mapping[str, Value]) -> Path:
    """Write options of a section into the configuration, whose other lines stay; its path. Where
    there are several displays, it is said of each.

    ConfigError where it cannot be read or written, or would be no configuration any more.
    """
    import tomlkit

    path = config_path() or Path(PLACES[0]).expanduser()
    try:
        text = read_text(path) if path.exists() else ""
        read_config(text, str(path))
        document = tomlkit.parse(text)
        if section not in document:
            empty = tomlkit.table()
            document[section] = tomlkit.aot() if section == "display" else empty
            if section == "display":
                document[section].append(empty)
        tables: Any = document[section]
        for table in tables if isinstance(tables, list) else [tables]:
            for option, value in options.items():
                table[option] = list(value) if isinstance(value, tuple) else value
        text = tomlkit.dumps(document)
        read_config(text, str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except FileError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from error
    return path


def read_config(text: str, source: str) -> DeviceConfig:
    """The configuration that this TOML text says; `source` names it in errors (ConfigError)."""
    try:
        top = Section(source, "", parse_toml(text, source))
        known(top, ("display", "buttons", "status", "buzzer", "dice", "wiring", *TABLE_SECTIONS))
        config = DeviceConfig(
            displays=_displays(top) if "display" in top else DeviceConfig().displays,
            buttons=_buttons(top.section("buttons", optional=True)),
            status=_status(top.section("status", optional=True)),
            buzzer=_buzzer(top.section("buzzer", optional=True)),
            die=_die(top.section("dice", optional=True)),
            asks=_asks(top.section("dice", optional=True)),
            wiring=_wiring(top.section("wiring", optional=True)),
        )
        _check_places(top, config)
    except FileError as error:
        raise ConfigError(str(error)) from error
    return config


def known(section: Section, options: Iterable[str]) -> None:
    """FileError where the section has any other option than these."""
    options = tuple(options)
    for name in section:
        if name not in options:
            close = get_close_matches(name, options, 1)
            meant = f"; did you mean {close[0]}?" if close else ""
            there = f"there is no such option; there are {', '.join(options)}"
            raise section.wrong(name, there + meant)


def _displays(top: Section) -> tuple[DisplayOptions, ...]:
    usual = DisplayOptions()
    displays = []
    for section in top.sections("display"):
        known(section, ("driver", "bus", "address", "height", "rotate"))
        driver = section.choice("driver", DRIVERS) if "driver" in section else usual.driver
        displays.append(
            DisplayOptions(
                driver=cast(Driver, driver),
                bus=_between(section, "bus", 0, 22, usual.bus),
                address=_between(section, "address", 0x08, 0x77, usual.address),
                height=cast(Literal[64, 32], _one_of(section, "height", (64, 32), usual.height)),
                rotate=cast(Literal[0, 2], _one_of(section, "rotate", (0, 2), usual.rotate)),
            )
        )
    for number, display in enumerate(displays):
        for other in displays[:number]:
            if (display.bus, display.address) == (other.bus, other.address):
                raise top.wrong(
                    f"display[{number}].address",
                    f"another display has 0x{display.address:02X} on bus {display.bus} already. "
                    "Solder its address jumper over (0x3D), use a second bus (dtoverlay=i2c-gpio) "
                    "or put a multiplexer (TCA9548A) between",
                )
    return tuple(displays)


def _buttons(section: Section) -> Mapping[Button, int]:
    known(section, ("present", *(button.value for button in Button)))
    if not _present(section):
        return {}
    usual = DeviceConfig().buttons
    return {button: _pin(section, button.value, usual[button]) for button in Button}


def _status(section: Section) -> StatusPins | None:
    known(section, ("present", "red", "green", "blue", "common"))
    if not _present(section):
        return None
    usual = StatusPins()
    common = "cathode"
    if "common" in section:
        common = section.choice("common", ("cathode", "anode"))
    return StatusPins(
        _pin(section, "red", usual.red),
        _pin(section, "green", usual.green),
        _pin(section, "blue", usual.blue),
        cast(Literal["cathode", "anode"], common),
    )


def _buzzer(section: Section) -> BuzzerOptions | None:
    known(section, ("present", "pin", "kind"))
    if not _present(section):
        return None
    usual = BuzzerOptions()
    kind: str = usual.kind
    if "kind" in section:
        kind = section.choice("kind", ("passive", "active"))
    return BuzzerOptions(_pin(section, "pin", usual.pin), cast(BuzzerKind, kind))


def _die(section: Section) -> float | None:
    known(section, ("size", "asks"))
    if "size" not in section:
        return None
    return section.number("size", SMALLEST, LARGEST)


def _asks(section: Section) -> float:
    return section.number("asks", 0.0, 1.0) if "asks" in section else 0.0


def _wiring(section: Section) -> Mapping[str, tuple[str, ...]]:
    orders: dict[str, tuple[str, ...]] = {}
    for game in section:
        own = "-".join(game.casefold().replace("_", " ").replace("-", " ").split())
        if own != game and own in section:
            continue  # `Skorpion Deep`, written by hand, beside what teaching wrote
        orders[own] = order = tuple(section.texts(game))
        names = [name for name in order if name]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise section.wrong(game, f"{twice!r} stands there twice; teach it again")
    return orders


def _present(section: Section) -> bool:
    return section.flag("present") if "present" in section else True


def _pin(section: Section, key: str, usual: int) -> int:
    return _between(section, key, FIRST_PIN, LAST_PIN, usual)


def _between(section: Section, key: str, least: int, most: int, usual: int) -> int:
    value = section.integer(key) if key in section else usual
    if not least <= value <= most:
        raise section.wrong(key, f"expected {least} to {most}, found {value}")
    return value


def _one_of(section: Section, key: str, allowed: tuple[int, ...], usual: int) -> int:
    value = section.integer(key) if key in section else usual
    if value not in allowed:
        raise section.wrong(key, f"expected {' or '.join(map(str, allowed))}, found {value}")
    return value


def _check_places(top: Section, config: DeviceConfig) -> None:
    """No pin may serve two devices; the pins of a display's bus serve it alone."""
    taken: dict[int, str] = {}
    if any(display.bus == 1 for display in config.displays):
        taken = dict.fromkeys(I2C_PINS, "the display's I2C bus")
    for option, pin in _pins(config):
        if pin in taken:
            raise top.wrong(option, f"GPIO{pin} is in use by {taken[pin]}")
        taken[pin] = option


def _pins(config: DeviceConfig) -> Iterable[tuple[str, int]]:
    for button, pin in config.buttons.items():
        yield f"buttons.{button.value}", pin
    if config.status:
        for name, pin in config.status.numbers().items():
            yield f"status.{name}", pin
    if config.buzzer:
        yield "buzzer.pin", config.buzzer.pin
