"""The models, with sizes taken from the board files and the dice mat, rendered by OpenSCAD."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tableref_hardware import Board, board_names, load_board
from tableref_hardware.looks import Look
from tableref_vision.dice import mat

HERE = Path(__file__).resolve().parent
BED = 220.0
"""mm; every model fits a printer's bed of this size, both ways."""

REACH = 15.0  # mm from a cell's middle to the far edge of its light

Value = float | bool | list[float] | list[list[float]]


class Model(NamedTuple):
    """A model to print: its name, its file, the values that its file takes, how many of it."""

    name: str
    file: str
    values: Mapping[str, Value]
    quantity: int = 1


def models(names: tuple[str, ...] = ()) -> Iterator[Model]:
    """The models of these games, of all where none is named; what all tables share first."""
    boards = [load_board(name) for name in names or board_names()]
    yield Model("case-front", "case_front.scad", {})
    yield Model("case-back", "case_back.scad", {})
    yield Model("camera-clamp", "camera_clamp.scad", {})
    if any(board.senses.mat for board in boards):
        yield Model("tray", "tray.scad", _tray(), 2)
    yield Model("peg", "peg.scad", {}, 8)
    for board in boards:
        yield from _frame(board)
        yield from _pieces(board)


def _tray() -> dict[str, Value]:
    return {
        "tray_inside": 2 * mat.INSIDE,
        "rim_width": mat.RIM_WIDTH,
        "rim_height": mat.RIM_HEIGHT,
        "tray_floor": mat.FLOOR,
    }


def _frame(board: Board) -> Iterator[Model]:
    """Four quarters; the light is as far beside the switch as neighbouring cells allow."""
    values: dict[str, Value] = {
        "plate_width": board.plate.width,
        "plate_depth": board.plate.depth,
        "plate_top": board.plate.top,
        "light_offset": light_offset(board),
    }
    for column, row in ((0, 0), (1, 0), (1, 1), (0, 1)):
        name = f"{board.game}-frame-{'ns'[1 - row]}{'we'[column]}"
        cells: list[list[float]] = [
            [cell.x, cell.y]
            for cell in board.cells.values()
            if _near(cell.x, column) and _near(cell.y, row)
        ]
        own: dict[str, Value] = {"cells": cells, "quarter": [column, row]}
        yield Model(name, "frame_tile.scad", {**values, **own})


def _near(at: float, side: int) -> bool:
    """Whether something that is cut at this place may reach the west, south (0) or other half."""
    return at < REACH if side == 0 else at > -REACH


def light_offset(board: Board) -> float:
    """mm from a cell's middle, where the switch is, to its light; both fit between neighbours."""
    cells = list(board.cells.values())
    nearest = min(
        ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5
        for number, a in enumerate(cells)
        for b in cells[:number]
    )
    return min(9.0, nearest / 2 - 3.0)


def _pieces(board: Board) -> Iterator[Model]:
    """One model for each look that is told apart by its shape; a base for what is bought."""
    for kind, look in board.looks.items():
        name = f"{board.game}-{kind}"
        if look.shape == "box" and board.piece_tag:
            yield Model(name, "car.scad", _car(board, look))
        elif look.shape == "disc":
            yield Model(
                name, "disc.scad", {"disc_diameter": look.width, "disc_height": look.height}
            )
        elif look.shape == "token":
            size: dict[str, Value] = {
                "token_length": look.length,
                "token_width": look.width,
                "token_height": look.height,
            }
            for paint in sorted({paint.end for paint in look.sides.values()} - {""}):
                yield Model(f"{name}-{paint}", "token.scad", {**size, "hollow": paint == "hollow"})
        elif look.shape == "ball":
            base: dict[str, Value] = {"base_diameter": 10.0, "ball_diameter": look.width}
            yield Model(f"{name}-base", "magnet_base.scad", base)


def _car(board: Board, look: Look) -> dict[str, Value]:
    tag, pin = board.piece_tag, board.data["body"]["pin"]
    assert tag is not None
    return {
        "car_length": look.length,
        "car_width": look.width,
        "tag_ahead": tag.ahead,
        "tag_height": tag.height,
        "tag_quiet": tag.quiet,
        "pin_behind": -pin,
        "pin_diameter": 3.0,
        "pin_top": tag.height + 21.0,
    }


def scad_value(value: Value) -> str:
    """A value as OpenSCAD writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(scad_value(item) for item in value) + "]"
    return f"{value:.3f}"


def render(model: Model, out: Path, picture: bool = True) -> Path:
    """Writes NAME.stl, and NAME.png; the STL's path. CalledProcessError has OpenSCAD's words."""
    own = {"quarter", "hollow"}  # set in the file itself, so only the command line changes them
    with tempfile.TemporaryDirectory() as folder:
        data = "".join(f"{k} = {scad_value(v)};\n" for k, v in model.values.items() if k not in own)
        Path(folder, "table_data.scad").write_text(data, encoding="utf-8")
        defines = [
            word
            for key in sorted(own & set(model.values))
            for word in ("-D", f"{key}={scad_value(model.values[key])}")
        ]
        stl = out / f"{model.name}.stl"
        run = ["openscad", *defines, str(HERE / model.file)]
        env = {**os.environ, "OPENSCADPATH": folder}
        _run([*run, "-o", str(stl)], env)
        if picture:
            png = str(out / f"{model.name}.png")
            look = ["--imgsize=800,600", "--viewall", "--autocenter", "--colorscheme=Tomorrow"]
            _run(["xvfb-run", "-a", *run, *look, "-o", png], env)
    return stl


def _run(command: list[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    if done.returncode or "WARNING" in done.stderr:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
