"""The circuit of a table, made from its board file, the firmware's pins and the panel's pins.

Wires go where docs/firmware.md and docs/panel.md say; those pages and this module speak of the same
pins, since both numbers come from the software that uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tableref_hardware.board import Board
from tableref_hardware.electronics.catalogue import INPUTS
from tableref_hardware.electronics.circuit import Circuit, Draft

GROUND, V33, V5, PI_33 = "GND", "+3V3", "+5V", "PI +3V3"


@dataclass(frozen=True, slots=True)
class Pico:
    """GP numbers of the firmware's pin table (`firmware/tableref_firmware/pins.py`)."""

    clock: int
    data: int
    latch: int
    lights: int


@dataclass(frozen=True, slots=True)
class Front:
    """BCM numbers of the front of the case; what is not there is left out."""

    buttons: Mapping[str, int] = field(default_factory=dict)
    status: Mapping[str, int] = field(default_factory=dict)
    buzzer: int | None = None
    display: bool = True


def circuit(board: Board, pico: Pico, front: Front) -> Circuit:
    """All parts and nets of the table for this board. ValueError: pins that clash."""
    draft = Draft()
    controller = draft.add("pico", "by the board")
    draft.join(V33, controller, "3V3")
    draft.join(GROUND, controller, *(f"GND{at}" for at in (3, 8, 13, 18, 23, 28, 33, 38)))
    _switches(draft, controller, board, pico)
    _lights(draft, controller, board, pico)
    _front(draft, front)
    return draft.done()


def places(board: Board) -> dict[int, str]:
    """Place in the chain of switches -> cell."""
    return {c.switch: c.name for c in board.cells.values() if c.switch is not None}


def strip(board: Board) -> dict[int, str]:
    """Place in the strip of lights -> cell."""
    return {c.light: c.name for c in board.cells.values() if c.light is not None}


def _switches(draft: Draft, controller: str, board: Board, pico: Pico) -> None:
    """Registers, nearest the Pico first; a switch and a pull-up for each input."""
    cells = places(board)
    if not cells:
        return
    count = max(cells) // 8 + 1
    draft.join("CLK", controller, f"GP{pico.clock}")
    draft.join("LATCH", controller, f"GP{pico.latch}")
    draft.join("QH 1", controller, f"GP{pico.data}")
    for number in range(1, count + 1):
        place = f"unit {number}"
        register = draft.add("register", place)
        draft.join(V33, register, "VCC")
        draft.join(GROUND, register, "GND", "CLK INH")
        draft.join("CLK", register, "CLK")
        draft.join("LATCH", register, "SH/LD")
        draft.join(f"QH {number}", register, "QH")
        # The tail that the firmware checks: the last one reads ground.
        draft.join(f"QH {number + 1}" if number < count else GROUND, register, "SER")
        draft.between("decoupling", V33, GROUND, place)
        for index, pin in enumerate(INPUTS):
            at = (number - 1) * 8 + index
            net = f"IN {at}"
            draft.join(net, register, pin)
            draft.between("pull-up", V33, net, place)
            if at in cells:
                draft.add("hall", cells[at], VCC=V33, GND=GROUND, OUT=net)


def _lights(draft: Draft, controller: str, board: Board, pico: Pico) -> None:
    """Supply, fuse, level shifter and the strip, in the order of its data line."""
    cells = strip(board)
    if not cells:
        return
    supply = draft.add("supply", "lights")
    draft.join("+5V IN", supply, "+5V")
    draft.join(GROUND, supply, "GND")
    draft.between("fuse", "+5V IN", V5, "lights")
    draft.between("reservoir", V5, GROUND, "lights")
    shifter = draft.add("shifter", "lights")
    draft.join(V5, shifter, "VCC", "/OE2", "/OE3", "/OE4")
    draft.join(GROUND, shifter, "GND", "/OE1", "A2", "A3", "A4")
    draft.between("decoupling", V5, GROUND, "lights")
    draft.join("LIGHTS 3V3", controller, f"GP{pico.lights}")
    draft.join("LIGHTS 3V3", shifter, "A1")
    draft.join("LIGHTS 5V", shifter, "Y1")
    draft.between("series", "LIGHTS 5V", "LIGHT 0", "lights")
    for at in sorted(cells):
        light = draft.add("light", cells[at], VDD=V5, VSS=GROUND, DIN=f"LIGHT {at}")
        if at + 1 in cells:
            draft.join(f"LIGHT {at + 1}", light, "DOUT")


def _front(draft: Draft, front: Front) -> None:
    """What hangs on the Pi's header."""
    header = draft.add("header", "case")
    draft.join(PI_33, header, "3V3")
    draft.join("PI GND", header, *(f"GND{at}" for at in (6, 9, 14, 20, 25, 30, 34, 39)))
    if front.display:
        draft.join("SDA", header, "GPIO2")
        draft.join("SCL", header, "GPIO3")
        draft.add("display", "case", VCC=PI_33, GND="PI GND", SDA="SDA", SCL="SCL")
    for name, bcm in front.buttons.items():
        draft.join(f"BUTTON {name.upper()}", header, f"GPIO{bcm}")
        draft.between("button", f"BUTTON {name.upper()}", "PI GND", name.upper())
    if front.status:
        light = draft.add("status", "case", K="PI GND")
        for name, bcm in front.status.items():
            draft.join(f"STATUS {name.upper()}", header, f"GPIO{bcm}")
            leg = f"STATUS {name.upper()} LED"
            draft.between("series", f"STATUS {name.upper()}", leg, "case")
            draft.join(leg, light, name[0].upper())
    if front.buzzer is not None:
        draft.join("BUZZER", header, f"GPIO{front.buzzer}")
        draft.between("base", "BUZZER", "BUZZER BASE", "case")
        draft.add("transistor", "case", B="BUZZER BASE", C="BUZZER LOW", E="PI GND")
        draft.between("buzzer", PI_33, "BUZZER LOW", "case")
