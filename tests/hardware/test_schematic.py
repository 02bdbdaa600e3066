"""The schematic joins what the circuit joins: read back by its symbols, pins and labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from electronics.kicad import draw, has_kicad, rule_faults
from electronics.schematic import write_schematic
from tableref.commands.parts import reference
from tableref_hardware import board_names, load_board
from tableref_hardware.electronics import Circuit, Terminal, circuit
from tableref_hardware.electronics.shopping import electronics

NEEDS_KICAD = pytest.mark.skipif(
    not has_kicad(), reason="KiCad's rules need kicad-cli (Debian 13: apt install kicad)"
)
Where = tuple[float, float]


def table_of(name: str) -> Circuit:
    return circuit(load_board(name), *reference())


def parsed(text: str) -> list[Any]:
    """An s-expression as nested lists; strings lose their quotes."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r'"[^"]*"|[()]|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip('"'))
    (whole,) = stack[0]
    return list(whole)


def those(form: list[Any], head: str) -> Iterator[list[Any]]:
    yield from (item for item in form if isinstance(item, list) and item[0] == head)


def the(form: list[Any], head: str) -> list[Any]:
    return next(those(form, head))


def at(form: list[Any]) -> Where:
    _, x, y, *_ = the(form, "at")
    return round(float(x), 2), round(float(y), 2)


def joined(sheet: Path) -> Iterator[tuple[str, Terminal]]:
    """Each pin of a sheet with the net of the label that lies on it: all as KiCad reads it."""
    form = parsed(sheet.read_text(encoding="utf-8"))
    labels = {at(label): label[1] for label in those(form, "global_label")}
    open_ends = {at(end) for end in those(form, "no_connect")}
    pins = {
        symbol[1]: [
            (the(pin, "name")[1], at(pin))
            for unit in those(symbol, "symbol")
            for pin in those(unit, "pin")
        ]
        for library in those(form, "lib_symbols")
        for symbol in those(library, "symbol")
    }
    met = set()
    for part in those(form, "symbol"):
        ref = next(p[2] for p in those(part, "property") if p[1] == "Reference")
        x, y = at(part)
        for name, (right, up) in pins[the(part, "lib_id")[1]]:
            end = (round(x + right, 2), round(y - up, 2))
            assert (end in labels) != (end in open_ends), (ref, name)
            assert end not in met, f"two pins at {end}"
            met.add(end)
            if end in labels:
                yield labels[end], Terminal(ref, name)
    assert met >= set(labels), "a label that hangs in the air"


@pytest.mark.parametrize("name", board_names())
def test_the_schematic_joins_just_what_the_circuit_joins(name: str, tmp_path: Path) -> None:
    table = table_of(name)
    write_schematic(table, name, name, tmp_path)
    nets: dict[str, set[Terminal]] = {}
    for sheet in tmp_path.glob(f"{name}-*.kicad_sch"):
        for net, pin in joined(sheet):
            if not pin.ref.startswith("#"):
                nets.setdefault(net, set()).add(pin)
    assert nets == {net: set(pins) for net, pins in table.nets.items()}


@pytest.mark.parametrize("name", board_names())
def test_values_in_the_schematic_are_those_of_the_parts_list(name: str, tmp_path: Path) -> None:
    table = table_of(name)
    write_schematic(table, name, name, tmp_path)
    drawn: list[str] = []
    for sheet in tmp_path.glob(f"{name}-*.kicad_sch"):
        for part in those(parsed(sheet.read_text(encoding="utf-8")), "symbol"):
            drawn += (p[2] for p in those(part, "property") if p[1] == "Value")
    values = {item.value for item in electronics(table)}
    for value in values:
        # "10 kΩ" or "10 kΩ a1"; no value begins with another and a space.
        shown = sum(text == value or text.startswith(f"{value} ") for text in drawn)
        assert shown == sum(i.quantity for i in electronics(table) if i.value == value), value


def test_every_sheet_hangs_on_the_first(tmp_path: Path) -> None:
    first = write_schematic(table_of("squod"), "Squod", "squod", tmp_path)
    boxes = those(parsed(first.read_text(encoding="utf-8")), "sheet")
    files = {p[2] for box in boxes for p in those(box, "property") if p[1] == "Sheetfile"}
    assert files == {path.name for path in tmp_path.glob("squod-*.kicad_sch")}


def test_the_schematic_is_the_same_each_time(tmp_path: Path) -> None:
    one = write_schematic(table_of("scorpion"), "Scorpion", "scorpion", tmp_path / "one")
    two = write_schematic(table_of("scorpion"), "Scorpion", "scorpion", tmp_path / "two")
    for path in one.parent.iterdir():
        assert path.read_bytes() == (two.parent / path.name).read_bytes()


@NEEDS_KICAD
def test_kicad_finds_nothing_against_the_schematic_and_draws_it(tmp_path: Path) -> None:
    schematic = write_schematic(table_of("squod"), "Squod", "squod", tmp_path)
    assert rule_faults(schematic) == ()
    assert len(draw(schematic)) == len(list(tmp_path.glob("*.kicad_sch")))
