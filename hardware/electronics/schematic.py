"""The circuit as a KiCad 8 schematic: a sheet for each unit, the lights, the Pico and the front.

Every pin has a label with its net's name, so that no line has to be drawn around another. KiCad
checks and draws what is written here (`kicad.py`); what is wired where stands in
`tableref_hardware.electronics`. Format: dev-docs.kicad.org, "Schematic File Format".
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from electronics.electrical import SUPPLIES
from tableref_hardware.electronics import KINDS, Circuit, Kind, Part, Pin, Role
from tableref_hardware.electronics.harness import LIGHTS, PICO, place_of

GRID = 2.54  # mm between pins; all that is drawn lies on it
LIBRARY = "tableref"
_VERSION = "20231120"  # of the format: KiCad 8; later ones read it
_PAPERS = (("A4", 297.0, 210.0), ("A3", 420.0, 297.0), ("A2", 594.0, 420.0), ("A1", 841.0, 594.0))
_EDGE, _FOOT = 20.32, 45.0  # mm kept free: around, and at the foot for KiCad's title
_COLUMN = 33 * GRID  # a part with its labels on both sides
_HALF = 4 * GRID  # half a part's width
_TYPES = {
    Role.PASSIVE: "passive",
    Role.INPUT: "input",
    Role.OUTPUT: "output",
    Role.OPEN_DRAIN: "open_collector",
    Role.POWER_IN: "power_in",
    Role.POWER_OUT: "power_out",
    Role.BOTH: "bidirectional",
    Role.OPEN: "no_connect",
}
_FLAG = Kind(
    "PWR_FLAG", "#FLG", "fed", "", "says that a net is fed", {"1": Pin("1", "1", Role.POWER_OUT)}
)


class Spot(NamedTuple):
    """A pin on the drawing: mm right of and below the part's middle, and the side it is on."""

    x: float
    y: float
    right: bool


class Placed(NamedTuple):
    """A part on its sheet, with the net of each of its pins that has one."""

    ref: str
    kind: Kind
    place: str
    nets: Mapping[str, str]
    x: float = 0.0
    y: float = 0.0


def write_schematic(circuit: Circuit, title: str, name: str, folder: Path) -> Path:
    """Writes NAME.kicad_sch, a file for each sheet, and the symbols; the path of the first."""
    folder.mkdir(parents=True, exist_ok=True)
    root = _uuid(name)
    boxes: list[str] = []
    for number, (sheet, parts) in enumerate(_sheets(circuit).items(), 1):
        file = f"{name}-{sheet.replace(' ', '-')}.kicad_sch"
        path = f"/{root}/{_uuid(name, sheet)}"
        text = _sheet(parts, f"{title}: {sheet}", path, name)
        (folder / file).write_text(text, encoding="utf-8")
        boxes.append(_box(number, sheet, file, name, root))
    first = folder / f"{name}.kicad_sch"
    pages = '(sheet_instances (path "/" (page "1")))'
    first.write_text(_document(root, "A4", title, *boxes, pages), encoding="utf-8")
    kinds = [*{part.kind: KINDS[part.kind] for part in circuit.parts.values()}.values(), _FLAG]
    _write_library(kinds, folder)
    (folder / f"{name}.kicad_pro").write_text("{}\n", encoding="utf-8")
    return first


def spots(kind: Kind) -> dict[str, Spot]:
    """Where each pin of a kind is: what takes, on the left; what gives, on the right."""
    takes = [p for p in kind.pins.values() if p.role in (Role.INPUT, Role.POWER_IN)]
    gives = [
        p for p in kind.pins.values() if p.role in (Role.OUTPUT, Role.OPEN_DRAIN, Role.POWER_OUT)
    ]
    for pin in kind.pins.values():
        if pin not in takes and pin not in gives:
            (takes if len(takes) <= len(gives) else gives).append(pin)
    top = (max(len(takes), len(gives)) - 1) // 2
    return {
        pin.name: Spot((_HALF + GRID) * (1 if right else -1), (row - top) * GRID, right)
        for side, right in ((takes, False), (gives, True))
        for row, pin in enumerate(side)
    }


