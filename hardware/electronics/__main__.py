"""Makes everything on the electronics of each game's table, from the data that software runs on.

    python -m electronics --out FOLDER [GAME ...]

For each game GAME-parts.csv, GAME-wires.csv, GAME.net and the folder GAME-schematic for KiCad, and
with graphviz the drawings of its harness; for all unit.svg. Where KiCad is installed it checks and
draws the schematic. 1 where the electrical rules are broken.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from electronics.drawing import drawn
from electronics.electrical import checked
from electronics.harness import draw_harness
from electronics.kicad import KicadFailed, draw, has_kicad, rule_faults
from electronics.schematic import write_schematic
from tableref.commands.parts import reference
from tableref_hardware import board_names, load_board
from tableref_hardware.electronics import Circuit, circuit, faults
from tableref_hardware.electronics.harness import harness, harness_faults
from tableref_hardware.electronics.shopping import electronics
from tableref_hardware.electronics.stripboard import layout_faults, unit_circuit, unit_layout


def main() -> int:
    """0 done; 1 where something does not agree, said in sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    wrong: list[str] = [*layout_faults(unit_layout(), unit_circuit())]
    (args.out / "unit.svg").write_text(drawn(unit_layout(), unit_circuit()), encoding="utf-8")
    for name in args.games or board_names():
        wrong += [f"{name}: {fault}" for fault in _make(name, args.out)]
    if shutil.which("dot") is None:
        print("no drawings of the harness: apt install graphviz", file=sys.stderr)
    if not has_kicad():
        print("no drawings of the schematic: they need KiCad, as Debian 13 has it", file=sys.stderr)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


def _make(name: str, out: Path) -> Sequence[str]:
    board = load_board(name)
    pico, front = reference()
    table = circuit(board, pico, front)
    cables = harness(table)
    result = checked(table, board.title)
    (out / f"{name}.net").write_text(result.netlist, encoding="utf-8")
    schematic = write_schematic(table, board.title, name, out / f"{name}-schematic")
    _write(
        out / f"{name}-parts.csv",
        ("quantity", "value", "package", "description", "references", "grams", "price"),
        ((*item, "") for item in electronics(table)),
    )
    _write(
        out / f"{name}-wires.csv",
        ("cable", "net", "from", "leg there", "to", "leg there"),
        ((cable.name, *wire) for cable in cables for wire in cable.wires),
    )
    if shutil.which("dot"):
        draw_harness(cables, name, out)
    _say(name, table, result.warnings)
    found = [*faults(table, board, pico, front), *harness_faults(cables, table), *result.errors]
    if has_kicad():
        try:
            found += rule_faults(schematic)
            draw(schematic)
        except KicadFailed as error:
            print(f"{name}: KiCad has not looked at the schematic: {error}", file=sys.stderr)
    return found


def _say(name: str, table: Circuit, warnings: Iterable[str]) -> None:
    print(f"{name}: {len(table.parts)} parts, {len(table.nets)} nets", *warnings, sep="\n  ")


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
