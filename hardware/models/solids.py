"""Checks on rendered models: each is one closed solid, fits the bed, and fits its partners."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from models.build import BED

TOUCHING = 0.05  # mm3 in common that rounding makes of two faces that touch


class Fit(NamedTuple):
    """Two models put together: `one` stays, `other` is moved by `by` (mm), turned over or not.

    `play` is the way in mm, along x, that the other may at most move before it touches; 0: none is
    promised, as for what only lies on the other.
    """

    one: str
    other: str
    by: tuple[float, float, float]
    over: bool = False
    play: float = 0.0


FITS = (
    # The front's lip in the case, its plate on the case's wall: 0.3 mm on each side.
    Fit("case-back", "case-front", (0.0, 0.0, 42.0), over=True, play=0.8),
    # Pegs in the walls between two quarters of the frame.
    Fit("autoscooter-frame-sw", "autoscooter-frame-se", (0.0, 0.0, 0.0)),
    Fit("autoscooter-frame-sw", "autoscooter-frame-nw", (0.0, 0.0, 0.0)),
)


def load(folder: Path, name: str) -> Any:
    """A rendered model, as trimesh has it."""
    import trimesh

    return trimesh.load_mesh(folder / f"{name}.stl")


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
    if fit.over:
        other.apply_transform([[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]])
    other.apply_translation(fit.by)
    if (common := _common(one, other)) > TOUCHING:
        yield f"{fit.other} runs into {fit.one}: {common:.2f} mm3 in common"
    if fit.play:
        for way in (fit.play, -fit.play):
            moved = other.copy()
            moved.apply_translation((way, 0.0, 0.0))
            if _common(one, moved) <= TOUCHING:
                yield f"{fit.other} is loose in {fit.one}: it moves {fit.play} mm"


def _common(one: Any, other: Any) -> float:
    import trimesh

    # Faces that only touch have a body without volume, whose middle cannot be divided out.
    with np.errstate(all="ignore"):
        met = trimesh.boolean.intersection([one, other], engine="manifold")
        return 0.0 if met.is_empty else float(met.volume)
