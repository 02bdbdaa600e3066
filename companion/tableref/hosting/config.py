"""The one configuration of a table: its devices, and how it is watched and played on.

    [camera]
    look = ["usb:0", "mat=usb:1"]

    [game]
    lang = "de"
    names = ["Ada", "Ben", "Cleo"]

It is one file (`devices.config` says where it lies); an option that does not exist is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tableref.devices.config import ConfigError, DeviceConfig, config_path, known, read_config
from tableref.errors import UserError
from tableref.referee.album import USUAL
from tableref.referee.eyes import PLACES
from tableref.rulebook.text import LANGUAGES
from tableref_hardware.files import FileError, parse_toml, read_text
from tableref_hardware.reading import Section

MOST_NAMES = 24
LONGEST_NAME = 15
MOST_PICTURES = 100_000  # MB
LONGEST_BELL = 600  # seconds
LOOKS = ("usb", "picamera", "folder", "video")


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Cameras that watch the table, as `--camera` names them, and the lens's calibration."""

    look: tuple[str, ...] = ()
    calibration: str = ""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """The port of the board's Pico, as `--link` takes it; "" where there is none."""

    port: str = ""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """What a new game is proposed with: language, names to choose from, and how many seconds
    before the end a clock rings."""

    lang: str = "en"
    names: tuple[str, ...] = ()
    bell: int = 10


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """MB of pictures that are kept with the rulings of a game; 0: none."""

    keep: int = USUAL


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The port at which the pages for phones are; 0: there are none."""

    port: int = 0


@dataclass(frozen=True, slots=True)
class MqttOptions:
    """The broker that is told of each game, as `--mqtt` names it, "" for none; whether Home
    Assistant finds the table there, and whether what was refused may be let stand from there."""

    url: str = ""
    home_assistant: bool = False
    let_stand: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """All of it. `done`: step of the set-up -> the version of it that was gone through."""

    devices: DeviceConfig = field(default_factory=DeviceConfig)
    camera: CameraOptions = CameraOptions()
    link: LinkOptions = LinkOptions()
    game: GameOptions = GameOptions()
    pictures: PictureOptions = PictureOptions()
    web: WebOptions = WebOptions()
    mqtt: MqttOptions = MqttOptions()
    done: dict[str, int] = field(default_factory=dict)


def load(path: Path | None = None) -> Config:
    """The configuration in this file, or in the one that `devices.config` finds. ConfigError"""
    path = path or config_path()
    if path is None or not path.exists():
        return Config()
    try:
        text = read_text(path)
    except FileError as error:
        raise ConfigError(str(error)) from error
    return read(text, str(path))


def read(text: str, source: str) -> Config:
    """The configuration that this TOML text says; `source` names it in errors (ConfigError)."""
    devices = read_config(text, source)
    try:
        top = Section(source, "", parse_toml(text, source))
        return Config(
            devices,
            _camera(top.section("camera", optional=True)),
            _link(top.section("link", optional=True)),
            _game(top.section("game", optional=True)),
            _pictures(top.section("pictures", optional=True)),
            _web(top.section("web", optional=True)),
            _mqtt(top.section("mqtt", optional=True)),
            _done(top.section("setup", optional=True)),
        )
    except FileError as error:
        raise ConfigError(str(error)) from error


def _camera(section: Section) -> CameraOptions:
    known(section, ("look", "calibration"))
    look = tuple(section.texts("look")) if "look" in section else ()
    for name in look:
        spec = name.partition("=")[2] if name.partition("=")[0] in PLACES else name
        if spec.partition(":")[0] not in LOOKS:
            wanted = " or ".join(f"{scheme}:" for scheme in LOOKS)
            raise section.wrong("look", f"expected cameras as {wanted}, found {name!r}")
    return CameraOptions(look, section.text("calibration", ""))


def _link(section: Section) -> LinkOptions:
    known(section, ("port",))
    return LinkOptions(section.text("port", ""))


def _game(section: Section) -> GameOptions:
    known(section, ("lang", "names", "bell"))
    usual = GameOptions()
    names = tuple(section.texts("names")) if "names" in section else ()
    if len(names) > MOST_NAMES:
        raise section.wrong("names", f"expected at most {MOST_NAMES}, found {len(names)}")
    for name in names:
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise section.wrong("names", f"expected 1 to {LONGEST_NAME} letters, found {name!r}")
        if names.count(name) > 1:
            raise section.wrong("names", f"{name!r} is there twice; write one with a letter more")
    return GameOptions(
        section.choice("lang", LANGUAGES) if "lang" in section else usual.lang,
        names,
        section.integer("bell", 0, LONGEST_BELL) if "bell" in section else usual.bell,
    )


def _pictures(section: Section) -> PictureOptions:
    known(section, ("keep",))
    keep = section.integer("keep", 0, MOST_PICTURES) if "keep" in section else USUAL
    return PictureOptions(keep)


def _web(section: Section) -> WebOptions:
    known(section, ("port",))
    return WebOptions(section.integer("port", 0, 65_535) if "port" in section else 0)


def _mqtt(section: Section) -> MqttOptions:
    known(section, ("url", "table", "home_assistant", "let_stand"))
    if not section:
        return MqttOptions()
    from tableref.hosting.mqtt import Broker  # few tables have a broker

    url, table = section.text("url"), section.text("table", "")
    if table and urlsplit(url).path.strip("/"):
        raise section.wrong("table", f"the url {url!r} names the table already; leave one out")
    try:
        named = f"{url.rstrip('/')}/{table}" if table else url
        Broker.of(named, {})
    except UserError as error:
        raise section.wrong("url", str(error).removeprefix("mqtt: ")) from error
    home, stands = (
        (key in section and section.flag(key)) for key in ("home_assistant", "let_stand")
    )
    return MqttOptions(named, home, stands)


def _done(section: Section) -> dict[str, int]:
    return {step: section.integer(step, 0, 1000) for step in section}
