"""The harness drawn by WireViz: a drawing for each group of cables.

The cables along the strip of lights are all alike, and so are those of all units, so that only the
first are drawn; which cell each goes to stands in the table of wires.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import yaml

from tableref_hardware.electronics.harness import Cable, Leg

MOST = 8  # cables in one drawing
COLOURS = {"+3V3": "RD", "PI +3V3": "RD", "+5V": "OG", "+5V IN": "OG", "GND": "BK", "PI GND": "BK"}
OTHERS = ("YE", "GN", "BU", "VT", "WH", "GY", "BN", "PK")


def draw_harness(cables: Sequence[Cable], name: str, out: Path) -> tuple[Path, ...]:
    """Writes NAME-harness-GROUP.svg for each group; their paths. Needs graphviz."""
    from wireviz import wireviz

    paths = []
    for group, some in groupby(cables, lambda cable: cable.group):
        shown = list(some)[:MOST]
        if group.startswith("unit") and group != "unit 1":
            continue
        stem = f"{name}-harness-{group.replace(' ', '-')}"
        wireviz.parse(
            yaml.safe_dump(document(shown), allow_unicode=True, sort_keys=False),
            output_formats=("svg", "png"),
            output_dir=out,
            output_name=stem,
        )
        paths.append(out / f"{stem}.svg")
    return tuple(paths)


def document(cables: Sequence[Cable]) -> dict[str, object]:
    """What WireViz reads: a connector for each place, with the legs that its wires go to."""
    legs: dict[str, list[Leg]] = {}
    for wire in (wire for cable in cables for wire in cable.wires):
        for place, leg in ((wire.start, wire.start_leg), (wire.end, wire.end_leg)):
            if leg not in legs.setdefault(place, []):
                legs[place].append(leg)
    return {
        "connectors": {place: _connector(some) for place, some in legs.items()},
        "cables": {cable.name: _cable(cable) for cable in cables},
        "connections": [
            [
                {cable.wires[0].start: [_pin(wire.start_leg) for wire in cable.wires]},
                {cable.name: list(range(1, len(cable.wires) + 1))},
                {cable.wires[0].end: [_pin(wire.end_leg) for wire in cable.wires]},
            ]
            for cable in cables
        ],
    }


def _connector(legs: Sequence[Leg]) -> dict[str, object]:
    legs = sorted(legs, key=lambda leg: int(leg.number or 0))
    pins: dict[str, object] = {"pins": [_pin(leg) for leg in legs]}
    named = any(leg.name != leg.number for leg in legs if leg.number)
    return pins | ({"pinlabels": [leg.name for leg in legs]} if named else {})


def _pin(leg: Leg) -> int | str:
    """A leg's number as it is printed; a hole of a board of ours has a name alone."""
    return int(leg.number) if leg.number else leg.name


def _cable(cable: Cable) -> dict[str, object]:
    others = iter(OTHERS)
    colours = [COLOURS.get(wire.net) or next(others) for wire in cable.wires]
    return {"wirecount": len(colours), "colors": colours}
