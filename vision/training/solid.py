"""A die as a mesh: a cube with rounded edges, its pips dimples of another colour."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tableref_vision.dice.cube import PIPS, SIDES
from training.drawings import Random

CELLS = 44  # of a face's side, so that a pip's rim is as sharp as a picture can show it
SOFT = 0.05  # half edges that the rim of a pip's colour is wide

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """`points` (n, 3) of a cube whose edge is 2, its middle at 0; `quads` (m, 4) of them, seen from
    outside anticlockwise; how much of each point is `pip` (n,), and how much the pip of the one,
    `ace` (n,), both from 0 to 1."""

    points: Floats
    quads: Whole
    pip: Floats
    ace: Floats


def solid(random: Random) -> Solid:
    """A die of a form by chance: how round, with how large, deep and wide apart pips."""
    cube, quads = _cube()
    rounding = float(random.choice([0.06, 0.14, 0.25, 0.4]) * random.uniform(0.8, 1.3))
    ball = float(random.uniform(1.38, 1.55)) if random.random() < 0.4 else 9.0
    core = np.clip(cube, rounding - 1, 1 - rounding)
    outward = cube - core
    points = core + rounding * outward / np.linalg.norm(outward, axis=1, keepdims=True)
    far = np.linalg.norm(points, axis=1, keepdims=True)
    points = np.where(far > ball, points * ball / far, points)
    low, pip, ace = _dimples(random, cube, points)
    return Solid(points + low, quads, pip, ace)


def _dimples(random: Random, cube: Floats, points: Floats) -> tuple[Floats, Floats, Floats]:
    """How far each point is moved inward (n, 3), and how much of it is pip and ace (n,)."""
    radius, spread = float(random.uniform(0.14, 0.25)), float(random.uniform(0.42, 0.56))
    deep, squeeze = float(random.uniform(0, 0.5)), float(random.uniform(0.85, 1))
    larger = float(random.uniform(1.1, 1.9)) if random.random() < 0.3 else 1.0
    mirrored = random.random() < 0.5  # both kinds are sold
    axis = np.abs(cube).argmax(axis=1)
    side = np.sign(cube[np.arange(len(cube)), axis])
    pip, ace, low = np.zeros(len(cube)), np.zeros(len(cube)), np.zeros_like(points)
    for value, outward in SIDES.items():
        a = int(np.abs(outward).argmax())
        on = (axis == a) & (side == outward[a])
        uv = points[on][:, [i for i in range(3) if i != a]] * np.array([1, -1 if mirrored else 1])
        if random.random() < 0.5:
            uv = uv[:, ::-1]
        size = radius * (larger if value == 1 else 1)
        places = np.array(PIPS[value]) * spread * np.array([1, squeeze if value == 6 else 1])
        far = np.linalg.norm(uv[:, None] - places, axis=2).min(axis=1)
        pip[on] = np.clip((size - far) / SOFT + 0.5, 0, 1)
        ace[on] = pip[on] * (value == 1)
        low[on, a] = -outward[a] * deep * size * np.sqrt(np.clip(1 - (far / size) ** 2, 0, 1))
    return low, pip, ace


@functools.cache
def _cube() -> tuple[Floats, Whole]:
    """Points (n, 3) on a cube's surface, a lattice on each face, and quads (m, 4) of them."""
    steps = np.linspace(-1, 1, CELLS + 1)
    u, v = np.meshgrid(steps, steps, indexing="ij")
    points, quads = [], []
    for a in range(3):
        for side in (-1, 1):
            face = np.full((CELLS + 1, CELLS + 1, 3), float(side))
            b, c = (i for i in range(3) if i != a)
            face[..., b], face[..., c] = u, v
            number = np.arange(u.size).reshape(u.shape) + len(points) * u.size
            ring = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
            if (side > 0) == (a == 1):
                ring.reverse()
            points.append(face.reshape(-1, 3))
            quads.append(np.stack(ring, axis=-1).reshape(-1, 4))
    every = np.concatenate(points)
    # Where faces meet they share their points: no edge shows there.
    lattice = np.rint((every + 1) * CELLS / 2).astype(np.int64)
    _, first, same = np.unique(lattice, axis=0, return_index=True, return_inverse=True)
    return every[first], same.reshape(-1)[np.concatenate(quads)]
