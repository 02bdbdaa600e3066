"""The unit of eight cells on stripboard, drawn as SVG: its parts side and its copper side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from tableref_hardware.electronics import Circuit
from tableref_hardware.electronics.stripboard import COLUMNS, PITCH, ROWS, Hole, Layout

SCALE = 3.0  # of the drawing to the board: 2.54 mm are drawn 7.62 mm
STEP = PITCH * SCALE
MARGIN = 14.0
WIDTH = 2 * MARGIN + (COLUMNS - 1) * STEP
SIDE = 2 * MARGIN + (ROWS - 1) * STEP  # height of one side
HEIGHT = 2 * SIDE + 44
LEGEND = (
    "red 3.3 V, black ground, blue LATCH, purple CLK, orange data; green: links of bare wire;"
    " R1-R8 10 kΩ upright, C1 100 nF",
    "A-H: three wires of one switch each (3.3 V, ground, OUT); ◀ from the Pico or the unit before,"
    " ▶ to the next unit",
    "on the last unit: a wire from the ▶ in row 8 to ground (row 10)",
)
WIRES = {"+3V3": "#c0392b", "GND": "#222222", "CLK": "#8e44ad", "LATCH": "#2471a3"}
DATA, LINK, RESISTOR, CAPACITOR = "#d35400", "#1e8449", "#b7950b", "#2e86c1"
MARKS = {"to the Pico": "◀", "to the next": "▶"}

Turn = Callable[[Hole], Hole]


def drawn(layout: Layout, circuit: Circuit) -> str:
    """SVG text, in millimetres: the parts side above, the copper side mirrored below."""
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.1f}mm" height="{HEIGHT:.1f}mm"',
        f' viewBox="0 0 {WIDTH:.1f} {HEIGHT:.1f}" font-family="sans-serif">',
        '<rect width="100%" height="100%" fill="white"/>',
        _text(MARGIN - 6, 10, "Parts side: links, parts, wires", size=5, anchor="start"),
        '<g transform="translate(0 12)">',
        *_strips("#f3e3cc", lambda hole: hole),
        *_cuts(layout, lambda hole: hole),
        *(_bar(_at(one), _at(other), LINK, 1.2) for one, other in layout.links),
        *_parts(layout, circuit),
        *_pads(layout),
        "</g>",
        _text(MARGIN - 6, SIDE + 22, "Copper side: cut at each cross", size=5, anchor="start"),
        f'<g transform="translate(0 {SIDE + 24:.1f})">',
        *_strips("#d9a066", _over),
        *_cuts(layout, _over),
        "</g>",
        *(
            _text(MARGIN - 6, 2 * SIDE + 28 + 6 * line, text, size=3.6, anchor="start")
            for line, text in enumerate(LEGEND)
        ),
        "</svg>",
    )
    return "\n".join(lines) + "\n"


def _over(hole: Hole) -> Hole:
    """Where a hole lies once the board is turned over, left to right."""
    return Hole(hole.row, COLUMNS - 1 - hole.column)


def _at(hole: Hole) -> tuple[float, float]:
    return MARGIN + hole.column * STEP, MARGIN + hole.row * STEP


def _strips(fill: str, turn: Turn) -> Iterator[str]:
    for row in range(ROWS):
        x, y = _at(Hole(row, 0))
        yield _rect(x - 3, y - 2.6, (COLUMNS - 1) * STEP + 6, 5.2, fill)
        yield _text(x - 9, y + 1.3, str(row + 1), "#777", 3.4)
    for column in range(COLUMNS):
        x, y = _at(turn(Hole(0, column)))
        yield _text(x, y - 8, str(column + 1), "#999", 3)
        for row in range(ROWS):
            yield _dot(_at(turn(Hole(row, column))), 0.9, "#fff", "#bbb", 0.2)


def _cuts(layout: Layout, turn: Turn) -> Iterator[str]:
    for hole in sorted(layout.cuts):
        x, y = _at(turn(hole))
        yield _bar((x - 2, y - 2), (x + 2, y + 2), "#c00", 0.9)
        yield _bar((x + 2, y - 2), (x - 2, y + 2), "#c00", 0.9)


def _parts(layout: Layout, circuit: Circuit) -> Iterator[str]:
    for part in circuit.parts.values():
        legs = [_at(hole) for (ref, _), hole in layout.legs.items() if ref == part.ref]
        (left, top), (right, bottom) = min(legs), max(legs)
        if part.kind == "register":
            middle = (left + right) / 2
            yield _rect(left + 2.5, top - 3, right - left - 5, bottom - top + 6, "#444")
            yield _dot((middle, top), 1.6, "#888")  # the notch's end
            yield _text(middle, (top + bottom) / 2, part.of.value, "white", 4, turn=90)
        else:
            colour = CAPACITOR if part.kind == "decoupling" else RESISTOR
            yield _bar((left, top), (right, bottom), colour, 2.4)
            yield _text(left, min(top, bottom) + 4.4, part.ref, "#000", 2.4)
        yield from (_dot(leg, 1, "#333") for leg in legs)


def _pads(layout: Layout) -> Iterator[str]:
    for (side, wire), hole in layout.pads.items():
        x, y = _at(hole)
        colour = WIRES.get(wire.split()[0], DATA)
        yield _dot((x, y), 1.5, "none", colour, 0.9)
        yield _text(x, y + 4.2, MARKS.get(side, wire.split()[-1]), colour, 2.6)


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    size = f'width="{width:.2f}" height="{height:.2f}"'
    return f'<rect x="{x:.2f}" y="{y:.2f}" {size} rx="1.5" fill="{fill}"/>'


def _dot(
    at: tuple[float, float], r: float, fill: str, stroke: str = "none", width: float = 0
) -> str:
    line = f'stroke="{stroke}" stroke-width="{width}"'
    return f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{r}" fill="{fill}" {line}/>'


def _bar(start: tuple[float, float], end: tuple[float, float], colour: str, width: float) -> str:
    ends = f'x1="{start[0]:.2f}" y1="{start[1]:.2f}" x2="{end[0]:.2f}" y2="{end[1]:.2f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _text(
    x: float,
    y: float,
    text: str,
    colour: str = "#222",
    size: float = 4,
    anchor: str = "middle",
    turn: int = 0,
) -> str:
    turned = f' transform="rotate({turn} {x:.2f} {y:.2f})"' if turn else ""
    look = f'font-size="{size}" text-anchor="{anchor}" fill="{colour}"'
    return f'<text x="{x:.2f}" y="{y:.2f}" {look}{turned}>{escape(text)}</text>'
