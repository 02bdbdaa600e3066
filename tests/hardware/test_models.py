"""Models to print take their sizes from the board files; `make hardware` renders all of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from models.build import BED, Model, light_offset, models, render
from tableref_hardware import board_names, load_board

ALL = {model.name: model for model in models()}


def test_every_game_has_a_frame_in_four_quarters_that_fit_the_bed() -> None:
    for name in board_names():
        quarters = [model for model in ALL.values() if model.name.startswith(f"{name}-frame-")]
        assert len(quarters) == 4
        for model in quarters:
            assert model.values["plate_width"] <= 2 * BED
            assert model.values["plate_depth"] <= 2 * BED


def test_every_cell_gets_its_switch_in_some_quarter() -> None:
    for name in board_names():
        cut = {
            tuple(place)
            for model in ALL.values()
            if model.name.startswith(f"{name}-frame-")
            for place in model.values["cells"]  # type: ignore[union-attr]
        }
        assert cut == {(cell.x, cell.y) for cell in load_board(name).cells.values()}


def test_a_light_never_reaches_a_neighbours_switch() -> None:
    for name in board_names():
        board = load_board(name)
        cells = list(board.cells.values())
        for one in cells:
            for other in cells:
                if one is other:
                    continue
                x, y = one.x - other.x, one.y + light_offset(board) - other.y
                # The window's radius, and half of the switch's pocket.
                assert abs(x) > 2.75 + 2.7 or abs(y) > 2.75 + 2.2, (name, one.name, other.name)


def test_every_look_has_a_model() -> None:
    for name in board_names():
        for kind in load_board(name).looks:
            assert any(model.startswith(f"{name}-{kind}") for model in ALL), (name, kind)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openscad") is None:
        pytest.skip("rendering needs OpenSCAD (Debian: openscad)")
    pytest.importorskip("manifold3d", reason="checking solids needs: pip install -e '.[hardware]'")
    return tmp_path_factory.mktemp("models")


@pytest.mark.parametrize("name", ["peg", "arrows-and-stars-arrow", "squod-piece-hollow"])
def test_a_piece_is_one_closed_solid_of_its_size(name: str, folder: Path) -> None:
    from models.solids import load, solid_faults

    render(ALL[name], folder, picture=False)
    mesh = load(folder, name)
    assert list(solid_faults(mesh, name)) == []
    if name == "arrows-and-stars-arrow":
        assert [round(size, 1) for size in mesh.extents] == [24.0, 24.0, 6.0]


def test_parts_that_run_into_each_other_are_found(folder: Path) -> None:
    from models.solids import Fit, fit_faults

    render(Model("one", "peg.scad", {}), folder, picture=False)
    shutil.copy(folder / "one.stl", folder / "other.stl")
    assert list(fit_faults(folder, Fit("one", "other", (0.0, 0.0, 18.0)))) == []
    (fault,) = fit_faults(folder, Fit("one", "other", (0.0, 0.0, 17.0)))
    assert "other runs into one" in fault
    (loose, again) = fit_faults(folder, Fit("one", "other", (0.0, 0.0, 20.0), play=(0.5, 0.0, 0.0)))
    assert "loose" in loose
    assert "loose" in again
