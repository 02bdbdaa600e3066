"""The kinds of electronic parts that a table is made of: pins, values, what they draw and weigh.

Pin numbers are those of the makers' data sheets for the package that is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a pin does to its net, for electrical rules."""

    PASSIVE = "passive"
    INPUT = "input"
    OUTPUT = "output"
    OPEN_DRAIN = "open drain"
    POWER_IN = "power in"
    POWER_OUT = "power out"
    BOTH = "both ways"
    OPEN = "not connected"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin: its number on the package, its name, its role."""

    number: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part: reference letter, value, package, what it is, its pins by name.

    `draws` is the current in mA that it takes at most from its supply, `mass` in grams.
    """

    name: str
    letter: str
    value: str
    package: str
    text: str
    pins: Mapping[str, Pin]
    draws: float = 0.0
    mass: float = 0.0


def _pins(*pins: tuple[str, str, Role]) -> dict[str, Pin]:
    return {name: Pin(number, name, role) for number, name, role in pins}


_IN, _OUT, _PASSIVE = Role.INPUT, Role.OUTPUT, Role.PASSIVE
_POWER, _SUPPLY, _BOTH = Role.POWER_IN, Role.POWER_OUT, Role.BOTH
_TWO_LEGS = _pins(("1", "1", _PASSIVE), ("2", "2", _PASSIVE))

# BCM number -> place on the 40-pin header of the Pi; the same since the B+.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37,
    20: 38, 21: 40,
}  # fmt: skip
_HEADER_GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)

# GP number -> place on the Pico's edge.
_PICO_GP = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17,
    14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
_PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 33, 38)
PICO_3V3_MA = 300.0
"""What the Pico's own 3.3 V gives to others (its data sheet)."""

