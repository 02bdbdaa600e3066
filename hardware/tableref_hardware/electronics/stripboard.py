"""The unit of eight cells on stripboard: one register, its pull-ups, and holes for the wires.

Copper strips run along the rows; a cut parts a row in two. `Layout` is data: where every part's leg
goes, which holes are cut, which are joined by a link on the component side. `layout_faults` works
out which holes the copper joins, and holds that against the circuit, so that nobody has to think
the wiring up. Distances between holes are 2.54 mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tableref_hardware.electronics.catalogue import INPUTS
from tableref_hardware.electronics.circuit import Circuit, Draft
from tableref_hardware.electronics.table import GROUND, V33

ROWS, COLUMNS = 10, 28
PITCH = 2.54

# Rows: 3.3 V on top, ground at the bottom, the register's eight pins between.
_TOP, _BOTTOM = 0, ROWS - 1
_LEFT_PINS, _RIGHT_PINS = 11, 14  # columns of the register's two rows of pins, 7.62 mm apart


class Hole(NamedTuple):
    """A hole: its row from the top, its column from the left, from 0."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Legs of parts (`U1`, pin `1`) and wires (`IN`, `CLK`) -> holes; cuts; links."""

    legs: Mapping[tuple[str, str], Hole]
    pads: Mapping[tuple[str, str], Hole]
    cuts: frozenset[Hole]
    links: tuple[tuple[Hole, Hole], ...]


def unit_circuit() -> Circuit:
    """One unit as a circuit of its own: what has to be on the board, without the hall switches."""
    draft = Draft()
    register = draft.add("register", "unit")
    draft.join(V33, register, "VCC")
    draft.join(GROUND, register, "GND", "CLK INH")
    for net, pin in (("CLK", "CLK"), ("LATCH", "SH/LD"), ("DATA OUT", "QH"), ("DATA IN", "SER")):
        draft.join(net, register, pin)
    draft.between("decoupling", V33, GROUND, "unit")
    for pin in INPUTS:
        draft.join(f"IN {pin}", register, pin)
        draft.between("pull-up", V33, f"IN {pin}", "unit")
    return draft.done()


def unit_layout() -> Layout:
    """Where everything goes on the unit's board."""
    row_of = {str(pin): pin for pin in range(1, 9)} | {str(17 - pin): pin for pin in range(1, 9)}
    legs = {
        ("U1", pin): Hole(row, _LEFT_PINS if int(pin) <= 8 else _RIGHT_PINS)
        for pin, row in row_of.items()
    }
    # Between VCC and CLK INH, which is at ground: the two pins lie side by side.
    legs["C1", "1"], legs["C1", "2"] = Hole(1, _RIGHT_PINS + 2), Hole(2, _RIGHT_PINS + 2)
    # Pull-ups stand upright, from their input's row up to 3.3 V, each in a column of its own.
    rows = {"D": 3, "C": 4, "B": 5, "A": 6, "E": 3, "F": 4, "G": 5, "H": 6}
    columns = {name: _LEFT_PINS - 6 + place for place, name in enumerate("EFGH")}
    columns |= {name: _RIGHT_PINS + 4 + place for place, name in enumerate("DCBA")}
    pads: dict[tuple[str, str], Hole] = {}
    for number, name in enumerate(INPUTS, 1):
        legs[f"R{number}", "1"] = Hole(_TOP, columns[name])
        legs[f"R{number}", "2"] = Hole(rows[name], columns[name])
        left = name in "EFGH"
        pads["switch", f"IN {name}"] = Hole(rows[name], 2 if left else COLUMNS - 3)
        # A switch's own 3.3 V and ground, above and below in the same order.
        column = 1 + "EFGH".index(name) if left else COLUMNS - 5 + "DCBA".index(name)
        pads["switch", f"{V33} {name}"] = Hole(_TOP, column)
        pads["switch", f"{GROUND} {name}"] = Hole(_BOTTOM, column)
    for side, column in (("to the Pico", 9), ("to the next", 10)):
        pads[side, V33] = Hole(_TOP, column + 2)
        pads[side, "LATCH"] = Hole(1, column)
        pads[side, "CLK"] = Hole(2, column)
        pads[side, GROUND] = Hole(_BOTTOM, column + 2)
    pads["to the Pico", "DATA OUT"] = Hole(8, COLUMNS - 4)
    pads["to the next", "DATA IN"] = Hole(7, COLUMNS - 4)
    cuts = frozenset(Hole(row, _LEFT_PINS + 1) for row in range(1, 9))
    links = (
        (Hole(_TOP, _RIGHT_PINS + 1), Hole(1, _RIGHT_PINS + 1)),  # 3.3 V to VCC
        (Hole(2, _RIGHT_PINS + 3), Hole(_BOTTOM, _RIGHT_PINS + 3)),  # ground to CLK INH
        (Hole(8, _LEFT_PINS - 1), Hole(_BOTTOM, _LEFT_PINS - 1)),  # ground to GND
    )
    return Layout(legs, pads, cuts, links)