def _sheets(circuit: Circuit) -> dict[str, list[Placed]]:
    """The parts of each sheet, those with many pins first."""
    sheets: dict[str, list[Placed]] = {}
    for part in circuit.parts.values():
        nets = {pin: net for pin in part.of.pins if (net := circuit.net_of(part.ref, pin))}
        sheet = _sheet_of(part, nets)
        place = "" if part.place in (sheet, "case", "by the board") else part.place
        sheets.setdefault(sheet, []).append(Placed(part.ref, part.of, place, nets))
    for parts in sheets.values():
        parts.sort(key=lambda one: -len(one.kind.pins))
    first = next(iter(sheets.values()))
    first += (
        Placed(f"#FLG{number}", _FLAG, net, {"1": net})
        for number, net in enumerate(_unfed(circuit), 1)
    )
    return sheets


def _sheet_of(part: Part, nets: Mapping[str, str]) -> str:
    if part.kind == "hall":
        return f"unit {int(nets['OUT'].removeprefix('IN ')) // 8 + 1}"
    place = place_of(part)
    if part.kind in ("light", "supply") or place == LIGHTS:
        return "lights"
    return place if place.startswith("unit") or place == PICO else "front"


def _unfed(circuit: Circuit) -> Iterator[str]:
    """Supplies on which no pin gives power by itself: ground, and what comes through a fuse."""
    for net in SUPPLIES:
        roles = {circuit.parts[t.ref].of.pins[t.pin].role for t in circuit.nets.get(net, ())}
        if roles and Role.POWER_OUT not in roles:
            yield net


def _sheet(parts: Iterable[Placed], title: str, path: str, project: str) -> str:
    placed, paper = _set_out(list(parts))
    drawn = "\n".join(_instance(part, path, project) for part in placed)
    kinds = {part.kind.name: part.kind for part in placed}
    symbols = "\n".join(_symbol(k, f"{LIBRARY}:{k.name}") for k in kinds.values())
    return _document(_uuid(path), paper, title, f"(lib_symbols\n{symbols})", drawn)


def _set_out(parts: Sequence[Placed]) -> tuple[list[Placed], str]:
    """The parts in columns, on the smallest paper that takes them."""
    for paper, width, height in _PAPERS:
        placed: list[Placed] = []
        x, y = _EDGE + _COLUMN / 2, _EDGE
        for part in parts:
            rows = [spot.y for spot in spots(part.kind).values()]
            above, below = -min(rows) + 3 * GRID, max(rows) + 2 * GRID
            if y + above + below > height - _FOOT:
                x, y = x + _COLUMN, _EDGE
            placed.append(part._replace(x=_on_grid(x), y=_on_grid(y + above)))
            y += above + below
        if x + _COLUMN / 2 <= width - _EDGE / 2:
            return placed, paper
    raise ValueError(f"{len(parts)} parts are too many for one sheet")


def _on_grid(mm: float) -> float:
    return round(mm / GRID) * GRID


def _instance(part: Placed, path: str, project: str) -> str:
    """The part, and at each of its pins a label, or the sign that it stays open."""
    own = _uuid(path, part.ref)
    lines = [
        f'(symbol (lib_id "{LIBRARY}:{part.kind.name}") (at {part.x:.2f} {part.y:.2f} 0) (unit 1)',
        f"(in_bom yes) (on_board yes) (dnp no) (uuid {own})",
    ]
    tops = min(spot.y for spot in spots(part.kind).values())
    hidden = part.kind is _FLAG
    for key, value, up in (
        ("Reference", part.ref, 2.25),
        ("Value", f"{part.kind.value} {part.place}".strip(), 1.25),
    ):
        lines.append(
            f'(property "{key}" "{value}" (at {part.x:.2f} {part.y + tops - up * GRID:.2f} 0) '
            f"{_text('', hidden and key == 'Reference')})"
        )
    lines.append(
        f'(instances (project "{project}" (path "{path}" (reference "{part.ref}") (unit 1)))))'
    )
    for pin, spot in spots(part.kind).items():
        at = f"{part.x + spot.x:.2f} {part.y + spot.y:.2f}"
        if pin in part.nets:
            angle, side = (0, "left") if spot.right else (180, "right")
            lines.append(
                f'(global_label "{part.nets[pin]}" (shape passive) (at {at} {angle}) '
                f"{_text(side)} (uuid {_uuid(own, pin)}))"
            )
        else:
            lines.append(f"(no_connect (at {at}) (uuid {_uuid(own, pin)}))")
    return "\n".join(lines)


