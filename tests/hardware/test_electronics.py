"""Firmware, board files, circuit, stripboard and harness agree, and every slip is found."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec

import pytest

from tableref.commands.parts import reference
from tableref_hardware import Board, board_names, load_board
from tableref_hardware.electronics import Circuit, Pico, Terminal, circuit, faults
from tableref_hardware.electronics.harness import Leg, harness, harness_faults
from tableref_hardware.electronics.shopping import electronics, list_faults
from tableref_hardware.electronics.stripboard import (
    Hole,
    layout_faults,
    unit_circuit,
    unit_layout,
)

PICO, FRONT = reference()
FULL = bool(os.environ.get("TABLEREF_FULL"))

# Not imported before `checked` does: SKiDL leaves files in the folder where it is imported.
NEEDS_SKIDL = pytest.mark.skipif(
    find_spec("skidl") is None, reason="the electrical rules need: pip install -e '.[dev]'"
)


@pytest.fixture(params=board_names())
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def made(board: Board) -> Circuit:
    return circuit(board, PICO, FRONT)


def rewired(table: Circuit, changes: dict[tuple[str, str], str]) -> Circuit:
    """The circuit with these pins on other nets ("": on none)."""
    nets = {name: set(net) for name, net in table.nets.items()}
    for pin, target in changes.items():
        for net in nets.values():
            net.discard(Terminal(*pin))
        if target:
            nets[target].add(Terminal(*pin))
    return replace(table, nets={name: frozenset(net) for name, net in nets.items()})


def test_each_games_circuit_does_what_its_board_file_says(board: Board) -> None:
    assert faults(made(board), board, PICO, FRONT) == ()


def test_each_games_harness_joins_every_net_whole(board: Board) -> None:
    assert harness_faults(harness(made(board)), made(board)) == ()


def test_two_switches_exchanged_are_found(board: Board) -> None:
    table = made(board)
    one, other = table.of_kind("hall")[:2]
    swapped = rewired(
        table,
        {
            (one.ref, "OUT"): table.net_of(other.ref, "OUT"),
            (other.ref, "OUT"): table.net_of(one.ref, "OUT"),
        },
    )
    found = faults(swapped, board, PICO, FRONT)
    assert len(found) == 2
    assert one.place in found[0]
    assert other.place in found[0]


def test_a_missing_light_is_found(board: Board) -> None:
    table = made(board)
    light = table.of_kind("light")[3]
    without = rewired(table, {(light.ref, pin): "" for pin in light.of.pins})
    (fault,) = faults(without, board, PICO, FRONT)
    assert f"light 3 ({light.place}) is missing" in fault


@pytest.mark.parametrize("pin", ["clock", "data", "latch", "lights"])
def test_a_pin_moved_in_the_firmware_alone_is_found(pin: str, board: Board) -> None:
    moved: Pico = replace(PICO, **{pin: 9})
    assert faults(made(board), board, moved, FRONT)


def test_a_button_moved_in_the_configuration_alone_is_found(board: Board) -> None:
    moved = replace(FRONT, buttons={**FRONT.buttons, "ok": 12})
    assert faults(made(board), board, PICO, moved) == (
        "button OK is not on the pin that the configuration has",
    )


def test_two_cells_exchanged_in_the_board_file_alone_are_found(board: Board) -> None:
    names = [name for name, cell in board.cells.items() if cell.switch is not None][:2]
    one, other = (board.cells[name] for name in names)
    cells = dict(board.cells) | {
        one.name: replace(one, switch=other.switch, light=other.light),
        other.name: replace(other, switch=one.switch, light=one.light),
    }
    assert len(faults(made(board), replace(board, cells=cells), PICO, FRONT)) == 4


def test_a_chain_whose_last_register_floats_is_found(board: Board) -> None:
    table = made(board)
    last = table.of_kind("register")[-1]
    (fault,) = faults(rewired(table, {(last.ref, "SER"): ""}), board, PICO, FRONT)
    assert fault == f"SER of {last.ref}, the last register, is not at ground"


def test_lights_without_a_fuse_are_found(board: Board) -> None:
    table = made(board)
    parts = {ref: part for ref, part in table.parts.items() if part.kind != "fuse"}
    fuse = table.of_kind("fuse")[0]
    without = replace(rewired(table, {(fuse.ref, "1"): "", (fuse.ref, "2"): ""}), parts=parts)
    assert "the lights have no fuse" in faults(without, board, PICO, FRONT)


def test_the_parts_list_counts_what_the_circuit_has(board: Board) -> None:
    table = made(board)
    listed = {(item.value, item.text): item.quantity for item in electronics(table)}
    switches = sum(cell.switch is not None for cell in board.cells.values())
    assert listed["DRV5033", "hall switch, either pole, open drain, 2.5 V and more"] == switches
    assert listed["10 kΩ", "resistor"] == -(-switches // 8) * 8


def test_a_value_changed_in_the_parts_list_alone_is_found(board: Board) -> None:
    table = made(board)
    items = electronics(table)
    assert list_faults(items, table) == ()
    changed = [i._replace(value="33 Ω") if i.value == "330 Ω" else i for i in items]
    missing, other = sorted(list_faults(changed, table))
    assert missing == "33 Ω, resistor: 4 in the list, 0 in the circuit"
    assert other == "330 Ω, resistor: 0 in the list, 4 in the circuit"


def test_a_light_missing_in_the_parts_list_alone_is_found(board: Board) -> None:
    items = electronics(made(board))
    fewer = [i._replace(quantity=i.quantity - 1) if i.value == "WS2812B" else i for i in items]
    (fault,) = list_faults(fewer, made(board))
    assert fault.startswith("WS2812B")


# -- the unit of eight cells on stripboard --------------------------------------------------------


def test_the_stripboard_joins_just_what_the_unit_wants() -> None:
    assert layout_faults(unit_layout(), unit_circuit()) == ()


def test_a_forgotten_cut_is_found() -> None:
    layout = unit_layout()
    cuts = sorted(layout.cuts)
    for cut in cuts:
        assert layout_faults(replace(layout, cuts=layout.cuts - {cut}), unit_circuit())


def test_a_forgotten_link_is_found() -> None:
    layout = unit_layout()
    for link in layout.links:
        others = tuple(other for other in layout.links if other != link)
        assert layout_faults(replace(layout, links=others), unit_circuit())


def test_a_leg_one_hole_too_low_is_found() -> None:
    layout = unit_layout()
    for leg, hole in layout.legs.items():
        if leg[0] != "U1":
            continue  # a resistor's upper end finds 3.3 V in two rows
        legs = dict(layout.legs) | {leg: Hole(hole.row + 1, hole.column)}
        assert layout_faults(replace(layout, legs=legs), unit_circuit()), leg


# -- electrical rules by SKiDL ---------------------------------------------------------------------


@NEEDS_SKIDL
@pytest.mark.parametrize("name", board_names() if FULL else ["autoscooter", "skorpion-deep"])
def test_skidl_finds_nothing_against_the_circuit(name: str) -> None:
    from electronics.electrical import checked

    board = load_board(name)
    result = checked(made(board), board.title)
    assert result.errors == ()
    assert result.warnings == ()
    assert result.netlist.startswith("(export")


@NEEDS_SKIDL
def test_skidl_finds_two_outputs_on_one_net_and_an_input_left_open() -> None:
    from electronics.electrical import checked

    table = made(load_board("squod"))
    shorted = rewired(table, {("U1", "/QH"): "QH 1", ("U2", "CLK"): ""})
    result = checked(shorted, "squod")
    assert any("QH 1" in error for error in result.errors)
    assert any("CLK" in note for note in (*result.warnings, *result.errors))


# -- the harness, wire by wire ---------------------------------------------------------------------


def test_a_wire_to_a_wrong_leg_is_found(board: Board) -> None:
    table = made(board)
    cables = harness(table)
    front = next(c for c in cables if c.name == "Pi to button OK")
    (ground, ok) = front.wires
    wrong = replace(front, wires=(ground, ok._replace(start_leg=Leg("32", "GPIO12"))))
    (fault,) = harness_faults(tuple(wrong if c is front else c for c in cables), table)
    assert fault == "a wire of BUTTON OK goes to 32 (GPIO12) of Pi, which is not on BUTTON OK"


def test_each_button_has_a_ground_of_its_own_on_the_pi(board: Board) -> None:
    wires = [w for c in harness(made(board)) for w in c.wires if w.net == "PI GND"]
    legs = [w.start_leg for w in wires]
    assert len(set(legs)) == min(len(legs), 8)


def test_wires_to_units_are_called_as_on_the_stripboard(board: Board) -> None:
    pads = {name for _, name in unit_layout().pads}
    chain = [c for c in harness(made(board)) if c.group == "chain"]
    named = {w.end_leg.name for c in chain for w in c.wires}
    assert named == {"+3V3", "GND", "CLK", "LATCH", "DATA OUT"} <= pads
    assert {w.start_leg.name for w in chain[1].wires} - named == {"DATA IN"}