def layout_faults(layout: Layout, circuit: Circuit) -> tuple[str, ...]:
    """Sentences on what the board joins that the circuit does not, and the other way round."""
    return tuple(_hole_faults(layout)) + tuple(_net_faults(layout, circuit))


def _used(layout: Layout) -> Iterator[tuple[str, Hole]]:
    for (ref, pin), hole in layout.legs.items():
        yield f"{ref} pin {pin}", hole
    for (side, wire), hole in layout.pads.items():
        yield f"wire {wire} {side}", hole
    for number, link in enumerate(layout.links, 1):
        yield from ((f"link {number}", hole) for hole in link)


def _hole_faults(layout: Layout) -> Iterator[str]:
    taken: dict[Hole, str] = {}
    for name, hole in _used(layout):
        if not (0 <= hole.row < ROWS and 0 <= hole.column < COLUMNS):
            yield f"{name} lies off the board"
        if hole in layout.cuts:
            yield f"{name} sits on a cut"
        if hole in taken:
            yield f"{name} and {taken[hole]} want the same hole"
        taken[hole] = name


def _net_faults(layout: Layout, circuit: Circuit) -> Iterator[str]:
    joined = _joined(layout)
    net_at: dict[Hole, str] = {}  # a piece of copper -> the net that it is
    copper_of: dict[str, Hole] = {}
    terminals: list[tuple[str, str, Hole]] = []
    for part in circuit.parts.values():
        for pin in part.of.pins.values():
            hole = layout.legs.get((part.ref, pin.number))
            net = circuit.net_of(part.ref, pin.name)
            if hole is None:
                yield f"{part.ref} pin {pin.number} has no hole"
            else:
                terminals.append((f"{part.ref} pin {pin.number}", net, hole))
    for (side, wire), hole in layout.pads.items():
        net = next((n for n in (V33, GROUND) if wire.startswith(n)), wire)
        terminals.append((f"wire {wire} {side}", net, hole))
    for name, net, hole in terminals:
        copper = joined[hole]
        net = net or f"open {name}"
        if net_at.setdefault(copper, net) != net:
            yield f"{name} ({net}) is joined to {net_at[copper]}"
        if copper_of.setdefault(net, copper) != copper:
            yield f"{name} is not joined to the rest of {net}"


def _joined(layout: Layout) -> dict[Hole, Hole]:
    """Hole -> the first hole of the copper that it belongs to: strips between cuts, and links."""
    first: dict[Hole, Hole] = {}
    for row in range(ROWS):
        start = None
        for column in range(COLUMNS):
            hole = Hole(row, column)
            start = None if hole in layout.cuts else start or hole
            first[hole] = start or hole
    for one, other in layout.links:
        keep, gone = first[one], first[other]
        first = {hole: keep if head == gone else head for hole, head in first.items()}
    return first
