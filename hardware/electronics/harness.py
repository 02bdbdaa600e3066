"""The harness drawn by WireViz: a drawing for each group of cables.

The cables along the strip of lights are all alike, and so are those of all units, so that only the
first are drawn; which cell each goes to stands in the table of wires.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import yaml

from tableref_hardware.electronics.harness import Cable

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
    """What WireViz reads: a connector for each place, with the nets that its wires carry."""
    pins: dict[str, list[str]] = {}
    for cable in cables:
        for wire in cable.wires:
            for place in (wire.start, wire.end):
                if wire.net not in pins.setdefault(place, []):
                    pins[place].append(wire.net)
    connections = []
    for cable in cables:
        start, end = cable.wires[0].start, cable.wires[0].end
        nets = [wire.net for wire in cable.wires]
        connections.append(
            [
                {start: [pins[start].index(net) + 1 for net in nets]},
                {cable.name: list(range(1, len(nets) + 1))},
                {end: [pins[end].index(net) + 1 for net in nets]},
            ]
        )
    return {
        "connectors": {place: {"pinlabels": labels} for place, labels in pins.items()},
        "cables": {cable.name: _cable(cable) for cable in cables},
        "connections": connections,
    }


def _cable(cable: Cable) -> dict[str, object]:
    others = iter(OTHERS)
    colours = [COLOURS.get(wire.net) or next(others) for wire in cable.wires]
    return {"wirecount": len(colours), "colors": colours}
