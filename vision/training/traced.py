"""Tables full of dice, path-traced by Blender: plastic, lamps, grounds and cameras by chance.

    python -m training.traced FOLDER

What `drawings` lack is here: light that goes through plastic, comes back from what lies around,
and leaves dimples in shadow. Each picture follows from the seed and its number, whoever makes it,
but for some twenty values that Blender rounds up at one time and down at another.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import math
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training import drawings
from training.drawings import Random
from training.solid import Solid, solid

PICTURES = 360  # about 8000 dice; a core makes one in 7 s
WIDTH, HEIGHT = 512, 384  # px
SENSOR = 36.0  # mm across, as lenses are told
MOST = 28  # dice of a picture
SAMPLES = 6  # of light a px; Blender takes the noise out
ALIKE = 1, 3, 8, MOST  # kinds of dice on one table
SEEN = 7  # of nine points of a top face that must be in view
NEAR_TOP = 1.95  # half edges over the table, where these points are

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where it is (3,), its axes right, up, back (3, 3) as columns, and px a unit at distance 1."""

    eye: Floats
    axes: Floats
    focal: float

    def pixels(self, points: Floats) -> Floats:
        """Where points (n, 3) are in the picture (n, 2)."""
        right, up, back = ((points - self.eye) @ self.axes).T
        x = (WIDTH - 1) / 2 - self.focal * right / back
        y = (HEIGHT - 1) / 2 + self.focal * up / back
        return np.stack([x, y], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A die on the table: `value`, the `turn` (3, 3) that brings it up, and `place` (2,)."""

    value: int
    turn: Floats
    place: Floats


def aimed(random: Random) -> tuple[Camera, float]:
    """A camera that looks at the table's middle, and the lens's mm."""
    height = math.radians(max(15.0, drawings._height(random)))
    lens, wide = float(random.uniform(22, 70)), float(random.uniform(12, 24))
    focal = lens / SENSOR * WIDTH
    aside = random.uniform(0, 2 * math.pi)
    back = np.array(
        [
            math.cos(height) * math.cos(aside),
            math.cos(height) * math.sin(aside),
            math.sin(height),
        ]
    )
    right = np.array([-math.sin(aside), math.cos(aside), 0.0])
    axes = np.stack([right, np.cross(back, right), back], axis=1)
    return Camera(back * focal / wide + np.array([0.0, 0.0, 1.0]), axes, focal), lens


def scattered(random: Random, camera: Camera) -> list[Thrown]:
    """Dice in view of this camera that do not touch."""
    far = float(np.linalg.norm(camera.eye))
    sine = float(camera.axes[2, 2])
    half = WIDTH / 2 * far / camera.focal * 0.95
    deep = min(half * HEIGHT / WIDTH / sine, 0.35 * far, 1.6 * half)
    # Seen from low, those in front hide what lies close behind them.
    gap = float(random.choice([2.85, 3.2, 4.0])) * (1.0 if sine > 0.64 else 1.25)
    right = camera.axes[:2, 0]
    away = np.array([-right[1], right[0]])
    thrown: list[Thrown] = []
    for _ in range(600):
        place = right * random.uniform(-half, half) + away * random.uniform(-deep, deep)
        if all(np.linalg.norm(place - other.place) > gap for other in thrown):
            turn, value = drawings._turned(random, "die")
            thrown.append(Thrown(value, np.asarray(turn, np.float64), place))
        if len(thrown) == MOST:
            break
    return thrown


def truth(camera: Camera, die: Thrown, points: Floats, seen: int) -> dict[str, Any]:
    """What is known of a die: value (null where its top cannot be seen), the middle of the top
    face, and the longer side of its box, in px. `points` are the mesh's."""
    standing = points @ die.turn.T + np.array([*die.place, 1.0])
    pixels = camera.pixels(standing)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    whole = bool((low > -5).all() and (high < np.array([WIDTH, HEIGHT]) + 5).all())
    x, y = camera.pixels(np.array([[*die.place, 2.0]]))[0]
    return {
        "value": die.value if whole and seen >= SEEN else None,
        "x": round(float(x), 2),
        "y": round(float(y), 2),
        "size": round(float((high - low).max()), 2),
    }


def trace(folder: Path, seed: int, number: int) -> None:
    """Make one picture, and then its truth."""
    import bpy

    from training import materials

    random = np.random.default_rng([seed, number])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    _set_up(scene, random)
    scene.world = materials.room(random)
    bpy.ops.mesh.primitive_plane_add(size=400)
    bpy.context.object.data.materials.append(materials.ground(random))
    for _ in range(random.integers(1, 4)):
        _hang_lamp(random, bpy, materials)
    camera, lens = aimed(random)
    _place_camera(scene, bpy, camera, lens)
    kinds = [int(random.integers(1 << 40)) for _ in range(random.choice(ALIKE))]

    @functools.cache
    def cast(kind: int) -> tuple[Any, Solid]:
        style = np.random.default_rng(kind)
        form = solid(style)
        mesh = _mesh(bpy, form)
        mesh.materials.append(materials.plastic(style))
        return mesh, form

    placed, things = [], float(random.choice([0.0, 0.3]))
    for i, die in enumerate(scattered(random, camera)):
        if random.random() < things:
            _put_thing(random, bpy, materials, die.place)
            continue
        mesh, form = cast(kinds[i % len(kinds)])
        body = bpy.data.objects.new("die", mesh)
        _move(body, die.turn, np.array([*die.place, 1.0]))
        scene.collection.objects.link(body)
        placed.append((body, die, form))
    bpy.context.view_layer.update()
    dice = [
        truth(camera, die, form.points, _points_in_view(bpy, camera, body, die))
        for body, die, form in placed
    ]
    path = folder / f"{number:04d}.png"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    path.with_suffix(".json").write_text(json.dumps({"dice": dice}), encoding="utf-8")


def trace_all(folder: Path, pictures: int, seed: int) -> None:
    """Make what is missing of this many pictures, on all cores. SystemExit without Blender."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [i for i in range(pictures) if not (folder / f"{i:04d}.json").exists()]
    if not missing:
        return
    if importlib.util.find_spec("bpy") is None:
        raise SystemExit(
            "Blender's module is missing, which makes pictures to learn from: "
            "pip install -e '.[train]' with Python 3.11 or 3.13 on x86-64"
        )
    context, cores = multiprocessing.get_context("spawn"), os.sched_getaffinity(0)
    own = context.Queue()
    for core in cores:
        own.put(core)
    with ProcessPoolExecutor(len(cores), context, _keep_to_core, (own,)) as pool:
        done = pool.map(functools.partial(trace, folder, seed), missing)
        for made, _ in enumerate(done, 1):
            if made % 20 == 0:
                print(f"path-traced {made}/{len(missing)}", flush=True)


def _keep_to_core(own: Any) -> None:
    """Blender takes noise out on every core that it sees, and most of them only wait."""
    os.sched_setaffinity(0, {own.get()})


def _set_up(scene: Any, random: Random) -> None:
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = str(random.choice(["Standard", "Filmic", "AgX"]))
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling = SAMPLES, False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces, cycles.diffuse_bounces = 5, 2
    cycles.glossy_bounces, cycles.transmission_bounces = 3, 5
    cycles.caustics_reflective = cycles.caustics_refractive = False


def _hang_lamp(random: Random, bpy: Any, materials: Any) -> None:
    """A disc, a ring or a window that shines on the table and is mirrored in what is glossy."""
    at = np.asarray(drawings._sun(random), np.float64) * random.uniform(25, 50)
    wide = float(random.uniform(2, 16))
    strength = float(random.uniform(300, 3000)) / wide**2
    form = random.random()
    if form < 0.25:
        bpy.ops.mesh.primitive_torus_add(major_radius=wide / 2, minor_radius=wide / 10)
    elif form < 0.5:
        bpy.ops.mesh.primitive_circle_add(vertices=32, radius=wide / 2, fill_type="NGON")
    else:
        bpy.ops.mesh.primitive_plane_add(size=wide)
    lamp = bpy.context.object
    up = at / np.linalg.norm(at)
    side = np.cross(up, [0.0, 1.0, 0.2])
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(up, side), up], axis=1)
    oblong = np.array([*random.uniform(0.3, 1, 2), 1.0]) if form >= 0.5 else np.ones(3)
    _move(lamp, axes * oblong, at)
    lamp.data.materials.append(materials.glow(random, strength))


def _put_thing(random: Random, bpy: Any, materials: Any, place: Floats) -> None:
    """A bead, a ring, a coin, a pawn or a cube without pips: no die."""
    add, wide = bpy.ops.mesh, float(random.uniform(0.4, 1.0))
    form = random.integers(5)
    if form == 0:
        add.primitive_uv_sphere_add(radius=wide, location=(*place, wide))
    elif form == 1:
        thick = wide * float(random.uniform(0.2, 0.4))
        add.primitive_torus_add(major_radius=wide, minor_radius=thick, location=(*place, thick))
    elif form == 2:
        add.primitive_cylinder_add(radius=1.3 * wide, depth=0.2, location=(*place, 0.1))
    elif form == 3:
        high = 2.5 * wide
        add.primitive_cone_add(
            radius1=wide, radius2=0.3 * wide, depth=high, location=(*place, high / 2)
        )
        _dress(random, bpy.context.object, materials)
        add.primitive_uv_sphere_add(radius=0.6 * wide, location=(*place, high))
    else:
        turn = (0.0, 0.0, float(random.uniform(0, math.pi)))
        add.primitive_cube_add(size=2, location=(*place, 1.0), rotation=turn)
        rounded = bpy.context.object.modifiers.new("rounded", "BEVEL")
        rounded.width, rounded.segments = float(random.uniform(0.1, 0.4)), 5
    _dress(random, bpy.context.object, materials)


def _dress(random: Random, body: Any, materials: Any) -> None:
    body.data.materials.append(materials.plastic(random))
    body.data.polygons.foreach_set("use_smooth", np.ones(len(body.data.polygons), bool))


def _place_camera(scene: Any, bpy: Any, camera: Camera, lens: float) -> None:
    seeing = bpy.data.cameras.new("camera")
    seeing.lens, seeing.sensor_width = lens, SENSOR
    body = bpy.data.objects.new("camera", seeing)
    _move(body, camera.axes, camera.eye)
    scene.collection.objects.link(body)
    scene.camera = body


def _move(body: Any, axes: Floats, at: Floats) -> None:
    from mathutils import Matrix

    rows = np.eye(4)
    rows[:3, :3], rows[:3, 3] = axes, at
    body.matrix_world = Matrix(rows.tolist())


def _mesh(bpy: Any, form: Solid) -> Any:
    mesh = bpy.data.meshes.new("die")
    corners = form.quads.size
    mesh.vertices.add(len(form.points))
    mesh.vertices.foreach_set("co", form.points.ravel())
    mesh.loops.add(corners)
    mesh.loops.foreach_set("vertex_index", form.quads.ravel().astype(np.int32))
    mesh.polygons.add(len(form.quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, corners, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(form.quads), bool))
    for name, share in (("pip", form.pip), ("ace", form.ace)):
        kept = mesh.attributes.new(name, "FLOAT", "POINT").data
        kept.foreach_set("value", share.astype(np.float32))
    mesh.update()
    return mesh


def _points_in_view(bpy: Any, camera: Camera, body: Any, die: Thrown) -> int:
    """How many of nine points of the top face nothing hides."""
    from mathutils import Vector

    tables = bpy.context.evaluated_depsgraph_get()
    seen = 0
    for u in (-0.6, 0.0, 0.6):
        for v in (-0.6, 0.0, 0.6):
            ray = np.array([die.place[0] + u, die.place[1] + v, NEAR_TOP]) - camera.eye
            ray /= np.linalg.norm(ray)
            hit, _, _, _, other, _ = bpy.context.scene.ray_cast(
                tables, Vector(camera.eye.tolist()), Vector(ray.tolist())
            )
            seen += bool(hit and other.name == body.name)
    return seen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.traced", description="Path-trace tables full of dice."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    trace_all(args.folder, args.pictures, args.seed)


if __name__ == "__main__":
    main()
