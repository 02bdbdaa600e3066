"""The harness: which cable joins which places, wire by wire, and whether it joins whole nets.

A place is something on a board of its own: the Pico, a unit of eight cells, the switch or the light
under a cell, the lights' board, the supply, the Pi, each thing at the front of the case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tableref_hardware.electronics.catalogue import INPUTS
from tableref_hardware.electronics.circuit import Circuit, Part
from tableref_hardware.electronics.table import GROUND

PICO, LIGHTS, SUPPLY, PI = "Pico", "lights board", "supply", "Pi"
_PADS = {"QH": "DATA OUT", "SER": "DATA IN", "SH/LD": "LATCH"} | {i: f"IN {i}" for i in INPUTS}
"""A register's pins as the wires of its unit are called on the stripboard."""


_ALONE = {"pico", "header", "supply", "hall", "light", "display", "button"}
"""Kinds of parts that sit on no board of ours."""


class Leg(NamedTuple):
    """Where a wire is soldered or plugged: a pin's number ("" on a board of ours) and its name."""

    number: str
    name: str

    def __str__(self) -> str:
        named = self.number and self.name != self.number
        return f"{self.number} ({self.name})" if named else self.name


class Wire(NamedTuple):
    """A wire of a cable: its net, the two places that it joins, and the leg at each."""

    net: str
    start: str
    start_leg: Leg
    end: str
    end_leg: Leg


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


def legs_at(circuit: Circuit, place: str, net: str) -> tuple[Leg, ...]:
    """The legs at which a place can take a wire of this net, in the order of their numbers.

    A part by itself has its own pins; a board of ours has a hole for the wire, called after it.
    """
    here = [t for t in circuit.nets[net] if place_of(circuit.parts[t.ref]) == place]
    pins = [circuit.parts[t.ref].of.pins[t.pin] for t in here]
    if {circuit.parts[t.ref].kind for t in here} <= _ALONE:
        return tuple(Leg(p.number, p.name) for p in sorted(pins, key=lambda p: int(p.number)))
    # The last unit's DATA IN is at ground, by a wire of its own.
    registers = [t for t in here if circuit.parts[t.ref].kind == "register" and net != GROUND]
    return (Leg("", next((_PADS[t.pin] for t in registers if t.pin in _PADS), net)),)


def harness(circuit: Circuit) -> tuple[Cable, ...]:
    """All cables of the table, each with its wires, from the nets that they carry on."""
    units = [part.place for part in circuit.of_kind("register")]
    lights = [f"light {part.place}" for part in circuit.of_kind("light")]
    places = {net: places_of(circuit, net) for net in circuit.nets}
    cables: list[Cable] = []
    turns: Counter[tuple[str, str]] = Counter()

    def leg(place: str, net: str) -> Leg:
        """The leg that is next: each wire of a net has its own as long as the part has several."""
        legs = legs_at(circuit, place, net)
        turns[place, net] += 1
        return legs[(turns[place, net] - 1) % len(legs)]

    def cable(name: str, group: str, start: str, end: str) -> None:
        shared = [
            net for net in circuit.nets if {start, end} <= places[net] and _wanted(net, start, end)
        ]
        wires = (Wire(net, start, leg(start, net), end, leg(end, net)) for net in shared)
        cables.append(Cable(name, group, tuple(wires)))

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
        faults += _leg_faults(cables, circuit, net)
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


def _leg_faults(cables: tuple[Cable, ...], circuit: Circuit, net: str) -> Iterator[str]:
    for wire in (w for cable in cables for w in cable.wires if w.net == net):
        for place, leg in ((wire.start, wire.start_leg), (wire.end, wire.end_leg)):
            if place in places_of(circuit, net) and leg not in legs_at(circuit, place, net):
                yield f"a wire of {net} goes to {leg} of {place}, which is not on {net}"