def _symbol(kind: Kind, name: str) -> str:
    """A box with pins; KiCad's symbols count upwards where sheets count downwards."""
    places = spots(kind)
    top = -min(spot.y for spot in places.values()) + GRID / 2
    bottom = -max(spot.y for spot in places.values()) - GRID / 2
    pins = "\n".join(_pin(kind.pins[pin], spot) for pin, spot in places.items())
    power = "(power) " if kind is _FLAG else ""
    return (
        f'(symbol "{name}" {power}(in_bom yes) (on_board yes)\n'
        f'(property "Reference" "{kind.letter}" (at 0 {top + GRID:.2f} 0) {_text()})\n'
        f'(property "Value" "{kind.value}" (at 0 {top + GRID / 2:.2f} 0) {_text()})\n'
        f'(property "Footprint" "" (at 0 0 0) {_text("", True)})\n'
        f'(property "Datasheet" "" (at 0 0 0) {_text("", True)})\n'
        f'(property "Description" "{kind.text}" (at 0 0 0) {_text("", True)})\n'
        f'(symbol "{kind.name}_1_1"\n'
        f"(rectangle (start {-_HALF:.2f} {top:.2f}) (end {_HALF:.2f} {bottom:.2f}) "
        "(stroke (width 0.2) (type default)) (fill (type background)))\n"
        f"{pins}))"
    )


def _pin(pin: Pin, spot: Spot) -> str:
    return (
        f"(pin {_TYPES[pin.role]} line (at {spot.x:.2f} {-spot.y:.2f} {180 if spot.right else 0}) "
        f'(length {GRID}) (name "{pin.name}" {_text()}) (number "{pin.number}" {_text()}))'
    )


def _box(number: int, sheet: str, file: str, name: str, root: str) -> str:
    """A sheet on the first page: the labels join them, so that none has pins of its own."""
    column, row = divmod(number - 1, 6)
    x, y = _on_grid(_EDGE + column * 90.0), _on_grid(_EDGE + row * 20.0)
    return (
        f"(sheet (at {x:.2f} {y:.2f}) (size {25 * GRID:.2f} {4 * GRID:.2f}) "
        "(stroke (width 0.2) (type default)) (fill (color 0 0 0 0)) "
        f"(uuid {_uuid(name, sheet)})\n"
        f'(property "Sheetname" "{sheet}" (at {x:.2f} {y - 0.7:.2f} 0) {_text("left bottom")})\n'
        f'(property "Sheetfile" "{file}" (at {x:.2f} {y + 4 * GRID + 0.6:.2f} 0) '
        f"{_text('left top')})\n"
        f'(instances (project "{name}" (path "/{root}" (page "{number + 1}")))))'
    )


def _document(own: str, paper: str, title: str, *parts: str) -> str:
    body = "\n".join(parts)
    return (
        f'(kicad_sch (version {_VERSION}) (generator "tableref") (generator_version "8.0")\n'
        f'(uuid {own}) (paper "{paper}") (title_block (title "{title}"))\n{body}\n)\n'
    )


def _write_library(kinds: Iterable[Kind], folder: Path) -> None:
    """The symbols as a library too: KiCad compares those of the sheets with it."""
    symbols = "\n".join(_symbol(kind, kind.name) for kind in kinds)
    (folder / f"{LIBRARY}.kicad_sym").write_text(
        f'(kicad_symbol_lib (version {_VERSION}) (generator "tableref")\n{symbols}\n)\n',
        encoding="utf-8",
    )
    (folder / "sym-lib-table").write_text(
        f'(sym_lib_table (lib (name "{LIBRARY}") (type "KiCad") '
        f'(uri "${{KIPRJMOD}}/{LIBRARY}.kicad_sym") (options "") (descr "")))\n',
        encoding="utf-8",
    )


def _text(justify: str = "", hide: bool = False) -> str:
    words = f" (justify {justify})" if justify else ""
    return f"(effects (font (size 1.27 1.27)){words}{' (hide yes)' if hide else ''})"


def _uuid(*words: str) -> str:
    """An identity that stays the same each time the schematic is made."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "tableref:" + "/".join(words)))
