"""Whether a circuit does what firmware and board file will take it to do: every wire is traced.

It asks nothing of the one who drew the circuit: it starts at the Pico's pins and walks.
"""

from __future__ import annotations

from collections.abc import Iterator

from tableref_hardware.board import Board
from tableref_hardware.electronics.catalogue import INPUTS, PICO_3V3_MA
from tableref_hardware.electronics.circuit import Circuit, Terminal
from tableref_hardware.electronics.table import GROUND, V5, V33, Front, Pico, places, strip

LIMIT_MA = 500.0
"""What the firmware lets the lights draw together (docs/firmware.md)."""


def faults(circuit: Circuit, board: Board, pico: Pico, front: Front) -> tuple[str, ...]:
    """Sentences on what does not agree; none where all does."""
    return (
        *_switch_faults(circuit, board, pico),
        *_light_faults(circuit, board, pico),
        *_front_faults(circuit, front),
        *_supply_faults(circuit),
    )


def _others(circuit: Circuit, ref: str, pin: str, kind: str) -> list[Terminal]:
    """Pins of parts of a kind on the same net."""
    net = circuit.nets.get(circuit.net_of(ref, pin), frozenset())
    return sorted(t for t in net if circuit.parts[t.ref].kind == kind and t != (ref, pin))


def _controller(circuit: Circuit) -> str:
    return circuit.of_kind("pico")[0].ref


def _switch_faults(circuit: Circuit, board: Board, pico: Pico) -> Iterator[str]:
    """Walks the chain as the data comes: QH of the nearest register, its SER, and so on."""
    controller, at, seen = _controller(circuit), (_controller(circuit), f"GP{pico.data}"), 0
    cells = places(board)
    chain: list[str] = []
    while found := [t for t in _others(circuit, *at, "register") if t.pin == "QH"]:
        register = found[0].ref
        if register in chain:
            yield f"the chain comes back to {register}"
            return
        chain.append(register)
        at = (register, "SER")
    if chain and circuit.net_of(chain[-1], "SER") != GROUND:
        yield f"SER of {chain[-1]}, the last register, is not at ground"
    for register in chain:
        for pin, gp in (("CLK", pico.clock), ("SH/LD", pico.latch)):
            if (controller, f"GP{gp}") not in _others(circuit, register, pin, "pico"):
                yield f"{pin} of {register} does not come from GP{gp}"
        if circuit.net_of(register, "CLK INH") != GROUND:
            yield f"CLK INH of {register} is not at ground"
        for pin in INPUTS:
            place, seen = seen, seen + 1
            halls = [t.ref for t in _others(circuit, register, pin, "hall") if t.pin == "OUT"]
            wanted = [cells[place]] if place in cells else []
            got = [circuit.parts[ref].place for ref in halls]
            if got != wanted:
                yield (
                    f"input {pin} of {register} is place {place}: the board file has"
                    f" {wanted[0] if wanted else 'nothing'} there, the circuit"
                    f" {' and '.join(got) or 'nothing'}"
                )
            pulled = any(
                V33 in (circuit.net_of(t.ref, "1"), circuit.net_of(t.ref, "2"))
                for t in _others(circuit, register, pin, "pull-up")
            )
            if not pulled:
                yield f"input {pin} of {register} has no pull-up"
    if cells and max(cells) >= seen:
        yield f"the chain has {seen} inputs, the board file wants {max(cells) + 1}"


def _light_faults(circuit: Circuit, board: Board, pico: Pico) -> Iterator[str]:
    """Walks the data line from the Pico through the level shifter along the strip."""
    cells = strip(board)
    if not cells:
        return
    shifted = _others(circuit, _controller(circuit), f"GP{pico.lights}", "shifter")
    if [t.pin for t in shifted] != ["A1"]:
        yield f"GP{pico.lights} does not go to the level shifter"
        return
    at: tuple[str, str] | None = None
    for resistor in _others(circuit, shifted[0].ref, "Y1", "series"):
        at = (resistor.ref, "2" if resistor.pin == "1" else "1")
    for place in range(max(cells) + 1):
        lights = [t.ref for t in _others(circuit, *at, "light") if t.pin == "DIN"] if at else []
        if not lights:
            yield f"light {place} ({cells[place]}) is missing: the data line ends before it"
            return
        if circuit.parts[lights[0]].place != cells[place]:
            yield (
                f"light {place} is {cells[place]} in the board file,"
                f" {circuit.parts[lights[0]].place} in the circuit"
            )
        if (circuit.net_of(lights[0], "VDD"), circuit.net_of(lights[0], "VSS")) != (V5, GROUND):
            yield f"light {place} ({cells[place]}) is not fed by 5 V"
        at = (lights[0], "DOUT")


def _front_faults(circuit: Circuit, front: Front) -> Iterator[str]:
    wanted = {name.upper(): bcm for name, bcm in front.buttons.items()}
    for button in circuit.of_kind("button"):
        pins = [t.pin for pin in ("1", "2") for t in _others(circuit, button.ref, pin, "header")]
        if f"GPIO{wanted.pop(button.place, None)}" not in pins:
            yield f"button {button.place} is not on the pin that the configuration has"
    for name in wanted:
        yield f"button {name} is missing"
    header = circuit.of_kind("header")[0].ref
    for name, bcm in front.status.items():
        if not _others(circuit, header, f"GPIO{bcm}", "series"):
            yield f"the status light's {name} is not on GPIO{bcm}"
    if front.buzzer is not None and not _others(circuit, header, f"GPIO{front.buzzer}", "base"):
        yield f"the buzzer is not on GPIO{front.buzzer}"


def _supply_faults(circuit: Circuit) -> Iterator[str]:
    """Budgets: the Pico's 3.3 V, and the fuse of the lights."""
    drawn = circuit.draw_ma(V33)
    if drawn > PICO_3V3_MA:
        yield f"switches and registers want {drawn:.0f} mA, the Pico gives {PICO_3V3_MA:.0f}"
    fuses = circuit.of_kind("fuse")
    if circuit.of_kind("light") and not fuses:
        yield "the lights have no fuse"
    for fuse in fuses:
        if float(fuse.of.value.split()[0]) * 1000 < LIMIT_MA:
            yield f"the fuse ({fuse.of.value}) blows below the {LIMIT_MA:.0f} mA of the lights"
