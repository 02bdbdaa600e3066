"""Checks on rendered models: each is one closed solid, fits the bed, and fits its partners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from models.build import BED, Model

TOUCHING = 0.05  # mm3 in common that rounding makes of two faces that touch


class Fit(NamedTuple):
    """Two models put together: `one` stays; `other` is turned, then moved by `by` (mm).

    `turn` names how: "" not at all, "over" upside down, "x" and "y" with its upper end along that
    axis. `play` is a way in mm, both ways of which the other touches: no looser fit is promised.
    """

    one: str
    other: str
    by: tuple[float, float, float]
    turn: str = ""
    play: tuple[float, float, float] = (0.0, 0.0, 0.0)


_TURNS = {
    "": np.eye(3),
    "over": np.diag([1.0, -1.0, -1.0]),
    "x": np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}
# Bodies that are bought: diameter and length in mm, standing on z = 0.
BOUGHT = {"magnet": (8.0, 3.0), "boom": (20.0, 60.0), "button": (12.0, 10.0), "led": (5.0, 8.0)}
_BUTTONS, _LED = (-44.0, -22.0, 0.0, 22.0, 44.0), (32.0, 24.0)  # panel_data.scad


def fits(made: Mapping[str, Model]) -> Iterator[Fit]:
    """How the models of these names go together, with each other and with what is bought."""
    if "case-back" in made:
        # The front's lip in the case, its plate on the case's wall: 0.3 mm on each side.
        yield Fit("case-back", "case-front", (0.0, 0.0, 42.0), "over", (0.8, 0.0, 0.0))
        for x in _BUTTONS:
            yield Fit("case-front", "button", (x, -22.0, -4.0), "", (0.5, 0.0, 0.0))
        yield Fit("case-front", "led", (*_LED, -4.0), "", (0.5, 0.0, 0.0))
    if "camera-clamp" in made:
        yield Fit("camera-clamp", "boom", (0.0, -30.0, 21.0), "y", (0.0, 0.0, 0.8))
    for name, model in made.items():
        if name.endswith("-frame-sw"):
            yield from _frame_fits(name.removesuffix("sw"), model)
        if model.file in ("car.scad", "disc.scad", "magnet_base.scad", "token.scad"):
            x = -4.0 if model.values.get("hollow") else 0.0
            yield Fit(name, "magnet", (x, 0.0, 0.0), "", (0.5, 0.0, 0.0))


def _frame_fits(stem: str, model: Model) -> Iterator[Fit]:
    """Quarters beside each other, and the pegs in the walls between two of them."""
    yield Fit(f"{stem}sw", f"{stem}se", (0.0, 0.0, 0.0))
    yield Fit(f"{stem}sw", f"{stem}nw", (0.0, 0.0, 0.0))
    width, depth, top = (cast(float, model.values[f"plate_{k}"]) for k in ("width", "depth", "top"))
    for at in (0.25, 0.75):
        y, x, z = (at - 1) * depth / 2 + 0.15, (at - 1) * width / 2 + 0.15, (top - 3) / 2
        for quarter in ("sw", "se"):
            yield Fit(f"{stem}{quarter}", "peg", (-9.0, y, z), "x", (0.0, 0.5, 0.0))
        for quarter in ("sw", "nw"):
            yield Fit(f"{stem}{quarter}", "peg", (x, -9.0, z), "y", (0.5, 0.0, 0.0))


def load(folder: Path, name: str) -> Any:
    """A rendered model, or a body that is bought, as trimesh has it."""
    import trimesh

    if name not in BOUGHT:
        return trimesh.load_mesh(folder / f"{name}.stl")
    diameter, length = BOUGHT[name]
    body = trimesh.creation.cylinder(diameter / 2, length, sections=96)
    body.apply_translation((0.0, 0.0, length / 2))
    return body


def solid_faults(mesh: Any, name: str) -> Iterator[str]:
    """Sentences on a model that no printer could make."""
    if not mesh.is_watertight or not mesh.is_winding_consistent:
        yield f"{name} is not closed"
    if mesh.volume <= 0:
        yield f"{name} is inside out"
    if mesh.body_count != 1:
        yield f"{name} falls into {mesh.body_count} parts"
    if max(mesh.extents[:2]) > BED:
        yield f"{name} is larger than the bed: {max(mesh.extents[:2]):.0f} mm"


def fit_faults(folder: Path, fit: Fit) -> Iterator[str]:
    """Sentences on two models that do not go together, or go together too loosely."""
    one, other = load(folder, fit.one), load(folder, fit.other)
    turned = np.eye(4)
    turned[:3, :3] = _TURNS[fit.turn]
    other.apply_transform(turned)
    other.apply_translation(fit.by)
    if (common := _common(one, other)) > TOUCHING:
        yield f"{fit.other} runs into {fit.one}: {common:.2f} mm3 in common"
    if any(fit.play):
        for way in (fit.play, tuple(-step for step in fit.play)):
            moved = other.copy()
            moved.apply_translation(way)
            if _common(one, moved) <= TOUCHING:
                yield f"{fit.other} is loose in {fit.one}: it moves {max(map(abs, fit.play))} mm"


def _common(one: Any, other: Any) -> float:
    import trimesh

    # Faces that only touch have a body without volume, whose middle cannot be divided out.
    with np.errstate(all="ignore"):
        met = trimesh.boolean.intersection([one, other], engine="manifold")
        return 0.0 if met.is_empty else float(met.volume)