# Order of the eight inputs of a 74HC165 as `scan` counts places: D0 is A.
INPUTS = ("A", "B", "C", "D", "E", "F", "G", "H")

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "pico",
            "A",
            "Raspberry Pi Pico",
            "module, 2 x 20 pins",
            "reads the switches, drives the lights",
            _pins(
                *((str(at), f"GP{gp}", _BOTH) for gp, at in _PICO_GP.items()),
                *((str(at), f"GND{at}", _POWER) for at in _PICO_GROUNDS),
                ("36", "3V3", _SUPPLY),
                ("39", "VSYS", _PASSIVE),
                ("40", "VBUS", _PASSIVE),
            ),
            draws=100.0,
            mass=3.0,
        ),
        Kind(
            "register",
            "U",
            "74HC165",
            "DIP-16",
            "shift register, eight inputs",
            _pins(
                ("1", "SH/LD", _IN),
                ("2", "CLK", _IN),
                ("3", "E", _IN),
                ("4", "F", _IN),
                ("5", "G", _IN),
                ("6", "H", _IN),
                ("7", "/QH", _OUT),
                ("8", "GND", _POWER),
                ("9", "QH", _OUT),
                ("10", "SER", _IN),
                ("11", "A", _IN),
                ("12", "B", _IN),
                ("13", "C", _IN),
                ("14", "D", _IN),
                ("15", "CLK INH", _IN),
                ("16", "VCC", _POWER),
            ),
            draws=0.1,
            mass=1.1,
        ),
        Kind(
            "shifter",
            "U",
            "74AHCT125",
            "DIP-14",
            "buffer, lifts 3.3 V data to 5 V",
            _pins(
                ("1", "/OE1", _IN),
                ("2", "A1", _IN),
                ("3", "Y1", _OUT),
                ("4", "/OE2", _IN),
                ("5", "A2", _IN),
                ("6", "Y2", _OUT),
                ("7", "GND", _POWER),
                ("8", "Y3", _OUT),
                ("9", "A3", _IN),
                ("10", "/OE3", _IN),
                ("11", "Y4", _OUT),
                ("12", "A4", _IN),
                ("13", "/OE4", _IN),
                ("14", "VCC", _POWER),
            ),
            draws=2.0,
            mass=1.0,
        ),
        Kind(
            "hall",
            "B",
            "DRV5033",
            "TO-92",
            "hall switch, either pole, open drain, 2.5 V and more",
            _pins(("1", "VCC", _POWER), ("2", "GND", _POWER), ("3", "OUT", Role.OPEN_DRAIN)),
            draws=3.6,
            mass=0.2,
        ),
        Kind(
            "light",
            "D",
            "WS2812B",
            "5050, on a strip or alone",
            "light with its own driver",
            _pins(
                ("1", "VDD", _POWER), ("2", "DOUT", _OUT), ("3", "VSS", _POWER), ("4", "DIN", _IN)
            ),
            draws=60.0,
            mass=0.3,
        ),
        Kind(
            "pull-up",
            "R",
            "10 kΩ",
            "axial, 0.25 W",
            "resistor",
            _TWO_LEGS,
            mass=0.2,
        ),
        Kind(
            "series",
            "R",
            "330 Ω",
            "axial, 0.25 W",
            "resistor",
            _TWO_LEGS,
            mass=0.2,
        ),
        Kind(
            "base",
            "R",
            "1 kΩ",
            "axial, 0.25 W",
            "resistor",
            _TWO_LEGS,
            mass=0.2,
        ),
        Kind(
            "decoupling",
            "C",
            "100 nF",
            "ceramic, 2.54 mm",
            "capacitor",
            _TWO_LEGS,
            mass=0.2,
        ),
        Kind(
            "reservoir",
            "C",
            "1000 µF 10 V",
            "radial electrolytic",
            "capacitor",
            _pins(("1", "+", _PASSIVE), ("2", "-", _PASSIVE)),
            mass=1.5,
        ),
        Kind(
            "fuse",
            "F",
            "1 A slow",
            "5 x 20 mm in a holder",
            "fuse of the lights",
            _TWO_LEGS,
            mass=5.0,
        ),
        Kind(
            "supply",
            "J",
            "5 V, 2 A",
            "plug-in supply with a barrel jack",
            "supply of the lights",
            _pins(("1", "+5V", _SUPPLY), ("2", "GND", _POWER)),
            mass=120.0,
        ),
        Kind(
            "header",
            "J",
            "Raspberry Pi",
            "40-pin header",
            "the Pi: Zero 2 W, 3B+, 4 or 5",
            _pins(
                *((str(at), f"GPIO{bcm}", _BOTH) for bcm, at in HEADER.items()),
                *((str(at), f"GND{at}", _POWER) for at in _HEADER_GROUNDS),
                ("1", "3V3", _SUPPLY),
                ("17", "3V3 again", _PASSIVE),
                ("2", "5V", _PASSIVE),
                ("4", "5V again", _PASSIVE),
                ("27", "ID_SD", _PASSIVE),
                ("28", "ID_SC", _PASSIVE),
            ),
            mass=50.0,
        ),
        Kind(
            "display",
            "DS",
            "SSD1306 or SH1106, I2C",
            "module, 128 x 64",
            "display",
            _pins(
                ("1", "GND", _POWER), ("2", "VCC", _POWER), ("3", "SCL", _IN), ("4", "SDA", _BOTH)
            ),
            draws=30.0,
            mass=4.0,
        ),
        Kind(
            "button",
            "SW",
            "push button, closes",
            "12 mm, panel",
            "button",
            _TWO_LEGS,
            mass=5.0,
        ),
        Kind(
            "status",
            "D",
            "RGB LED, common cathode",
            "5 mm, 4 legs",
            "status light",
            _pins(
                ("1", "R", _PASSIVE),
                ("2", "K", _PASSIVE),
                ("3", "G", _PASSIVE),
                ("4", "B", _PASSIVE),
            ),
            draws=15.0,
            mass=0.4,
        ),
        Kind(
            "transistor",
            "Q",
            "BC547",
            "TO-92",
            "NPN transistor",
            _pins(("1", "C", _PASSIVE), ("2", "B", _IN), ("3", "E", _PASSIVE)),
            mass=0.2,
        ),
        Kind(
            "buzzer",
            "BZ",
            "passive, 3 V",
            "12 mm",
            "buzzer",
            _pins(("1", "+", _PASSIVE), ("2", "-", _PASSIVE)),
            draws=30.0,
            mass=2.0,
        ),
    )
}
