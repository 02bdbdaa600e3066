"""The harness: which cable joins which places, wire by wire, and whether it joins whole nets.

A place is something on a board of its own: the Pico, a unit of eight cells, the switch or the light
under a cell, the lights' board, the supply, the Pi, each thing at the front of the case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tableref_hardware.electronics.circuit import Circuit, Part

PICO, LIGHTS, SUPPLY, PI = "Pico", "lights board", "supply", "Pi"


class Wire(NamedTuple):
    """A wire of a cable: its net and the two places that it joins."""

    net: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Cable:
    """Wires that run together; `group` is the drawing that shows it."""

    name: str
    group: str
    wires: tuple[Wire, ...]


def place_of(part: Part) -> str:
    """The place at which a part sits."""
    match part.kind:
        case "pico":
            return PICO
        case "header":
            return PI
        case "supply":
            return SUPPLY
        case "hall":
            return f"switch {part.place}"
        case "light":
            return f"light {part.place}"
        case "button":
            return f"button {part.place}"
        case "display" | "status":
            return part.kind
        case "transistor" | "base" | "buzzer":
            return "buzzer"
        case "series" if part.place == "case":
            return "status"
    return LIGHTS if part.place == "lights" else part.place


def places_of(circuit: Circuit, net: str) -> frozenset[str]:
    """Places that a net touches."""
    return frozenset(place_of(circuit.parts[terminal.ref]) for terminal in circuit.nets[net])


def harness(circuit: Circuit) -> tuple[Cable, ...]:
    """All cables of the table, each with its wires, from the nets that they carry on."""
    units = [part.place for part in circuit.of_kind("register")]
    lights = [f"light {part.place}" for part in circuit.of_kind("light")]
    places = {net: places_of(circuit, net) for net in circuit.nets}
    cables: list[Cable] = []

    def cable(name: str, group: str, start: str, end: str) -> None:
        shared = [
            net for net in circuit.nets if {start, end} <= places[net] and _wanted(net, start, end)
        ]
        cables.append(Cable(name, group, tuple(Wire(net, start, end) for net in shared)))

    for before, unit in zip([PICO, *units], units, strict=False):
        cable(f"{before} to {unit}", "chain", before, unit)
    for unit in units:
        for place in _switches_of(circuit, unit):
            cable(f"{unit} to {place}", unit, unit, place)
    if lights:
        cable("supply to lights board", "lights", SUPPLY, LIGHTS)
        cable("Pico to lights board", "lights", PICO, LIGHTS)
        for before, light in zip([LIGHTS, *lights], lights, strict=False):
            cable(f"{before} to {light}", "strip", before, light)
    front = sorted(
        {place_of(part) for part in circuit.of_kind("display", "button", "status", "buzzer")}
    )
    for place in front:
        cable(f"Pi to {place}", "front", PI, place)
    return tuple(cables)


def _wanted(net: str, start: str, end: str) -> bool:
    """Whether a cable carries this net on. The lights' board gets ground from its supply, and the
    Pico's ground for the data; 3.3 V goes to the switches alone."""
    return not (net == "+3V3" and LIGHTS in (start, end))


def _switches_of(circuit: Circuit, unit: str) -> Iterator[str]:
    register = next(p.ref for p in circuit.of_kind("register") if p.place == unit)
    for pin in "ABCDEFGH":
        net = circuit.net_of(register, pin)
        yield from (p for p in places_of(circuit, net) if p.startswith("switch "))


def harness_faults(cables: tuple[Cable, ...], circuit: Circuit) -> tuple[str, ...]:
    """Sentences on nets that the cables do not join whole, and on wires that lead nowhere."""
    faults: list[str] = []
    for net in circuit.nets:
        places = places_of(circuit, net)
        joined: dict[str, set[str]] = {place: {place} for place in places}
        for wire in (w for cable in cables for w in cable.wires if w.net == net):
            for end in (wire.start, wire.end):
                if end not in places:
                    faults.append(f"a wire of {net} ends at {end}, where {net} is not")
                    joined.setdefault(end, {end})
            both = joined[wire.start] | joined[wire.end]
            joined.update(dict.fromkeys(both, both))
        groups: set[frozenset[str]] = {frozenset(joined[place]) for place in places}
        if len(groups) > 1:
            lone = min((sorted(group) for group in groups), key=len)
            faults.append(f"{net} does not reach {', '.join(lone[:3])}")
    return tuple(faults)
